package shuffle

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// saturation is the paper's NWSaturationThreshold [SW 4].
const saturation = .8

// Saturated appends to dst whether each rack uses more than threshold of its link, out or in [SW
// 3.1]; threshold is in [0, 2^200], 0 means .8. used are mean rates over a few seconds. A capacity
// of +Inf is no limit, and one of 0 is saturated by any use.
func Saturated(dst []bool, used, capacity []Link, threshold float64) ([]bool, error) {
	const fn = "shuffle.Saturated"
	switch {
	case len(used) == 0:
		return dst, input.Bad(fn, "used", -1, "empty, want an element for each rack")
	case len(capacity) != len(used):
		return dst, input.Bad(fn, "capacity", -1, "%d elements, want %d, one for each rack", len(capacity), len(used))
	case !isSize(threshold):
		return dst, input.Bad(fn, "threshold", -1, "%v, want a part of the capacity in [0, 2^200]", threshold)
	case threshold == 0:
		threshold = saturation
	}
	for q, u := range used {
		c := capacity[q]
		if !isSize(u.Out) || !isSize(u.In) {
			return dst, input.Bad(fn, "used", q, "%v, want rates in [0, 2^200]", u)
		}
		if !isSize(c.Out) && !math.IsInf(c.Out, 1) || !isSize(c.In) && !math.IsInf(c.In, 1) {
			return dst, input.Bad(fn, "capacity", q, "%v, want rates in [0, 2^200] or +Inf", c)
		}
	}
	for q, u := range used {
		c := capacity[q] // 0/0 is NaN, which exceeds nothing
		dst = append(dst, u.Out/c.Out > threshold || u.In/c.In > threshold)
	}
	return dst, nil
}
