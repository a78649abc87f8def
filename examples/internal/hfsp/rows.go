package hfsp

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// appendSeeds adds a point at the mean, with a dot for each seed.
func appendSeeds(s *draw.Series, values []float64) {
	s.Y, s.Seeds = append(s.Y, report.Mean(values)), append(s.Seeds, values)
}

// rowChart draws one row per label, the first on top, over an axis on which 1 is marked.
func rowChart(axis draw.Axis, labels []string, list ...draw.Series) *draw.Chart {
	c := &draw.Chart{GridX: true, X: axis, Y: draw.Categories("", labels...)}
	c.Points(list, 1)
	c.Line("", []float64{1, 1}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: 0.8})
	return c
}
