package draw

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// hatches are the directions of the lines over fills that have nearly the grey of another: 1 rises,
// -1 falls, 2 is both, 0 none.
var hatches = map[color.Color]int{Vermilion: 1, Green: -1, Pink: 2, PaleRed: 1, Yellow: -1}

// fillHatched fills a rectangle, with the lines that go with the colour.
func fillHatched(c vgdraw.Canvas, r vg.Rectangle, fill color.Color) {
	c.FillPolygon(fill, []vg.Point{r.Min, {X: r.Min.X, Y: r.Max.Y}, r.Max, {X: r.Max.X, Y: r.Min.Y}})
	const step = 5 // points between two lines
	var lines vg.Path
	kind := hatches[fill]
	if kind > 0 { // x - y = k step
		for d := step * vg.Length(int((r.Min.X-r.Max.Y)/step)); d < r.Max.X-r.Min.Y; d += step {
			if low, high := max(r.Min.Y, r.Min.X-d), min(r.Max.Y, r.Max.X-d); low < high {
				lines.Move(vg.Point{X: d + low, Y: low})
				lines.Line(vg.Point{X: d + high, Y: high})
			}
		}
	}
	if kind < 0 || kind == 2 { // x + y = k step
		for d := step * vg.Length(int((r.Min.X+r.Min.Y)/step)); d < r.Max.X+r.Max.Y; d += step {
			if low, high := max(r.Min.Y, d-r.Max.X), min(r.Max.Y, d-r.Min.X); low < high {
				lines.Move(vg.Point{X: d - low, Y: low})
				lines.Line(vg.Point{X: d - high, Y: high})
			}
		}
	}
	if lines != nil {
		c.SetLineStyle(Stroke{Color: Black, Width: .4}.style())
		c.Stroke(lines)
	}
}

// An area is a filled rectangle with a text in its middle.
type area struct {
	x0, y0, x1, y1 float64
	left, right    float64 // points that are added to x0 and x1
	fill           color.Color
	inRows         bool // x and y are swapped
	label          string
	text           color.Color
}

func (a *area) Plot(c vgdraw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	x0, y0, x1, y1 := toX(a.x0)+vg.Length(a.left), toY(a.y0), toX(a.x1)+vg.Length(a.right), toY(a.y1)
	if a.inRows {
		x0, y0, x1, y1 = toX(a.y0), toY(a.x0), toX(a.y1), toY(a.x1)
	}
	r := vg.Rectangle{Min: vg.Point{X: min(x0, x1), Y: min(y0, y1)}, Max: vg.Point{X: max(x0, x1), Y: max(y0, y1)}}
	fillHatched(c, r, a.fill)
	c.SetLineStyle(Stroke{Color: White, Width: 0.8}.style())
	c.Stroke(r.Path())
	if a.label == "" {
		return
	}
	style := textStyle(tickSize, a.text, vgdraw.XCenter, vgdraw.YCenter)
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	if hatches[a.fill] != 0 { // no lines behind the text
		w, h := style.Width(a.label)/2+2, style.Height(a.label)/2
		c.SetColor(a.fill)
		c.Fill(vg.Rectangle{Min: middle.Sub(vg.Point{X: w, Y: h}), Max: middle.Add(vg.Point{X: w, Y: h})}.Path())
	}
	c.FillText(style, middle, a.label)
}
