package partition

import (
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// most is the largest size, time and speed. No sum or product of such numbers overflows.
const most = 0x1p200

// Skewness returns how unequal the sizes of partitions, at least one, are, in percent: 100 - 100 *
// mean / largest [DS 5]. 0 means equal sizes, also if all are 0; (p - 1) / p * 100 that one
// partition of p holds everything.
func Skewness(sizes []float64) (float64, error) {
	r, err := evenness("partition.Skewness", "sizes", sizes)
	if err != nil {
		return 0, err
	}
	return 100 - 100*r, nil
}

// Balance returns how equal the loads of machines, at least one, are, in percent: 100 * mean /
// largest [DS 5]. 100 means equal loads, also if all are 0; 100 / R that one machine of R has
// everything. A plan that gives fast machines more has low Balance and ends earlier.
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
