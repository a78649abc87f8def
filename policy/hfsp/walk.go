package hfsp

import (
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// walk is a walk through the phases of one kind that have a task to start. It has two passes, or
// one when no sample may start: first through the phases that have samples to start, then through
// all. Each pass takes the late phases first, then the phases on time.
type walk struct {
	side    *side  // nil: the walk has ended
	stamp   uint32 // number of the walk
	samples bool   // the pass is the one for samples
	i       int    // index in side.order of the next phase on time; -1: the pass is at the late phases
}

// Begin starts a walk through the phases that have a task to start: first those with samples to
// start, while samples may start, then the others, each by priority.
func (h *Policy) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if h.sides[k&1].virtual == nil {
		return
	}
	h.look(v)
	s, w := &h.sides[k&1], &h.walk
	s.refresh(v)
	w.side = s
	w.stamp++
	_, samples := s.trainers[run].Next()
	w.pass(samples)
}

// pass begins a pass.
func (w *walk) pass(samples bool) {
	w.samples, w.i = samples, -1
	w.side.late.Begin()
}

// Next returns the job of the next phase of the walk, slotmodel.None at its end. A job comes at
// most once in a walk. The first m of l late phases cost O(m log l); for phases on time see the
// package's Cost.
func (h *Policy) Next(v *slotmodel.View) slotmodel.Job {
	for w := &h.walk; w.side != nil; {
		s, j := w.side, slotmodel.Job(slotmodel.None)
		if i := w.side.late.Next(); i != internal.Absent {
			j = slotmodel.Job(i)
		} else {
			j = w.onTime(v)
		}
		switch {
		case j == slotmodel.None && w.samples:
			w.pass(false)
		case j == slotmodel.None:
			w.side = nil
		case s.phases[j].stamp != w.stamp && (!w.samples || s.needsSamples(j)):
			s.phases[j].stamp = w.stamp
			return j
		}
	}
	return slotmodel.None
}

// onTime returns the next phase on time that has a task to start, None at the end. Most walks end with the
// first phase that has a task to start, which the virtual cluster tells without a complete order.
// A longer walk completes the order and meets that phase in it again; Next passes over it by its
// stamp.
func (w *walk) onTime(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if w.i < 0 && !s.listed {
		if !s.headKnown || !s.starts(v, s.head) {
			if s.head, s.headKnown = s.virtual.First(aging.ByFinish); !s.headKnown {
				return slotmodel.None
			}
		}
		if s.starts(v, s.head) {
			w.i = 0
			return s.head
		}
	}
	s.list()
	for w.i = max(0, w.i); w.i < len(s.order); {
		w.i++
		if j := s.order[w.i-1]; s.starts(v, j) {
			return j
		}
	}
	return slotmodel.None
}

// Ahead reports whether a walk gives job a before job b. Both must have a task of kind k to start.
func (h *Policy) Ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	if h.sides[k&1].virtual == nil {
		return false, false
	}
	s := &h.sides[k&1]
	if v.Spec(a) == nil || v.Spec(b) == nil {
		return false, false
	}
	h.look(v)
	s.refresh(v)
	first = s.needsSamples(a)
	switch {
	case first != s.needsSamples(b) && s.trainers[run].Room() > 0:
		return first, true
	case s.phases[a].late > 0 && s.phases[b].late > 0:
		return s.late.Precedes(int32(a), int32(b)), true
	}
	return s.precedes(a, b), true
}
