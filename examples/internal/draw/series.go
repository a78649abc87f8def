package draw

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/internal/numbers"
)

// seedRadius is that of the dot of one seed, in points.
const seedRadius = 1

// A Series is points joined by a line, with a mark at each of them.
type Series struct {
	Label  string // in the legend; "" for none
	X, Y   []float64
	Spread []float64   // half the length of a whisker at each point; nil: none, NaN: none at this point
	Seeds  [][]float64 // what each seed gave at each point, as small dots beside it; nil: none. On a logarithmic axis a whisker of equal halves would mislead
	Stroke Stroke
	Mark   Mark
	Radius float64 // of the marks, in points; 0: no marks
}

// Series draws lines with their marks and whiskers. If the axis Y has no range yet, FitY gives it
// one that holds the points, whiskers that are not far longer than the others, and the values of
// also. A whisker that goes on beyond the axis has a head at its end.
func (c *Chart) Series(list []Series, also ...float64) {
	c.Y.fit(append(ends(list), also...)...)
	for _, s := range list {
		for i, y := range s.Y {
			c.whisker(s.X[i], y-s.spread(i), y+s.spread(i), Stroke{Color: s.Stroke.Color, Width: 0.8})
		}
		for i, values := range s.Seeds {
			c.seeds(s.X[i], values, s.Stroke.Color)
		}
		c.Line("", s.X, s.Y, s.Stroke)
		sample := entry{label: s.Label, stroke: &s.Stroke}
		if n := len(s.Y); n > 0 {
			sample.end = &[2]float64{s.X[n-1], s.Y[n-1]}
		}
		if s.Radius > 0 {
			c.Dots("", s.X, s.Y, s.Mark, s.Stroke.Color, s.Radius)
			glyph := s.Mark.glyph(s.Stroke.Color, s.Radius)
			sample.glyph = &glyph
		}
		c.explain(sample)
	}
}

// seeds draws small dots at a place on the axis of the categories, or on X.
func (c *Chart) seeds(at float64, values []float64, col color.Color) {
	x, y := slices.Repeat([]float64{at}, len(values)), values
	if c.inRows() {
		x, y = y, x
	}
	c.Dots("", x, y, Disc, col, seedRadius)
}

// Published draws rings at points that a paper prints, over what the model gives.
func (c *Chart) Published(x, y []float64) { c.Dots("published", x, y, Ring, Black, 4.5) }

// spread returns that of a point, 0 for none.
func (s *Series) spread(i int) float64 {
	if s.Spread == nil || s.Spread[i] != s.Spread[i] {
		return 0
	}
	return s.Spread[i]
}

// FitY gives the axis Y a range that holds the values: a logarithmic one with a little air and the
// ticks of ratios, a linear one from 0, or from the least value if that is below 0.
func (c *Chart) FitY(values ...float64) {
	c.Y.Min, c.Y.Max = 0, 0
	c.Y.fit(values...)
}

// fit is FitY of an axis that has no range yet.
func (a *Axis) fit(values ...float64) {
	if a.Min != a.Max {
		return
	}
	if a.Log {
		a.Min, a.Max = LogRange(values...)
		a.Ticks = ratioTicks(a.Min, a.Max)
		return
	}
	low, high := 0.0, math.SmallestNonzeroFloat64
	for _, y := range values {
		if math.Abs(y) <= math.MaxFloat64 {
			low, high = min(low, y), max(high, y)
		}
	}
	air := .05 * (high - low)
	a.Min, a.Max = low, high+air
	if low < 0 {
		a.Min -= air
	}
}

// Ticks marks from, from+step and so on up to to.
func Ticks(from, to, step float64) []Tick {
	var list []Tick
	for k := 0; from+float64(k)*step <= to+step/1e6; k++ {
		x := from + float64(k)*step
		list = append(list, Tick{At: x, Label: strconv.FormatFloat(math.Round(x/step*1e3)*(step/1e3)+0, 'g', 6, 64)})
	}
	return list
}

// ratioTicks labels a logarithmic axis of ratios around 1, or of other numbers between .001 and
// 100.
func ratioTicks(lo, hi float64) []Tick {
	marks := []float64{.1, .2, .3, .5, .7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30}
	if hi > 30*lo {
		marks = []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100}
	}
	return TicksAt(slices.DeleteFunc(marks, func(x float64) bool { return x < lo || x > hi })...)
}

// Curve is Look with small marks over x, or over 1, 2 and so on where x is nil.
func Curve(k int, label string, x, y []float64) Series {
	for i := len(x); i < len(y); i++ {
		x = append(x, float64(i+1))
	}
	s := Look(k, label)
	s.X, s.Y, s.Radius = x, y, 2
	return s
}

// Means is the Curve of the means of intervals, with their halves as whiskers.
func Means(k int, label string, x []float64, list []numbers.Interval) Series {
	s := Curve(k, label, x, numbers.Column(list, func(i *numbers.Interval) float64 { return i.Mean }))
	s.Spread = numbers.Column(list, func(i *numbers.Interval) float64 { return i.Half })
	return s
}

// Add appends the mean of what each seed gave to Y, and the values to Seeds, and returns the
// interval. X is the caller's; Points does without.
func (s *Series) Add(values []float64) numbers.Interval {
	i := numbers.Over(values)
	s.Y, s.Seeds = append(s.Y, i.Mean), append(s.Seeds, values)
	return i
}
