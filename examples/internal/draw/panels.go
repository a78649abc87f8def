package draw

import (
	"cmp"
	"slices"
)

// xLabels is about the height of the labels of an axis X with its ticks, in points.
const xLabels = 29

// Panels arranges charts as small multiples, columns of them side by side. If all axes X have one
// label and the same categories, if any, they get one range, and only the lowest panels of each
// column write it; so for the axes Y and the first panels of the rows. Titles tell the panels
// apart. The legend of a picture shows each label once.
func Panels(columns int, charts ...*Chart) []*Chart {
	xs, ys := make([]*Axis, len(charts)), make([]*Axis, len(charts))
	for i, c := range charts {
		c.columns, c.beside = columns, i%columns > 0
		xs[i], ys[i] = &c.X, &c.Y
	}
	share(xs, func(i int) bool { return i+columns < len(charts) })
	share(ys, func(i int) bool { return charts[i].beside })
	for _, c := range charts {
		if c.X.bare { // the lowest panels have as much between the axes as the others
			c.Height = c.height() - xLabels
		}
	}
	return charts
}

// share gives axes of one label and the same categories one range and takes labels and names from
// the inner ones.
func share(axes []*Axis, inner func(i int) bool) {
	low, high, ticks := axes[0].Min, axes[0].Max, []Tick(nil)
	for _, a := range axes {
		if a.Label != axes[0].Label || a.Log != axes[0].Log || !slices.Equal(a.names, axes[0].names) {
			return
		}
		low, high, ticks = min(low, a.Min), max(high, a.Max), append(ticks, a.Ticks...)
	}
	slices.SortStableFunc(ticks, func(s, t Tick) int { return cmp.Compare(s.At, t.At) })
	ticks = slices.CompactFunc(ticks, func(s, t Tick) bool { return s.At == t.At })
	for i, a := range axes {
		a.Min, a.Max, a.Ticks, a.bare = low, high, ticks, inner(i)
		if a.bare {
			a.Label = ""
		}
	}
}
