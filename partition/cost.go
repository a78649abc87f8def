package partition

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// least is the smallest speed, and the smallest last total of Predicted.
const least = 0x1p-200

// Cost returns the time in which a machine processes a total > 0, in [0, 2^200]: a function of the
// total, not a sum over its partitions [DS 2: r is of the total size on a worker]. A machine that
// holds nothing takes no time, and Cost is not asked.
//
// Cost should be non-decreasing in total. Assign returns a plan in any case, but where it sees Cost
// decrease by 2^-40 of the time or more, the plan's Bound is 0.
type Cost func(machine int, total float64) float64

// BySpeed returns the cost total / speeds[machine]. There is at least one speed, each in [2^-200,
// 2^200]. A machine that has no speed takes +Inf, which Assign refuses.
func BySpeed(speeds []float64) (Cost, error) {
	return affine("partition.BySpeed", make([]float64, len(speeds)), speeds)
}

// Affine returns the cost fixed[machine] + total / speeds[machine]: a machine that holds anything
// pays its fixed time once. Speeds are as in BySpeed, and as many.
func Affine(fixed, speeds []float64) (Cost, error) {
	return affine("partition.Affine", fixed, speeds)
}

func affine(fn string, fixed, speeds []float64) (Cost, error) {
	if len(speeds) == 0 {
		return nil, input.Bad(fn, "speeds", -1, "empty, want at least one")
	}
	if len(fixed) != len(speeds) {
		return nil, input.Bad(fn, "fixed", -1, "length %d, want %d, the length of speeds", len(fixed), len(speeds))
	}
	for i := range speeds {
		if !(speeds[i] >= least && speeds[i] <= most) {
			return nil, input.Bad(fn, "speeds", i, "%v, want a value in [2^-200, 2^200]", speeds[i])
		}
		if !(fixed[i] >= 0 && fixed[i] <= most) {
			return nil, input.Bad(fn, "fixed", i, "%v, want a time in [0, 2^200]", fixed[i])
		}
	}
	fixed, speeds = slices.Clone(fixed), slices.Clone(speeds)
	return func(machine int, total float64) float64 {
		switch {
		case machine < 0 || machine >= len(speeds):
			return math.Inf(1)
		case !(total > 0):
			return 0
		}
		return fixed[machine] + total/speeds[machine]
	}, nil
}

// Predicted returns the cost that an estimator predicts at each of totals, made non-decreasing by a
// running maximum. totals ascend, to 2^-200 at least. Between two the cost is interpolated, below the first
// it is that of the first, beyond the last it grows in proportion to the total. machines *
// len(totals) is at most 2^24. A prediction that is no time is an error with the machine as Index.
func Predicted(machines int, totals []float64, predict func(machine int, total float64) float64) (Cost, error) {
	const fn = "partition.Predicted"
	if len(totals) == 0 {
		return nil, input.Bad(fn, "totals", -1, "empty, want at least one")
	}
	for k, x := range totals {
		if !(x >= 0 && x <= most) || k > 0 && !(x > totals[k-1]) {
			return nil, input.Bad(fn, "totals", k, "%v, want ascending values in [0, 2^200]", x)
		}
	}
	last := len(totals) - 1
	if totals[last] < least { // beyond it costs would overflow, and 0 times infinity is NaN
		return nil, input.Bad(fn, "totals", last, "%v, want the last at least 2^-200", totals[last])
	}
	if machines < 1 || machines > maxCells/len(totals) {
		return nil, input.Bad(fn, "machines", -1, "%d, want 1 to 2^24 / %d, the length of totals", machines, len(totals))
	}
	if predict == nil {
		return nil, input.Bad(fn, "predict", -1, "is nil")
	}
	times := make([]float64, 0, machines*len(totals))
	for i := range machines {
		highest := 0.0
		for _, x := range totals {
			t := predict(i, x)
			if !(t >= 0 && t <= most) {
				return nil, input.Bad(fn, "predict", i, "%v for a total of %v, want a time in [0, 2^200]", t, x)
			}
			highest = max(highest, t)
			times = append(times, highest)
		}
	}
	totals = slices.Clone(totals)
	return func(machine int, total float64) float64 {
		switch {
		case machine < 0 || machine >= machines:
			return math.Inf(1)
		case !(total > 0):
			return 0
		}
		row := times[machine*len(totals):][:len(totals)]
		k, found := slices.BinarySearch(totals, total) // totals[k-1] < total <= totals[k]
		switch {
		case found || k == 0:
			return row[k]
		case k > last:
			return row[last] * (total / totals[last])
		}
		part := (total - totals[k-1]) / (totals[k] - totals[k-1])
		return min(row[k], row[k-1]+(row[k]-row[k-1])*part)
	}, nil
}
