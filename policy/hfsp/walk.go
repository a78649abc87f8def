package hfsp

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// hfspWalk is a walk through the phases of one kind that have a task to start. It passes them once or twice: first, while samples may start, for
// the phases that need samples, then for all. Each pass takes the late phases, then those on time.
type walk struct {
	side    *side  // nil: the walk has ended
	stamp   uint32 // of this walk
	samples bool   // the pass for samples
	i       int    // place in the order of the phases on time; -1: the pass has not come to them
}

// Begin starts a walk through the phases that have a task to start: first those that need samples, while samples may
// start, then all others, each by priority.
func (h *Policy) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if h == nil || h.sides[k&1].virtual == nil {
		return
	}
	h.look(v)
	s, w := &h.sides[k&1], &h.walk
	if j := s.guest; j != slotmodel.None && s.phases[j].late == 0 {
		s.late.Remove(int32(j))
	}
	s.guest = slotmodel.None
	s.refresh(v)
	w.side = s
	w.stamp++
	w.pass(v, s.wanting > 0 && s.trainer.Room() > 0)
}

// pass begins a pass. Under LateNext the first phase on time takes part among the late ones in the pass for all.
func (w *walk) pass(v *slotmodel.View, samples bool) {
	s := w.side
	w.samples, w.i = samples, -1
	s.late.Begin()
	if !samples && s.policy.Late == LateNext && s.late.Len() > 0 {
		if s.guest = w.onTime(v); s.guest != slotmodel.None {
			s.late.Set(int32(s.guest), float64(v.Count(s.guest, s.kind).Running))
		}
		w.i = -1
	}
}

// Next returns the job of the next phase of the walk, None at its end. A job comes once in a walk. Cost: see HFSP; the first m of the late
// phases O(m log l).
func (h *Policy) Next(v *slotmodel.View) slotmodel.Job {
	if h == nil {
		return slotmodel.None
	}
	for w := &h.walk; w.side != nil; {
		s, j := w.side, slotmodel.Job(slotmodel.None)
		if i := w.side.late.Next(); i != internal.Absent {
			j = slotmodel.Job(i)
		} else {
			j = w.onTime(v)
		}
		switch {
		case j == slotmodel.None && w.samples:
			w.pass(v, false)
		case j == slotmodel.None:
			w.side = nil
		case s.phases[j].stamp != w.stamp && (!w.samples || s.phases[j].waiting > 0):
			s.phases[j].stamp = w.stamp
			return j
		}
	}
	return slotmodel.None
}

// onTime returns the next phase on time that the pass is for; None at the end. Most walks end with the first phase that has a task to start, which the
// virtual cluster tells without the order of all. That phase comes once more in the order, and Next passes over it.
func (w *walk) onTime(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if w.i < 0 && !s.listed {
		if !s.asked || !s.starts(v, s.head, false) {
			if s.head, s.asked = s.virtual.First(s.by); !s.asked {
				return slotmodel.None
			}
		}
		if s.starts(v, s.head, w.samples) {
			w.i = 0
			return s.head
		}
	}
	s.list()
	for w.i = max(0, w.i); w.i < len(s.order); {
		w.i++
		if j := s.order[w.i-1]; s.starts(v, j, w.samples) {
			return j
		}
	}
	return slotmodel.None
}

// Ahead compares phases with a task to start by their turns in a walk. Under LateNext the order shows in a walk alone.
func (h *Policy) Ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	if h == nil || h.sides[k&1].virtual == nil || h.Late == LateNext {
		return false, false
	}
	s := &h.sides[k&1]
	h.look(v)
	s.refresh(v)
	p, q := &s.phases[a], &s.phases[b]
	switch {
	case (p.waiting > 0) != (q.waiting > 0) && s.trainer.Room() > 0:
		return p.waiting > 0, true
	case p.late > 0 && q.late > 0:
		return s.late.Precedes(int32(a), int32(b)), true
	}
	return s.precedes(a, b), true
}
