package lof

// slide finds the k-distances and windows of a cloud on a line. The sites lo to hi hold more than k
// points, and no more than k without lo. Taking in the next site on the right shortens the
// k-distance of u if it is nearer to u than lo is. From one u to the next lo and hi move only to
// the right. At last the window is widened to all points at the k-distance.
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
		tied := s.kdist * (1 + tie)
		for s.lo > 0 && s.x-c.sites[s.lo-1].x <= tied {
			s.lo--
		}
		for s.hi < last && c.sites[s.hi+1].x-s.x <= tied {
			s.hi++
		}
	}
}
