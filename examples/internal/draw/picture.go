package draw

import (
	"bytes"
	"errors"
	"fmt"
	"html"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// All pictures have one width, so that text has one size on a page.
const (
	width         = 360
	defaultHeight = 230
	margin        = 4
	gap           = 8   // between charts of one picture
	swatch        = 18  // width of a sample in the legend
	dpi           = 192 // of a PNG: two pixels for each of CSS
)

// A Picture is charts below each other, with the legends of all of them at the top.
type Picture struct {
	alt    string
	charts []*Chart
	legend [][]entry // rows that fit the width
}

// New makes a picture of charts that are complete. alt is the text alternative for readers who do
// not see the picture.
func New(alt string, charts ...*Chart) (*Picture, error) {
	if len(charts) == 0 {
		return nil, errors.New("draw: no charts")
	}
	var entries []entry
	for _, c := range charts {
		if !c.X.valid() || !c.Y.valid() {
			return nil, fmt.Errorf("draw: axes %q from %v to %v and %q from %v to %v cannot be drawn",
				c.X.Label, c.X.Min, c.X.Max, c.Y.Label, c.Y.Min, c.Y.Max)
		}
		entries = append(entries, c.legend...)
	}
	return &Picture{alt, charts, legendRows(entries)}, nil
}

// SVG returns the picture as an SVG document, the same bytes on every call.
func (p *Picture) SVG() ([]byte, error) {
	out := newSVGCanvas(width, p.height())
	p.draw(vgdraw.New(out))
	return out.document(`role="img" aria-label="` + html.EscapeString(p.alt) + `"`)
}

// PNG returns the picture as a PNG image of 960 pixels' width.
func (p *Picture) PNG() ([]byte, error) {
	out := vgimg.NewWith(vgimg.UseWH(width, p.height()), vgimg.UseDPI(dpi))
	p.draw(vgdraw.New(out))
	var b bytes.Buffer
	_, err := vgimg.PngCanvas{Canvas: out}.WriteTo(&b)
	return b.Bytes(), err
}

// legendLine is the height of a row of the legend.
func legendLine() vg.Length {
	style := textStyle(tickSize, Black, vgdraw.XLeft, vgdraw.YCenter)
	return style.FontExtents().Height * 1.25
}

func (p *Picture) height() vg.Length {
	h := vg.Length(2*margin + gap*(len(p.charts)-1))
	for _, c := range p.charts {
		h += vg.Length(c.height())
	}
	if len(p.legend) > 0 {
		h += gap + legendLine()*vg.Length(len(p.legend))
	}
	return h
}

func (p *Picture) draw(page vgdraw.Canvas) {
	page.SetColor(White)
	page.Fill(page.Rectangle.Path())
	page = vgdraw.Crop(page, margin, -margin, margin, -margin)
	top := page.Max.Y
	for _, row := range p.legend {
		drawLegendRow(page, row, top-legendLine()/2)
		top -= legendLine()
	}
	if len(p.legend) > 0 {
		top -= gap
	}
	for _, c := range p.charts {
		area := page
		area.Max.Y = top
		area.Min.Y = top - vg.Length(c.height())
		c.draw(area)
		top = area.Min.Y - gap
	}
}

func (c *Chart) height() float64 {
	if c.Height > 0 {
		return c.Height
	}
	return defaultHeight
}

// legendRows breaks the entries into rows that fit the width.
func legendRows(entries []entry) [][]entry {
	style := textStyle(tickSize, Black, 0, 0)
	var rows [][]entry
	x := 0.0
	for _, e := range entries {
		w := entryWidth(float64(style.Width(e.label)))
		if len(rows) == 0 || x+w > width-2*margin {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += w
	}
	return rows
}

func entryWidth(text float64) float64 { return swatch + 5 + text + 14 }

func drawLegendRow(c vgdraw.Canvas, row []entry, y vg.Length) {
	style := textStyle(tickSize, Black, vgdraw.XLeft, vgdraw.YCenter)
	x := c.Min.X
	for _, e := range row {
		if e.fill != nil {
			r := []vg.Point{{X: x + 2, Y: y - 4}, {X: x + swatch - 2, Y: y - 4}, {X: x + swatch - 2, Y: y + 4}, {X: x + 2, Y: y + 4}}
			c.FillPolygon(e.fill, r)
			c.StrokeLines(Stroke{Color: Black, Width: 0.8}.style(), append(r, r[0]))
		}
		if e.stroke != nil {
			c.StrokeLine2(e.stroke.style(), x, y, x+swatch, y)
		}
		if e.glyph != nil {
			c.DrawGlyphNoClip(*e.glyph, vg.Point{X: x + swatch/2, Y: y})
		}
		c.FillText(style, vg.Point{X: x + swatch + 5, Y: y}, e.label)
		x += vg.Length(entryWidth(float64(style.Width(e.label))))
	}
}
