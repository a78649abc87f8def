package exactfluid

import (
	"math/big"
	"sort"
)

// rates gives every job's rate in the real and in the virtual system.
func (s *system) rates(decide bool) (real, virt []*big.Rat) {
	real, virt = zeros(len(s.jobs)), zeros(len(s.jobs))
	active, vset := s.set(s.active), s.set(s.inVirtual)
	s.share(virt, vset, s.slots, true)
	switch s.c.Policy {
	case FIFO:
		s.greedy(real, s.sorted(active, func(j int) *big.Rat { return s.jobs[j].Arrival }), s.slots)
	case SPT:
		s.greedy(real, s.sorted(active, func(j int) *big.Rat { return s.jobs[j].Estimate }), s.slots)
	case SRPT:
		s.greedy(real, s.sorted(active, func(j int) *big.Rat { return minus(s.jobs[j].Estimate, s.attained[j]) }), s.slots)
	case PS:
		s.share(real, active, s.slots, true)
	case LAS:
		s.leastAttained(real, active, s.slots)
	case FSP:
		if decide {
			s.decide(vset)
		}
		s.fsp(real)
	}
	return real, virt
}

// decide orders the on-time jobs.
func (s *system) decide(vset []int) {
	s.order = s.set(func(j int) bool { return s.active(j) && s.lateAt[j] == nil })
	key := s.virtual
	if !s.c.ByWork {
		key = s.projected(vset)
	}
	if key != nil { // nil: no slots, so that the order does not matter
		s.order = s.sorted(s.order, func(j int) *big.Rat { return key[j] })
	}
}

// fsp serves the late jobs by the rule and gives what is left to the on-time jobs in order.
func (s *system) fsp(real []*big.Rat) {
	late := s.set(func(j int) bool { return s.active(j) && s.lateAt[j] != nil })
	onTime, left := s.order, s.slots
	switch s.c.Late {
	case First:
		left = s.greedy(real, s.sorted(late, func(j int) *big.Rat { return s.lateAt[j] }), left)
	case Share:
		left = s.share(real, late, left, true)
	case LeastAttained:
		left = s.leastAttained(real, late, left)
	case Next:
		if len(onTime) > 0 {
			late = append(late, onTime[0])
			onTime = onTime[1:]
		}
		left = s.share(real, late, left, true)
	}
	s.greedy(real, onTime, left)
}

// projected gives the time left to each virtual finish if nothing else happens; nil without slots.
func (s *system) projected(vset []int) []*big.Rat {
	if s.slots.Sign() == 0 {
		return nil
	}
	left := make([]*big.Rat, len(s.jobs))
	copy(left, s.virtual)
	out := make([]*big.Rat, len(s.jobs))
	t := new(big.Rat)
	for len(vset) > 0 {
		rate := zeros(len(s.jobs))
		s.share(rate, vset, s.slots, true)
		var dt *big.Rat
		for _, j := range vset {
			if d := over(left[j], rate[j]); dt == nil || d.Cmp(dt) < 0 {
				dt = d
			}
		}
		t = plus(t, dt)
		var rest []int
		for _, j := range vset {
			left[j] = minus(left[j], times(rate[j], dt))
			if left[j].Sign() == 0 {
				out[j] = t
			} else {
				rest = append(rest, j)
			}
		}
		vset = rest
	}
	return out
}

// sorted sorts by (key, index).
func (s *system) sorted(set []int, key func(j int) *big.Rat) []int {
	out := append([]int(nil), set...)
	keys := make([]*big.Rat, len(s.jobs))
	for _, j := range out {
		keys[j] = key(j)
	}
	sort.Slice(out, func(a, b int) bool {
		if c := keys[out[a]].Cmp(keys[out[b]]); c != 0 {
			return c < 0
		}
		return out[a] < out[b]
	})
	return out
}

// greedy gives each job in turn as much as it can use of left, and returns the rest.
func (s *system) greedy(rate []*big.Rat, order []int, left *big.Rat) *big.Rat {
	for _, j := range order {
		r := left
		if c := s.jobs[j].Slots; c != nil && c.Cmp(r) < 0 {
			r = c
		}
		rate[j] = r
		left = minus(left, r)
	}
	return left
}

// share gives the jobs of set their weighted max-min share of left, and returns the rest.
func (s *system) share(rate []*big.Rat, set []int, left *big.Rat, weighted bool) *big.Rat {
	weight := func(j int) *big.Rat {
		if weighted {
			return s.jobs[j].Weight
		}
		return one
	}
	for len(set) > 0 {
		sum := new(big.Rat)
		for _, j := range set {
			sum.Add(sum, weight(j))
		}
		level := over(left, sum)
		var rest []int
		taken := new(big.Rat)
		for _, j := range set {
			if c := s.jobs[j].Slots; c != nil && c.Cmp(times(level, weight(j))) <= 0 {
				rate[j] = c
				taken.Add(taken, c)
			} else {
				rest = append(rest, j)
			}
		}
		left = minus(left, taken)
		if len(rest) == len(set) {
			for _, j := range set {
				rate[j] = times(level, weight(j))
			}
			return new(big.Rat)
		}
		set = rest
	}
	return left
}

// leastAttained serves the jobs level by level of attained service, equal shares up to the caps at
// a level, and returns the rest.
func (s *system) leastAttained(rate []*big.Rat, set []int, left *big.Rat) *big.Rat {
	order := s.sorted(set, func(j int) *big.Rat { return s.attained[j] })
	for len(order) > 0 {
		k := 1
		for k < len(order) && s.attained[order[k]].Cmp(s.attained[order[0]]) == 0 {
			k++
		}
		left = s.share(rate, order[:k], left, false)
		order = order[k:]
	}
	return left
}
