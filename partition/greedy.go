package partition

import "math"

// dynamicShare gives the partitions, from the largest down, to the machine that finishes earliest
// with them.
func (p *problem) dynamicShare() *state {
	s := p.newState()
	s.place(p.order)
	return s.settle()
}

// place gives partitions, from the largest down, each to the machine that is best with it. floors
// holds, by place in up, when a machine would finish with the smallest of the next m partitions: it
// finishes no earlier with a larger one. So a machine whose floor is no earlier than the best
// finish so far, if that is on time, is passed over.
func (s *state) place(list []int) {
	floors := make([]float64, len(s.up))
	for len(list) > 0 {
		next := list[:min(len(s.up), len(list))]
		list = list[len(next):]
		smallest := s.sizes[next[len(next)-1]]
		for j, i := range s.up {
			floors[j] = s.when(i, s.load[i]+smallest, s.fetched[i]).at
		}
		for _, k := range next {
			to, best, limit := -1, finish{}, math.Inf(1)
			for j, floor := range floors {
				if floor >= limit {
					continue
				}
				i := s.up[j]
				if f := s.when(i, s.load[i]+s.sizes[k], s.fetched[i]+s.fetch(k, i)); to < 0 || f.before(best) {
					to, best = j, f
					if !best.late {
						limit = best.at
					}
				}
			}
			why := earliest
			if best.late {
				why = late
			}
			i := s.up[to]
			s.put(k, i, why)
			floors[to] = s.when(i, s.load[i]+smallest, s.fetched[i]).at
		}
	}
}

// keep leaves partitions where they were. Those that none holds are placed as by dynamicShare.
func (p *problem) keep() *state {
	s := p.newState()
	var homeless []int
	for _, k := range p.order {
		if i := p.held[k]; i >= 0 {
			s.put(k, i, kept)
		} else {
			homeless = append(homeless, k)
		}
	}
	s.place(homeless)
	return s.settle()
}

// loadBalance gives the partitions, from the largest down, to the machine with the least load.
func (p *problem) loadBalance() *state {
	s := p.newState()
	for _, k := range p.order {
		to := p.up[0]
		for _, i := range p.up[1:] {
			if less(s.load[i], s.load[to]) {
				to = i
			}
		}
		s.put(k, to, lightest)
	}
	return s.settle()
}

// hash gives partition k to machine k mod m, of those that are not away.
func (p *problem) hash() *state {
	s := p.newState()
	for k := range p.sizes {
		s.put(k, p.up[k%len(p.up)], hashed)
	}
	return s.settle()
}
