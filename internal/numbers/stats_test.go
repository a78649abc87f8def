package numbers_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
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
		if got := numbers.Quantile(c.sorted, c.p); got != c.want {
			t.Errorf("Quantile(%v, %v) = %v, want %v", c.sorted, c.p, got, c.want)
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if got := numbers.Quantile([]float64{1, 2}, p); got == got {
			t.Errorf("Quantile(.., %v) = %v, want NaN", p, got)
		}
	}
	if got := numbers.Quantile(nil, 0.5); got == got {
		t.Errorf("Quantile(nil, 0.5) = %v, want NaN", got)
	}
	if got := numbers.Mean([]float64{1, 2, 6}); got != 3 {
		t.Errorf("Mean(1, 2, 6) = %v, want 3", got)
	}
}

func TestSD(t *testing.T) {
	if got := numbers.SD([]float64{1, 3}); math.Abs(got-math.Sqrt2) > 1e-15 {
		t.Errorf("SD(1, 3) = %v, want the root of 2", got)
	}
	if got := numbers.SD([]float64{1}); got == got {
		t.Errorf("SD(1) = %v, want NaN", got)
	}
	if got := numbers.PlusMinus([]float64{1, 3}) + ", " + numbers.PlusMinus([]float64{2}) + ", " + numbers.Fixed(math.NaN()); got != "2.00 ± 1.41, 2.00, NA" {
		t.Errorf("PlusMinus and Fixed write %q", got)
	}
}

func TestNumber(t *testing.T) {
	if n := numbers.Number([]int{3, 1, 4, 1, 5}, func(x int) bool { return x > 2 }); n != 3 {
		t.Errorf("Number of those above 2 = %d, want 3", n)
	}
	if n := numbers.Number(nil, func(int) bool { return true }); n != 0 {
		t.Errorf("Number of nothing = %d, want 0", n)
	}
}

func TestWords(t *testing.T) {
	if got := numbers.Words([]float64{.5, 1.25}, " / ", numbers.Fixed); got != "0.50 / 1.25" {
		t.Errorf("Words = %q, want 0.50 / 1.25", got)
	}
	if got := numbers.Words(nil, ", ", numbers.Fixed); got != "" {
		t.Errorf("Words of nothing = %q, want none", got)
	}
}

func TestPaired(t *testing.T) {
	x, y := []float64{2, 6, 12}, []float64{1, 2, 3} // differences 1, 4, 9; ratios 2, 3, 4
	if got, want := numbers.Difference(x, y), numbers.Over([]float64{1, 4, 9}); got != want {
		t.Errorf("Difference = %v, want %v", got, want)
	}
	if got, want := numbers.Ratio(x, y), numbers.Over([]float64{2, 3, 4}); got != want {
		t.Errorf("Ratio = %v, want %v", got, want)
	}
}

func TestOver(t *testing.T) {
	// t with 2 degrees of freedom is 4.302652729911275 at 0.975; the deviation of 1, 2, 3 is 1.
	if got := numbers.Over([]float64{1, 2, 3}); got.Mean != 2 || got.N != 3 || !(math.Abs(got.Half-4.302652729911275/math.Sqrt(3)) <= 1e-9) {
		t.Errorf("Over(1, 2, 3) = %v, want 2 and 2.484", got)
	}
	// t with 9 degrees of freedom is 2.262157162740992 at 0.975.
	ten := numbers.Over([]float64{-1, 1, -1, 1, -1, 1, -1, 1, -1, 1})
	if got, want := ten.Run(), 2.262157162740992*math.Sqrt(10./9)*math.Sqrt(1.1); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("ten values of deviation 1.054 spread by %v, want %v", got, want)
	}
	if got, want := numbers.Over([]float64{1, 2, 3}).Run(), 2.262157162740992*math.Sqrt(1.1); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("three values of deviation 1 spread by %v, want %v as of ten", got, want)
	}
	if got := numbers.Over([]float64{4}).Run(); !math.IsInf(got, 1) {
		t.Errorf("one value spreads by %v, want +Inf", got)
	}
	if got := numbers.Over([]float64{5, 5, 5, 5}); got != (numbers.Interval{Mean: 5, N: 4}) {
		t.Errorf("Over of equal values = %v, want 5 and 0", got)
	}
	if got := numbers.Over([]float64{4}); got.Mean != 4 || got.Half <= math.MaxFloat64 || got.High() < 5 || got.Low() > 3 {
		t.Errorf("Over of one value = %v, want all numbers within", got)
	}
	for _, c := range []struct {
		i    numbers.Interval
		want string
	}{{numbers.Interval{Mean: 1.03748, Half: 0.044805}, "1.037 ± 0.045"}, {numbers.Interval{Mean: 1058.4, Half: 226.7}, "1058 ± 227"}, {numbers.Interval{Mean: 2, Half: 0}, "2 ± 0"}} {
		if got := c.i.String(); got != c.want {
			t.Errorf("String of %+v = %q, want %q", [2]float64{c.i.Mean, c.i.Half}, got, c.want)
		}
	}
}
