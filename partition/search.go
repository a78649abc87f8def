package partition

import (
	"slices"
	"sort"
)

// search is a local search from s, which stays as it is. It returns s if it finds nothing better.
func (s *state) search() *state {
	l := &localSearch{s.newState(), make([][]int, len(s.load))}
	copy(l.of, s.of)
	copy(l.why, s.why)
	for r, k := range s.order {
		l.on[s.of[k]] = append(l.on[s.of[k]], r)
	}
	for _, i := range s.up {
		l.sum(i)
	}
	for range s.o.Steps {
		if !l.step() {
			break
		}
	}
	if l.settle(); l.worst().before(s.worst()) {
		return l.state
	}
	return s
}

// localSearch is a state and, for each machine, its partitions from the largest down, as indices of
// order.
type localSearch struct {
	*state
	on [][]int
}

// step takes the largest partition off the slowest machine that can go to another machine, alone or
// in exchange for a smaller one, so that both finish better than the slowest did. Of the ways for
// this partition it takes that with the best worse finish of the two. Each step makes the sorted
// list of finishes lexicographically smaller. It returns false if there is none.
func (l *localSearch) step() bool {
	slow := l.slowest()
	if slow < 0 {
		return false
	}
	for j := range l.on[slow] { // take may have put back what it found there, in another array
		r := l.on[slow][j]
		if l.size(r) == 0 {
			break // and all that follow
		}
		best, to, back := l.finish[slow], -1, -1
		for _, i := range l.up {
			if i == slow || !l.finish[i].before(best) {
				continue
			}
			try := func(q int) {
				if a, b := l.exchange(slow, i, r, q); a.before(best) && b.before(best) {
					if best = a; a.before(b) {
						best = b
					}
					to, back = i, q
				}
			}
			try(-1)
			// The smaller the partition in exchange, the later i and the earlier the slowest
			// machine: the best is where they cross.
			list := l.on[i]
			list = list[sort.Search(len(list), func(j int) bool { return l.size(list[j]) < l.size(r) }):]
			j := sort.Search(len(list), func(j int) bool {
				a, b := l.exchange(slow, i, r, list[j])
				return a.before(b)
			})
			if j < len(list) {
				try(list[j])
			}
			if j > 0 {
				try(list[j-1])
			}
		}
		if to >= 0 && l.take(slow, to, r, back) {
			return true
		}
	}
	return false
}

// exchange returns the finishes of from and to if partition r goes to to, and q, if it is not -1,
// comes back.
func (l *localSearch) exchange(from, to, r, q int) (a, b finish) {
	d := l.size(r) - l.size(q)
	k := l.order[r]
	out, in := l.fetch(k, from), l.fetch(k, to)
	if q >= 0 {
		k = l.order[q]
		out, in = out-l.fetch(k, from), in-l.fetch(k, to)
	}
	return l.when(from, l.load[from]-d, l.fetched[from]-out), l.when(to, l.load[to]+d, l.fetched[to]+in)
}

// take makes the exchange if both finishes then are before that of from, with loads summed anew:
// judged by differences, an exchange of equals could look like a gain for ever. So a finish depends
// on nothing but the partitions on the machine, no assignment comes twice, and the search ends.
func (l *localSearch) take(from, to, r, q int) bool {
	limit := l.finish[from]
	l.transfer(r, q, from, to)
	if !l.finish[from].before(limit) || !l.finish[to].before(limit) {
		l.transfer(r, q, to, from)
		return false
	}
	l.why[l.order[r]] = moved
	if q >= 0 {
		l.why[l.order[r]], l.why[l.order[q]] = swapped, swapped
	}
	return true
}

// transfer puts partition r from one machine on another, and q, if it is not -1, in its place.
func (l *localSearch) transfer(r, q, from, to int) {
	pass := func(r, from, to int) {
		at, _ := slices.BinarySearch(l.on[from], r)
		l.on[from] = slices.Delete(l.on[from], at, at+1)
		at, _ = slices.BinarySearch(l.on[to], r)
		l.on[to] = slices.Insert(l.on[to], at, r)
		l.of[l.order[r]] = to
	}
	pass(r, from, to)
	if q >= 0 {
		pass(q, to, from)
	}
	l.sum(from)
	l.sum(to)
}

// sum computes the load and the finish of machine i from its partitions.
func (l *localSearch) sum(i int) {
	l.load[i], l.fetched[i] = 0, 0
	for _, r := range l.on[i] {
		l.put(l.order[r], i, l.why[l.order[r]])
	}
	l.finish[i] = l.when(i, l.load[i], l.fetched[i])
}
