package hfsp

import (
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// walk is a walk through the phases of one kind that have a task to start. While samples may start
// it has two passes: first through the phases that have samples to start, then through the others.
// Each pass takes the late phases first, then the phases on time.
type walk struct {
	side    *side         // nil: the walk has ended
	two     bool          // it has two passes
	samples bool          // the pass is the one for samples
	last    slotmodel.Job // phase on time given last in the pass; None: it is at the late phases
}

// Begin starts a walk through the phases that have a task to start: first those with samples to
// start, while samples may start, then the others, each by priority.
func (h *Policy) Begin(v *slotmodel.View, k slotmodel.Kind) {
	s, w := &h.sides[k&1], &h.walk
	if s.virtual == nil {
		return
	}
	h.look(v)
	s.refresh(v)
	w.side = s
	_, w.two = s.trainers[run].Next()
	w.pass(w.two)
}

// pass begins a pass.
func (w *walk) pass(samples bool) {
	w.samples, w.last = samples, slotmodel.None
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
		case !w.two || s.needsSamples(j) == w.samples:
			return j
		}
	}
	return slotmodel.None
}

// onTime returns the next phase on time that has a task to start, None at the end. Most walks end
// with the first one, which the virtual cluster tells without a complete order.
func (w *walk) onTime(v *slotmodel.View) slotmodel.Job {
	s, i := w.side, 0
	if w.last == slotmodel.None && !s.listed {
		if !s.headKnown || !s.starts(v, s.head) {
			if s.head, s.headKnown = s.virtual.First(aging.ByFinish); !s.headKnown {
				return slotmodel.None
			}
		}
		if s.starts(v, s.head) {
			w.last = s.head
			return w.last
		}
	}
	s.list()
	if w.last != slotmodel.None {
		i = int(s.phases[w.last].rank) + 1
	}
	for ; i < len(s.order); i++ {
		if s.starts(v, s.order[i]) {
			w.last = s.order[i]
			return w.last
		}
	}
	return slotmodel.None
}

// Ahead reports whether a walk gives job a before job b. Both must have a task of kind k to start.
func (h *Policy) Ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	s := &h.sides[k&1]
	if s.virtual == nil || v.Spec(a) == nil || v.Spec(b) == nil {
		return false, false
	}
	h.look(v)
	s.refresh(v)
	first = s.needsSamples(a)
	switch {
	case first != s.needsSamples(b) && s.trainers[run].Room() > 0:
		return first, true
	case s.phases[a].late > 0 && s.phases[b].late > 0:
		x, y := s.held(v, a), s.held(v, b)
		return x < y || x == y && s.precedes(a, b), true
	}
	return s.precedes(a, b), true
}
