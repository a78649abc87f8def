package aging

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
)

const (
	digitBits = 11
	digits    = (64 + digitBits - 1) / digitBits
	// From here on six passes without comparisons beat a comparison sort.
	radixLeast = 400
)

// sortByKey sorts entries, whose ids ascend, by (Key, ID). The keys are positive, so that their bits order as they do; the
// sort by digits from the least is stable, which keeps equal keys in the order of their ids. O(n), with scratch of like size.
func sortByKey(entries []heap.Entry) []heap.Entry {
	if len(entries) < radixLeast {
		slices.SortFunc(entries, func(a, b heap.Entry) int {
			switch {
			case a.Key < b.Key || a.Key == b.Key && a.ID < b.ID:
				return -1
			case a == b:
				return 0
			}
			return 1
		})
		return entries
	}
	var counts [digits][1 << digitBits]int32
	for _, e := range entries {
		b := math.Float64bits(e.Key)
		for d := range counts {
			counts[d][b>>(d*digitBits)&(1<<digitBits-1)]++
		}
	}
	from, to := entries, make([]heap.Entry, len(entries))
	for d := range counts {
		count := &counts[d]
		if count[math.Float64bits(from[0].Key)>>(d*digitBits)&(1<<digitBits-1)] == int32(len(from)) {
			continue // all keys share this digit
		}
		at := int32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, e := range from {
			b := math.Float64bits(e.Key) >> (d * digitBits) & (1<<digitBits - 1)
			to[count[b]] = e
			count[b]++
		}
		from, to = to, from
	}
	return from
}
