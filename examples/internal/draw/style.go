package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Colours after Okabe and Ito, who chose them so that every kind of colour vision keeps them apart.
// Lines differ by dashes too and areas by lightness, for print in grey.
var (
	Black     = color.NRGBA{A: 0xff}
	Blue      = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	Vermilion = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	Green     = color.NRGBA{0x00, 0x9e, 0x73, 0xff}
	Orange    = color.NRGBA{0xe6, 0x9f, 0x00, 0xff}
	Pale      = color.NRGBA{0xc8, 0xe6, 0xf7, 0xff}
	PaleRed   = color.NRGBA{0xf3, 0xc6, 0xa8, 0xff}
	Pink      = color.NRGBA{0xcc, 0x79, 0xa7, 0xff}
	Yellow    = color.NRGBA{0xf0, 0xe4, 0x42, 0xff}
	White     = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	grid      = color.NRGBA{0xdd, 0xdd, 0xdd, 0xff}
	ink       = color.NRGBA{0x11, 0x11, 0x11, 0xff} // on a pale fill: a page that shows Black in its own colour leaves it as it is
)

// Dash is a line pattern.
type Dash int

// The patterns, in the order in which to use them.
const (
	Solid Dash = iota
	Dashed
	Dotted
	DashDot
	LongDash
	DashDotDot
)

var dashes = [...][]vg.Length{Solid: nil, Dashed: {7, 3}, Dotted: {1.5, 2.5}, DashDot: {8, 3, 1.5, 3}, LongDash: {14, 4}, DashDotDot: {8, 2.5, 1.5, 2.5, 1.5, 2.5}}

// Stroke is how a line looks.
type Stroke struct {
	Color color.Color
	Dash  Dash
	Width float64 // points; 0 means 1.6
}

func (s Stroke) style() vgdraw.LineStyle {
	w := s.Width
	if !(w > 0) {
		w = 1.6
	}
	return vgdraw.LineStyle{Color: s.Color, Width: vg.Length(w), Dashes: dashes[s.Dash]}
}

// Mark is the shape of a dot.
type Mark int

// The shapes.
const (
	Disc Mark = iota
	Ring
	Square
	Triangle
	Cross
	OpenSquare
	OpenTriangle
)

func (m Mark) glyph(c color.Color, radius float64) vgdraw.GlyphStyle {
	shapes := [...]vgdraw.GlyphDrawer{vgdraw.CircleGlyph{}, ring{}, vgdraw.BoxGlyph{}, vgdraw.PyramidGlyph{}, vgdraw.CrossGlyph{}, vgdraw.SquareGlyph{}, vgdraw.TriangleGlyph{}}
	return vgdraw.GlyphStyle{Color: c, Radius: vg.Length(radius), Shape: shapes[m]}
}

// ring is vgdraw.RingGlyph with a line that is seen on a dark page too.
type ring struct{}

func (ring) DrawGlyph(c *vgdraw.Canvas, s vgdraw.GlyphStyle, at vg.Point) {
	var p vg.Path
	p.Move(vg.Point{X: at.X + s.Radius, Y: at.Y})
	p.Arc(at, s.Radius, 0, 2*math.Pi)
	p.Close()
	c.SetLineStyle(Stroke{Color: s.Color, Width: 1}.style())
	c.Stroke(p)
}

// Look is a series without points that differs from five others by colour, dash and mark; k >= 0,
// and the first again after the sixth: more belong into several panels.
func Look(k int, label string) Series {
	k %= 6
	colors := [...]color.Color{Blue, Vermilion, Green, Black, Orange, Pink}
	return Series{Label: label, Stroke: Stroke{Color: colors[k], Dash: Dash(k)}, Mark: Mark(k), Radius: 3}
}

// Sizes of text in points. A picture is 360 points wide: on a phone of 360 CSS pixels the smallest
// text is then 9 pixels high.
const (
	labelSize = 11
	tickSize  = 10

	labelPadding = 4 // between the label of an axis and its ticks
)

// tickStyle is that of ticks and of legends, from the left.
var tickStyle = textStyle(tickSize, Black, vgdraw.XLeft, vgdraw.YCenter)

func textStyle(size float64, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Length(size)),
		XAlign:  x,
		YAlign:  y,
		Handler: textHandler,
	}
}
