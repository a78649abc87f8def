package draw

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

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

// A Picture is rows of charts. A legend stands above the charts that it explains.
type Picture struct {
	alt  string
	rows []row
}

// A row is charts beside each other below a legend, whose lines fit the width; no lines: none.
type row struct {
	charts []*Chart
	legend [][]entry
}

// New makes a picture of charts that are complete. alt is the text alternative for readers who do
// not see the picture.
func New(alt string, charts ...*Chart) (*Picture, error) {
	if len(charts) == 0 {
		return nil, errors.New("draw: no charts")
	}
	p := &Picture{alt: alt}
	for _, c := range charts {
		if !c.X.valid() || !c.Y.valid() {
			return nil, fmt.Errorf("draw: axes %q from %v to %v and %q from %v to %v cannot be drawn",
				c.X.Label, c.X.Min, c.X.Max, c.Y.Label, c.Y.Min, c.Y.Max)
		}
		if !c.beside || p.rows == nil {
			p.rows = append(p.rows, row{})
		}
		last := &p.rows[len(p.rows)-1]
		last.charts = append(last.charts, c)
	}
	p.legends()
	return p, nil
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

func (p *Picture) height() vg.Length {
	h := vg.Length(2*margin - gap)
	for _, r := range p.rows {
		h += legendHeight(r.legend) + r.height() + gap
	}
	return h
}

func (p *Picture) draw(page vgdraw.Canvas) {
	page.SetColor(White)
	page.Fill(page.Rectangle.Path())
	page = vgdraw.Crop(page, margin, -margin, margin, -margin)
	top := page.Max.Y
	all := p.margins(page)
	for _, r := range p.rows {
		for i, line := range r.legend {
			drawLegendRow(page, line, top-legendLine()*(vg.Length(i)+.5))
		}
		top -= legendHeight(r.legend)
		margins := all[r.charts[0].columns]
		if margins == nil {
			margins = []sideways{r.charts[0].margins(page)}
		}
		free, x := page.Max.X-page.Min.X+gap, page.Min.X
		for _, m := range margins {
			free -= m.left + m.right + gap
		}
		wide := free / vg.Length(len(margins))
		areas, low, high := slices.Repeat([]vgdraw.Canvas{page}, len(r.charts)), page.Min.Y, page.Max.Y
		for i, c := range r.charts {
			own, area := c.margins(page), &areas[i]
			x += margins[i].left
			area.Min.X, area.Max.X = x-own.left, x+wide+own.right
			area.Max.Y, area.Min.Y = top, top-vg.Length(c.height())
			_, _, data := c.layout(*area)
			low, high = max(low, data.Min.Y), min(high, data.Max.Y)
			x += wide + margins[i].right + gap
		}
		for i, c := range r.charts {
			c.draw(areas[i], low, high)
		}
		top -= r.height() + gap
	}
}

// A sideways is the room of labels left and right of the axes.
type sideways struct{ left, right vg.Length }

func (c *Chart) margins(area vgdraw.Canvas) sideways {
	_, _, data := c.layout(area)
	return sideways{data.Min.X - area.Min.X, area.Max.X - data.Max.X}
}

// margins are the largest of each column of panels, by their number of columns: the axes of panels
// below each other begin and end at one place.
func (p *Picture) margins(area vgdraw.Canvas) map[int][]sideways {
	all := map[int][]sideways{}
	for _, r := range p.rows {
		n := r.charts[0].columns
		if n > 0 && all[n] == nil {
			all[n] = make([]sideways, n)
		}
		for i, c := range r.charts[:min(n, len(r.charts))] {
			own, m := c.margins(area), &all[n][i]
			m.left, m.right = max(m.left, own.left), max(m.right, own.right)
		}
	}
	return all
}

func (r *row) height() vg.Length {
	h := 0.
	for _, c := range r.charts {
		h = max(h, c.height())
	}
	return vg.Length(h)
}

func (c *Chart) height() float64 {
	if c.Height > 0 {
		return c.Height
	}
	if !c.inRows() {
		return defaultHeight
	}
	lines := 0
	for _, name := range c.Y.names {
		s, _ := wrap(name, rowNames)
		lines += 1 + strings.Count(s, "\n")
	}
	return 45 + 7*float64(len(c.Y.names)) + tickSize*float64(lines)
}
