package precedence

import (
	"cmp"
	"math"
	"slices"
)

// sortBy returns the indices 0 to len(keys)-1 in the order of exact, a total order. keys ascend with that order but for an error of at
// most 2^-49 of each key, so that exact is asked only where two keys are close. Keys may be infinite but not NaN. Cost O(n log n).
func sortBy(keys []float64, exact func(a, b int32) int) []int32 {
	type keyed struct {
		key   float64
		index int32
	}
	list := make([]keyed, len(keys))
	for i, k := range keys {
		list[i] = keyed{k, int32(i)}
	}
	slices.SortFunc(list, func(a, b keyed) int {
		close := 0x1p-48 * max(math.Abs(a.key), math.Abs(b.key))
		switch d := a.key - b.key; {
		case d < -close:
			return -1
		case d > close:
			return 1
		}
		return exact(a.index, b.index)
	})
	index := make([]int32, len(keys))
	for i, k := range list {
		index[i] = k.index
	}
	return index
}

// sortStable returns the jobs by ascending key[j], equal keys in the given order.
func sortStable(jobs []int, key []float64) []int {
	keys := make([]float64, len(jobs))
	for i, j := range jobs {
		keys[i] = key[j]
	}
	sorted := make([]int, len(jobs))
	for i, at := range sortBy(keys, func(a, b int32) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) }) {
		sorted[i] = jobs[at]
	}
	return sorted
}
