// Package orderstat finds order statistics without sorting.
package orderstat

// Select rearranges a so that a[k] is the element that sorting would put there, with none after
// it in front of it and none before it behind it; 0 <= k < len(a). before is a strict total order:
// no two elements are equal. The pivot is the median of three elements at pseudo-random places, so
// that no order that occurs in practice makes it slow: O(len(a)) on average. Nothing is allocated.
func Select[T any](a []T, k int, before func(a, b T) bool) {
	seed := uint64(len(a))
	for len(a) > 1 {
		var p [3]T
		for i := range p {
			seed = seed*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
			p[i] = a[(seed>>32)*uint64(len(a))>>32]
		}
		if before(p[1], p[0]) {
			p[0], p[1] = p[1], p[0]
		}
		if before(p[2], p[1]) {
			p[1] = p[2]
			if before(p[1], p[0]) {
				p[1] = p[0]
			}
		}
		pivot := p[1]
		i, j := 0, len(a)-1
		for i <= j {
			for before(a[i], pivot) {
				i++
			}
			for before(pivot, a[j]) {
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
