package fluid

import (
	"cmp"
	"math"
	"slices"
)

// kinds sorts the jobs of a run into groups of equal Slots/Weight, in increasing order, and within those into classes of equal
// Weight. Under max-min shares a group moves together: all its jobs are at their caps or none is.
type kinds struct {
	ratio  []dd      // by group, far: no cap
	weight []float64 // by class
	group  []int32   // by class
	of     []int32   // class by job

	ids []int32
	key []dd
}

func (k *kinds) reset(r *Runner) {
	n := len(r.jobs)
	k.ids = slices.Grow(k.ids[:0], n)[:n]
	k.key = slices.Grow(k.key[:0], n)[:n]
	k.of = slices.Grow(k.of[:0], n)[:n]
	for i := range r.jobs {
		k.ids[i] = int32(i)
		k.key[i] = far
		if c := r.cap(int32(i)); !math.IsInf(c, 1) {
			k.key[i] = ratio(c, r.weight(int32(i)))
		}
	}
	slices.SortFunc(k.ids, func(a, b int32) int {
		ka, kb := k.key[a], k.key[b]
		return cmp.Or(cmp.Compare(ka.hi, kb.hi), cmp.Compare(ka.lo, kb.lo), cmp.Compare(r.weight(a), r.weight(b)), cmp.Compare(a, b))
	})
	k.ratio, k.weight, k.group = k.ratio[:0], k.weight[:0], k.group[:0]
	for i, id := range k.ids {
		fresh := i == 0 || k.key[id] != k.ratio[len(k.ratio)-1]
		if fresh {
			k.ratio = append(k.ratio, k.key[id])
		}
		if w := r.weight(id); fresh || w != k.weight[len(k.weight)-1] {
			k.weight = append(k.weight, w)
			k.group = append(k.group, int32(len(k.ratio)-1))
		}
		k.of[id] = int32(len(k.weight) - 1)
	}
}

// cap is the most slots that job id can use, +Inf for no limit.
func (r *Runner) cap(id int32) float64 {
	if c := r.jobs[id].Slots; c != 0 {
		return c
	}
	return math.Inf(1)
}

// pool is one group in a water.
type pool struct {
	group int32
	n     int32
	v     dd // work done per unit of weight
	rate  dd // of v
	w     dd // sum of weights
	caps  dd // sum of caps
	peak  float64
	next  int32 // least job, the place in the list under projection
}

// water is a weighted max-min share of some slots among jobs with caps. Every group has a clock of the work done per unit of
// weight, at which a job that joins gets a key for ever; the clock of a group at its caps runs at Slots/Weight, the others at
// the common level. With g groups present, rates, advance and next cost O(g).
type water struct {
	r     *Runner
	n     int
	pools []pool // of the groups present, by group
	list  ranks  // by group
	below []dd   // scratch: weight of the pools from one on
}

func (s *water) reset(r *Runner) {
	s.r, s.n = r, 0
	s.pools = s.pools[:0]
	s.list.reset(len(r.jobs), len(r.capped.kinds.ratio))
}

func (s *water) find(group int32) (int, bool) {
	return slices.BinarySearchFunc(s.pools, group, func(p pool, g int32) int { return cmp.Compare(p.group, g) })
}

// join adds job id with work x.
func (s *water) join(id int32, x dd) {
	group := s.r.capped.kinds.group[s.r.capped.kinds.of[id]]
	i, ok := s.find(group)
	if !ok {
		s.pools = slices.Insert(s.pools, i, pool{group: group})
	}
	p := &s.pools[i]
	w := s.r.weight(id)
	s.list.insert(group, entry{p.v.add(x.over(w)), id})
	s.n++
	p.n++
	p.next = s.list.first(group)
	p.w = p.w.plus(w)
	p.peak = max(p.peak, p.w.hi)
	if c := s.r.cap(id); !math.IsInf(c, 1) {
		p.caps = p.caps.plus(c)
	}
}

// leave removes job id and returns its work left.
func (s *water) leave(id int32) dd {
	group := s.r.capped.kinds.group[s.r.capped.kinds.of[id]]
	i, _ := s.find(group)
	p := &s.pools[i]
	left := s.left(p, id)
	s.list.remove(group, id)
	s.n--
	p.next = s.list.first(group)
	if p.next < 0 {
		s.pools = slices.Delete(s.pools, i, i+1)
		return left
	}
	p.drop(s, id)
	return left
}

// left is the work left of job id of pool p.
func (s *water) left(p *pool, id int32) dd {
	return s.list.keys[id].sub(p.v).scale(s.r.weight(id))
}

// drop takes job id out of the sums of p, where p.next leads to the jobs that stay. The sums are made afresh when too much of
// them has cancelled.
func (p *pool) drop(s *water, id int32) {
	p.n--
	capped := !math.IsInf(s.r.cap(id), 1)
	p.w = p.w.plus(-s.r.weight(id))
	if capped {
		p.caps = p.caps.plus(-s.r.cap(id))
	}
	if p.w.hi >= 0x1p-40*p.peak {
		return
	}
	p.w, p.caps = dd{}, dd{}
	for j := p.next; j >= 0; j = s.list.after(j) {
		p.w = p.w.plus(s.r.weight(j))
		if capped {
			p.caps = p.caps.plus(s.r.cap(j))
		}
	}
	p.peak = p.w.hi
}

// rates shares the slots and returns what the caps leave over.
func (s *water) rates(slots dd) dd { return s.share(s.pools, slots) }

// share sets the rates of the pools, those with jobs.
func (s *water) share(pools []pool, left dd) dd {
	n := len(pools)
	s.below = slices.Grow(s.below[:0], n+1)[:n+1]
	s.below[n] = dd{}
	for i := n - 1; i >= 0; i-- {
		s.below[i] = s.below[i+1]
		if pools[i].n > 0 {
			s.below[i] = s.below[i].add(pools[i].w)
		}
	}
	if left.hi < 0 {
		left = dd{}
	}
	capped := true
	var level dd
	for i := range pools {
		p := &pools[i]
		if p.n == 0 {
			continue
		}
		ratio := s.r.capped.kinds.ratio[p.group]
		if capped {
			capped = ratio.hi <= math.MaxFloat64 && !left.less(ratio.mul(s.below[i]))
			level = left.div(s.below[i])
		}
		if capped {
			p.rate = ratio
			if left = left.sub(p.caps); left.hi < 0 {
				left = dd{}
			}
		} else {
			p.rate = level
		}
	}
	if !capped {
		return dd{}
	}
	return left
}

func (s *water) advance(dt dd) {
	for i := range s.pools {
		p := &s.pools[i]
		p.v = p.v.add(p.rate.mul(dt))
	}
}

// until is the time to the next completion, far if there is none.
func (s *water) until() dd {
	best := far
	for i := range s.pools {
		p := &s.pools[i]
		if d := s.list.keys[p.next].sub(p.v); p.rate.hi > 0 && d.hi < best.hi*p.rate.hi*(1+0x1p-40) {
			if d = d.div(p.rate); d.less(best) {
				best = d
			}
		}
	}
	return best
}

// due is a job that is done at the instant t, -1 if there is none.
func (s *water) due(t dd) int32 {
	for i := range s.pools {
		p := &s.pools[i]
		if p.reached(s.list.keys[p.next], t) {
			return p.next
		}
	}
	return -1
}

// reached tells whether p is at key at the instant t, which is known to 80 bits, and the clocks to some more.
func (p *pool) reached(key, t dd) bool {
	return key.minus(p.v) <= float64(tie*t.hi*p.rate.hi)+float64(fine*key.hi)
}
