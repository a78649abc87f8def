package hfsp

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// mayPreempt notes that a phase has just entered or got a new size. A Ranker, of which nobody calls
// Decide, keeps the note until the phase leaves.
func (h *Policy) mayPreempt(s *side, j slotmodel.Job) {
	if h.Preempt != policy.PreemptWait && !slices.Contains(s.newcomers, j) {
		s.newcomers = append(s.newcomers, j)
	}
}

// preempt takes slots for the phases that have just entered or got a new size.
func (h *Policy) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	s := &h.sides[k]
	s.newcomers = slices.DeleteFunc(s.newcomers, func(j slotmodel.Job) bool {
		return !s.phases[j].present || !v.Runnable(j, k) || internal.Width(v, j) > 1
	})
	if len(s.newcomers) == 0 {
		return
	}
	s.refresh(v)
	s.list()
	slices.SortFunc(s.newcomers, func(x, y slotmodel.Job) int { return cmp.Compare(s.turn(x), s.turn(y)) })
	share, last := int32(max(1, v.Slots(k)/max(1, s.present))), len(s.order)-1
	for _, j := range s.newcomers {
		for ; last >= 0 && v.Runnable(j, k) && v.Count(j, k).Running < share; last-- {
			w := s.order[last]
			if p := &s.phases[w]; p.present && p.late == 0 && s.turn(j) < s.turn(w) && !h.preemptFor(v, a, s, j, w, share) {
				break
			}
		}
	}
	s.newcomers = s.newcomers[:0]
}

// preemptFor gives slots of phase w to phase j, until j runs on its share of the slots. It reports
// whether j may go on to take slots of other phases.
func (h *Policy) preemptFor(v *slotmodel.View, a *slotmodel.Actions, s *side, j, w slotmodel.Job, share int32) bool {
	p := &s.phases[w]
	tasks := v.Count(w, s.kind).Tasks
	if internal.Width(v, w) > 1 {
		return true
	}
	mean := p.size / float64(tasks)
	for x := internal.NewestRunning(v, v.Newest(w, s.kind)); x != slotmodel.None && p.victims < tasks; {
		older := internal.NewestRunning(v, v.Older(x))
		if h.attempt(x).sample == 0 {
			if h.Preempt == policy.PreemptKill && 2*(v.Now()-v.Attempt(x).Start) > mean {
				return true // older attempts have more work to lose
			}
			if h.Preempt == policy.PreemptKill || v.CanSuspend(x) {
				taken, started := h.taker.Replace(v, a, x, h.Preempt, j)
				if taken {
					p.victims++
				}
				if !started || !v.Runnable(j, s.kind) || v.Count(j, s.kind).Running >= share {
					return false
				}
			}
		}
		x = older
	}
	return true
}

// order is the order of a Policy over phases with suspended attempts too, an internal.Preemptible.
type order Policy

// Yields reports whether a suspended attempt of phase owner waits while phase next has a task to
// start: next may start a sample, or goes before owner.
func (h *order) Yields(v *slotmodel.View, k slotmodel.Kind, owner, next slotmodel.Job) bool {
	s := &h.sides[k&1]
	return s.needsSamples(next) && s.trainers[run].Room() > 0 || s.precedes(next, owner)
}

// Precedes reports whether suspended attempts of phase a go on before those of phase b.
func (h *order) Precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool {
	return h.sides[k&1].precedes(a, b)
}
