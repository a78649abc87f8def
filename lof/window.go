package lof

// slide finds the k-distances and windows of a cloud on a line. The sites lo to hi hold more than k points, but not without lo. Going on to
// the next site on the right shortens the greatest distance from site u as long as that site is nearer than lo. From u to u lo and hi
// move only to the right. All points at the k-distance are neighbours.
func (c *cloud) slide(k int, ties Ties) {
	k = c.clip(k, ties)
	c.buffer = make([]near, 0, 2*k+1)
	last := len(c.sites) - 1
	lo, hi, points := 0, 0, c.weight(0, ties)
	for u := range c.sites {
		s := &c.sites[u]
		for points <= k || hi < last && c.sites[hi+1].x-s.x < s.x-c.sites[lo].x {
			hi++
			points += c.weight(hi, ties)
			for points-c.weight(lo, ties) > k {
				points -= c.weight(lo, ties)
				lo++
			}
		}
		s.kdist = max(s.x-c.sites[lo].x, c.sites[hi].x-s.x)
		s.lo, s.hi = lo, hi
		for s.lo > 0 && s.x-c.sites[s.lo-1].x <= s.kdist {
			s.lo--
		}
		for s.hi < last && c.sites[s.hi+1].x-s.x <= s.kdist {
			s.hi++
		}
	}
}
