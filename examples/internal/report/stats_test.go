package report_test

import (
	"errors"
	"math"
	"runtime"
	"testing"

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

// TestParallel: every piece is done once, and the first error by number comes back, on any number of processors.
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

func TestClaims(t *testing.T) {
	got := report.Claims("p", "i", "rests on x", report.Claim{Holds: true, Note: "why not"}, report.Claim{Note: "why"})
	if got[0].Paper != "p" || got[1].Item != "i" || got[0].Note != "rests on x" || got[1].Note != "why; rests on x" {
		t.Errorf("Claims = %+v", got)
	}
	if got := report.Claims("p", "i", "", report.Claim{Note: "why"}); got[0].Note != "why" {
		t.Errorf("Claims without a basis = %+v", got)
	}
}
