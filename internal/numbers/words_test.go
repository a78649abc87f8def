package numbers_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		x           float64
		full, short string
	}{
		{0.1, "0.1", "0.1"},
		{1933.911427, "1933.911427", "1934"},
		{12345.678, "12345.678", "12346"},
		{99999.6, "99999.6", "100000"},
		{27.748637, "27.748637", "27.75"},
		{1e-9 / 3, "3.333333333333333e-10", "3.333e-10"},
		{999999.6, "999999.6", "1.0e6"},
		{20751959764, "2.0751959764e+10", "2.1e10"},
		{-1234567, "-1.234567e+06", "-1.2e6"},
		{1e300, "1e+300", "1.0e300"},
		{math.Inf(1), "+Inf", "+Inf"},
		{math.NaN(), "NA", "NA"},
	} {
		if full, short := numbers.Full(c.x), numbers.Short(c.x); full != c.full || short != c.short {
			t.Errorf("Full, Short(%v) = %q, %q, want %q, %q", c.x, full, short, c.full, c.short)
		}
	}
	if got, want := numbers.Count(1, "job")+" "+numbers.Count(0, "job"), "1 job 0 jobs"; got != want {
		t.Errorf("Count = %q, want %q", got, want)
	}
}

func TestMiddle(t *testing.T) {
	values := []float64{100, 0, 50, 25, 75} // quantiles lie on the line from 0 to 100
	if got, want := numbers.Middle(values, numbers.Fixed), "16.00 to 84.00"; got != want {
		t.Errorf("Middle(%v, Fixed) = %q, want %q", values, got, want)
	}
	if got := numbers.Median(values); got != 50 {
		t.Errorf("Median(%v) = %v, want 50", values, got)
	}
}
