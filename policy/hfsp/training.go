package hfsp

import (
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// watch is a sample reduce whose progress is to be looked at.
type watch struct {
	at      float64 // when
	attempt slotmodel.Attempt
	job     slotmodel.Job
}

// virtualWork moves a size into the range that the virtual cluster takes. Smaller sizes become 0.
func virtualWork(size float64) float64 {
	if !(size >= 0x1p-200) {
		return 0
	}
	return min(size, 0x1p200)
}

// enter adds a phase whose tasks may start from now on.
func (h *Policy) enter(v *slotmodel.View, s *side, j slotmodel.Job) {
	p := &s.phases[j]
	tasks := int(v.Count(j, s.kind).Tasks)
	p.present = true
	s.present++
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
		mean = s.policy.firstTask
	}
	for _, t := range s.trainers[shuffle:] {
		shuffled, _ := t.MeanTask()
		mean += shuffled
	}
	size, err := estimate.InitialSize(tasks, mean, s.policy.xi)
	if err != nil { // beyond the largest float64
		return math.MaxFloat64
	}
	return size
}

// add puts a phase into the virtual cluster.
func (s *side) add(v *slotmodel.View, j slotmodel.Job, size float64) {
	weight := 1.
	if s.policy.Weight != nil {
		if w := s.policy.Weight(v, j); w >= 0x1p-200 && w <= 0x1p200 {
			weight = w
		}
	}
	s.change(v, func() { _ = s.virtual.Add(j, aging.Job{Work: virtualWork(size), Slots: s.cap(v, j), Weight: weight}) })
}

// cap returns the number of virtual slots that a phase can use, +Inf for any number.
func (s *side) cap(v *slotmodel.View, j slotmodel.Job) float64 {
	c := v.Count(j, s.kind)
	slots := float64(c.Tasks)
	if s.phases[j].lost > 0 {
		slots = float64(c.Tasks - c.Done)
	}
	if s.policy.NoCaps || slots >= s.allSlots {
		return math.Inf(1)
	}
	return slots
}

// resize gives a phase a new size in the virtual cluster.
func (s *side) resize(v *slotmodel.View, j slotmodel.Job, size float64) {
	s.change(v, func() { _ = s.virtual.Reestimate(j, virtualWork(size)) })
	if now, _ := s.virtual.Job(j); now.Work > 0 && s.phases[j].late > 0 {
		s.becomeOnTime(j)
	}
}

// leave takes a phase out. Without done its job has ended before all of its tasks were done.
func (s *side) leave(v *slotmodel.View, j slotmodel.Job, done bool) {
	p := &s.phases[j]
	if p.late > 0 {
		s.becomeOnTime(j)
	}
	p.present, p.over = false, done
	s.present--
	s.newcomers = slices.DeleteFunc(s.newcomers, func(x slotmodel.Job) bool { return x == j })
	for _, t := range s.trainers {
		t.Remove(j)
	}
	if done {
		s.virtual.Complete(j)
		return
	}
	s.change(v, func() { s.virtual.Remove(j) })
}

// sampled gives a phase its new size if all of its samples have a time.
func (h *Policy) sampled(v *slotmodel.View, s *side, j slotmodel.Job) {
	if !s.trainers[run].Done(j) {
		return
	}
	size := h.estimate(v, s, j)
	s.phases[j].size = size
	s.resize(v, j, size)
	h.mayPreempt(s, j)
}

// estimate returns the size of a phase whose samples all have a time. Every reduce of a job pulls
// as much as any other, so the mean of the shuffle times has no weights.
func (h *Policy) estimate(v *slotmodel.View, s *side, j slotmodel.Job) float64 {
	if h.Estimate != nil {
		var times [2][]float64
		for i, t := range s.trainers {
			h.times[i] = t.Durations(h.times[i][:0], j)
			times[i] = h.times[i]
		}
		return h.Estimate(v, Samples{Job: j, Kind: s.kind, Tasks: int(v.Count(j, s.kind).Tasks), Times: times[run], Shuffles: times[shuffle]})
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

// watchFor asks to look at a sample reduce once it may have computed for Delta seconds. The time is
// after now also where Delta is lost to rounding, since look would not end otherwise.
func (h *Policy) watchFor(v *slotmodel.View, a slotmodel.Attempt, j slotmodel.Job) {
	now := v.Now()
	if at := max(now+h.delta, math.Nextafter(now, math.Inf(1))); at <= math.MaxFloat64 {
		h.watches = append(h.watches, watch{at, a, j})
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
	x := v.Attempt(a)
	if x.Job != j || x.Kind != slotmodel.Reduce {
		return
	}
	y := h.attempt(a)
	if y.sample == 0 || y.suspended || x.Computed < 0 || v.Now() < x.Computed+h.delta {
		return // no longer a sample to extrapolate, or there is a later watch
	}
	seconds, err := estimate.Extrapolate(v.Now()-x.Computed, x.Progress)
	if err != nil { // no progress yet
		h.watchFor(v, a, j)
		return
	}
	s := &h.sides[slotmodel.Reduce]
	for i, t := range s.trainers {
		_ = t.Extrapolated(j, int(y.sample-1), [...]float64{seconds, x.Computed - x.Start}[i]) // fails for a phase that has left
	}
	h.sampled(v, s, j)
}
