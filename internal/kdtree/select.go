package kdtree

// before orders by Dist2, then by Index.
func before(a, b Neighbour) bool {
	return a.Dist2 < b.Dist2 || a.Dist2 == b.Dist2 && a.Index < b.Index
}

// Select is orderstat.Select by distance, ties by index, with the comparison in the loop, since a
// comparison called for each pair is what predictions and local outlier factors then wait for
// (docs/design.md). It rearranges a so that a[k] is the element that sorting would put there, with
// none after it in front of it and none before it behind it. No two elements have the same index.
// The pivot is the median of three elements at pseudo-random places, so that no order that occurs
// in practice makes it slow: O(len(a)) on average.
func Select(a []Neighbour, k int) {
	seed := uint64(len(a))
	for len(a) > 1 {
		var p [3]Neighbour
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
