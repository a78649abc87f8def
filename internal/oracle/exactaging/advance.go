package exactaging

import (
	"cmp"
	"slices"
)

// Share is the share of every job now, by water-filling over the jobs in order of slots/weight: a
// job takes its limit as long as that is no more than its part of what is left of the capacity.
func (s *System[K, E]) Share(key K) E {
	s.fill()
	return s.must(key).rate
}

// fill writes the rate of every job.
func (s *System[K, E]) fill() {
	f := s.f
	weight, capacity := s.zero, s.capacity
	for _, j := range s.jobs {
		j.rate = s.zero
		if !j.late {
			weight = f.Add(weight, j.weight)
		}
	}
	capped := true
	var level E
	for _, j := range s.jobs {
		if j.late {
			continue
		}
		if capped && j.limited && f.Cmp(f.Mul(j.slots, weight), f.Mul(capacity, j.weight)) <= 0 {
			j.rate = j.slots
			capacity = f.Sub(capacity, j.slots)
			weight = f.Sub(weight, j.weight)
			continue
		}
		if capped {
			capped = false
			level = f.Quo(capacity, weight)
		}
		j.rate = f.Mul(level, j.weight)
	}
}

// Advance lets virtual time pass.
func (s *System[K, E]) Advance(elapsed float64) { s.AdvanceBy(s.f.Of(elapsed)) }

// AdvanceBy is Advance with a time of the field.
func (s *System[K, E]) AdvanceBy(elapsed E) {
	for s.f.Cmp(elapsed, s.zero) > 0 {
		elapsed = s.f.Sub(elapsed, s.piece(elapsed, true))
	}
}

// piece lets time pass until the next virtual completion, but no longer than most where that binds,
// and returns the time that has passed.
func (s *System[K, E]) piece(most E, binds bool) E {
	f := s.f
	s.fill()
	step, ends := most, false
	var first *job[K, E] // it finishes at the end of the step, whatever rounding leaves of it
	for _, j := range s.jobs {
		if j.late || f.Cmp(j.rate, s.zero) == 0 {
			continue
		}
		if (!binds && !ends) || f.Cmp(f.Mul(j.rate, step), j.left) >= 0 {
			step, ends, first = f.Quo(j.left, j.rate), true, j
		}
	}
	start := s.now
	s.now = f.Add(start, step)
	var done []*job[K, E]
	for _, j := range s.jobs {
		if j.late || f.Cmp(j.rate, s.zero) == 0 {
			continue
		}
		work := f.Mul(j.rate, step)
		left := f.Sub(j.left, work)
		if !j.near && f.Cmp(left, j.slack) <= 0 {
			j.near = true
			j.span.Near = f.Add(start, f.Quo(f.Sub(j.left, j.slack), j.rate))
		}
		j.left, j.received = left, f.Add(j.received, work)
		if j == first || f.Cmp(left, s.zero) <= 0 {
			done = append(done, j)
		}
	}
	for _, j := range done {
		s.finish(j, f.Add(s.now, f.Quo(j.slack, j.rate)))
	}
	return step
}

// Finish is when a job will finish in virtual time if nothing else happens.
type Finish[K comparable, E any] struct {
	Key       K
	Completed bool
	Span[E]   // from now; Near may lie in the past
}

// Finishes are the finishes to come, in order, the same instant by the order of Add. With a
// capacity of 0 they are those for a capacity of 1 and no limits: the order is that of every
// capacity small enough for no limit to bind.
func (s *System[K, E]) Finishes() []Finish[K, E] {
	f := s.f
	ahead := &System[K, E]{f: f, zero: s.zero, capacity: s.capacity, now: s.zero}
	stalled := f.Cmp(s.capacity, s.zero) == 0
	if stalled {
		ahead.capacity = f.Of(1)
	}
	completed := map[K]bool{}
	var all []*job[K, E]
	for _, j := range s.jobs {
		if j.late {
			continue
		}
		c := *j
		completed[c.key], c.completed = c.completed, false
		c.limited = c.limited && !stalled
		if c.near {
			c.span.Near = s.zero
		}
		all = append(all, &c)
	}
	ahead.jobs = slices.Clone(all)
	for n := len(all); n > 0; {
		ahead.piece(s.zero, false)
		n = 0
		for _, j := range ahead.jobs {
			if !j.late {
				n++
			}
		}
	}
	slices.SortFunc(all, func(a, b *job[K, E]) int {
		return cmp.Or(f.Cmp(a.span.At, b.span.At), cmp.Compare(a.seq, b.seq))
	})
	finishes := make([]Finish[K, E], 0, len(all))
	for _, j := range all {
		finishes = append(finishes, Finish[K, E]{j.key, completed[j.key], j.span})
	}
	return finishes
}

// NextFinish is the job that finishes next in virtual time, completed ones too, and the time until
// then; ok is false when none ages or the capacity is 0.
func (s *System[K, E]) NextFinish() (key K, in E, ok bool) {
	seq := 0
	if s.f.Cmp(s.capacity, s.zero) == 0 {
		return key, s.zero, false
	}
	s.fill()
	for _, j := range s.jobs {
		if j.late {
			continue
		}
		t := s.f.Quo(j.left, j.rate)
		if !ok || cmp.Or(s.f.Cmp(t, in), cmp.Compare(j.seq, seq)) < 0 {
			key, seq, in, ok = j.key, j.seq, t, true
		}
	}
	return key, in, ok
}

// ByWork are the jobs that are not done in reality and not late, by what is left, then by the order
// of Add.
func (s *System[K, E]) ByWork() []K {
	var on []*job[K, E]
	for _, j := range s.jobs {
		if !j.late && !j.completed {
			on = append(on, j)
		}
	}
	slices.SortFunc(on, func(a, b *job[K, E]) int {
		return cmp.Or(s.f.Cmp(a.left, b.left), cmp.Compare(a.seq, b.seq))
	})
	var keys []K
	for _, j := range on {
		keys = append(keys, j.key)
	}
	return keys
}
