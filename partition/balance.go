package partition

import (
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// most is the largest size, time and speed. No sum or product of such numbers overflows.
const most = 0x1p200

// Skewness returns how unequal the sizes of partitions are, in percent: 100 - 100 * mean / largest
// [DS 5]. 0 means equal sizes; (p - 1) / p * 100 means that one partition of p holds everything.
// Sizes that are all 0 are equal. The paper's text calls a ratio closer to 1 less skewed; it is
// mean / largest that is closer to 1 then, and the skewness that is closer to 0. There is at least
// one size.
func Skewness(sizes []float64) (float64, error) {
	r, err := evenness("partition.Skewness", "sizes", sizes)
	if err != nil {
		return 0, err
	}
	return 100 - 100*r, nil
}

// Balance returns how equal the loads of machines are, in percent: 100 * mean / largest [DS 5]. 100
// means equal loads, 100 / R that one machine of R has everything. Loads that are all 0 are equal.
// There is at least one.
//
// However p partitions are assigned to R machines, Balance <= (100 - skewness) p / R: the largest
// load is at least the largest partition. Balance says nothing of time where machines differ: a
// plan that gives fast machines more has low Balance and ends earlier.
func Balance(loads []float64) (float64, error) {
	r, err := evenness("partition.Balance", "loads", loads)
	return 100 * r, err
}

// evenness returns mean / largest, which is in (0, 1]. Each x is divided by the largest first, so
// that nothing underflows.
func evenness(fn, arg string, xs []float64) (float64, error) {
	if len(xs) == 0 {
		return 0, input.Bad(fn, arg, -1, "empty, want at least one")
	}
	if err := checkSizes(fn, arg, xs); err != nil {
		return 0, err
	}
	largest := slices.Max(xs)
	if largest == 0 {
		return 1, nil
	}
	sum := 0.0
	for _, x := range xs {
		sum += x / largest
	}
	return min(1, sum/float64(len(xs))), nil
}

func checkSizes(fn, arg string, xs []float64) error {
	for i, x := range xs {
		if !(x >= 0 && x <= most) {
			return input.Bad(fn, arg, i, "%v, want a value in [0, 2^200]", x)
		}
	}
	return nil
}
