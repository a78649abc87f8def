package lof

// slide finds the k-distances and windows. The k+1 successive places that hold the k nearest to a place are the first k+1 of which
// the next place on the right is no nearer than the leftmost; from place to place they move only to the right.
func (l *line) slide(k int, ties Ties) {
	places, of := l.places, l.of
	if ties == Distinct { // copies of a point do not count: one place each group
		places, of = make([]place, len(l.groups)), make([]int, len(l.groups))
		for u, g := range l.groups {
			places[u].x, of[u] = g.x, u
		}
	}
	k = min(k, len(places)-1)
	left := 0
	for i, p := range places {
		u := of[i]
		if i > 0 && u == of[i-1] {
			continue
		}
		for left+k+1 < len(places) && places[left+k+1].x-p.x < p.x-places[left].x {
			left++
		}
		l.groups[u].kdist = max(p.x-places[left].x, places[left+k].x-p.x)
		l.windows[u].lo, l.windows[u].hi = of[left], of[left+k]
		if ties == ExactK {
			l.exact(u, k)
		} else {
			l.widen(u)
		}
	}
}

// widen takes all points at the k-distance into the window of group u.
func (l *line) widen(u int) {
	g, w := &l.groups[u], &l.windows[u]
	for w.lo > 0 && g.x-l.groups[w.lo-1].x <= g.kdist {
		w.lo--
	}
	for w.hi+1 < len(l.groups) && l.groups[w.hi+1].x-g.x <= g.kdist {
		w.hi++
	}
	lo, hi := &l.groups[w.lo], &l.groups[w.hi]
	w.first, w.last = lo.count, hi.count
	w.neighbours = float64(hi.from-lo.from-1) + hi.count
}

// exact keeps in the window of group u, of the points at the k-distance, those with the lowest indices, so that there are k neighbours.
func (l *line) exact(u, k int) {
	g, w := &l.groups[u], &l.windows[u]
	w.neighbours = float64(k)
	if g.kdist == 0 { // k copies
		w.first, w.last = float64(k+1), float64(k+1)
		return
	}
	// At equal distances the places moved no further than the left one.
	if w.hi+1 < len(l.groups) && l.groups[w.hi].x-g.x < g.kdist && l.groups[w.hi+1].x-g.x == g.kdist {
		w.hi++
	}
	lo, hi := l.members(w.lo), l.members(w.hi)
	w.first, w.last = float64(len(lo)), float64(len(hi))
	var a, b []place // the points at the k-distance on either side
	if g.x-l.groups[w.lo].x == g.kdist {
		a = lo
	}
	if l.groups[w.hi].x-g.x == g.kdist {
		b = hi
	}
	// Drop what is too much from them, the highest indices first.
	excess := l.groups[w.hi].from + len(hi) - l.groups[w.lo].from - (k + 1)
	i, j := len(a), len(b)
	for ; excess > 0 && i > 0 && j > 0; excess-- {
		if a[i-1].index > b[j-1].index {
			i--
		} else {
			j--
		}
	}
	if i > 0 {
		i -= excess
	} else {
		j -= excess
	}
	w.first, w.last = w.first-float64(len(a)-i), w.last-float64(len(b)-j)
	if w.first == 0 {
		w.lo++
		w.first = l.groups[w.lo].count
	}
	if w.last == 0 {
		w.hi--
		w.last = l.groups[w.hi].count
	}
}
