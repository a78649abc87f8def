// Package draw is a thin layer over gonum/plot for the pictures of the examples: charts of lines,
// boxes, dots and areas with linear or logarithmic axes, stacked into one picture, as an SVG
// document that is the same bytes on every run or as a PNG image.
//
// A picture is made in one way:
//
//	c := &draw.Chart{X: draw.Axis{Label: "load", Max: 1, Ticks: draw.Ticks(0, 1, .25)}, Y: draw.Axis{Label: "ratio", Log: true}}
//	c.Series([]draw.Series{{Label: "PS", X: x, Y: y, Stroke: draw.Stroke{Color: draw.Blue}, Radius: 2.5}}) // or Area, Block, Boxes, Dots, Text
//	p, err := draw.New("text alternative", c)
//	svg, err := p.SVG() // or p.PNG()
//
// Categories makes an axis of names, on which Points stand side by side without lines;
// Panels makes small multiples of charts; Look returns lines that differ in grey too.
//
// It fixes what gonum leaves to each caller: colours that stay apart for colour-blind readers and
// in grey print (fills of like grey are hatched), whiskers that are cut at the frame with a mark,
// legends above the data instead of over it, box plots whose quantiles the caller gives,
// logarithmic axes that skip values that have no logarithm, axes that fit their series, and a text
// alternative inside the SVG document, whose text stays in place with any font.
package draw
