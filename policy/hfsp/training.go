package hfsp

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// watch is a sample reduce whose progress is to be looked at.
type watch struct {
	at      float64 // when
	attempt slotmodel.Attempt
	job     slotmodel.Job
}

// enter adds a phase whose tasks may start from now on.
func (h *Policy) enter(v *slotmodel.View, s *side, j slotmodel.Job) {
	p, tasks := &s.phases[j], int(v.Count(j, s.kind).Tasks)
	if !h.NoTraining {
		for _, t := range s.trainers {
			_ = t.Add(j, tasks) // cannot fail: the phase is new
		}
	}
	if h.Size != nil {
		p.size = h.Size(v, j, s.kind)
	} else {
		p.size = s.initialSize(tasks)
	}
	s.add(v, j, p.size)
	h.mayPreempt(s, j)
}

// initialSize is the size assumed for a phase of which only the number of tasks is known.
func (s *side) initialSize(tasks int) float64 {
	mean, ok := s.trainers[run].MeanTask()
	if !ok {
		mean = cmp.Or(s.policy.FirstTask, 60)
	}
	for _, t := range s.trainers[shuffle:] {
		shuffled, _ := t.MeanTask()
		mean += shuffled
	}
	size, err := estimate.InitialSize(tasks, mean, cmp.Or(s.policy.Xi, 1))
	if err != nil { // beyond the largest float64
		return math.MaxFloat64
	}
	return size
}

// draw makes a task of a phase that has just started a sample, if the phase has samples to start.
// It returns the sample's number, from 1; 0: the task is none.
func (s *side) draw(j slotmodel.Job) (sample int32) {
	if s.needsSamples(j) {
		for _, t := range s.trainers {
			n, _ := t.Started(j) // cannot fail: the phase has a sample to start
			sample = int32(n) + 1
		}
	}
	return sample
}

// fail lets a sample that is lost with its attempt wait again.
func (s *side) fail(j slotmodel.Job, sample int32) {
	if sample > 0 && s.phases[j].present {
		for _, t := range s.trainers {
			_ = t.Failed(j, int(sample-1)) // cannot fail: the sample runs
		}
	}
}

// needsSamples reports whether a phase has samples to start.
func (s *side) needsSamples(j slotmodel.Job) bool {
	x, _ := s.trainers[run].Job(j)
	return x.Waiting > 0
}

// sampled gives a phase its new size if all of its samples have a time.
func (h *Policy) sampled(v *slotmodel.View, s *side, j slotmodel.Job) {
	if !s.trainers[run].Done(j) {
		return
	}
	s.phases[j].size = h.estimate(v, s, j)
	s.resize(v, j, s.phases[j].size)
	h.mayPreempt(s, j)
}

// estimate returns the size of a phase whose samples all have a time. Every reduce of a job pulls
// as much as any other, so the mean of the shuffle times has no weights.
func (h *Policy) estimate(v *slotmodel.View, s *side, j slotmodel.Job) float64 {
	if h.Estimate != nil {
		for i, t := range s.trainers {
			s.times[i] = t.Durations(s.times[i][:0], j)
		}
		x, _ := s.trainers[run].Job(j)
		return h.Estimate(v, Samples{Job: j, Kind: s.kind, Tasks: x.Tasks, Times: s.times[run], Shuffles: s.times[shuffle]})
	}
	size := 0.0
	for _, t := range s.trainers {
		part, ok := t.Size(j)
		if !ok { // beyond the range of sizes
			return math.MaxFloat64
		}
		size += part
	}
	return size
}

// watchFor asks to look at an attempt that computes once it may have done so for Delta seconds, if
// it is a sample reduce. The time is after now also where Delta is lost to rounding, since look
// would not end otherwise.
func (h *Policy) watchFor(v *slotmodel.View, a slotmodel.Attempt, x slotmodel.AttemptInfo) {
	now := v.Now()
	at := max(now+h.delta, math.Nextafter(now, math.Inf(1)))
	if x.Kind == slotmodel.Reduce && h.attempt(a).sample > 0 && at <= math.MaxFloat64 {
		h.watches = append(h.watches, watch{at, a, x.Job})
	}
}

// look extrapolates the sample reduces that have computed for Delta seconds.
func (h *Policy) look(v *slotmodel.View) {
	now := v.Now()
	due := 0
	for ; due < len(h.watches) && h.watches[due].at <= now; due++ {
		h.extrapolate(v, h.watches[due].attempt, h.watches[due].job)
	}
	h.watches = slices.Delete(h.watches, 0, due)
}

// nextLook returns when the next sample is to be looked at, +Inf if never. A sample whose time has
// come already is looked at in the next walk.
func (h *Policy) nextLook(v *slotmodel.View) float64 {
	i := sort.Search(len(h.watches), func(i int) bool { return h.watches[i].at > v.Now() })
	if i == len(h.watches) {
		return math.Inf(1)
	}
	return h.watches[i].at
}

// extrapolate gives a sample reduce that still computes the time that its progress lets expect.
func (h *Policy) extrapolate(v *slotmodel.View, a slotmodel.Attempt, j slotmodel.Job) {
	x, y := v.Attempt(a), h.attempt(a)
	if x.Job != j || x.Kind != slotmodel.Reduce || y.sample == 0 || y.suspended || x.Computed < 0 || v.Now() < x.Computed+h.delta {
		return // no longer a sample to extrapolate, or there is a later watch
	}
	seconds, err := estimate.Extrapolate(v.Now()-x.Computed, x.Progress)
	if err != nil { // no progress yet
		h.watchFor(v, a, x)
		return
	}
	s := &h.sides[slotmodel.Reduce]
	for i, t := range s.trainers {
		_ = t.Extrapolated(j, int(y.sample-1), [...]float64{seconds, x.Computed - x.Start}[i]) // fails for a phase that has left
	}
	h.sampled(v, s, j)
}
