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
