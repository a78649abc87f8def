package partition

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// Coalesce joins adjacent small partitions and appends to dst the group of each, from 0 up. A group
// ends where the next partition would take it above target, >= 0 or +Inf: no grouping of neighbours
// has fewer groups. A larger partition is a group of its own.
func Coalesce(dst []int, sizes []float64, target float64) ([]int, error) {
	const fn = "partition.Coalesce"
	if err := checkSizes(fn, "sizes", sizes); err != nil {
		return dst, err
	}
	if !(target >= 0) {
		return dst, input.Bad(fn, "target", -1, "%v, want >= 0", target)
	}
	group, sum := -1, math.Inf(1)
	for _, x := range sizes {
		if sum += x; group < 0 || less(target, sum) {
			group, sum = group+1, x
		}
		dst = append(dst, group)
	}
	return dst, nil
}
