package dynprio

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// looks are those of the lines of a chart, in order and then over again.
var looks = []draw.Stroke{
	{Color: draw.Blue}, {Color: draw.Vermilion, Dash: draw.DashDot}, {Color: draw.Green, Dash: draw.Dashed},
	{Color: draw.Black, Dash: draw.Dotted}, {Color: draw.Orange}, {Color: draw.Pink, Dash: draw.Dashed},
	{Color: draw.Blue, Dash: draw.Dotted}, {Color: draw.Vermilion}, {Color: draw.Green, Dash: draw.DashDot}, {Color: draw.Black},
}

// line is the i-th line of a chart over x, or over 1, 2 and so on where x is nil. curve is one with
// marks.
func line(i int, label string, x, y []float64) draw.Series {
	for k := len(x); k < len(y); k++ {
		x = append(x, float64(k+1))
	}
	return draw.Series{Label: label, X: x, Y: y, Stroke: looks[i%len(looks)]}
}

func curve(i int, label string, x, y []float64) draw.Series {
	s := line(i, label, x, y)
	s.Radius = 2
	return s
}

// axis is a linear axis from 0.
func axis(label string, end, step float64) draw.Axis {
	return draw.Axis{Label: label, Max: end, Ticks: draw.Ticks(0, end, step)}
}

// row is a claim. Its model is written by a format.
func row(claim, published, relation string, holds bool, note, model string, args ...any) report.Claim {
	return report.Claim{Claim: claim, Published: published, Relation: relation, Holds: holds, Note: note, Model: fmt.Sprintf(model, args...)}
}

// as gives a claim its kind.
func as(k report.Kind, c report.Claim) report.Claim {
	c.Kind = k
	return c
}
