package draw

import "image/color"

// A Paint is a fill and the colour of text on it.
type Paint struct{ Fill, Text color.Color }

// Paints are for areas, in the order in which to use them; fills that are near each other in grey
// have lines across.
var Paints = []Paint{{Blue, White}, {Orange, ink}, {Pale, ink}, {Vermilion, White}, {Green, White}, {Yellow, ink}, {Pink, ink}, {PaleRed, ink}}

// PaintOf returns a paint for each k >= 0, the first again after the last.
func PaintOf(k int) Paint { return Paints[k%len(Paints)] }

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
