package policy

import "github.com/schedmath/schedmath/slotmodel"

// hfspPass is one of the passes of a walk. Each takes the late phases, then those on time.
type hfspPass uint8

const (
	forSamples hfspPass = iota // takes the phases that need samples, while samples may start
	forAll                     // takes all phases
)

// hfspWalk is a walk through the phases of one kind that have a task to start.
type hfspWalk struct {
	side  *hfspSide // nil: the walk has ended
	stamp uint32    // of this walk
	pass  hfspPass
	late  bool // the pass has not come to the phases on time
	asked bool // the pass has asked for the first phase on time
	i     int  // place in the order of the phases on time
}

// Begin starts a walk through the phases that have a task to start: first those that need samples, while samples may
// start, then all others, each by priority.
func (h *HFSP) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if h == nil || h.sides[k&1].virtual == nil {
		return
	}
	h.look(v)
	s, w := &h.sides[k&1], &h.walk
	if j := s.guest; j != slotmodel.None && s.phases[j].late == 0 {
		s.late.remove(int32(j))
	}
	s.guest = slotmodel.None
	s.refresh(v)
	w.side = s
	w.stamp++
	if s.wanting > 0 && s.trainer.Room() > 0 {
		w.begin(v, forSamples)
	} else {
		w.begin(v, forAll)
	}
}

// begin begins a pass. Under LateNext the first phase on time takes part among the late ones in the pass for all.
func (w *hfspWalk) begin(v *slotmodel.View, pass hfspPass) {
	s := w.side
	w.pass, w.late, w.asked, w.i = pass, true, false, s.first[pass]
	if pass == forAll && s.options.Late == LateNext && s.late.heap.Len() > 0 {
		if s.guest = w.onTime(v); s.guest != slotmodel.None {
			s.late.set(int32(s.guest), float64(v.Count(s.guest, s.kind).Running))
		}
		w.asked, w.i = false, s.first[pass]
	}
	s.late.begin()
}

// Next returns the job of the next phase of the walk, None at its end. A job comes once in a walk. Cost: see HFSP; the first m of the late
// phases O(m log m).
func (h *HFSP) Next(v *slotmodel.View) slotmodel.Job {
	if h == nil {
		return slotmodel.None
	}
	for w := &h.walk; w.side != nil; {
		switch j := w.next(v); {
		case j == slotmodel.None && w.pass == forSamples:
			w.begin(v, forAll)
		case j == slotmodel.None:
			w.side = nil
		case w.side.phases[j].stamp != w.stamp && (w.pass == forAll || w.side.phases[j].waiting > 0):
			w.side.phases[j].stamp = w.stamp
			return j
		}
	}
	return slotmodel.None
}

// next returns the next phase of the pass, late ones that need no sample among them; None at the end.
func (w *hfspWalk) next(v *slotmodel.View) slotmodel.Job {
	if w.late {
		if i := w.side.late.next(); i != absent {
			return slotmodel.Job(i)
		}
		w.late = false
	}
	return w.onTime(v)
}

// onTime returns the next phase on time that the pass is for; None at the end. Most walks end with the first phase that has a task to start, which the
// virtual cluster tells without the order of all. That phase comes once more in the order, and Next passes over it.
func (w *hfspWalk) onTime(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if !w.asked && !s.listed {
		w.asked = true
		if !s.asked || !s.starts(v, s.head, forAll) {
			if s.head, s.asked = s.virtual.First(s.by); !s.asked {
				return slotmodel.None
			}
		}
		if s.starts(v, s.head, w.pass) {
			return s.head
		}
	}
	s.list()
	for w.i < len(s.order) {
		i := w.i
		w.i++
		if s.starts(v, s.order[i], w.pass) {
			return s.order[i]
		}
		if s.first[w.pass] == i {
			s.first[w.pass] = w.i
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
	return s.precedes(a, b)
}
