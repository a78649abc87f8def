package draw

import (
	"bytes"
	"errors"
	"fmt"
	"html"

	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// All pictures have one width, so that text has one size on a page.
const (
	width         = 360
	defaultHeight = 230
	margin        = 4
	gap           = 8  // between charts of one picture
	swatch        = 18 // width of a sample in the legend
)

// SVG draws the charts below each other, the legends of all of them at the top, and returns an SVG document. alt is the text
// alternative for readers who do not see it.
func SVG(alt string, charts ...*Chart) ([]byte, error) {
	if len(charts) == 0 {
		return nil, errors.New("draw: no charts")
	}
	var entries []entry
	height := 2.0*margin + gap*float64(len(charts)-1)
	for _, c := range charts {
		entries = append(entries, c.legend...)
		height += c.height()
	}
	rows := legendRows(entries)
	style := textStyle(tickSize, Black, vgdraw.XLeft, vgdraw.YCenter)
	line := float64(style.FontExtents().Height) * 1.25
	height += line * float64(len(rows))
	if len(rows) > 0 {
		height += gap
	}

	out := vgsvg.New(width, vg.Length(height))
	page := vgdraw.New(out)
	page.SetColor(White)
	page.Fill(page.Rectangle.Path())
	page = vgdraw.Crop(page, margin, -margin, margin, -margin)
	top := page.Max.Y
	for _, row := range rows {
		drawLegendRow(page, row, top-vg.Length(line/2))
		top -= vg.Length(line)
	}
	if len(rows) > 0 {
		top -= gap
	}
	for _, c := range charts {
		p, err := c.plot()
		if err != nil {
			return nil, err
		}
		area := page
		area.Max.Y = top
		area.Min.Y = top - vg.Length(c.height())
		p.Draw(area)
		top = area.Min.Y - gap
	}
	var b bytes.Buffer
	if _, err := out.WriteTo(&b); err != nil {
		return nil, err
	}
	return accessible(b.Bytes(), alt)
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

// accessible gives the document a text alternative and fonts to fall back on where Liberation Sans is not installed; these have
// its metrics, so labels keep their widths.
func accessible(svg []byte, alt string) ([]byte, error) {
	start := bytes.Index(svg, []byte("<svg "))
	if start < 0 {
		return nil, errors.New("draw: no <svg> element was written")
	}
	open := bytes.IndexByte(svg[start:], '>')
	if open < 0 {
		return nil, errors.New("draw: the <svg> element does not end")
	}
	open += start
	var b bytes.Buffer
	b.Write(svg[start:open])
	fmt.Fprintf(&b, ` role="img" aria-label="%s">`, html.EscapeString(alt))
	b.Write(bytes.ReplaceAll(svg[open+1:], []byte("font-family:Liberation Sans;font-variant:normal;"),
		[]byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;")))
	return b.Bytes(), nil
}
