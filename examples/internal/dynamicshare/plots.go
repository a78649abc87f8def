package dynamicshare

import (
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// curve is the i-th line of a chart over x, as 0, 1 and so on where x is nil.
func curve(i int, label string, x []float64, y ...float64) draw.Series {
	look := []draw.Series{
		{Stroke: draw.Stroke{Color: draw.Blue}, Mark: draw.Disc},
		{Stroke: draw.Stroke{Color: draw.Vermilion, Dash: draw.DashDot}, Mark: draw.Triangle},
		{Stroke: draw.Stroke{Color: draw.Green, Dash: draw.Dashed}, Mark: draw.Square},
		{Stroke: draw.Stroke{Color: draw.Black, Dash: draw.Dotted}, Mark: draw.Ring},
	}[i]
	look.Label, look.Radius, look.X, look.Y = label, 2.5, x, y
	for n := 0; x == nil && n < len(y); n++ {
		look.X = append(look.X, float64(n))
	}
	return look
}

// places is the axis of lines over 0, 1 and so on, which stand for some numbers.
func places(label string, numbers []int) draw.Axis {
	x := draw.Axis{Label: label, Min: -.4, Max: float64(len(numbers)) - .6}
	for i, n := range numbers {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(i), Label: strconv.Itoa(n)})
	}
	return x
}

// over is the interval of what the seeds gave.
func over[T any](list []T, of func(x *T) float64) report.Interval {
	var values []float64
	for i := range list {
		values = append(values, of(&list[i]))
	}
	return report.Over(values)
}

// minus is the interval of a - b, seed by seed.
func minus(a, b []float64) report.Interval {
	var values []float64
	for i := range a {
		values = append(values, a[i]-b[i])
	}
	return report.Over(values)
}
