package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A published number is one run of the model: within the spread of single runs, whatever their
// number, and never beyond the cap.
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
		published float64
		cap       float64
		want      bool
	}{
		{"inside", around(1, .1, 100), 1.19, report.GainCap, true},
		{"outside", around(1, .1, 100), 1.21, report.GainCap, false},
		{"a narrow interval of the mean does not fail it", around(1, .1, 10000), 1.19, report.GainCap, true},
		{"six seeds", around(1, .1, 6), 1.25, report.GainCap, true}, // t of 5 degrees of freedom is 2.57
		{"a wide spread, at the cap", around(1, 10, 6), 1.24, report.GainCap, true},
		{"a wide spread, beyond the cap", around(1, 10, 6), 1.26, report.GainCap, false},
		{"a time within a third", around(400, 300, 100), 540, 0, true},
		{"a time beyond a third", around(350, 300, 100), 540, 0, false},
		{"one seed, at the cap", []float64{1}, 1.24, report.GainCap, true},
		{"no spread", []float64{2, 2, 2}, 2, 0, true},
		{"no spread, another number", []float64{2, 2, 2}, 2.001, 0, false},
		{"no number", []float64{math.NaN(), 1}, 1, 0, false},
	} {
		got := report.Claim{}.Single(numbers.Over(c.values), c.published, c.cap)
		if got.Holds != c.want || got.Relation == "" {
			t.Errorf("%s: %+v, want %v and a relation", c.name, got, c.want)
		}
		if quick := got.In(true).HoldsWord(); quick == "yes" {
			t.Errorf("%s: a quick run says yes", c.name)
		}
	}
	if far := (report.Claim{}).Single(numbers.Over(around(1, .1, 6)), 9, report.GainCap); far.In(true).HoldsWord() != "no" {
		t.Errorf("a quick run leaves what is far beyond the spread %s", far.In(true).HoldsWord())
	}
	if got := (report.Claim{Relation: "of its own"}).Single(numbers.Interval{}, 0, 0); got.Relation != "of its own" {
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
	d := func(x, y, z float64) report.Claim {
		return report.Claim{}.Tuple(report.Point{Published: x, Values: line(101, func(i int) float64 { return float64(i) }), Cap: 1e9},
			report.Point{Published: y, Values: line(101, func(i int) float64 { return float64(i * i) }), Cap: 1e9}, report.Point{Published: z, Values: still})
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
	capped := report.Point{Published: 80, Values: line(101, func(i int) float64 { return float64(i) }), Cap: 20}
	if got := (report.Claim{}).Tuple(capped); got.Holds {
		t.Errorf("a number beyond its cap holds: %+v", got)
	}
	if got := (report.Claim{}).Tuple(report.Point{Published: 20, Values: line(39, func(i int) float64 { return float64(i) })}).In(false); !got.Undecided {
		t.Errorf("39 seeds decide a tuple: %+v", got)
	}
	agree := (report.Claim{}).Tuple(report.Point{Published: 8, Values: line(40, func(int) float64 { return 7 })})
	if agree.Holds || agree.In(true).HoldsWord() != "undecided" || agree.In(false).HoldsWord() != "no" {
		t.Errorf("seeds that agree on another number give %+v, want no, and undecided in a quick run", agree)
	}
	if !strings.Contains(d(50, 2500, 7).Relation, "together") {
		t.Error("a tuple has no relation")
	}
}

func TestBecause(t *testing.T) {
	if got := report.Because(true, "x") + report.Because(false, "y"); got != "x" {
		t.Errorf("Because = %q, want x", got)
	}
}
