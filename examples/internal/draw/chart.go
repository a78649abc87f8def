package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A Chart is one pair of axes and what is drawn between them, in the order of the calls.
type Chart struct {
	X, Y         Axis
	Title        string  // above the chart, of a panel
	Height       float64 // points, axes and labels included; 0 means 230, or what rows of categories need
	GridX, GridY bool
	columns      int  // panels that fill a row; 0: the chart is no panel
	beside       bool // right of the chart before it
	layers       []plot.Plotter
	legend       []entry
	ends         []entry // of lines that have their label at their right end instead
}

// An entry is one line of the legend: any of a stroke, a fill and a dot, and what they mean.
type entry struct {
	label  string
	stroke *Stroke
	fill   color.Color
	glyph  *vgdraw.GlyphStyle
	end    *[2]float64 // of a line: its last point
}

// explain adds a line to the legend, unless it has no label.
func (c *Chart) explain(e entry) {
	if e.label != "" {
		c.legend = append(c.legend, e)
	}
}

// ok says whether a point lies between the axes; a point with a NaN does not.
func (c *Chart) ok(x, y float64) bool { return c.X.shows(x) && c.Y.shows(y) }

// Line joins the points in order. It breaks where a point lies outside the axes. A label that is
// not empty goes to the legend.
func (c *Chart) Line(label string, x, y []float64, s Stroke) {
	var part plotter.XYs
	end := func() {
		if len(part) > 1 {
			c.layers = append(c.layers, &plotter.Line{XYs: part, LineStyle: s.style()})
		}
		part = nil
	}
	for i := range x {
		if !c.ok(x[i], y[i]) {
			end()
			continue
		}
		part = append(part, plotter.XY{X: x[i], Y: y[i]})
	}
	end()
	c.explain(entry{label: label, stroke: &s})
}

// Level draws a line at y over the whole width.
func (c *Chart) Level(label string, y float64, s Stroke) {
	c.Line(label, []float64{c.X.Min, c.X.Max}, []float64{y, y}, s)
}

// Dots draws a mark at each point that lies between the axes. radius is in points.
func (c *Chart) Dots(label string, x, y []float64, m Mark, col color.Color, radius float64) {
	glyph := m.glyph(col, radius)
	var pts plotter.XYs
	for i := range x {
		if c.ok(x[i], y[i]) {
			pts = append(pts, plotter.XY{X: x[i], Y: y[i]})
		}
	}
	if len(pts) > 0 {
		c.layers = append(c.layers, &plotter.Scatter{XYs: pts, GlyphStyle: glyph})
	}
	c.explain(entry{label: label, glyph: &glyph})
}

// Area fills the rectangle between two corners and outlines it in white, so that neighbours stay
// apart.
func (c *Chart) Area(x0, y0, x1, y1 float64, fill color.Color) {
	c.Block(x0, y0, x1, y1, Paint{Fill: fill}, "")
}

// Key explains a colour of areas in the legend.
func (c *Chart) Key(label string, fill color.Color) { c.explain(entry{label: label, fill: fill}) }

// Steps draws a quantity that changes only at the points: ys[i] from xs[i] until xs[i+1].
func (c *Chart) Steps(label string, xs, ys []float64, s Stroke) {
	var x, y []float64
	for i := range xs {
		if i > 0 {
			x, y = append(x, xs[i]), append(y, ys[i-1])
		}
		x, y = append(x, xs[i]), append(y, ys[i])
	}
	c.Line(label, x, y, s)
}

// Text writes s with its middle at a point.
func (c *Chart) Text(x, y float64, s string, col color.Color) {
	if !c.ok(x, y) {
		return
	}
	c.layers = append(c.layers, &plotter.Labels{
		XYs:       plotter.XYs{{X: x, Y: y}},
		Labels:    []string{s},
		TextStyle: []vgdraw.TextStyle{textStyle(tickSize, col, vgdraw.XCenter, vgdraw.YCenter)},
	})
}

// A Box is the five quantiles of a box plot, and the extremes.
type Box struct{ Min, P5, P25, Median, P75, P95, Max float64 }

// Boxes draws a box at each of the places xs, shifted by offset points and width points wide: the
// box from P25 to P75 with a line at the median, whiskers from P5 to P95, dots at the extremes. A box
// whose extremes do not lie between the axes is not drawn.
func (c *Chart) Boxes(label string, xs []float64, boxes []Box, offset, width float64, fill color.Color) {
	outline := Stroke{Color: Black, Width: 0.9}
	for i, b := range boxes {
		if !c.ok(xs[i], b.Min) || !c.ok(xs[i], b.Max) {
			continue
		}
		c.layers = append(c.layers, &area{x0: xs[i], x1: xs[i], y0: b.P25, y1: b.P75, left: offset - width/2, right: offset + width/2, fill: fill})
		p := &plotter.BoxPlot{
			Offset: vg.Length(offset), Width: vg.Length(width), CapWidth: vg.Length(width) / 2,
			GlyphStyle: Ring.glyph(Black, 1.6),
			BoxStyle:   outline.style(), WhiskerStyle: outline.style(), MedianStyle: Stroke{Color: Black, Width: 1.5}.style(),
		}
		p.Location = xs[i]
		p.AdjLow, p.Quartile1, p.Median, p.Quartile3, p.AdjHigh = b.P5, b.P25, b.Median, b.P75, b.P95
		p.Values, p.Outside = plotter.Values{b.Min, b.Max}, []int{0, 1}
		c.layers = append(c.layers, p)
	}
	c.Key(label, fill)
}

// plot makes the gonum plot of the chart for an area so wide, without the labels of the axes.
func (c *Chart) plot(room vg.Length) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	x, y := c.X, c.Y
	if x.Ticks == nil && !x.Log { // by a room that panels beside each other share, so that their ticks are the same
		left := vg.Length(40)
		if c.inRows() {
			left = rowNames
		}
		x.Ticks = x.fitting((width-left)/vg.Length(max(1, c.columns)) - gap)
	}
	if x.names != nil {
		var upright bool
		if x.Ticks, upright = c.nameTicks(x.names, room-40); upright {
			p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/2, vgdraw.XRight, vgdraw.YCenter
		}
	}
	if y.names != nil {
		y.Ticks, _ = c.nameTicks(y.names, 0)
	}
	x.apply(&p.X)
	y.apply(&p.Y)
	if c.GridX {
		p.Add(gridLines{x, false})
	}
	if c.GridY {
		p.Add(gridLines{y, true})
	}
	for _, l := range c.layers {
		p.Add(l)
	}
	// Adding a layer widens the axes to its data; the chart's own limits stand.
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.X.Min, c.X.Max, c.Y.Min, c.Y.Max
	return p
}

// layout returns the plot of the chart, the part of the area without title and labels of axes, and
// the part between the axes.
func (c *Chart) layout(area vgdraw.Canvas) (p *plot.Plot, inner, data vgdraw.Canvas) {
	line := textStyle(labelSize, Black, 0, 0).FontExtents().Height + labelPadding
	inner = area
	if c.Title != "" {
		inner.Max.Y -= line
	}
	if c.Y.Label != "" {
		inner.Min.X += line
	}
	if c.X.Label != "" {
		inner.Min.Y += line
	}
	inner.Max.X -= c.endRoom()
	p = c.plot(inner.Max.X - inner.Min.X)
	return p, inner, p.DataCanvas(inner)
}

// draw draws the chart into an area, the axis Y from low to high, where its labels leave it that
// room: axes beside each other have one length. It writes the labels of the axes itself, in the
// middle of the axis: gonum reserves room for a label at the mean of the axis' limits, which on a
// logarithmic axis is near its end, and so leaves an empty band beyond it.
func (c *Chart) draw(area vgdraw.Canvas, low, high vg.Length) {
	style := textStyle(labelSize, Black, vgdraw.XCenter, vgdraw.YBottom)
	p, inner, data := c.layout(area)
	area.FillText(style, vg.Point{X: data.Center().X, Y: inner.Max.Y + labelPadding/2}, c.Title)
	inner.Min.Y, inner.Max.Y = inner.Min.Y+low-data.Min.Y, inner.Max.Y+high-data.Max.Y
	p.Draw(inner)
	data = p.DataCanvas(inner)
	c.drawEnds(area, data, p)
	half := style.Width(c.X.Label) / 2
	area.FillText(style, vg.Point{X: max(area.Min.X+half, min(area.Max.X-half, data.Center().X)), Y: area.Min.Y}, c.X.Label)
	half = style.Width(c.Y.Label) / 2
	style.Rotation, style.YAlign = math.Pi/2, vgdraw.YTop
	area.FillText(style, vg.Point{X: area.Min.X, Y: max(area.Min.Y+half, min(area.Max.Y-half, data.Center().Y))}, c.Y.Label)
}
