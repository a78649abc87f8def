package partition_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		xs            []float64
		skew, balance float64
	}{
		{[]float64{4, 4, 4}, 0, 100},
		{[]float64{0, 0}, 0, 100},
		{[]float64{7}, 0, 100},
		{[]float64{8, 0, 0, 0}, 75, 25},
		{[]float64{1, 0}, 50, 50},
		{[]float64{1, 2, 4, 1}, 50, 50},
		{[]float64{0x1p200, 0x1p200, 0, 0}, 50, 50},
		{[]float64{math.SmallestNonzeroFloat64, 0}, 50, 50},
		{[]float64{0x1p200, math.SmallestNonzeroFloat64}, 50, 50},
		{[]float64{math.Copysign(0, -1)}, 0, 100},
	} {
		skew, err := partition.Skewness(c.xs)
		if err != nil || math.Abs(skew-c.skew) > 1e-12 {
			t.Errorf("Skewness(%v) = %v, %v, want %v", c.xs, skew, err, c.skew)
		}
		balance, err := partition.Balance(c.xs)
		if err != nil || math.Abs(balance-c.balance) > 1e-12 {
			t.Errorf("Balance(%v) = %v, %v, want %v", c.xs, balance, err, c.balance)
		}
	}
}

// TestMeasuresRange: both are in [0, 100], do not depend on order or scale, and Balance <= (100 -
// skewness) p / R for every plan.
func TestMeasuresRange(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(12, seed))
		machines := 1 + rng.IntN(8)
		sizes := make([]float64, 1+rng.IntN(30))
		for k := range sizes {
			sizes[k] = math.Exp(5 * rng.NormFloat64())
		}
		skew, err := partition.Skewness(sizes)
		must(t, err)
		if !(skew >= 0 && skew < 100) {
			t.Fatalf("Skewness(%v) = %v", sizes, skew)
		}
		other := make([]float64, len(sizes))
		for k, to := range rng.Perm(len(sizes)) {
			other[to] = 8 * sizes[k]
		}
		if s, err := partition.Skewness(other); err != nil || math.Abs(s-skew) > 1e-9 {
			t.Fatalf("seed %d: Skewness %v, %v in another order and scale, want %v", seed, s, err, skew)
		}
		for _, m := range methods {
			p, err := partition.Assign(machines, sizes, func(i int, total float64) float64 { return total / float64(i+1) }, partition.Options{Method: m})
			must(t, err)
			balance, err := partition.Balance(p.Load)
			must(t, err)
			if limit := (100 - skew) * float64(len(sizes)) / float64(machines); !(balance <= limit*(1+1e-12)) || !(balance > 0 && balance <= 100) {
				t.Fatalf("seed %d, %v: Balance %v, want at most %v", seed, m, balance, limit)
			}
		}
	}
}

func TestMeasureErrors(t *testing.T) {
	sizes, loads := []expect.Call{expect.Bad("sizes", -1, nil)}, []expect.Call{expect.Bad("loads", -1, []float64{})}
	for _, x := range []float64{nan, -1, inf, -inf, math.Nextafter(0x1p200, inf), -math.SmallestNonzeroFloat64} {
		sizes, loads = append(sizes, expect.Bad("sizes", 2, []float64{1, 2, x})), append(loads, expect.Bad("loads", 2, []float64{1, 2, x}))
	}
	expect.Refused(t, "partition.Skewness", partition.Skewness, nil, sizes...)
	expect.Refused(t, "partition.Balance", partition.Balance, nil, loads...)
}
