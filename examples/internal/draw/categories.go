package draw

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// rowNames is the room in points for the names of categories on the axis Y.
const rowNames = 118

// Categories makes an axis on which named categories without an order stand, for Bars and Points.
// On the axis X a name is broken at spaces to fit its place, and stands upright where a word is
// too long; many or long names are better read on the axis Y, the first on top.
func Categories(label string, names ...string) Axis {
	return Axis{Label: label, Min: -.5, Max: float64(len(names)) - .5, names: names}
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

// wrap breaks s at spaces into lines that are at most room wide where its words allow, and returns
// the width of the widest line.
func wrap(s string, room vg.Length) (string, vg.Length) {
	style := textStyle(tickSize, Black, 0, 0)
	line, lines, widest := "", []string(nil), vg.Length(0)
	for _, word := range strings.Fields(s) {
		if line != "" && style.Width(line+" "+word) > room {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
		widest = max(widest, style.Width(line))
	}
	return strings.Join(append(lines, line), "\n"), widest
}

// nameTicks returns the ticks of the categories of an axis. On an axis X that is about length long
// they stand upright if a word is wider than the room of a category.
func (c *Chart) nameTicks(names []string, length vg.Length) (ticks []Tick, upright bool) {
	room := vg.Length(rowNames)
	if !c.inRows() {
		room = length/vg.Length(len(names)) - 4
		upright = slices.ContainsFunc(names, func(s string) bool { _, w := wrap(s, room); return w > room })
	}
	if upright {
		room = rowNames
	}
	for k, name := range names {
		lines, _ := wrap(name, room)
		if upright { // a gap to the axis: SVG drops a plain space at the end and stretches the rest
			lines = strings.ReplaceAll(lines, "\n", "\u00a0\n") + "\u00a0"
		}
		ticks = append(ticks, Tick{At: c.at(k, 0), Label: lines})
	}
	return ticks, upright
}

// inRows says whether the categories stand on the axis Y.
func (c *Chart) inRows() bool { return c.Y.names != nil }

// at returns where a category stands, shifted by a part of the room of one.
func (c *Chart) at(category int, shift float64) float64 {
	if c.inRows() {
		return float64(len(c.Y.names)-1-category) - shift
	}
	return float64(category) + shift
}

// values is the axis across which the categories show their values.
func (c *Chart) values() *Axis {
	if c.inRows() {
		return &c.X
	}
	return &c.Y
}

// Points draws series over categories: X is not used, the value k is that of category k, and no
// line joins them. Points of one category stand beside each other. If the axis of the values has
// no range yet, it gets one that holds them, and the values of also.
func (c *Chart) Points(list []Series, also ...float64) {
	c.values().fit(append(ends(list), also...)...)
	for n, s := range list {
		var at []float64
		for k, y := range s.Y {
			x := c.at(k, .8*((float64(n)+.5)/float64(len(list))-.5))
			at = append(at, x)
			c.whisker(x, y-s.spread(k), y+s.spread(k), Stroke{Color: s.Stroke.Color, Width: 1})
			if s.Seeds != nil {
				c.seeds(x, s.Seeds[k], s.Stroke.Color)
			}
		}
		x, y := at, s.Y
		if c.inRows() {
			x, y = y, x
		}
		c.Dots(s.Label, x, y, s.Mark, s.Stroke.Color, max(3, s.Radius))
	}
}

// Bars are one bar from 0 in each category; a value that is NaN has none.
type Bars struct {
	Label  string // in the legend; "" for none
	Y      []float64
	Spread []float64 // half the length of a whisker on each bar; nil: none, NaN: none on this bar
	Paint  Paint
}

// Bars draws bars, those of one category beside each other. A bar of 0 is a short line with a 0. If
// the axis of the values has no range yet, it gets one that holds them, and the values of also; it
// begins at 0 unless a bar is below.
func (c *Chart) Bars(list []Bars, also ...float64) {
	var series []Series
	for _, b := range list {
		series = append(series, Series{Y: b.Y, Spread: b.Spread})
	}
	v, limits := c.values(), append(ends(series), also...)
	if !slices.ContainsFunc(list, func(b Bars) bool { return slices.ContainsFunc(b.Y, func(y float64) bool { return y < 0 }) }) {
		limits = slices.DeleteFunc(limits, func(y float64) bool { return y < 0 })
	}
	v.fit(limits...)
	width := .8 / float64(len(list))
	for n, b := range list {
		for k, y := range b.Y {
			from, to := c.at(k, float64(n)*width-.4), c.at(k, float64(n+1)*width-.4)
			base := max(v.Min, 0)
			low, high := max(v.Min, min(base, y)), min(v.Max, max(base, y))
			if y == 0 && v.shows(0) {
				c.zeroBar(from, to, b.Paint.Fill)
			} else if low < high {
				c.layers = append(c.layers, &area{x0: from, x1: to, y0: low, y1: high, fill: b.Paint.Fill, inRows: c.inRows()})
			}
			d := series[n].spread(k)
			if low, high = y-d, y+d; !v.shows(y) { // the bar itself is cut
				low, high = min(low, base), max(high, base)
			}
			c.whisker((from+to)/2, low, high, Stroke{Color: Black, Width: .9})
		}
		if b.Label != "" {
			c.Key(b.Label, b.Paint.Fill)
		}
	}
}

// zeroBar draws a line on the axis and a 0 where a bar of 0 would stand.
func (c *Chart) zeroBar(from, to float64, fill color.Color) {
	line, zeros, off := plotter.XYs{{X: from}, {X: to}}, plotter.XYs{{X: (from + to) / 2}}, vg.Point{Y: 1}
	style := textStyle(8, Black, vgdraw.XCenter, vgdraw.YBottom)
	if c.inRows() {
		line, zeros, off = plotter.XYs{{Y: from}, {Y: to}}, plotter.XYs{{Y: (from + to) / 2}}, vg.Point{X: 3}
		style.XAlign, style.YAlign = vgdraw.XLeft, vgdraw.YCenter
	}
	c.layers = append(c.layers, &plotter.Line{XYs: line, LineStyle: Stroke{Color: fill, Width: 3}.style()},
		&plotter.Labels{XYs: zeros, Labels: []string{"0"}, TextStyle: []vgdraw.TextStyle{style}, Offset: off})
}
