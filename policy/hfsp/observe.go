package hfsp

import "github.com/schedmath/schedmath/slotmodel"

// Observe takes note of an event. With n phases present, l of them late, an event by which a phase
// enters or gets a new size costs O(log n), another event of a late phase O(log l), any other O(1).
func (h *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if h.sides[0].virtual == nil {
		return
	}
	if e.Type == slotmodel.NodeDown || e.Type == slotmodel.NodeUp {
		for k := range h.sides {
			h.sides[k].slotsChanged(v)
		}
		return
	}
	if !h.possible(v, e) {
		return
	}
	s := &h.sides[e.Kind&1]
	h.asleep.Observe(e)
	switch e.Type {
	case slotmodel.Ready:
		h.enter(v, s, e.Job)
	case slotmodel.Started:
		h.started(v, s, e)
	case slotmodel.Computes:
		if e.Kind == slotmodel.Reduce && h.attempt(e.Attempt).sample > 0 {
			h.watchFor(v, e.Attempt, e.Job)
		}
	case slotmodel.Ended:
		h.ended(v, s, e)
	case slotmodel.Killed, slotmodel.Crashed:
		h.lost(v, s, e)
	case slotmodel.Suspends:
		h.attempt(e.Attempt).suspended = true
		s.requeue(v, e.Job)
	case slotmodel.Resumes:
		s.requeue(v, e.Job)
	case slotmodel.OutputLost:
		s.outputLost(v, e.Job)
	case slotmodel.JobEnded:
		for k := range h.sides {
			if h.sides[k].phases[e.Job].present {
				h.sides[k].leave(v, e.Job, false)
			}
		}
	}
}

// possible reports whether the run has the job of an event, and the attempt if the event names one.
func (h *Policy) possible(v *slotmodel.View, e slotmodel.Event) bool {
	if e.Job < 0 || int(e.Job) >= len(h.sides[0].phases) {
		return false
	}
	switch e.Type {
	case slotmodel.Started, slotmodel.Computes, slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed, slotmodel.Suspends, slotmodel.Resumes:
		x := v.Attempt(e.Attempt)
		return x.Job == e.Job && x.Kind == e.Kind
	}
	return v.Spec(e.Job) != nil
}

// attempt returns the state of an attempt.
func (h *Policy) attempt(a slotmodel.Attempt) *attempt {
	for len(h.attempts) <= int(a) {
		h.attempts = append(h.attempts, attempt{})
	}
	return &h.attempts[a]
}

// started follows the start of an attempt, which is a sample if its phase has samples to start.
func (h *Policy) started(v *slotmodel.View, s *side, e slotmodel.Event) {
	if s.needsSamples(e.Job) {
		n := 0
		for _, t := range s.trainers {
			n, _ = t.Started(e.Job) // cannot fail: the phase has a sample to start
		}
		*h.attempt(e.Attempt) = attempt{sample: int32(n) + 1}
		if e.Kind == slotmodel.Reduce && v.Attempt(e.Attempt).Computed >= 0 {
			h.watchFor(v, e.Attempt, e.Job) // a reduce that computes at once has no event Computes
		}
	}
	s.requeue(v, e.Job)
}

// forget returns the state of an attempt that is over and clears it.
func (h *Policy) forget(a slotmodel.Attempt) attempt {
	x := *h.attempt(a)
	h.attempts[a] = attempt{}
	return x
}

// ended follows the end of a task.
func (h *Policy) ended(v *slotmodel.View, s *side, e slotmodel.Event) {
	p := &s.phases[e.Job]
	x := h.forget(e.Attempt)
	if !h.NoTraining || h.Size == nil {
		h.learn(v, s, e, x)
	}
	if !p.present {
		return
	}
	if c := v.Count(e.Job, s.kind); c.Done == c.Tasks {
		s.leave(v, e.Job, true)
		return
	}
	s.requeue(v, e.Job)
}

// learn takes the times of a task that has ended.
func (h *Policy) learn(v *slotmodel.View, s *side, e slotmodel.Event, x attempt) {
	t := v.Attempt(e.Attempt)
	seconds := e.Value
	switch {
	case x.suspended: // the value of the event: seconds of computing alone
	case e.Kind == slotmodel.Map:
		seconds = e.Time - t.Start
	default:
		seconds = e.Time - t.Computed
	}
	times := [...]float64{seconds, t.Computed - t.Start}
	if x.sample == 0 {
		for i, t := range s.trainers {
			_ = t.Observe(times[i]) // fails for times beyond 2^200 alone
		}
		return
	}
	for i, t := range s.trainers {
		_ = t.Finished(e.Job, int(x.sample-1), times[i]) // fails for a phase that has left
	}
	h.sampled(v, s, e.Job)
}

// lost follows the loss of an attempt; its task waits again.
func (h *Policy) lost(v *slotmodel.View, s *side, e slotmodel.Event) {
	if x := h.forget(e.Attempt); x.sample > 0 && s.phases[e.Job].present {
		for _, t := range s.trainers {
			_ = t.Failed(e.Job, int(x.sample-1)) // fails for a phase that has left
		}
	}
	s.requeue(v, e.Job)
}

// outputLost follows a map that has to run again. If its phase had ended, the lost maps are a new
// phase. Otherwise the phase has one more task to start.
func (s *side) outputLost(v *slotmodel.View, j slotmodel.Job) {
	p := &s.phases[j]
	each := p.size / float64(max(1, v.Count(j, s.kind).Tasks))
	switch {
	case p.over:
		p.present, p.over, p.lost = true, false, 1
		s.present++
		s.change(v, func() { s.virtual.Remove(j) })
		s.add(v, j, each)
	case p.lost > 0:
		p.lost++
		s.resize(v, j, float64(each*float64(p.lost)))
		s.recap(v, j)
	}
	s.requeue(v, j)
}

// recap gives a phase its present cap.
func (s *side) recap(v *slotmodel.View, j slotmodel.Job) {
	s.change(v, func() { _ = s.virtual.SetSlots(j, s.cap(v, j)) }) // fails for a phase that has left
}

// slotsChanged follows the failure or the return of a node.
func (s *side) slotsChanged(v *slotmodel.View) {
	slots := v.Slots(s.kind)
	s.change(v, func() { _ = s.virtual.SetCapacity(float64(slots)) })
	_ = s.trainers[run].SetCapacity(slots)
}
