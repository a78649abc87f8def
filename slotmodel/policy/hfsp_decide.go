package policy

import (
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Decide fills the free slots, and then preempts as the options say. Cost: see HFSP.
func (h *HFSP) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if h == nil {
		return
	}
	h.meet(v)
	h.decide(v, a, slotmodel.Map)
	h.decide(v, a, slotmodel.Reduce)
	if h.options.Preempt == PreemptKill { // a reduce that is killed may let maps run again whose outputs were lost
		h.decide(v, a, slotmodel.Map)
	}
	h.wake(v, a)
}

// decide serves one kind of slots.
func (h *HFSP) decide(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	if v.FreeSlots(k) > 0 {
		h.fillOrResume(v, a, k, h, &h.asleep, h.options.Overtake)
	}
	if h.options.Preempt != PreemptWait {
		h.preempt(v, a, k)
	}
}

// mayPreempt notes that a phase has just come or has got a new size.
func (h *HFSP) mayPreempt(s *hfspSide, j slotmodel.Job) {
	if h.options.Preempt != PreemptWait {
		s.newcomers = append(s.newcomers, j)
	}
}

// before reports whether a phase goes before another. Phases that the order does not reach are after all others.
func (s *hfspSide) before(a, b slotmodel.Job) bool {
	p, q := &s.phases[a], &s.phases[b]
	switch {
	case p.late > 0 && q.late > 0:
		return p.late < q.late
	case p.late > 0 || q.late > 0:
		return p.late > 0
	}
	return s.place(a) < s.place(b)
}

// place returns the place of a phase in the order.
func (s *hfspSide) place(j slotmodel.Job) int {
	if r := int(s.phases[j].rank); r < len(s.order) && s.order[r] == j {
		return r
	}
	return len(s.order)
}

// follow keeps the phases that have attempts to lose: other than samples, which are never lost. Nothing is kept if none ever are.
func (s *hfspSide) follow(v *slotmodel.View, j slotmodel.Job) {
	if s.options.Preempt == PreemptWait {
		return
	}
	p, losing := &s.phases[j], 0
	if p.present && width(v, j) == 1 {
		training, _ := s.trainer.Job(j)
		losing = int(v.Count(j, s.kind).Running) - training.Running
	}
	switch {
	case losing > 0 && p.losing == 0:
		s.losing = append(s.losing, j)
		p.losing = int32(len(s.losing))
	case losing <= 0 && p.losing > 0:
		last := len(s.losing) - 1
		other := s.losing[last]
		s.losing[p.losing-1] = other
		s.phases[other].losing = p.losing
		s.losing = s.losing[:last]
		p.losing = 0
	}
}

// reach makes the order so long that no phase on time is behind it that has attempts to lose, and returns the last place of one; -1: there
// is none.
func (s *hfspSide) reach(v *slotmodel.View) int {
	if s.stale || s.byFirst {
		s.forget()
	}
	if s.options.Refresh > 0 && !s.whole { // an order that is to stand
		s.fill(v, len(s.phases)+1)
	}
	left, last := 0, -1
	for _, j := range s.losing {
		switch r := s.place(j); {
		case s.phases[j].late > 0:
		case r < len(s.order):
			last = max(last, r)
		default:
			left++
		}
	}
	if left == 0 {
		return last
	}
	s.extend(v, func(j slotmodel.Job) bool {
		if s.phases[j].losing > 0 {
			left--
		}
		return left > 0
	})
	return len(s.order) - 1
}

// reaches makes the order so long that one of two different phases is in it, if neither is late, and reports whether they are different.
func (s *hfspSide) reaches(v *slotmodel.View, a, b slotmodel.Job) bool {
	if a == b {
		return false
	}
	if s.phases[a].late == 0 && s.phases[b].late == 0 && !s.whole && s.options.Refresh == 0 && min(s.place(a), s.place(b)) == len(s.order) {
		s.extend(v, func(j slotmodel.Job) bool { return j != a && j != b })
	}
	return true
}

// preempt takes slots for the phases that have just come or have got a new size.
func (h *HFSP) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	s := &h.sides[k]
	s.newcomers = slices.DeleteFunc(s.newcomers, func(j slotmodel.Job) bool {
		return !s.phases[j].present || !v.Runnable(j, k) || width(v, j) > 1
	})
	if len(s.newcomers) == 0 {
		return
	}
	s.refresh(v)
	share, last := int32(max(1, v.Slots(k)/max(1, s.present))), -1
	if s.options.Refresh > 0 || slices.ContainsFunc(s.newcomers, func(j slotmodel.Job) bool { return v.Count(j, k).Running < share }) {
		last = s.reach(v)
	}
	if last < 0 {
		s.newcomers = s.newcomers[:0]
		return
	}
	slices.SortFunc(s.newcomers, func(x, y slotmodel.Job) int {
		switch {
		case s.before(x, y):
			return -1
		case s.before(y, x):
			return 1
		}
		return 0
	})
	for _, j := range s.newcomers {
		for ; last >= 0 && v.Runnable(j, k) && v.Count(j, k).Running < share; last-- {
			w := s.order[last]
			if p := &s.phases[w]; !p.present || p.late > 0 || !s.before(j, w) {
				continue
			}
			if !h.preemptFor(v, a, s, j, w, share) {
				break
			}
		}
	}
	s.newcomers = s.newcomers[:0]
}

// preemptFor gives slots of phase w to phase j, until j runs on its share of them. It reports whether j could use more.
func (h *HFSP) preemptFor(v *slotmodel.View, a *slotmodel.Actions, s *hfspSide, j, w slotmodel.Job, share int32) bool {
	p := &s.phases[w]
	tasks := v.Count(w, s.kind).Tasks
	if width(v, w) > 1 {
		return true
	}
	mean := p.size / float64(tasks)
	for x := v.Newest(w, s.kind); x != slotmodel.None && p.victims < tasks; {
		older, t := v.Older(x), v.Attempt(x)
		switch {
		case int(x) < len(h.attempts) && h.attempts[x].sample > 0 || t.Stage == slotmodel.Suspended:
		case h.options.Preempt == PreemptSuspend && !v.CanSuspend(x):
		case h.options.Preempt == PreemptKill && 2*(v.Now()-t.Start) > mean:
			return true // those before are older
		default:
			p.victims++
			if h.options.Preempt == PreemptKill {
				a.Kill(x)
			} else {
				a.Suspend(x)
			}
			if !a.Start(j, s.kind, t.Node) || !v.Runnable(j, s.kind) || v.Count(j, s.kind).Running >= share {
				return false
			}
		}
		x = older
	}
	return true
}

// dueOn returns the suspended attempt of a node whose phase goes first, unless another phase goes before it; None when there
// is none.
func (h *HFSP) dueOn(v *slotmodel.View, n slotmodel.Node, k slotmodel.Kind) slotmodel.Attempt {
	best := slotmodel.Attempt(slotmodel.None)
	if h.asleep.kinds[k&1].count == 0 || h.asleep.kinds[k&1].on[n] == 0 {
		return best
	}
	s := &h.sides[k]
	next := first(v, k, h, h.options.Overtake)
	if next != slotmodel.None && s.phases[next].want > 0 && s.trainer.Room() > 0 {
		return best
	}
	for _, x := range h.asleep.on[n] {
		t := v.Attempt(x)
		if t.Kind != k {
			continue
		}
		if next == slotmodel.None || t.Job == next && best == slotmodel.None || s.reaches(v, t.Job, next) && s.before(t.Job, next) {
			best, next = x, t.Job
		}
	}
	return best
}
