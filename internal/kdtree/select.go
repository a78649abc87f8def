package kdtree

import "github.com/schedmath/schedmath/internal/orderstat"

// before orders by Dist2, then by Index.
func before(a, b Neighbour) bool {
	return a.Dist2 < b.Dist2 || a.Dist2 == b.Dist2 && a.Index < b.Index
}

// Select rearranges a so that a[k] is the element that sorting by distance, ties by index, would
// put there, with none after it in front of it and none before it behind it. No two elements have
// the same index. Cost O(len(a)) on average.
func Select(a []Neighbour, k int) { orderstat.Select(a, k, before) }
