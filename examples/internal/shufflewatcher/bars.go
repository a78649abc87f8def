package shufflewatcher

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// bars draws groups of bars from 0, one of each series in a group, with whiskers of the intervals:
// values[series][group]. The first series has the paint of the number first.
func bars(label string, first int, groups, series []string, values [][]report.Interval) *draw.Chart {
	c := &draw.Chart{GridY: true, Y: draw.Axis{Label: label}, X: draw.Axis{Min: -.1, Max: float64(len(groups)) + .1}}
	var ends []float64
	for _, list := range values {
		for _, v := range list {
			if v.Mean == v.Mean {
				ends = append(ends, v.Mean, v.Mean+v.Half)
			}
		}
	}
	c.FitY(ends...)
	for g, name := range groups {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(g) + .5, Label: name})
	}
	width := .8 / float64(len(series))
	for k, name := range series {
		for g, v := range values[k] {
			x := float64(g) + .1 + float64(k)*width
			c.Area(x, 0, x+width, v.Mean, draw.PaintOf(first+k).Fill)
			if v.Half > 0 {
				at := x + width/2
				c.Line("", []float64{at, at}, []float64{max(c.Y.Min, v.Low()), min(c.Y.Max, v.High())}, draw.Stroke{Color: draw.Black, Width: .9})
			}
		}
		c.Key(name, draw.PaintOf(first+k).Fill)
	}
	return c
}

// exactly are intervals of no width.
func exactly(values ...float64) []report.Interval {
	var list []report.Interval
	for _, v := range values {
		list = append(list, report.Interval{Mean: v})
	}
	return list
}
