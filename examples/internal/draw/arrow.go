package draw

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Arrow draws a straight arrow whose point is at (x1, y1). Nothing is drawn if one of its ends lies
// outside the axes.
func (c *Chart) Arrow(x0, y0, x1, y1 float64, s Stroke) {
	if c.ok(x0, y0) && c.ok(x1, y1) {
		c.layers = append(c.layers, arrow{x0, y0, x1, y1, s})
	}
}

type arrow struct {
	x0, y0, x1, y1 float64
	stroke         Stroke
}

func (a arrow) Plot(c vgdraw.Canvas, p *plot.Plot) {
	const length, half = 7, 3 // of the head, in points: half is half its width
	toX, toY := p.Transforms(&c)
	from, to := vg.Point{X: toX(a.x0), Y: toY(a.y0)}, vg.Point{X: toX(a.x1), Y: toY(a.y1)}
	d := to.Sub(from)
	way := vg.Length(math.Hypot(d.X.Points(), d.Y.Points()))
	if way == 0 {
		return
	}
	along, across := d.Scale(1/way), vg.Point{X: -d.Y / way, Y: d.X / way}
	foot := to.Sub(along.Scale(length))
	c.StrokeLines(a.stroke.style(), []vg.Point{from, foot})
	c.FillPolygon(a.stroke.Color, []vg.Point{to, foot.Add(across.Scale(half)), foot.Sub(across.Scale(half))})
}
