package precedence

import (
	"cmp"
	"math"
	"slices"
)

// sortBy returns the indices 0 to len(keys)-1 in the order of exact, a total order. keys ascend
// with that order except for an error of at most 2^-49 of each key, so keys that differ by more
// than 2^-47 of one of them decide without exact. Keys may be infinite but not NaN. Cost O(n log
// n).
func sortBy(keys []float64, exact func(a, b int32) int) []int32 {
	type entry struct {
		key   float64
		index int32
	}
	entries := make([]entry, len(keys))
	for i, k := range keys {
		entries[i] = entry{k, int32(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if d := a.key - b.key; math.Abs(d) > 0x1p-47*math.Abs(a.key) {
			return cmp.Compare(d, 0)
		}
		return exact(a.index, b.index)
	})
	index := make([]int32, len(keys))
	for i, e := range entries {
		index[i] = e.index
	}
	return index
}
