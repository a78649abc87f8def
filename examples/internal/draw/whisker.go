package draw

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A whisker is a line from low to high at a place on the other axis. It is cut where its axis ends;
// a head at the end says that it goes on.
type whisker struct {
	at, low, high float64
	inRows        bool
	stroke        Stroke
}

// whisker draws one if some of it lies between the axes.
func (c *Chart) whisker(at, low, high float64, s Stroke) {
	v, other := *c.values(), c.X
	if c.inRows() {
		other = c.Y
	}
	if low < high && low <= v.Max && high >= v.Min && other.shows(at) {
		c.layers = append(c.layers, whisker{at, low, high, c.inRows(), s})
	}
}

func (w whisker) Plot(c vgdraw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	values := p.Y
	if w.inRows {
		values = p.X
	}
	point := func(v float64, along, across vg.Length) vg.Point {
		if w.inRows {
			return vg.Point{X: toX(v) + along, Y: toY(w.at) + across}
		}
		return vg.Point{X: toX(w.at) + across, Y: toY(v) + along}
	}
	low, high := max(w.low, values.Min), min(w.high, values.Max)
	c.StrokeLines(w.stroke.style(), []vg.Point{point(low, 0, 0), point(high, 0, 0)})
	head := func(v float64, length vg.Length) {
		c.FillPolygon(w.stroke.Color, []vg.Point{point(v, 0, 0), point(v, length, 2.5), point(v, length, -2.5)})
	}
	if w.low < low {
		head(low, 5)
	}
	if w.high > high {
		head(high, -5)
	}
}

// ends returns the values that an axis should hold: the points, and their whiskers up to three
// times the median length, so that one of them does not flatten the others.
func ends(list []Series) []float64 {
	var spreads, values []float64
	for _, s := range list {
		for i := range s.Y {
			if d := s.spread(i); d > 0 {
				spreads = append(spreads, d)
			}
		}
	}
	slices.Sort(spreads)
	for _, s := range list {
		for i, y := range s.Y {
			if d := s.spread(i); d > 0 {
				d = min(d, 3*spreads[len(spreads)/2])
				values = append(values, y-d, y+d)
			}
			values = append(values, y)
			if s.Seeds != nil {
				values = append(values, s.Seeds[i]...)
			}
		}
	}
	return values
}
