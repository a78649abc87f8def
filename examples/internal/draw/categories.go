package draw

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// rowNames is the room in points for the names of categories on the axis Y.
const rowNames = 118

// Categories makes an axis on which named categories without an order stand, for Points.
// On the axis X a name is broken at spaces to fit its place, and stands upright where a word is
// too long; many or long names are better read on the axis Y, the first on top.
func Categories(label string, names ...string) Axis {
	return Axis{Label: label, Min: -.5, Max: float64(len(names)) - .5, names: names}
}

// PointsAt makes a chart of Points beside each other at named categories.
func PointsAt(x, y string, names []string, list []Series, also ...float64) *Chart {
	c := &Chart{X: Categories(x, names...), Y: Axis{Label: y}, GridY: true}
	c.Points(list, also...)
	return c
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
	line, lines, widest := "", []string(nil), vg.Length(0)
	for _, word := range strings.Fields(s) {
		if line != "" && tickStyle.Width(line+" "+word) > room {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
		widest = max(widest, tickStyle.Width(line))
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
