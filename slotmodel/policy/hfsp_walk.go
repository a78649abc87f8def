package policy

import "github.com/schedmath/schedmath/slotmodel"

// hfspWalk is a walk through the phases of one kind by priority.
type hfspWalk struct {
	side  *hfspSide
	stage int
	i     int    // place in the order, or in late
	left  int    // phases on time that need samples and have not been given
	stamp uint32 // of this walk
	late  []slotmodel.Job
	head  slotmodel.Job // the phase on time that shares with the late ones, by LateNext
}

// The stages of a walk, in their order.
const (
	walkSamples       = iota // do samples come first?
	walkLateSamples          // late phases that need samples
	walkOnTimeSamples        // those on time
	walkFirstLate            // the first of the late phases
	walkLate                 // all of them
	walkOnTime               // those on time
)

// Begin starts a walk through the phases that have a task to start: first those that need samples, while samples may
// start, then all others, each by priority.
func (h *HFSP) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if h == nil {
		return
	}
	h.meet(v)
	h.look(v)
	s := &h.sides[k&1]
	s.refresh(v)
	w := &h.walk
	w.side, w.stage = s, walkSamples
	w.stamp++
}

// Next returns the job of the next phase of the walk, None at its end. A job comes once in a walk. Cost: see HFSP; beyond the
// first of l late phases O(l log l).
func (h *HFSP) Next(v *slotmodel.View) slotmodel.Job {
	if h == nil || h.run != v || h.walk.side == nil {
		return slotmodel.None
	}
	w := &h.walk
	for {
		j := slotmodel.Job(slotmodel.None)
		switch w.stage {
		case walkSamples:
			j = w.startSamples(v)
		case walkLateSamples:
			j = w.lateSample(v)
		case walkOnTimeSamples:
			j = w.onTimeSample(v)
		case walkFirstLate:
			j = w.firstLate(v)
		case walkLate:
			j = w.nextLate(v)
		default:
			if j = w.nextOnTime(v); j == slotmodel.None {
				w.side = nil
				return j
			}
		}
		if j != slotmodel.None {
			w.side.phases[j].stamp = w.stamp
			return j
		}
	}
}

// startSamples finds out whether samples may start, and gives the only phase that needs some.
func (w *hfspWalk) startSamples(v *slotmodel.View) slotmodel.Job {
	s := w.side
	w.stage, w.i = walkFirstLate, 0
	switch {
	case len(s.wanting) == 0 || s.trainer.Room() == 0:
	case len(s.wanting) == 1:
		if v.Runnable(s.wanting[0], s.kind) {
			return s.wanting[0]
		}
	default:
		w.stage, w.late = walkLateSamples, w.late[:0]
		if s.wantLate > 0 {
			for _, j := range s.wanting {
				if s.phases[j].late > 0 {
					w.late = append(w.late, j)
				}
			}
			s.sortLate(v, w.late)
		}
	}
	return slotmodel.None
}

func (w *hfspWalk) lateSample(v *slotmodel.View) slotmodel.Job {
	for w.i < len(w.late) {
		w.i++
		if j := w.late[w.i-1]; v.Runnable(j, w.side.kind) {
			return j
		}
	}
	w.stage, w.i, w.left = walkOnTimeSamples, w.side.samples, len(w.side.wanting)-w.side.wantLate
	return slotmodel.None
}

func (w *hfspWalk) onTimeSample(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if w.left > 0 && s.options.Refresh > 0 {
		if j := w.leastSample(v); j != slotmodel.None {
			return j
		}
	} else if w.left > 0 {
		if i := s.nextOnTime(v, w.i, true); i >= 0 {
			if w.i == s.samples {
				s.samples = i
			}
			w.i = i + 1
			w.left--
			return s.order[i]
		}
	}
	w.stage = walkFirstLate
	return slotmodel.None
}

// leastSample gives the phase on time with the least virtual work left, of those that need samples: the order may not
// reach them.
func (w *hfspWalk) leastSample(v *slotmodel.View) slotmodel.Job {
	s := w.side
	best, least := slotmodel.Job(slotmodel.None), 0.0
	for _, j := range s.wanting {
		if s.phases[j].late > 0 || w.given(j) || !v.Runnable(j, s.kind) {
			continue
		}
		x, _ := s.virtual.Job(j)
		if best == slotmodel.None || x.Work < least || x.Work == least && j < best {
			best, least = j, x.Work
		}
	}
	return best
}

// firstLate gives the first late phase, which needs no sorting.
func (w *hfspWalk) firstLate(v *slotmodel.View) slotmodel.Job {
	s := w.side
	w.stage, w.i, w.head = walkOnTime, s.cursor, slotmodel.None
	if s.late.Len() == 0 {
		return slotmodel.None
	}
	w.stage, w.i, w.late = walkLate, 0, w.late[:0]
	if s.options.Late == LateNext {
		if i := s.nextOnTime(v, s.cursor, false); i >= 0 {
			w.head = s.order[i]
		}
	}
	return w.orHead(v, slotmodel.Job(s.late.ID(0)))
}

// nextLate gives the other late phases.
func (w *hfspWalk) nextLate(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if w.i == 0 {
		for i := range int32(s.late.Len()) {
			w.late = append(w.late, slotmodel.Job(s.late.ID(i)))
		}
		s.sortLate(v, w.late)
	}
	for w.i < len(w.late) {
		j := w.late[w.i]
		if w.given(j) {
			w.i++
			continue
		}
		if got := w.orHead(v, j); got != slotmodel.None {
			return got
		}
	}
	w.stage, w.i = walkOnTime, s.cursor
	return slotmodel.None
}

// orHead gives a late phase, None when it has been given, or before it the phase on time that shares with the late ones.
func (w *hfspWalk) orHead(v *slotmodel.View, j slotmodel.Job) slotmodel.Job {
	if x := w.head; x != slotmodel.None && v.Count(x, w.side.kind).Running < v.Count(j, w.side.kind).Running {
		w.head = slotmodel.None
		if !w.given(x) {
			return x
		}
	}
	if w.given(j) {
		return slotmodel.None
	}
	return j
}

func (w *hfspWalk) nextOnTime(v *slotmodel.View) slotmodel.Job {
	s := w.side
	for {
		i := s.nextOnTime(v, w.i, false)
		if i < 0 {
			if w.i <= s.cursor {
				s.cursor = len(s.order)
			}
			return slotmodel.None
		}
		if w.i == s.cursor {
			s.cursor = i
		}
		w.i = i + 1
		if j := s.order[i]; !w.given(j) {
			return j
		}
	}
}

// given reports whether the walk has given a phase before.
func (w *hfspWalk) given(j slotmodel.Job) bool { return w.side.phases[j].stamp == w.stamp }
