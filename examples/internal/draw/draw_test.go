package draw_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
)

// svgOf draws a picture as an SVG document.
func svgOf(alt string, charts ...*draw.Chart) ([]byte, error) {
	p, err := draw.New(alt, charts...)
	if err != nil {
		return nil, err
	}
	return p.SVG()
}

// wellFormed parses a document and returns how often each element occurs.
func wellFormed(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

func chart() *draw.Chart {
	c := &draw.Chart{
		X: draw.Axis{Label: "σ & <x>", Min: 0, Max: 4, Ticks: []draw.Tick{{At: 1, Label: "one"}}},
		Y: draw.Axis{Label: "log", Min: 1, Max: 200, Log: true}, GridY: true,
	}
	c.Level("level", 20, draw.Stroke{Color: draw.Black, Dash: draw.Dashed})
	c.Line("line", []float64{0, 1, 2, 3, 4}, []float64{2, 3, 4, 5, 6}, draw.Stroke{Color: draw.Blue})
	c.Boxes("boxes", []float64{1, 2}, []draw.Box{{2, 3, 4, 5, 6, 7, 8}, {5, 5, 5, 5, 5, 5, 5}}, 0, 20, draw.Pale)
	c.Area(2, 10, 3, 20, draw.Orange)
	c.Text(2.5, 15, "inside", draw.Black)
	c.Dots("dots", []float64{3}, []float64{100}, draw.Triangle, draw.Green, 4)
	return c
}

func TestSVG(t *testing.T) {
	first, err := svgOf(`an "alt" & more`, chart(), chart())
	if err != nil {
		t.Fatal(err)
	}
	second, err := svgOf(`an "alt" & more`, chart(), chart())
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two drawings of one chart differ (error %v)", err)
	}
	wellFormed(t, first)
	for _, want := range []string{`role="img"`, `aria-label="an &#34;alt&#34; &amp; more"`, ">level<", ">inside<", ">one<", ">100<", "sans-serif"} {
		if !bytes.Contains(first, []byte(want)) {
			t.Errorf("the SVG lacks %q", want)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "href="} {
		if bytes.Contains(first, []byte(bad)) {
			t.Errorf("the SVG holds %q", bad)
		}
	}
}

// Values without a place on the axes are left out; nothing panics.
func TestOutside(t *testing.T) {
	c := chart()
	plain, err := svgOf("", c)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	c.Line("", []float64{0, 1, 2, 3}, []float64{0, -1, nan, 1e9}, draw.Stroke{Color: draw.Black})
	c.Line("", []float64{nan, 9}, []float64{2, 2}, draw.Stroke{Color: draw.Black})
	c.Dots("", []float64{1, 1, nan}, []float64{0, math.Inf(1), 2}, draw.Disc, draw.Black, 3)
	c.Area(1, 0, 2, 10, draw.Blue)
	c.Text(1, -1, "x", draw.Black)
	c.Level("", 0, draw.Stroke{Color: draw.Black})
	c.Boxes("", []float64{9}, []draw.Box{{1, 1, 1, 1, 1, 1, 1}}, 0, 20, draw.Pale)
	c.Boxes("", []float64{3, 3, 3}, []draw.Box{{0, 1, 2, 3, 4, 5, 6}, {2, 2, 2, 3, 4, 5, math.Inf(1)}, {nan, nan, nan, nan, nan, nan, nan}}, 0, 20, draw.Pale)
	got, err := svgOf("", c)
	if err != nil || !bytes.Equal(got, plain) {
		t.Errorf("what lies outside the axes changed the picture (error %v)", err)
	}
}

// A line that leaves the axes and comes back is two lines.
func TestLineBreaks(t *testing.T) {
	paths := func(y float64) int {
		c := chart()
		c.Line("", []float64{0, 1, 2, 3, 4}, []float64{2, 2, y, 2, 2}, draw.Stroke{Color: draw.Black})
		svg, err := svgOf("", c)
		if err != nil {
			t.Fatal(err)
		}
		return wellFormed(t, svg)["path"]
	}
	if whole, broken := paths(2), paths(0); broken != whole+1 {
		t.Errorf("a line has %d paths and, through a point off the axis, %d, want one more", whole, broken)
	}
}

func TestAxesThatCannotBe(t *testing.T) {
	for _, a := range []draw.Axis{{}, {Min: 1, Max: 0}, {Min: math.NaN(), Max: 1}, {Min: 0, Max: math.Inf(1)}, {Min: 0, Max: 1, Log: true}} {
		if _, err := svgOf("", &draw.Chart{X: a, Y: draw.Axis{Max: 1}}); err == nil {
			t.Errorf("SVG with axis %+v = nil error", a)
		}
	}
	if _, err := svgOf(""); err == nil {
		t.Error("SVG of no charts = nil error")
	}
}

func TestLogRange(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{nil, []float64{1, 10}},
		{[]float64{0, -1, math.NaN()}, []float64{1, 10}},
		{[]float64{23, 0, 2.3, math.Inf(1)}, []float64{2.3 / 1.15, 23 * 1.15}},
	} {
		if lo, hi := draw.LogRange(c.in...); lo != c.want[0] || hi != c.want[1] {
			t.Errorf("LogRange(%v) = %v, %v, want %v", c.in, lo, hi, c.want)
		}
	}
	for _, r := range [][]float64{{1e-9, 1e9}, {1e-300, 1e300}, {9.9, 10.1}, {math.SmallestNonzeroFloat64, math.MaxFloat64}, {3, 3.0001}} {
		c := &draw.Chart{X: draw.Axis{Max: 1}, Y: draw.Axis{Log: true}}
		c.Y.Min, c.Y.Max = draw.LogRange(r...)
		svg, err := svgOf("", c)
		if err != nil || bytes.Contains(svg, []byte("NaN")) {
			t.Errorf("SVG of a log axis around %v: error %v", r, err)
		}
	}
}

// TestSeries: the axis holds all points, whiskers and other values, and a range that is given
// stands.
func TestSeries(t *testing.T) {
	list := []draw.Series{{X: []float64{0, 1}, Y: []float64{2, 4}, Spread: []float64{math.NaN(), 1}, Stroke: draw.Stroke{Color: draw.Blue}, Radius: 2}}
	for _, c := range []struct {
		y         draw.Axis
		low, high float64
	}{
		{draw.Axis{}, 0, 7.35},
		{draw.Axis{Log: true}, 2 / 1.15, 7 * 1.15},
		{draw.Axis{Min: 1, Max: 3}, 1, 3},
	} {
		chart := &draw.Chart{X: draw.Axis{Max: 1}, Y: c.y}
		chart.Series(list, 7)
		if math.Abs(chart.Y.Min-c.low) > 1e-12 || math.Abs(chart.Y.Max-c.high) > 1e-12 {
			t.Errorf("the axis is from %v to %v, want %v to %v", chart.Y.Min, chart.Y.Max, c.low, c.high)
		}
		svg, err := svgOf("series", chart)
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, svg)
	}
}

func TestTicks(t *testing.T) {
	labels := func(list []draw.Tick) string {
		text := ""
		for _, k := range list {
			text += k.Label + " "
		}
		return text
	}
	if got, want := labels(draw.Ticks(0, .6, .2)), "0 0.2 0.4 0.6 "; got != want {
		t.Errorf("Ticks(0, .6, .2) = %q, want %q", got, want)
	}
	if a := draw.Rows("job", 3); a.Max != 3 || labels(a.Ticks) != "1 2 3 " || a.Ticks[0].At != 2.5 {
		t.Errorf("Rows = %+v", a)
	}
}

// textsOf returns the attributes of each text of a document.
func textsOf(t *testing.T, svg []byte) map[string]map[string]string {
	t.Helper()
	texts := map[string]map[string]string{}
	var open map[string]string
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			open = nil
			if e.Name.Local == "text" {
				open = map[string]string{}
				for _, a := range e.Attr {
					open[a.Name.Local] = a.Value
				}
			}
		case xml.CharData:
			if open != nil {
				texts[string(e)], open = open, nil
			}
		}
	}
}

// Text stays in place with any font: it is anchored where it is aligned and has a width of its own.
func TestTextAnchors(t *testing.T) {
	svg, err := svgOf("", chart())
	if err != nil {
		t.Fatal(err)
	}
	texts := textsOf(t, svg)
	for text, anchor := range map[string]string{"level": "start", "boxes": "start", "inside": "middle", "one": "middle", "σ & <x>": "middle", "log": "middle", "100": "end"} {
		got := texts[text]
		width, err := strconv.ParseFloat(got["textLength"], 64)
		if got["text-anchor"] != anchor || err != nil || !(width > 0) || got["lengthAdjust"] != "spacingAndGlyphs" {
			t.Errorf("the text %q has %v, want the anchor %s and a width", text, got, anchor)
		}
	}
	// A swatch of 18 and a gap of 5 from the margin of 4.
	if x := texts["level"]["x"]; x != "27" {
		t.Errorf("the first legend entry begins at %s, want 27", x)
	}
}

func TestPNG(t *testing.T) {
	p, err := draw.New("", chart())
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.PNG()
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(b))
	if err != nil || image.Bounds().Dx() != 960 {
		t.Fatalf("PNG = %v, %v, want an image 960 pixels wide", image.Bounds(), err)
	}
	dark := 0
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			if r, _, _, _ := image.At(x, y).RGBA(); r < 0x4000 {
				dark++
			}
		}
	}
	if dark < 1000 {
		t.Errorf("the PNG has %d dark pixels, want lines and text", dark)
	}
}

// An arrow is a line and a filled head; one that begins or ends outside is not drawn, nor one of no
// length.
func TestArrow(t *testing.T) {
	paths := func(x0, y0, x1, y1 float64) int {
		c := chart()
		c.Arrow(x0, y0, x1, y1, draw.Stroke{Color: draw.Black})
		svg, err := svgOf("", c)
		if err != nil || bytes.Contains(svg, []byte("NaN")) {
			t.Fatalf("an arrow from %v %v to %v %v: %v", x0, y0, x1, y1, err)
		}
		return wellFormed(t, svg)["path"]
	}
	none := paths(-1, 2, 3, 100)
	if drawn, outside, point := paths(1, 2, 3, 100), paths(1, 2, 3, 1000), paths(1, 2, 1, 2); drawn != none+2 || outside != none || point != none {
		t.Errorf("an arrow has %d paths, one to outside %d, one of no length %d, want 2, 0, 0", drawn-none, outside-none, point-none)
	}
}

func TestSeriesMarks(t *testing.T) {
	paths := func(s draw.Series) int {
		s.X, s.Y, s.Stroke = []float64{0, 1, 2, 3, 4}, []float64{1, 1, 1, 1, 1}, draw.Stroke{Color: draw.Blue}
		c := &draw.Chart{X: draw.Axis{Max: 4}, Y: draw.Axis{Max: 2}}
		c.Series([]draw.Series{s})
		svg, err := svgOf("", c)
		if err != nil {
			t.Fatal(err)
		}
		return wellFormed(t, svg)["path"]
	}
	line := paths(draw.Series{})
	for _, c := range []struct {
		series draw.Series
		more   int
	}{
		{draw.Series{Label: "a"}, 1},            // its sample
		{draw.Series{Radius: 2}, 5},             // a mark at each point
		{draw.Series{Label: "a", Radius: 2}, 7}, // and a sample of line and mark
	} {
		if got := paths(c.series) - line; got != c.more {
			t.Errorf("%+v has %d paths beside its line, want %d", c.series, got, c.more)
		}
	}
}

// A long label of an axis takes no room from the axis: a logarithmic one has the length of a linear
// one.
func TestLabelsLeaveNoBand(t *testing.T) {
	top := func(a draw.Axis) float64 {
		a.Min, a.Max, a.Label = 1, 1000, "a label that is almost as long as the axis"
		a.Ticks = []draw.Tick{{At: 1, Label: "low"}, {At: 1000, Label: "high"}}
		svg, err := svgOf("", &draw.Chart{X: draw.Axis{Max: 1}, Y: a})
		if err != nil {
			t.Fatal(err)
		}
		y, err := strconv.ParseFloat(textsOf(t, svg)["high"]["y"], 64)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	if linear, logarithmic := top(draw.Axis{}), top(draw.Axis{Log: true}); math.Abs(linear-logarithmic) > 1e-9 {
		t.Errorf("the upper ends of a linear and of a logarithmic axis are at %v and %v, want one place", linear, logarithmic)
	}
}

func TestTicksAt(t *testing.T) {
	want := []draw.Tick{{At: .125, Label: "0.125"}, {At: 1, Label: "1"}, {At: 37.5, Label: "37.5"}, {At: 2048, Label: "2048"}}
	if got := draw.TicksAt(.125, 1, 37.5, 2048); !slices.Equal(got, want) {
		t.Errorf("TicksAt = %v, want %v", got, want)
	}
}
