package hfsp

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/slotmodel"
)

// overdue reports whether the next virtual finish comes by now, and if so how many seconds after
// s.at it comes.
func (s *side) overdue(now float64) (in float64, is bool) {
	if now < s.due {
		return 0, false
	}
	_, in, is = s.virtual.NextFinish()
	if s.due = math.Inf(1); is {
		s.due = s.at + in
	}
	return in, now >= s.due
}

// advance lets the virtual cluster reach the present. It fails for times beyond 2^200 alone.
func (s *side) advance(now float64) error {
	elapsed := now - s.at
	in, is := s.overdue(now)
	if is { // by rounding in may exceed elapsed, and the virtual finish must come
		elapsed = max(elapsed, in)
	}
	s.at, s.due = now, 0
	if elapsed == 0 && !is {
		return nil
	}
	return s.virtual.Advance(elapsed)
}

// change brings the virtual cluster to the present, where it is to change, and forgets the order.
func (s *side) change(v *slotmodel.View) {
	_ = s.advance(v.Now())
	s.listed, s.headKnown, s.order = false, false, s.order[:0]
}

// add puts a phase into the virtual cluster.
func (s *side) add(v *slotmodel.View, j slotmodel.Job, size float64) {
	weight := 1.
	if s.policy.Weight != nil {
		if w := s.policy.Weight(v, j); w >= 0x1p-200 && w <= 0x1p200 {
			weight = w
		}
	}
	s.phases[j].present = true
	s.present++
	s.change(v)
	_ = s.virtual.Add(j, aging.Job{Work: virtualWork(size), Slots: s.cap(v, j), Weight: weight})
}

// virtualWork moves a size into the range that the virtual cluster takes. Smaller sizes become 0.
func virtualWork(size float64) float64 {
	if !(size >= 0x1p-200) {
		return 0
	}
	return min(size, 0x1p200)
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

// resize gives a phase a new size in the virtual cluster. A late phase may be on time again.
func (s *side) resize(v *slotmodel.View, j slotmodel.Job, size float64) {
	s.change(v)
	_ = s.virtual.Reestimate(j, virtualWork(size))
	if x, _ := s.virtual.Job(j); x.Work > 0 {
		s.becomeOnTime(j)
	}
}

// outputLost follows a map that has to run again. If its phase had ended, the lost maps are a new
// phase. Otherwise the phase has one more task to start.
func (s *side) outputLost(v *slotmodel.View, j slotmodel.Job) {
	p := &s.phases[j]
	each := p.size / float64(max(1, v.Count(j, s.kind).Tasks))
	switch {
	case !p.present:
		p.lost = 1
		s.change(v)
		s.virtual.Remove(j) // it may age still
		s.add(v, j, each)
	case p.lost > 0:
		p.lost++
		s.resize(v, j, float64(each*float64(p.lost)))
		s.change(v)
		_ = s.virtual.SetSlots(j, s.cap(v, j))
	}
	s.requeue(v, j)
}

// leave takes a phase out. Without done its job has ended before all of its tasks were done.
func (s *side) leave(v *slotmodel.View, j slotmodel.Job, done bool) {
	s.becomeOnTime(j)
	s.phases[j].present = false
	s.present--
	s.newcomers = slices.DeleteFunc(s.newcomers, func(x slotmodel.Job) bool { return x == j })
	for _, t := range s.trainers {
		t.Remove(j)
	}
	if done {
		s.virtual.Complete(j)
		return
	}
	s.change(v)
	s.virtual.Remove(j)
}

// slotsChanged follows the failure or the return of a node.
func (s *side) slotsChanged(v *slotmodel.View) {
	slots := v.Slots(s.kind)
	s.change(v)
	_ = s.virtual.SetCapacity(float64(slots))
	_ = s.trainers[run].SetCapacity(slots)
}
