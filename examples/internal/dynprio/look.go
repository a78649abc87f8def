package dynprio

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

// looks are those of the lines of a chart, in order and then over again.
var looks = []draw.Stroke{
	{Color: draw.Blue}, {Color: draw.Vermilion, Dash: draw.DashDot}, {Color: draw.Green, Dash: draw.Dashed},
	{Color: draw.Black, Dash: draw.Dotted}, {Color: draw.Orange}, {Color: draw.Pink, Dash: draw.Dashed},
}

// curve is the i-th line of a chart over x, or over 1, 2 and so on where x is nil.
func curve(i int, label string, x, y []float64) draw.Series {
	if x == nil {
		x = ordinals(len(y))
	}
	return draw.Series{Label: label, X: x, Y: y, Stroke: looks[i%len(looks)], Radius: 2}
}

// ordinals are 1 to n.
func ordinals(n int) []float64 {
	var list []float64
	for i := range n {
		list = append(list, float64(i+1))
	}
	return list
}

// axis is a linear axis from 0.
func axis(label string, end, step float64) draw.Axis {
	return draw.Axis{Label: label, Max: end, Ticks: draw.Ticks(0, end, step)}
}

// userName names the user with index i.
func userName(i int) string { return fmt.Sprintf("user %d", i+1) }

// line is a curve without marks, whose X is still to come.
func line(i int, label string, y []float64) draw.Series {
	return draw.Series{Label: label, Y: y, Stroke: looks[i%len(looks)]}
}

// thin gives lines their X.
func thin(x []float64, list ...draw.Series) []draw.Series {
	for i := range list {
		list[i].X = x
	}
	return list
}
