package precedence

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// sortBy returns the indices 0 to len(keys)-1 in the order of exact, a total order. keys ascend with that order but for an error of at
// most 2^-49 of each key. Keys may be infinite but not NaN. Cost O(n log n).
//
// Integers that hold the upper bits of a key, as ordered, above its index are sorted first; then exact sorts each run of keys that agree in
// these bits or are next to each other there. Bits below are more than the error: 2^-48, that of two keys, is at most 32 units of the last place.
func sortBy(keys []float64, exact func(a, b int32) int) []int32 {
	low := max(6, bits.Len(uint(len(keys))))
	packed := make([]uint64, len(keys))
	for i, k := range keys {
		b := math.Float64bits(k)
		if b>>63 == 1 {
			b = ^b
		} else {
			b |= 1 << 63
		}
		packed[i] = b>>low<<low | uint64(i)
	}
	slices.Sort(packed)
	index := make([]int32, len(keys))
	from := 0
	for i, p := range packed {
		index[i] = int32(p & (1<<low - 1))
		if i+1 == len(packed) || packed[i+1]>>low-p>>low > 1 {
			if i > from {
				slices.SortFunc(index[from:i+1], exact)
			}
			from = i + 1
		}
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
