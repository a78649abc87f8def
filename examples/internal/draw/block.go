package draw

import (
	"fmt"
	"image/color"
)

// A Paint is a fill and the colour of text on it.
type Paint struct{ Fill, Text color.Color }

// Paints are for things that are told apart by colour alone, in the order in which to use them.
var Paints = []Paint{{Blue, White}, {Orange, Black}, {Pale, Black}, {Vermilion, White}, {Green, White}, {Yellow, Black}, {Pink, Black}, {PaleRed, Black}}

// PaintOf returns a paint for each k >= 0, the first again after the last.
func PaintOf(k int) Paint { return Paints[k%len(Paints)] }

// Block fills the rectangle between two corners and writes label in its middle, where there is room
// for it.
func (c *Chart) Block(x0, y0, x1, y1 float64, p Paint, label string) {
	c.Area(x0, y0, x1, y1, p.Fill)
	const letter, line = 0.022, 0.075 // of the width and the height of a chart
	if x1-x0 > letter*float64(len(label))*(c.X.Max-c.X.Min) && y1-y0 > line*(c.Y.Max-c.Y.Min) {
		c.Text((x0+x1)/2, (y0+y1)/2, label, p.Text)
	}
}

// Rows makes an axis of n rows, the first on top, each one unit high and labelled by its number
// from 1. Row i begins at n - 1 - i.
func Rows(label string, n int) Axis {
	a := Axis{Label: label, Min: 0, Max: float64(n), NoLine: true}
	for i := range n {
		a.Ticks = append(a.Ticks, Tick{At: float64(n-i) - 0.5, Label: fmt.Sprint(i + 1)})
	}
	return a
}
