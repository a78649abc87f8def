package draw_test

import (
	"bytes"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

// unit is a chart of the unit square with lines that end at the heights.
func unit(label string, heights map[string]float64) *draw.Chart {
	c := &draw.Chart{X: draw.Axis{Label: label, Max: 1}, Y: draw.Axis{Max: 1}, Height: 120}
	var list []draw.Series
	for _, name := range []string{"low", "middle", "high", "a line whose label is far too long"} {
		if y, ok := heights[name]; ok {
			list = append(list, draw.Series{Label: name, X: []float64{0, 1}, Y: []float64{.5, y}, Stroke: draw.Stroke{Color: draw.Blue}})
		}
	}
	c.Series(list)
	return c
}

// Two charts with other lines have a legend each, above them; with the same lines, or where one has
// no names, there is one at the top.
func TestLegends(t *testing.T) {
	one, two := map[string]float64{"low": .1}, map[string]float64{"high": .9}
	svg, _ := drawn(t, unit("first", one), unit("second", two))
	if a, x, b, y := where(t, svg, "low", "y"), where(t, svg, "first", "y"), where(t, svg, "high", "y"), where(t, svg, "second", "y"); !(a < x && x < b && b < y) {
		t.Errorf("legends and axes follow each other at %v, %v, %v and %v, want each legend above its chart", a, x, b, y)
	}
	for _, second := range []*draw.Chart{unit("second", one), {X: draw.Axis{Label: "second", Max: 1}, Y: draw.Axis{Max: 1}, Height: 120}} {
		svg, _ = drawn(t, unit("first", one), second)
		if n := bytes.Count(svg, []byte(">low<")); n != 1 || !(where(t, svg, "low", "y") < where(t, svg, "first", "y")) {
			t.Errorf("two charts with the same lines, or one without, have %d legends, want one at the top", n)
		}
	}
}

// Few lines with short labels have these at their ends, in their order and apart.
func TestLabelsAtEnds(t *testing.T) {
	svg, _ := drawn(t, unit("x", map[string]float64{"low": .5, "middle": .51, "high": .52}))
	low, middle, high := where(t, svg, "low", "y"), where(t, svg, "middle", "y"), where(t, svg, "high", "y")
	if x := where(t, svg, "low", "x"); x != where(t, svg, "high", "x") || !(x > where(t, svg, "x", "x")) {
		t.Errorf("the labels begin at %v, want right of the axes", x)
	}
	if !(low-middle >= 10 && middle-high >= 10) { // points: the size of the text
		t.Errorf("the labels are at heights %v, %v and %v, want them apart and in the order of the lines", low, middle, high)
	}
	for name, c := range map[string]*draw.Chart{
		"a long label":  unit("x", map[string]float64{"low": .5, "a line whose label is far too long": .6}),
		"one line":      unit("x", map[string]float64{"low": .5}),
		"an end beyond": unit("x", map[string]float64{"low": .5, "high": 2}),
	} {
		svg, _ := drawn(t, c)
		if !(where(t, svg, "low", "y") < -100) { // from below
			t.Errorf("with %s the label is at %v, want a legend at the top", name, where(t, svg, "low", "y"))
		}
	}
}

// The dots of seeds lie on the axis, which fits them, and what is published has its own mark.
func TestSeedsAndPublished(t *testing.T) {
	c := &draw.Chart{X: draw.Axis{Max: 3}, Y: draw.Axis{Log: true}}
	c.Series([]draw.Series{{X: []float64{1, 2}, Y: []float64{5, 6}, Seeds: [][]float64{{1, 9}, {2, 40}}, Stroke: draw.Stroke{Color: draw.Blue}}})
	if !(c.Y.Min < 1 && c.Y.Max > 40) {
		t.Errorf("the axis goes from %v to %v, want all seeds on it", c.Y.Min, c.Y.Max)
	}
	before, _ := drawn(t, c)
	c.Published([]float64{1}, []float64{7})
	after, _ := drawn(t, c)
	if !bytes.Contains(after, []byte(">published<")) || bytes.Contains(before, []byte(">published<")) {
		t.Error("the legend does not say what is published")
	}
}
