package draw_test

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

// drawn is a picture and how many paths it has.
func drawn(t *testing.T, charts ...*draw.Chart) (svg []byte, paths int) {
	t.Helper()
	svg, err := svgOf("", charts...)
	if err != nil || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
		t.Fatalf("the picture has error %v, or coordinates that are no numbers", err)
	}
	return svg, wellFormed(t, svg)["path"]
}

// where returns an attribute of a text as a number.
func where(t *testing.T, svg []byte, text, attribute string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(textsOf(t, svg)[text][attribute], 64)
	if err != nil {
		t.Fatalf("the text %q has no %s: %v", text, attribute, err)
	}
	return x
}

// Names are broken at spaces on the axis X, stand upright if a word is too long, and stand from the
// top on the axis Y.
func TestCategoryNames(t *testing.T) {
	y := draw.Axis{Max: 1}
	svg, _ := drawn(t, &draw.Chart{X: draw.Categories("", "FIFO", "one with a name that is long", "EDF"), Y: y})
	if fifo, edf := where(t, svg, "FIFO", "x"), where(t, svg, "EDF", "x"); !(fifo < edf) {
		t.Errorf("names are at %v and %v, want the first on the left", fifo, edf)
	}
	if textsOf(t, svg)["one with a name that is long"] != nil {
		t.Error("a long name is not broken at a space")
	}
	if bytes.Contains(svg, []byte("rotate(90)")) {
		t.Error("names with short words stand upright")
	}
	if svg, _ = drawn(t, &draw.Chart{X: draw.Categories("", "FIFO with turns", "Antidisestablishmentarianism", "PS", "LLF", "EDF"), Y: y}); !bytes.Contains(svg, []byte("rotate(90)")) || textsOf(t, svg)["FIFO with turns\u00a0"] == nil {
		t.Error("names with a long word do not stand upright, each in one line")
	}
	svg, _ = drawn(t, &draw.Chart{X: y, Y: draw.Categories("", "FIFO", "EDF")})
	if fifo, edf := where(t, svg, "FIFO", "y"), where(t, svg, "EDF", "y"); !(fifo < edf) {
		t.Errorf("names are at heights %v and %v, want the first on top", fifo, edf)
	}
}

// A whisker that leaves the axes has a head where it is cut.
func TestWhiskersAreCut(t *testing.T) {
	paths := func(inRows bool, y, spread float64) int {
		c := &draw.Chart{X: draw.Categories("", "A"), Y: draw.Axis{Min: 1, Max: 3}}
		if inRows {
			c.X, c.Y = c.Y, c.X
		}
		c.Points([]draw.Series{{Y: []float64{y}, Spread: []float64{spread}, Stroke: draw.Stroke{Color: draw.Blue}}})
		_, n := drawn(t, c)
		return n
	}
	for _, inRows := range []bool{false, true} {
		point := paths(inRows, 2, math.NaN())
		for _, c := range []struct {
			y, spread float64
			more      int
		}{{2, .5, 1}, {2.5, 1, 2}, {1.5, 1, 2}, {2, 5, 3}, {2, math.Inf(1), 3}, {4, 2, 1}, {9, 1, -1}, {math.NaN(), 1, -1}} {
			if more := paths(inRows, c.y, c.spread) - point; more != c.more {
				t.Errorf("%v +- %v on an axis from 1 to 3 has %d paths beside its mark, want %d", c.y, c.spread, more, c.more)
			}
		}
	}
}

// One whisker that is far longer than the others does not make the axis long.
func TestAxisOfOneLongWhisker(t *testing.T) {
	c := &draw.Chart{X: draw.Categories("", "A", "B", "C")}
	c.Points([]draw.Series{{Y: []float64{1, 1, 1}, Spread: []float64{.5, .5, 100}, Stroke: draw.Stroke{Color: draw.Blue}}})
	if c.Y.Min < -.7 || c.Y.Min > -.5 || c.Y.Max < 2.5 || c.Y.Max > 2.7 {
		t.Errorf("the axis is from %v to %v, want three times the median whisker of .5 around 1", c.Y.Min, c.Y.Max)
	}
}

// Fills that have the grey of another have lines across.
func TestHatches(t *testing.T) {
	paths := func(p draw.Paint, label string) int {
		c := &draw.Chart{X: draw.Axis{Max: 10}, Y: draw.Axis{Max: 10}}
		c.Block(1, 1, 9, 9, p, label)
		_, n := drawn(t, c)
		return n
	}
	_, none := drawn(t, &draw.Chart{X: draw.Axis{Max: 10}, Y: draw.Axis{Max: 10}})
	for k, want := range []int{2, 2, 2, 3, 3, 3, 3, 3} { // fill, outline, lines
		if got := paths(draw.PaintOf(k), "") - none; got != want {
			t.Errorf("paint %d has %d paths, want %d", k, got, want)
		}
	}
	if got := paths(draw.PaintOf(3), "job") - none; got != 4 {
		t.Errorf("a hatched block with a label has %d paths, want one more behind the label", got)
	}
}

// Panels of one label have one range and as much room between the axes; the inner ones write no
// labels, and the legend has each entry once.
func TestPanels(t *testing.T) {
	var charts []*draw.Chart
	for i := range 5 {
		c := &draw.Chart{Title: fmt.Sprint("panel ", i), Height: 120, X: draw.Axis{Label: "time", Max: float64(i + 1)}, Y: draw.Axis{Label: "share", Max: 10, Ticks: draw.TicksAt(float64(i), 10)}}
		c.Level("limit", 5, draw.Stroke{Color: draw.Black})
		charts = append(charts, c)
	}
	svg, _ := drawn(t, draw.Panels(2, charts...)...)
	for text, want := range map[string]int{"time": 2, "share": 3, "limit": 1, "panel 3": 1, "10": 3} {
		if got := bytes.Count(svg, []byte(">"+text+"<")); got != want {
			t.Errorf("%q is written %d times, want %d", text, got, want)
		}
	}
	for i, c := range charts {
		if c.X.Max != 5 || len(c.Y.Ticks) != 6 {
			t.Errorf("panel %d has an axis X to %v and %d ticks on Y, want 5 and 6", i, c.X.Max, len(c.Y.Ticks))
		}
	}
	if first, last := where(t, svg, "panel 0", "x"), where(t, svg, "panel 4", "x"); first != last {
		t.Errorf("the middles of panels in one column are at %v and %v", first, last)
	}
	one, two := &draw.Chart{X: draw.Axis{Label: "a", Max: 1}, Y: draw.Axis{Max: 1}}, &draw.Chart{X: draw.Axis{Label: "b", Max: 2}, Y: draw.Axis{Max: 1}}
	if draw.Panels(1, one, two); one.X.Max != 1 || one.X.Label != "a" {
		t.Errorf("panels with axes of two labels share one: %+v", one.X)
	}
	one.X, two.X = draw.Categories("", "A", "B"), draw.Categories("", "A", "B", "C")
	if draw.Panels(1, one, two); one.X.Max != 1.5 {
		t.Errorf("panels with 2 and 3 categories share an axis: it ends at %v", one.X.Max)
	}
}

// Panels below and beside each other have their axes at one place, whatever the labels; other
// charts have all the room that their labels leave.
func TestPanelsAlign(t *testing.T) {
	titled := func(title, label string) *draw.Chart {
		return &draw.Chart{Title: title, X: draw.Axis{Max: 1}, Y: draw.Axis{Label: "share of " + title, Max: 1, Ticks: []draw.Tick{{At: 1, Label: label}}}}
	}
	svg, _ := drawn(t, titled("panel a", "1"), titled("panel b", "a long label"))
	if a, b := where(t, svg, "panel a", "x"), where(t, svg, "panel b", "x"); !(a < b) {
		t.Errorf("the middles of two charts are at %v and %v, want the second further right", a, b)
	}
	svg, _ = drawn(t, draw.Panels(1, titled("panel a", "1"), titled("panel b", "a long label"))...)
	if a, b := where(t, svg, "panel a", "x"), where(t, svg, "panel b", "x"); a != b {
		t.Errorf("the middles of two panels are at %v and %v, want one place", a, b)
	}
	lettered := func(letter string) *draw.Chart {
		c := titled("the same", "1")
		c.Text(.5, .5, letter, draw.Black)
		return c
	}
	svg, _ = drawn(t, draw.Panels(2, lettered("A"), lettered("B"))...)
	if a, b := where(t, svg, "A", "y"), where(t, svg, "B", "y"); math.Abs(a-b) > .1 { // points
		t.Errorf("the middles of two panels are at heights %v and %v, want one place", a, b)
	}
}

// Six looks differ by each of colour, dash and mark.
func TestLooks(t *testing.T) {
	colors, dashes, marks := map[any]bool{}, map[draw.Dash]bool{}, map[draw.Mark]bool{}
	for k := range 12 {
		s := draw.Look(k, "")
		colors[s.Stroke.Color], dashes[s.Stroke.Dash], marks[s.Mark] = true, true, true
	}
	if len(colors) != 6 || len(dashes) != 6 || len(marks) != 6 {
		t.Errorf("%d colours, %d dashes, %d marks, want 6 of each", len(colors), len(dashes), len(marks))
	}
}
