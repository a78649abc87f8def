package report_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A published number is one run of the model: within the spread of single runs, whatever their
// number, and never beyond half of an effect or a third of another number. An effect must be one.
func TestSingle(t *testing.T) {
	around := func(mean, sd float64, n int) []float64 { // mean and standard deviation to the bit, n even
		d := sd * math.Sqrt(float64(n-1)/float64(n))
		var list []float64
		for range n / 2 {
			list = append(list, mean-d, mean+d)
		}
		return list
	}
	for _, c := range []struct {
		name      string
		values    []float64
		published report.Number
		want      bool
	}{
		{"the mean lies in the print", around(1850, .1, 100), report.About("1900"), true},
		{"inside", around(1.9, .1, 100), report.Printed("1.71"), true}, // 1.715 ends the print, and t of 99 is 1.98
		{"outside", around(1.9, .1, 100), report.Printed("1.69"), false},
		{"a narrow interval of the mean does not fail it", around(1.9, .1, 10000), report.Printed("1.71"), true},
		{"six seeds", around(1.9, .1, 6), report.Printed("1.66"), true}, // 2.37 deviations, as of ten
		{"six seeds, outside", around(1.9, .1, 6), report.Printed("1.65"), false},
		{"a wide spread, within a third", around(400, 300, 100), report.Printed("540"), true},
		{"a wide spread, beyond a third", around(350, 300, 100), report.Printed("540"), false},
		{"an effect", around(1.3, .1, 100), report.Change("45"), true},
		{"an effect, no effect within the spread", around(1.19, .1, 100), report.Change("25"), false},
		{"a lesser effect, outside", around(.7, .1, 100), report.Change("-10"), false},
		{"beyond half of the effect", around(1.3, .14, 100), report.Change("20"), true},
		{"far beyond half of the effect", around(1.31, .14, 100), report.Change("20"), false},
		{"a ratio of the other side", around(.5, .1, 100), report.Printed("1.50").Ratio(), false},
		{"one seed", []float64{540}, report.Printed("600"), true},
		{"one seed is no effect", []float64{1.5}, report.Change("50"), false},
		{"no spread", []float64{2, 2, 2}, report.Printed("2"), true},
		{"no spread, another number", []float64{2, 2, 2}, report.Printed("2.6"), false},
		{"no number", []float64{math.NaN(), 1}, report.Printed("1"), false},
		{"no print", around(1, .1, 6), report.Printed("one"), false},
	} {
		got := report.Claim{}.Single(numbers.Over(c.values), c.published)
		if got.Holds != c.want || got.Relation == "" {
			t.Errorf("%s: %+v, want %v and a relation", c.name, got, c.want)
		}
		if quick := got.In(true).HoldsWord(); quick == "yes" {
			t.Errorf("%s: a quick run says yes", c.name)
		}
	}
	if far := (report.Claim{}).Single(numbers.Over(around(1, .1, 6)), report.Printed("9")); far.In(true).HoldsWord() != "no" {
		t.Errorf("a quick run leaves what is far beyond the spread %s", far.In(true).HoldsWord())
	}
	if got := (report.Claim{Relation: "of its own"}).Single(numbers.Interval{}, report.Printed("0")); got.Relation != "of its own" {
		t.Errorf("Single wrote the relation %q over one that was there", got.Relation)
	}
}

// Numbers of one run are judged together: each may lie within its own spread and the tuple outside
// of what any seed gives.
func TestTuple(t *testing.T) {
	line := func(n int, of func(i int) float64) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = of(i)
		}
		return list
	}
	still := line(101, func(int) float64 { return 7 })
	// The first has the median 50 and a half range of 34; the second is its square.
	exact := func(x float64) report.Number { return report.Number{Low: x, High: x} }
	d := func(x, y, z float64) report.Claim {
		return report.Claim{}.Tuple(report.Point{Published: exact(x), Values: line(101, func(i int) float64 { return float64(i) }), Cap: 1e9},
			report.Point{Published: exact(y), Values: line(101, func(i int) float64 { return float64(i * i) }), Cap: 1e9}, report.Point{Published: exact(z), Values: still})
	}
	for _, c := range []struct {
		x, y, z float64
		want    bool
	}{
		{50, 2500, 7, true},
		{90, 8100, 7, true},
		{99, 9801, 7, false}, // beyond 95% of the seeds
		{50, 9801, 7, false}, // one number is enough
		{50, 2500, 7.001, false},
		{math.NaN(), 2500, 7, false},
	} {
		if got := d(c.x, c.y, c.z); got.Holds != c.want || got.Undecided {
			t.Errorf("(%v, %v, %v) gives %+v, want %v", c.x, c.y, c.z, got, c.want)
		}
	}
	if got := (report.Claim{}).Tuple(report.Point{Published: report.About("100"), Values: line(101, func(i int) float64 { return float64(i) })}); !got.Holds {
		t.Errorf("a print whose nearest end is a spread's gives %+v, want that it holds", got)
	}
	capped := report.Point{Published: exact(80), Values: line(101, func(i int) float64 { return float64(i) }), Cap: 20}
	if got := (report.Claim{}).Tuple(capped); got.Holds {
		t.Errorf("a number beyond its cap holds: %+v", got)
	}
	if got := (report.Claim{}).Tuple(report.Point{Published: exact(20), Values: line(39, func(i int) float64 { return float64(i) })}).In(false); !got.Undecided {
		t.Errorf("39 seeds decide a tuple: %+v", got)
	}
	agree := (report.Claim{}).Tuple(report.Point{Published: exact(8), Values: line(40, func(int) float64 { return 7 })})
	if agree.Holds || agree.In(true).HoldsWord() != "undecided" || agree.In(false).HoldsWord() != "no" {
		t.Errorf("seeds that agree on another number give %+v, want no, and undecided in a quick run", agree)
	}
	if !strings.Contains(d(50, 2500, 7).Relation, "together") {
		t.Error("a tuple has no relation")
	}
}

// A number stays what it is if its mean lies within a distance, and the number within the spread of
// single runs; a wide spread can hold by chance.
func TestUnchanged(t *testing.T) {
	for _, c := range []struct {
		values []float64
		d      float64
		want   bool
	}{{[]float64{1, 1.01, .99}, .01, true}, {[]float64{1.02, 1.03, 1.01}, .01, false}, {[]float64{1.005, 1.005, 1.005}, .01, false}, {[]float64{1, 1}, .01, true}, {[]float64{math.NaN(), 1}, .01, false}} {
		if got := (report.Claim{}).Unchanged(numbers.Over(c.values), 1, c.d); got.Holds != c.want || got.In(true).HoldsWord() != "undecided" {
			t.Errorf("%v within %v of 1: %+v, want %v", c.values, c.d, got, c.want)
		}
	}
}

func TestBecause(t *testing.T) {
	if got := report.Because(true, "x") + report.Because(false, "y"); got != "x" {
		t.Errorf("Because = %q, want x", got)
	}
}

// TestSeveralIntervals: where an interval holds its threshold a claim is open, unless another part fails.
func TestSeveralIntervals(t *testing.T) {
	wide, low, high := numbers.Interval{Mean: 1, Half: 2}, numbers.Interval{Mean: -1, Half: .5}, numbers.Interval{Mean: 1, Half: .4}
	most := func(highs int, others ...numbers.Interval) report.Claim {
		above := func(i numbers.Interval) report.Claim { return report.Claim{}.Above(i, 0) }
		return report.Claim{}.Most(report.Each(append(slices.Repeat([]numbers.Interval{high}, highs), others...), above)...)
	}
	for _, c := range []struct {
		claim report.Claim
		want  string
	}{
		{report.Claim{}.AllBelow(0, low), "yes"},
		{report.Claim{}.AllBelow(0, low, wide), "undecided"},
		{report.Claim{}.AllBelow(0, low, wide, high), "no"},
		{report.Claim{}.AllAbove(0, high, wide), "undecided"},
		{report.Claim{}.AllAbove(0, high, low), "no"},
		{most(1), "yes"}, {most(9, low), "yes"}, {most(18, low, low), "yes"},
		{most(0), "no"}, {most(8, low, low), "no"}, {most(1, low), "no"}, {most(17, low, low), "no"}, // 18 of 19
		{most(9, wide), "yes"}, {most(9, wide, wide), "undecided"}, {most(9, wide, low), "undecided"},
		{report.Claim{}.Within(high, 0, 2), "yes"},
		{report.Claim{}.Within(high, 1, 2), "undecided"},
		{report.Claim{}.Within(high, 2, 3), "no"},
	} {
		if got := c.claim.In(true).HoldsWord(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.claim, got, c.want)
		}
	}
}
