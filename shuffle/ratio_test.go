package shuffle_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/shuffle"
	"pgregory.net/rapid"
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

// TestRatioSnapshot: a Ratio that was stored and restored goes on as the original does, and the
// order of maps does not matter.
func TestRatioSnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 1e9), func(k int) float64 { return float64(k) }), 0, 40).Draw(t, "bytes")
		var r, restored, reversed shuffle.Ratio
		n := len(bytes) / 2
		for k := range n {
			if r.Add(bytes[2*k], bytes[2*k+1]) != nil || restored.Add(bytes[2*k], bytes[2*k+1]) != nil ||
				reversed.Add(bytes[2*(n-1-k)], bytes[2*(n-1-k)+1]) != nil {
				t.Fatal("Add fails")
			}
			text, err := json.Marshal(restored.Snapshot())
			if err != nil {
				t.Fatal(err)
			}
			var s shuffle.Snapshot
			if err := json.Unmarshal(text, &s); err != nil {
				t.Fatal(err)
			}
			back, err := shuffle.Restore(s)
			if err != nil {
				t.Fatal(err)
			}
			restored = *back
		}
		if r != restored || r != reversed {
			t.Fatalf("%v: %+v, restored %+v, reversed %+v", bytes, r, restored, reversed)
		}
	})
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
	var none *shuffle.Ratio
	if none.Value() != 1 || none.Heavy() || none.Snapshot() != new(shuffle.Ratio).Snapshot() {
		t.Errorf("nil: Value %v, Heavy %t, Snapshot %+v, want those of an empty Ratio", none.Value(), none.Heavy(), none.Snapshot())
	}
	expect.InputError(t, "nil.Add", none.Add(1, 1), "shuffle.Ratio.Add", "r", -1)
}
