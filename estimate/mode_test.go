package estimate_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// near reports whether two numbers agree to 1e-12 of the greater scale.
func near(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-12*max(scale, math.Abs(b)) }

// TestModeGolden compares edges, membership and ties with numpy's.
func TestModeGolden(t *testing.T) {
	var file struct {
		Cases []struct {
			Name          string
			Bins          int
			Values, Edges []float64
			BinOf         []int   `json:"bin_of"`
			Mean          float64 `json:"most_mean"`
		}
	}
	golden.Decode(t, "histogram_mode.json", &file)
	if len(file.Cases) != 10 {
		t.Fatalf("histogram_mode.json has %d cases, want 10", len(file.Cases))
	}
	for _, c := range file.Cases {
		lo, hi := slices.Min(c.Values), slices.Max(c.Values)
		for _, x := range []struct {
			call string
			want float64
			got  func() (float64, error)
		}{
			{"ModeOf, a range given", c.Mean, func() (float64, error) {
				return estimate.ModeOf(c.Values, estimate.ModeOptions{Bins: c.Bins, Lo: lo, Hi: hi})
			}},
			{"ModeOf, lowest", c.Mean, func() (float64, error) { return estimate.ModeOf(c.Values, estimate.ModeOptions{Bins: c.Bins}) }},
			{"ModeOf, numpy's range", c.Mean, func() (float64, error) {
				return estimate.ModeOf(c.Values, estimate.ModeOptions{Bins: c.Bins, Lo: c.Edges[0], Hi: c.Edges[c.Bins]})
			}},
		} {
			if got, err := x.got(); err != nil || !near(got, x.want, 0) {
				t.Errorf("%s: %s = %v, %v, want %v", c.Name, x.call, got, err, x.want)
			}
		}
		lo, hi = c.Edges[0], c.Edges[c.Bins]
		for i, want := range c.Edges[:c.Bins] {
			if got := estimate.Edge(i, c.Bins, lo, hi); got != want {
				t.Errorf("%s: edge %d = %v, want %v", c.Name, i, got, want)
			}
		}
		for i, want := range c.BinOf {
			if got := estimate.BinOf(c.Values[i], c.Bins, lo, hi); got != want {
				t.Errorf("%s: value %v is in bin %d, want %d", c.Name, c.Values[i], got, want)
			}
		}
	}
}

// plainMode counts bin by bin along a list of edges.
func plainMode(values []float64, bins int, lo, hi float64) (mode float64, ties, some bool) {
	edges := make([]float64, bins+1)
	for i := range edges {
		step := (hi - lo) / float64(bins)
		edges[i] = float64(float64(i)*step) + lo
	}
	count := 0
	for b := range bins {
		n, sum := 0, 0.0
		for _, x := range values {
			above := x < edges[b+1]
			if b == bins-1 {
				above = x <= hi
			}
			if x >= edges[b] && x >= lo && above {
				n, sum = n+1, sum+x
			}
		}
		switch {
		case n > count:
			count, mode, ties = n, sum/float64(n), false
		case n == count && n > 0:
			ties = true
		}
	}
	return mode, ties, count > 0
}

func TestModeAgainstCounting(t *testing.T) {
	ties := 0
	property := func(t *rapid.T) {
		number := rapid.Custom(func(t *rapid.T) float64 {
			if rapid.Bool().Draw(t, "whole") {
				return float64(rapid.IntRange(-20, 20).Draw(t, "value"))
			}
			return rapid.Float64Range(-30, 30).Draw(t, "value")
		})
		values := rapid.SliceOfN(number, 1, 30).Draw(t, "values")
		bins := rapid.IntRange(1, 12).Draw(t, "bins")
		o := estimate.ModeOptions{Bins: bins}
		o.Lo = float64(rapid.IntRange(-30, 20).Draw(t, "lo"))
		o.Hi = o.Lo + float64(rapid.IntRange(1, 40).Draw(t, "width"))
		got, err := estimate.ModeOf(values, o)
		want, tie, some := plainMode(values, bins, o.Lo, o.Hi)
		if some != (err == nil) || some && !near(got, want, 30) {
			t.Fatalf("ModeOf(%v, %+v) = %v, %v, want %v, %t", values, o, got, err, want, some)
		}
		if tie {
			ties++
		}
		if o.Lo, o.Hi = 0, 0; slices.Min(values) < slices.Max(values) {
			got, err = estimate.ModeOf(values, o)
			if want, _, _ = plainMode(values, bins, slices.Min(values), slices.Max(values)); err != nil || !near(got, want, 30) {
				t.Fatalf("ModeOf(%v, %+v) = %v, %v, want %v", values, o, got, err, want)
			}
		}
	}
	rapid.Check(t, property)
	ties = 0
	drawn.Counted(t, 300, property)
	if ties == 0 {
		t.Error("no tie was drawn: the cases do not test them")
	}
}

func TestModeSpecialCases(t *testing.T) {
	for _, c := range []struct {
		values []float64
		o      estimate.ModeOptions
		want   float64
	}{
		{[]float64{7}, estimate.ModeOptions{}, 7},
		{[]float64{3, 3, 3}, estimate.ModeOptions{Bins: 4}, 3},
		{[]float64{zero}, estimate.ModeOptions{}, 0},
		{[]float64{most, most, -most}, estimate.ModeOptions{}, most},
		{[]float64{5, 5, 9}, estimate.ModeOptions{Lo: 5, Hi: 5}, 5},
		// the outlier makes the mode a mean
		{[]float64{1, 2, 3, 1e9}, estimate.ModeOptions{Bins: 3}, 2},
		{[]float64{1, 2, 2, 1e9}, estimate.ModeOptions{Bins: 4, Hi: 4}, 2},
		// one step is below the least number: one bin holds all
		{[]float64{tiny, 0, tiny}, estimate.ModeOptions{Bins: math.MaxInt32}, tiny},
	} {
		if got, err := estimate.ModeOf(c.values, c.o); err != nil || got != c.want || math.Signbit(got) != (got < 0) {
			t.Errorf("ModeOf(%v, %+v) = %v, %v, want %v", c.values, c.o, got, err, c.want)
		}
	}
}

func TestModeErrors(t *testing.T) {
	type o = estimate.ModeOptions
	good := []float64{1, 2}
	expect.Refused(t, "estimate.ModeOf", estimate.ModeOf, nil,
		expect.Bad("values", -1, nil, o{}),
		expect.Bad("values", 1, []float64{1, nan}, o{}),
		expect.Bad("values", 0, []float64{inf}, o{}),
		expect.Bad("values", -1, good, o{Lo: 5, Hi: 9}),
		expect.Bad("o", -1, good, o{Lo: nan, Hi: 1}),
		expect.Bad("o", -1, good, o{Lo: -huge, Hi: 1}),
		expect.Bad("o", -1, good, o{Lo: 2, Hi: 1}),
		expect.Bad("o", -1, good, o{Bins: -1}),
		expect.Bad("o", -1, good, o{Lo: 1, Hi: nan}))
}
