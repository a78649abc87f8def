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
		_ = s.trainer.Add(j, tasks) // cannot fail: the phase is new
		s.setUnstarted(j, int32(min(tasks, h.samples)))
		if n := len(s.spare); n > 0 {
			p.shuffles, s.spare = s.spare[n-1][:0], s.spare[:n-1]
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
	mean, ok := s.trainer.MeanTask()
	if !ok {
		mean = s.policy.firstTask
	}
	if s.reduces > 0 {
		mean += s.shuffled / s.reduces
	}
	size, err := estimate.InitialSize(tasks, mean, s.policy.xi)
	if err != nil { // beyond the largest float64
		return math.MaxFloat64
	}
	return size
}

// add puts a phase into the virtual cluster.
func (s *side) add(v *slotmodel.View, j slotmodel.Job, size float64) {
	p := &s.phases[j]
	p.weight = 1
	if s.policy.Weight != nil {
		if w := s.policy.Weight(v, j); w >= 0x1p-200 && w <= 0x1p200 {
			p.weight = w
		}
	}
	s.change(v, func() { _ = s.virtual.Add(j, aging.Job{Work: virtualWork(size), Slots: s.cap(v, j), Weight: p.weight}) })
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
	s.setUnstarted(j, 0)
	if p.late > 0 {
		s.becomeOnTime(j)
	}
	p.present, p.over = false, done
	s.present--
	s.newcomers = slices.DeleteFunc(s.newcomers, func(x slotmodel.Job) bool { return x == j })
	s.trainer.Remove(j)
	if p.shuffles != nil {
		s.spare = append(s.spare, p.shuffles)
		p.shuffles = nil
	}
	if done {
		s.virtual.Complete(j)
		return
	}
	s.change(v, func() { s.virtual.Remove(j) })
}

// noteShuffle keeps how long a sample reduce shuffled.
func (s *side) noteShuffle(j slotmodel.Job, sample int, seconds float64) {
	p := &s.phases[j]
	for len(p.shuffles) <= sample {
		p.shuffles = append(p.shuffles, 0)
	}
	p.shuffles[sample] = seconds
}

// sampled gives a phase its new size if all of its samples have a time.
func (h *Policy) sampled(v *slotmodel.View, s *side, j slotmodel.Job) {
	if !s.trainer.Done(j) {
		return
	}
	p := &s.phases[j]
	tasks := int(v.Count(j, s.kind).Tasks)
	var shuffles []float64
	if s.kind == slotmodel.Reduce {
		state, _ := s.trainer.Job(j)
		shuffles = p.shuffles[:min(state.Samples, len(p.shuffles))]
	}
	size, ok := 0.0, true
	if h.Estimate != nil {
		h.times = s.trainer.Durations(h.times[:0], j)
		size = h.Estimate(v, Samples{Job: j, Kind: s.kind, Tasks: tasks, Times: h.times, Shuffles: shuffles})
	} else {
		size, ok = s.trainer.Size(j)
		if ok && shuffles != nil {
			size, ok = h.withShuffle(v, j, size, shuffles, tasks)
		}
	}
	if !ok { // beyond the largest float64
		size = math.MaxFloat64
	}
	p.size = size
	s.resize(v, j, size)
	h.mayPreempt(s, j)
}

// withShuffle returns the size of a reduce phase: that of its execution and that of its shuffles.
// ok is false when it exceeds float64.
func (h *Policy) withShuffle(v *slotmodel.View, j slotmodel.Job, execution float64, shuffles []float64, tasks int) (size float64, ok bool) {
	h.times = h.times[:0]
	for range shuffles {
		h.times = append(h.times, v.Spec(j).Shuffle) // every reduce pulls the same
	}
	shuffle, err := estimate.ShuffleSize(shuffles, h.times, tasks)
	if err != nil {
		return 0, false
	}
	size, err = estimate.ReduceSize(shuffle, execution)
	return size, err == nil
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
	if y.sample == 0 || y.suspended || y.extrapolated || x.Computed < 0 || v.Now() < x.Computed+h.delta {
		return // no longer a sample to extrapolate, or there is a later watch
	}
	seconds, err := estimate.Extrapolate(v.Now()-x.Computed, x.Progress)
	if err != nil { // no progress yet
		h.watchFor(v, a, j)
		return
	}
	s := &h.sides[slotmodel.Reduce]
	y.extrapolated = true
	_ = s.trainer.Extrapolated(j, int(y.sample-1), seconds) // fails for a phase that has left
	s.noteShuffle(j, int(y.sample-1), x.Computed-x.Start)
	h.sampled(v, s, j)
}
