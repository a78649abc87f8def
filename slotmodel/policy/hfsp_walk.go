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
	walkFirstSample          // the first of those on time
	walkOnTimeSamples        // the others
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
			j = w.lateSample()
		case walkFirstSample:
			j = w.firstSample(v)
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
		w.stage = walkLateSamples
		return s.lateSamples.first()
	}
	return slotmodel.None
}

// lateSample gives the late phases that need samples, but for the first.
func (w *hfspWalk) lateSample() slotmodel.Job {
	s := w.side
	if w.i == 0 {
		w.late = s.lateSamples.sorted(w.late[:0], s)
	}
	if w.i++; w.i < len(w.late) {
		return w.late[w.i]
	}
	w.stage, w.i, w.left = walkFirstSample, s.samples, len(s.wanting)-s.wantLate
	return slotmodel.None
}

// firstSample gives the first phase on time that needs a sample.
func (w *hfspWalk) firstSample(v *slotmodel.View) slotmodel.Job {
	s := w.side
	w.stage = walkOnTimeSamples
	if w.left == 0 || s.virtual.samples == nil {
		return slotmodel.None
	}
	w.left--
	j := s.firstSample(v)
	if j == slotmodel.None {
		w.left = 0
	}
	return j
}

// onTimeSample gives the others.
func (w *hfspWalk) onTimeSample(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if w.left > 0 && s.options.Refresh > 0 {
		if j := w.leastSample(v); j != slotmodel.None {
			return j
		}
	}
	for w.left > 0 && s.options.Refresh == 0 {
		i := s.nextOnTime(v, w.i, true)
		if i < 0 {
			break
		}
		if w.i == s.samples {
			s.samples = i
		}
		w.i = i + 1
		if j := s.order[i]; !w.given(j) {
			w.left--
			return j
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
		x, _ := s.virtual.all.Job(j)
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
	if s.late.first() == slotmodel.None {
		return slotmodel.None
	}
	w.stage, w.i, w.late = walkLate, 0, w.late[:0]
	if s.options.Late == LateNext {
		if i := s.nextOnTime(v, s.cursor, false); i >= 0 {
			w.head = s.order[i]
		}
	}
	return w.orHead(v, s.late.first())
}

// nextLate gives the other late phases.
func (w *hfspWalk) nextLate(v *slotmodel.View) slotmodel.Job {
	s := w.side
	if w.i == 0 {
		w.late = s.late.sorted(w.late, s)
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
