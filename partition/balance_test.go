package partition_test

import (
	"math"
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

func TestMeasureErrors(t *testing.T) {
	sizes, loads := []expect.Call{expect.Bad("sizes", -1, nil)}, []expect.Call{expect.Bad("loads", -1, []float64{})}
	for _, x := range []float64{nan, -1, inf, -inf, math.Nextafter(0x1p200, inf), -math.SmallestNonzeroFloat64} {
		sizes, loads = append(sizes, expect.Bad("sizes", 2, []float64{1, 2, x})), append(loads, expect.Bad("loads", 2, []float64{1, 2, x}))
	}
	expect.Refused(t, "partition.Skewness", partition.Skewness, nil, sizes...)
	expect.Refused(t, "partition.Balance", partition.Balance, nil, loads...)
}
