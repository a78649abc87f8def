package partition

import "slices"

// exhaust seeks the assignment whose greatest load is least, which on equal machines is the one that
// ends first, by depth-first search from the largest partition down, over at most 50,000 places of a
// partition. It returns start where it finds no better. If the search ends before, some machine has
// a load of leastLoad in every assignment, whatever the cost.
func (p *problem) exhaust(start *state) *state {
	n, m := len(p.order), len(p.up)
	for n > 0 && p.size(n-1) == 0 {
		n--
	}
	if n <= m || n > 30 || !p.equal() {
		return start
	}
	best, floor := 0.0, max(p.total/float64(m), p.size(m-1)+p.size(m))
	if least := whole(floor, p.unit); less(least, floor) {
		floor = least + p.unit
	}
	for _, x := range start.load {
		best = max(best, x)
	}
	rest := make([]float64, n+1) // of the partitions from r on
	for r := n - 1; r >= 0; r-- {
		rest[r] = rest[r+1] + p.size(r)
	}
	var found *state
	on, load, left := make([]int, n), make([]float64, m), 50_000
	var place func(r int, greatest float64)
	place = func(r int, greatest float64) {
		if r == n {
			best, found = greatest, p.newState()
			for r, j := range on {
				found.put(p.order[r], p.up[j], searched)
			}
			return
		}
		room := 0.0
		for _, x := range load {
			if less(x+p.size(n-1), best) {
				room += best - x
			}
		}
		if room < rest[r] {
			return
		}
		for j, x := range load {
			if !less(x+p.size(r), best) || slices.Contains(load[:j], x) {
				continue
			}
			if left == 0 || !less(floor, best) {
				return
			}
			left--
			on[r], load[j] = j, x+p.size(r)
			place(r+1, max(greatest, load[j]))
			load[j] = x
		}
	}
	place(0, 0)
	if left > 0 {
		p.leastLoad = best
	}
	if found == nil {
		return start
	}
	for _, k := range p.order[n:] {
		found.put(k, p.up[0], searched)
	}
	if found.settle(); found.worst().before(start.worst()) {
		return found
	}
	return start
}

// equal reports whether the machines look equal: free at once, with one cost of an equal share, and
// nothing to fetch.
func (p *problem) equal() bool {
	first, share := p.up[0], p.total/float64(len(p.up))
	t := p.time(first, share)
	return p.o.Extra == nil && p.o.MoveCost == 0 && !slices.ContainsFunc(p.up, func(i int) bool {
		return p.ready[i] != p.ready[first] || p.time(i, share) != t
	})
}
