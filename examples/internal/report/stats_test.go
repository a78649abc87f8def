package report_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		sorted  []float64
		p, want float64
	}{
		{[]float64{7}, 0.3, 7},
		{[]float64{0, 10}, 0.25, 2.5},
		{[]float64{1, 2, 3, 4}, 0.5, 2.5},
		{[]float64{1, 2, 3, 4, 5}, 0.5, 3},
		{[]float64{1, 2, 3, 4, 5}, 0, 1},
		{[]float64{1, 2, 3, 4, 5}, 1, 5},
		{[]float64{1, 2, 3, 4, 5}, 0.375, 2.5},
	} {
		if got := report.Quantile(c.sorted, c.p); got != c.want {
			t.Errorf("Quantile(%v, %v) = %v, want %v", c.sorted, c.p, got, c.want)
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if got := report.Quantile([]float64{1, 2}, p); got == got {
			t.Errorf("Quantile(.., %v) = %v, want NaN", p, got)
		}
	}
	if got := report.Quantile(nil, 0.5); got == got {
		t.Errorf("Quantile(nil, 0.5) = %v, want NaN", got)
	}
	if got := report.Mean([]float64{1, 2, 6}); got != 3 {
		t.Errorf("Mean(1, 2, 6) = %v, want 3", got)
	}
}

func TestSD(t *testing.T) {
	if got := report.SD([]float64{1, 3}); math.Abs(got-math.Sqrt2) > 1e-15 {
		t.Errorf("SD(1, 3) = %v, want the root of 2", got)
	}
	if got := report.SD([]float64{1}); got == got {
		t.Errorf("SD(1) = %v, want NaN", got)
	}
	if got := report.PlusMinus([]float64{1, 3}) + ", " + report.PlusMinus([]float64{2}) + ", " + report.Fixed(math.NaN()); got != "2.00 ± 1.41, 2.00, NA" {
		t.Errorf("PlusMinus and Fixed write %q", got)
	}
}

// TestParallel: every piece is done once, and the first error by number comes back, on any number
// of processors.
func TestParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	bad := []error{errors.New("seventh"), errors.New("ninth")}
	for _, n := range []int{1, 4} {
		runtime.GOMAXPROCS(n)
		done := make([]int, 20)
		err := report.Parallel(len(done), func(_ *struct{}, i int) error {
			done[i]++
			switch i {
			case 7:
				return bad[0]
			case 9:
				return bad[1]
			}
			return nil
		})
		if err != bad[0] {
			t.Errorf("Parallel on %d processors = %v, want %v", n, err, bad[0])
		}
		for i, d := range done {
			if d != 1 {
				t.Errorf("piece %d was done %d times", i, d)
			}
		}
	}
}

func TestNumber(t *testing.T) {
	if n := report.Number([]int{3, 1, 4, 1, 5}, func(x int) bool { return x > 2 }); n != 3 {
		t.Errorf("Number of those above 2 = %d, want 3", n)
	}
	if n := report.Number(nil, func(int) bool { return true }); n != 0 {
		t.Errorf("Number of nothing = %d, want 0", n)
	}
}

func TestWords(t *testing.T) {
	if got := report.Words([]float64{.5, 1.25}, " / ", report.Fixed); got != "0.50 / 1.25" {
		t.Errorf("Words = %q, want 0.50 / 1.25", got)
	}
	if got := report.Words(nil, ", ", report.Fixed); got != "" {
		t.Errorf("Words of nothing = %q, want none", got)
	}
}

func TestBox(t *testing.T) {
	values := make([]float64, 101)
	for i := range values {
		values[i] = float64(i)
	}
	if got, want := report.Box(values), (draw.Box{Min: 0, P5: 5, P25: 25, Median: 50, P75: 75, P95: 95, Max: 100}); got != want {
		t.Errorf("Box of 0 to 100 = %+v, want %+v", got, want)
	}
}

func TestPaired(t *testing.T) {
	x, y := []float64{2, 6, 12}, []float64{1, 2, 3} // differences 1, 4, 9; ratios 2, 3, 4
	if got, want := report.Difference(x, y), report.Over([]float64{1, 4, 9}); got != want {
		t.Errorf("Difference = %v, want %v", got, want)
	}
	if got, want := report.Ratio(x, y), report.Over([]float64{2, 3, 4}); got != want {
		t.Errorf("Ratio = %v, want %v", got, want)
	}
}

func TestClaims(t *testing.T) {
	list := []report.Claim{{Claim: "x", Holds: true, Note: "why not"}, {Claim: "y", Note: "why", Kind: report.Beyond}}
	item := report.Item{Name: "i", Make: func() (report.Figure, error) { return report.Figure{Claims: slices.Clone(list)}, nil }}
	for _, c := range []struct {
		basis, holds, fails string // the basis and the notes
		kind                report.Kind
	}{{"rests on x", "rests on x", "why; rests on x", report.Theory}, {"", "", "why", report.Measured}} {
		item.Basis, item.Kind = c.basis, c.kind
		p := report.Plan{Paper: "p", Intro: func() (string, error) { return "", nil }, Items: []report.Item{item}}
		s, err := p.Section(nil)
		if err != nil {
			t.Fatal(err)
		}
		want := []report.Claim{{Paper: "p", Item: "i", Claim: "x", Holds: true, Note: c.holds, Kind: c.kind}, {Paper: "p", Item: "i", Claim: "y", Note: c.fails, Kind: report.Beyond}}
		if got := s.Figures[0].Claims; !slices.Equal(got, want) {
			t.Errorf("claims with the basis %q = %+v, want %+v", c.basis, got, want)
		}
	}
}

func TestOver(t *testing.T) {
	// t with 2 degrees of freedom is 4.302652729911275 at 0.975; the deviation of 1, 2, 3 is 1.
	if got := report.Over([]float64{1, 2, 3}); got.Mean != 2 || got.N != 3 || !(math.Abs(got.Run()-2*got.Half) <= 1e-15) || !(math.Abs(got.Half-4.302652729911275/math.Sqrt(3)) <= 1e-9) {
		t.Errorf("Over(1, 2, 3) = %v, want 2 and 2.484", got)
	}
	if got := report.Over([]float64{5, 5, 5, 5}); got != (report.Interval{Mean: 5, N: 4}) {
		t.Errorf("Over of equal values = %v, want 5 and 0", got)
	}
	if got := report.Over([]float64{4}); got.Mean != 4 || got.Half <= math.MaxFloat64 || got.High() < 5 || got.Low() > 3 {
		t.Errorf("Over of one value = %v, want all numbers within", got)
	}
	for _, c := range []struct {
		i    report.Interval
		want string
	}{{report.Interval{Mean: 1.03748, Half: 0.044805}, "1.037 ± 0.045"}, {report.Interval{Mean: 1058.4, Half: 226.7}, "1058 ± 227"}, {report.Interval{Mean: 2, Half: 0}, "2 ± 0"}} {
		if got := c.i.String(); got != c.want {
			t.Errorf("String of %+v = %q, want %q", [2]float64{c.i.Mean, c.i.Half}, got, c.want)
		}
	}
}
