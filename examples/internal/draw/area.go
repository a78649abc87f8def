package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// hatches are the slopes of the lines over fills that have nearly the grey of another.
var hatches = map[color.Color][]vg.Length{Vermilion: {1}, Green: {-1}, Pink: {1, -1}, PaleRed: {1}, Yellow: {-1}}

// fillHatched fills a rectangle, with the lines that go with the colour.
func fillHatched(c vgdraw.Canvas, r vg.Rectangle, fill color.Color) {
	c.SetColor(fill)
	c.Fill(r.Path())
	c.SetLineStyle(Stroke{Color: Black, Width: .4}.style())
	const step = 5 // points between two lines
	var lines vg.Path
	for _, slope := range hatches[fill] { // y = slope x + k step
		from, to := r.Min.Y-max(slope*r.Min.X, slope*r.Max.X), r.Max.Y-min(slope*r.Min.X, slope*r.Max.X)
		for d := step * vg.Length(math.Ceil(float64(from/step))); d < to; d += step {
			a, b := slope*(r.Min.Y-d), slope*(r.Max.Y-d) // where the line is at the lower and the upper end
			low, high := max(r.Min.X, min(a, b)), min(r.Max.X, max(a, b))
			lines.Move(vg.Point{X: low, Y: slope*low + d})
			lines.Line(vg.Point{X: high, Y: slope*high + d})
		}
	}
	if lines != nil {
		c.Stroke(lines)
	}
}

// An area is a filled rectangle with a text in its middle.
type area struct {
	x0, y0, x1, y1 float64
	left, right    float64 // points that are added to x0 and x1
	fill           color.Color
	label          string
	text           color.Color
}

func (a *area) Plot(c vgdraw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	x0, y0, x1, y1 := toX(a.x0)+vg.Length(a.left), toY(a.y0), toX(a.x1)+vg.Length(a.right), toY(a.y1)
	r := vg.Rectangle{Min: vg.Point{X: min(x0, x1), Y: min(y0, y1)}, Max: vg.Point{X: max(x0, x1), Y: max(y0, y1)}}
	fillHatched(c, r, a.fill)
	c.SetLineStyle(Stroke{Color: White, Width: 0.8}.style())
	c.Stroke(r.Path())
	if a.label == "" {
		return
	}
	style := textStyle(tickSize, a.text, vgdraw.XCenter, vgdraw.YCenter)
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	if hatches[a.fill] != nil { // no lines behind the text
		w, h := style.Width(a.label)/2+2, style.Height(a.label)/2
		c.SetColor(a.fill)
		c.Fill(vg.Rectangle{Min: middle.Sub(vg.Point{X: w, Y: h}), Max: middle.Add(vg.Point{X: w, Y: h})}.Path())
	}
	c.FillText(style, middle, a.label)
}

// A Paint is a fill and the colour of text on it.
type Paint struct{ Fill, Text color.Color }

// paints are for areas, in the order in which to use them; fills that are near each other in grey
// have lines across.
var paints = []Paint{{Blue, White}, {Orange, ink}, {Pale, ink}, {Vermilion, White}, {Green, White}, {Yellow, ink}, {Pink, ink}, {PaleRed, ink}}

// PaintOf returns a paint for each k >= 0, the first again after the last.
func PaintOf(k int) Paint { return paints[k%len(paints)] }

// Block fills the rectangle between two corners and writes label in its middle, where there is room
// for it.
func (c *Chart) Block(x0, y0, x1, y1 float64, p Paint, label string) {
	const letter, line = 0.022, 0.075 // of the width and the height of a chart
	if x1-x0 <= letter*float64(len(label))*(c.X.Max-c.X.Min) || y1-y0 <= line*(c.Y.Max-c.Y.Min) {
		label = ""
	}
	if c.ok(x0, y0) && c.ok(x1, y1) {
		c.layers = append(c.layers, &area{x0: x0, y0: y0, x1: x1, y1: y1, fill: p.Fill, label: label, text: p.Text})
	}
}
