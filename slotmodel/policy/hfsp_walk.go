package policy

import "github.com/schedmath/schedmath/slotmodel"

// hfspWalk is a walk through the phases of one kind that have a task to start. It passes them by priority once or twice: first, while
// samples may start, for the phases that need samples, then for the others. Each pass takes the late phases, then those on time.
type hfspWalk struct {
	side    *hfspSide     // nil: the walk has ended
	stamp   uint32        // of this walk
	samples bool          // the pass for samples
	late    bool          // the pass has not come to the phases on time
	first   bool          // the pass has asked for the first phase on time
	i       int           // place in the order of the phases on time
	head    slotmodel.Job // under LateNext: the first phase on time, until it has had its turn among the late ones
	held    slotmodel.Job // a late phase that comes after head
}

// Begin starts a walk through the phases that have a task to start: first those that need samples, while samples may
// start, then all others, each by priority.
func (h *HFSP) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if h == nil || h.sides[k&1].virtual == nil {
		return
	}
	h.look(v)
	s, w := &h.sides[k&1], &h.walk
	s.refresh(v)
	w.side = s
	w.stamp++
	w.pass(v, s.wanting > 0 && s.trainer.Room() > 0)
}

// pass begins a pass.
func (w *hfspWalk) pass(v *slotmodel.View, samples bool) {
	s := w.side
	w.samples, w.late, w.first, w.i = samples, true, false, s.first
	w.head, w.held = slotmodel.None, slotmodel.None
	if samples {
		w.late, w.i = s.wantingLate > 0, s.firstSample
	} else if s.options.Late == LateNext && s.late.heap.Len() > 0 {
		w.head = w.onTime(v)
		w.first, w.i = false, s.first
	}
	s.late.begin()
}

// Next returns the job of the next phase of the walk, None at its end. A job comes once in a walk. Cost: see HFSP; the first m of the late
// phases O(m log m).
func (h *HFSP) Next(v *slotmodel.View) slotmodel.Job {
	w := (*hfspWalk)(nil)
	if h != nil {
		w = &h.walk
	}
	for w != nil && w.side != nil {
		j := slotmodel.Job(slotmodel.None)
		if w.late {
			j = w.nextLate(v)
		}
		if j == slotmodel.None {
			w.late = false
			j = w.onTime(v)
		}
		switch {
		case j == slotmodel.None && w.samples:
			w.pass(v, false)
		case j == slotmodel.None:
			w.side = nil
		case w.side.phases[j].stamp != w.stamp && (!w.samples || w.side.phases[j].waiting > 0):
			w.side.phases[j].stamp = w.stamp
			return j
		}
	}
	return slotmodel.None
}

// nextLate returns the next late phase, or before it the phase on time that shares with the late ones; None at the end.
func (w *hfspWalk) nextLate(v *slotmodel.View) slotmodel.Job {
	s, j := w.side, w.held
	if w.held = slotmodel.None; j == slotmodel.None {
		if i := s.late.next(); i != absent {
			j = slotmodel.Job(i)
		}
	}
	if x := w.head; x != slotmodel.None && j != slotmodel.None && v.Count(x, s.kind).Running < v.Count(j, s.kind).Running {
		w.head, w.held = slotmodel.None, j
		return x
	}
	return j
}

// onTime returns the next phase on time that the pass is for; None at the end. Most walks end with the first phase that has a task to start, which the
// virtual cluster tells without the order of those before it. That phase comes once more in the order, and Next passes over it.
func (w *hfspWalk) onTime(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if !w.first {
		w.first = true
		if s.head == slotmodel.None || !s.starts(v, s.head, false) {
			j, ok := s.virtual.First(s.by)
			if !ok {
				return slotmodel.None
			}
			s.head = j
		}
		if s.starts(v, s.head, w.samples) {
			return s.head
		}
	}
	first := &s.first
	if w.samples {
		first = &s.firstSample
	}
	for w.i < len(s.order) || s.list(v, max(32, 16*len(s.order))) {
		i := w.i
		j := s.order[i]
		w.i++
		if s.starts(v, j, w.samples) {
			return j
		}
		if *first == i {
			*first = w.i
		}
	}
	return slotmodel.None
}

// hfspTurns compares phases with a task to start by their turns in a walk of HFSP, but for LateNext.
type hfspTurns HFSP

func (t *hfspTurns) ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool {
	h, s := (*HFSP)(t), &t.sides[k&1]
	h.look(v)
	s.refresh(v)
	p, q := &s.phases[a], &s.phases[b]
	switch {
	case (p.waiting > 0) != (q.waiting > 0) && s.trainer.Room() > 0:
		return p.waiting > 0
	case p.late > 0 && q.late > 0:
		return s.late.precedes(int32(a), int32(b))
	}
	return s.precedes(v, a, b)
}
