package shuffle_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/shuffle"
)

// TestRatio: 1 and light at first, then the sums' ratio; 1 is light.
func TestRatio(t *testing.T) {
	var r shuffle.Ratio
	check := func(want float64, heavy bool) {
		t.Helper()
		if r.Value() != want || r.Heavy() != heavy {
			t.Errorf("%+v: Value %v, Heavy %t, want %v, %t", r, r.Value(), r.Heavy(), want, heavy)
		}
	}
	check(1, false)
	must(t, r.Add(0, 0))
	check(1, false)
	must(t, r.Add(100, 150))
	check(1.5, true)
	must(t, r.Add(100, 50))
	check(1, false)
	must(t, r.Add(0, 8)) // a map that reads nothing
	check(1.04, true)
	must(t, r.Add(600, 0))
	check(.26, false)
}

// TestRatioHostile: whatever a Ratio holds, its value is in [0, 2^200], and Add keeps it there or
// changes nothing.
func TestRatioHostile(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1, 5e-324, 0x1p-200, 0x1p200, math.MaxFloat64, inf, -inf, nan}
	for _, in := range values {
		for _, out := range values {
			for _, x := range values {
				for _, y := range values {
					r := shuffle.Ratio{Input: in, Output: out}
					err := r.Add(x, y)
					if v := r.Value(); !(v >= 0 && v <= 0x1p200) || r.Heavy() != (v > 1) {
						t.Errorf("Ratio{%v, %v}.Add(%v, %v): %v, Value %v, Heavy %t", in, out, x, y, err, v, r.Heavy())
					}
					if err != nil && (math.Float64bits(r.Input) != math.Float64bits(in) || math.Float64bits(r.Output) != math.Float64bits(out)) {
						t.Errorf("Ratio{%v, %v}.Add(%v, %v) fails and leaves %+v", in, out, x, y, r)
					}
				}
			}
		}
	}
}
