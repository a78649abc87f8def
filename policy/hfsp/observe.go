package hfsp

import "github.com/schedmath/schedmath/slotmodel"

// Observe takes note of an event. With n phases present, l of them late, an event by which a phase
// enters or gets a new size costs O(log n), another event of a late phase O(log l), any other O(1).
func (h *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	s, x := &h.sides[e.Kind&1], v.Attempt(e.Attempt)
	switch {
	case s.virtual == nil:
	case e.Type == slotmodel.NodeDown || e.Type == slotmodel.NodeUp:
		for k := range h.sides {
			h.sides[k].slotsChanged(v)
		}
	case v.Spec(e.Job) == nil || int(e.Job) >= len(s.phases): // the run has no such job
	case e.Type == slotmodel.Ready:
		h.enter(v, s, e.Job)
	case e.Type == slotmodel.OutputLost:
		s.outputLost(v, e.Job)
	case e.Type == slotmodel.JobEnded:
		for k := range h.sides {
			if h.sides[k].phases[e.Job].present {
				h.sides[k].leave(v, e.Job, false)
			}
		}
	case x.Job == e.Job && x.Kind == e.Kind:
		h.follow(v, s, e, x)
	}
}

// follow takes note of an event of attempt x.
func (h *Policy) follow(v *slotmodel.View, s *side, e slotmodel.Event, x slotmodel.AttemptInfo) {
	h.asleep.Observe(e)
	y := h.attempt(e.Attempt)
	switch e.Type {
	case slotmodel.Started:
		*y = attempt{sample: s.draw(e.Job)}
	case slotmodel.Computes:
		h.watchFor(v, e.Attempt, x)
		return
	case slotmodel.Ended:
		h.learn(v, s, e, x, *y)
		if c := v.Count(e.Job, s.kind); c.Done == c.Tasks && s.phases[e.Job].present {
			s.leave(v, e.Job, true)
			return
		}
	case slotmodel.Killed, slotmodel.Crashed: // the task waits again
		s.fail(e.Job, y.sample)
	case slotmodel.Suspends:
		y.suspended = true
	}
	s.requeue(v, e.Job)
}

// attempt returns the state of an attempt.
func (h *Policy) attempt(a slotmodel.Attempt) *attempt {
	for len(h.attempts) <= int(a) {
		h.attempts = append(h.attempts, attempt{})
	}
	return &h.attempts[a]
}

// learn takes the times of attempt x, whose task has ended. y is what is known of the attempt.
func (h *Policy) learn(v *slotmodel.View, s *side, e slotmodel.Event, x slotmodel.AttemptInfo, y attempt) {
	seconds := e.Value // of computing alone
	switch {
	case y.suspended:
	case e.Kind == slotmodel.Map:
		seconds = e.Time - x.Start
	default:
		seconds = e.Time - x.Computed
	}
	times := [...]float64{seconds, x.Computed - x.Start}
	for i, t := range s.trainers {
		if y.sample > 0 {
			_ = t.Finished(e.Job, int(y.sample-1), times[i]) // fails for times beyond 2^200 alone
		} else {
			_ = t.Observe(times[i])
		}
	}
	if y.sample > 0 {
		h.sampled(v, s, e.Job)
	}
}
