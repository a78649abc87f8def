package draw

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A whisker is a line from low to high at a place on the other axis. It is cut where its axis ends;
// a head at the end says that it goes on.
type whisker struct {
	at, low, high float64
	values        Axis
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
		c.layers = append(c.layers, whisker{at, low, high, v, c.inRows(), s})
	}
}

func (w whisker) Plot(c vgdraw.Canvas, p *plot.Plot) {
	const head = 2.5 // half its width, in points
	toX, toY := p.Transforms(&c)
	point := func(v float64, along, across vg.Length) vg.Point {
		if w.inRows {
			return vg.Point{X: toX(v) + along, Y: toY(w.at) + across}
		}
		return vg.Point{X: toX(w.at) + across, Y: toY(v) + along}
	}
	low, high := max(w.low, w.values.Min), min(w.high, w.values.Max)
	c.StrokeLines(w.stroke.style(), []vg.Point{point(low, 0, 0), point(high, 0, 0)})
	if w.low < low {
		c.FillPolygon(w.stroke.Color, []vg.Point{point(low, 0, 0), point(low, 2*head, head), point(low, 2*head, -head)})
	}
	if w.high > high {
		c.FillPolygon(w.stroke.Color, []vg.Point{point(high, 0, 0), point(high, -2*head, head), point(high, -2*head, -head)})
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
		}
	}
	return values
}

// A zeroBar stands where a bar of 0 would.
type zeroBar struct {
	from, to float64
	inRows   bool
	fill     color.Color
}

func (z zeroBar) Plot(c vgdraw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	const rise = 1.5 // points between the axis and the middle of the line
	style, text := Stroke{Color: z.fill, Width: 2}.style(), textStyle(8, Black, vgdraw.XCenter, vgdraw.YBottom)
	if z.inRows {
		x := toX(0) + rise
		text.XAlign, text.YAlign = vgdraw.XLeft, vgdraw.YCenter
		c.StrokeLine2(style, x, toY(z.from), x, toY(z.to))
		c.FillText(text, vg.Point{X: x + 2*rise, Y: toY((z.from + z.to) / 2)}, "0")
		return
	}
	y := toY(0) + rise
	c.StrokeLine2(style, toX(z.from), y, toX(z.to), y)
	c.FillText(text, vg.Point{X: toX((z.from + z.to) / 2), Y: y + rise}, "0")
}
