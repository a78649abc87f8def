package policy

import (
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// hfspWatch is a sample reduce whose progress is to be looked at.
type hfspWatch struct {
	at      float64
	attempt slotmodel.Attempt
	job     slotmodel.Job
}

// virtualWork is a size as the virtual cluster takes it.
func virtualWork(size float64) float64 {
	if !(size >= 0x1p-200) {
		return 0
	}
	return min(size, 0x1p200)
}

// enter lets a phase come whose tasks may start from now on.
func (h *HFSP) enter(v *slotmodel.View, s *hfspSide, j slotmodel.Job) {
	p := &s.phases[j]
	tasks := int(v.Count(j, s.kind).Tasks)
	p.present = true
	s.present++
	if !h.options.NoTraining {
		_ = s.trainer.Add(j, tasks) // it is not there yet
		p.waiting = int32(min(tasks, h.options.Samples))
		s.want(j)
		if s.kind == slotmodel.Reduce {
			p.block = s.newBlock(h.options.Samples) + 1
		}
	}
	if h.options.Size != nil {
		p.size = h.options.Size(v, j, s.kind)
	} else {
		p.size = s.initialSize(tasks)
	}
	s.add(v, j, p.size)
	h.mayPreempt(s, j)
}

// initialSize is the size of a phase of which nothing is known but the number of its tasks.
func (s *hfspSide) initialSize(tasks int) float64 {
	mean, ok := s.trainer.MeanTask()
	if !ok {
		mean = s.options.FirstTask
	}
	if s.reduces > 0 {
		mean += s.shuffled / s.reduces
	}
	size, err := estimate.InitialSize(tasks, mean, s.options.Xi)
	if err != nil { // beyond the largest float64
		return math.MaxFloat64
	}
	return size
}

// add puts a phase into the virtual cluster.
func (s *hfspSide) add(v *slotmodel.View, j slotmodel.Job, size float64) {
	s.advance(v.Now())
	work := virtualWork(size)
	s.virtual.add(j, aging.Job{Work: work, Slots: s.cap(v, j)})
	s.lapsed = s.lapsed || work == 0
	s.changed(j)
}

// cap is the number of virtual slots that a phase can use; 0: any number.
func (s *hfspSide) cap(v *slotmodel.View, j slotmodel.Job) float64 {
	c := v.Count(j, s.kind)
	slots := float64(c.Tasks)
	if s.phases[j].lost > 0 || s.options.Caps == CapLeft {
		slots = float64(c.Tasks - c.Done)
	}
	if s.options.Caps == CapNone || slots >= s.most {
		return 0
	}
	return slots
}

// resize gives a phase a new size in the virtual cluster.
func (s *hfspSide) resize(v *slotmodel.View, j slotmodel.Job, size float64) {
	s.advance(v.Now())
	s.virtual.reestimate(j, virtualWork(size))
	if now, ok := s.virtual.all.Job(j); ok {
		switch late := s.phases[j].late > 0; {
		case late && now.Work > 0:
			s.becomeOnTime(j)
		case !late && now.Work == 0:
			s.lapsed = true
		}
	}
	s.changed(j)
}

// leave takes a phase out: done when all its tasks are, otherwise its job has ended before.
func (s *hfspSide) leave(v *slotmodel.View, j slotmodel.Job, done bool) {
	p := &s.phases[j]
	p.present, p.over = false, done
	s.present--
	s.unwant(j)
	if p.late > 0 {
		s.becomeOnTime(j)
	}
	p.waiting, p.idle, p.sated = 0, false, false
	s.follow(v, j)
	s.trainer.Remove(j)
	if p.block > 0 {
		s.vacant = append(s.vacant, p.block-1)
		p.block = 0
	}
	if done {
		s.virtual.complete(j)
		return
	}
	s.advance(v.Now())
	s.virtual.remove(j)
	s.changed(j)
}

// want and unwant keep the phases that have samples to start.
func (s *hfspSide) want(j slotmodel.Job) {
	p := &s.phases[j]
	if p.want > 0 || p.waiting == 0 {
		return
	}
	s.wanting = append(s.wanting, j)
	p.want = int32(len(s.wanting))
	if p.late > 0 {
		s.wantLate++
	}
	s.revive(j)
}

func (s *hfspSide) unwant(j slotmodel.Job) {
	p := &s.phases[j]
	if p.want == 0 {
		return
	}
	last := len(s.wanting) - 1
	other := s.wanting[last]
	s.wanting[p.want-1] = other
	s.phases[other].want = p.want
	s.wanting = s.wanting[:last]
	p.want = 0
	if p.late > 0 {
		s.wantLate--
		s.lateSamples.remove(j, s)
	}
}

// keptSamples is how many shuffle times a new block has room for.
const keptSamples = 8

// newBlock returns room for the shuffle times of a phase's samples.
func (s *hfspSide) newBlock(samples int) int32 {
	if n := len(s.vacant); n > 0 {
		b := s.vacant[n-1]
		s.vacant = s.vacant[:n-1]
		return b
	}
	s.blocks = append(s.blocks, make([]float64, 0, min(samples, keptSamples)))
	return int32(len(s.blocks) - 1)
}

// noteShuffle keeps how long a sample shuffled.
func (s *hfspSide) noteShuffle(j slotmodel.Job, sample int, seconds float64) {
	if s.phases[j].block == 0 {
		return
	}
	b := s.blocks[s.phases[j].block-1]
	for len(b) <= sample {
		b = append(b, 0)
	}
	b[sample] = seconds
	s.blocks[s.phases[j].block-1] = b
}

// sampled gives a phase its new size, if all of its samples have a time.
func (h *HFSP) sampled(v *slotmodel.View, s *hfspSide, j slotmodel.Job) {
	if !s.trainer.Done(j) {
		return
	}
	p := &s.phases[j]
	tasks := int(v.Count(j, s.kind).Tasks)
	var shuffles []float64
	if p.block > 0 {
		state, _ := s.trainer.Job(j)
		shuffles = s.blocks[p.block-1][:state.Samples]
	}
	size, ok := 0.0, true
	if h.options.Estimate != nil {
		h.times = s.trainer.Durations(h.times[:0], j)
		size = h.options.Estimate(v, HFSPSamples{Job: j, Kind: s.kind, Tasks: tasks, Times: h.times, Shuffles: shuffles})
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

// withShuffle adds the shuffles of all reduces to the size of their execution.
func (h *HFSP) withShuffle(v *slotmodel.View, j slotmodel.Job, execution float64, shuffles []float64, tasks int) (float64, bool) {
	h.times = h.times[:0]
	for range shuffles {
		h.times = append(h.times, v.Spec(j).Shuffle) // every reduce pulls the same
	}
	shuffle, err := estimate.ShuffleSize(shuffles, h.times, tasks)
	if err != nil {
		return 0, false
	}
	size, err := estimate.ReduceSize(shuffle, execution)
	return size, err == nil
}

// watchFor asks to look at a sample reduce once it may have computed for Delta seconds.
func (h *HFSP) watchFor(v *slotmodel.View, a slotmodel.Attempt, j slotmodel.Job) {
	now := v.Now()
	if at := max(now+h.options.Delta, math.Nextafter(now, math.Inf(1))); at <= math.MaxFloat64 { // later, or look would not end
		h.watch = append(h.watch, hfspWatch{at, a, j})
	}
}

// look extrapolates the sample reduces that have computed for Delta seconds.
func (h *HFSP) look(v *slotmodel.View) {
	now := v.Now()
	for h.watched < len(h.watch) && h.watch[h.watched].at <= now {
		w := h.watch[h.watched]
		h.watched++
		h.extrapolate(v, w.attempt, w.job)
	}
	if h.watched > 64 && h.watched > len(h.watch)/2 {
		h.watch = append(h.watch[:0], h.watch[h.watched:]...)
		h.woken = max(0, h.woken-h.watched)
		h.watched = 0
	}
}

// wake asks for a call of Decide when the next samples are to be looked at.
func (h *HFSP) wake(v *slotmodel.View, a *slotmodel.Actions) {
	for h.woken = max(h.woken, h.watched); h.woken < len(h.watch); h.woken++ {
		if at := h.watch[h.woken].at; at > v.Now() {
			a.Wake(at)
		}
	}
}

func (h *HFSP) extrapolate(v *slotmodel.View, a slotmodel.Attempt, j slotmodel.Job) {
	x := v.Attempt(a)
	if x.Job != j || x.Kind != slotmodel.Reduce || int(a) >= len(h.attempts) {
		return
	}
	y := &h.attempts[a]
	if y.sample == 0 || y.slept || y.early || x.Computed < 0 || v.Now() < x.Computed+h.options.Delta {
		return // not a sample any more, or there is a later time to look
	}
	seconds, err := estimate.Extrapolate(v.Now()-x.Computed, x.Progress)
	if err != nil { // no progress yet
		h.watchFor(v, a, j)
		return
	}
	s := &h.sides[slotmodel.Reduce]
	y.early = true
	_ = s.trainer.Extrapolated(j, int(y.sample-1), seconds) // it runs
	s.noteShuffle(j, int(y.sample-1), x.Computed-x.Start)
	h.sampled(v, s, j)
}
