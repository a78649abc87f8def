// Package orderstat finds order statistics without sorting.
package orderstat

import "cmp"

// Item is something with a number and a key. Items are ordered by Key, then by Index.
type Item[K cmp.Ordered] struct {
	Index int
	Key   K
}

// Before reports whether a comes before b.
func Before[K cmp.Ordered](a, b Item[K]) bool {
	return a.Key < b.Key || a.Key == b.Key && a.Index < b.Index
}

// Select rearranges a so that a[k] is the element that sorting would put there, with none after
// it in front of it and none before it behind it; 0 <= k < len(a). No two elements have the same
// index, and no key is NaN. The pivot is the median of three elements at pseudo-random places, so
// that no order that occurs in practice makes it slow: O(len(a)) on average. Nothing is allocated.
func Select[K cmp.Ordered](a []Item[K], k int) {
	seed := uint64(len(a))
	for len(a) > 1 {
		var p [3]Item[K]
		for i := range p {
			seed = seed*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
			p[i] = a[(seed>>32)*uint64(len(a))>>32]
		}
		if Before(p[1], p[0]) {
			p[0], p[1] = p[1], p[0]
		}
		if Before(p[2], p[1]) {
			p[1] = p[2]
			if Before(p[1], p[0]) {
				p[1] = p[0]
			}
		}
		pivot := p[1]
		i, j := 0, len(a)-1
		for i <= j {
			for Before(a[i], pivot) {
				i++
			}
			for Before(pivot, a[j]) {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			a = a[:j+1]
		case k >= i:
			a, k = a[i:], k-i
		default:
			return
		}
	}
}
