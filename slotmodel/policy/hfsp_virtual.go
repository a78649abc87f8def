package policy

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/slotmodel"
)

// hfspVirtual is the virtual cluster of one kind of slots, kept twice: what is ready to be served is another question for samples than
// for tasks, and a virtual cluster can tell its first ready job much sooner than walk over those before it. Both age alike.
type hfspVirtual struct {
	all     *aging.Cluster[slotmodel.Job] // phases are ready that have tasks to start
	samples *aging.Cluster[slotmodel.Job] // phases are ready that need samples; nil: nobody asks for the first of them
}

// newHFSPVirtual returns an empty one. Slots are between 0 and 2^31.
func newHFSPVirtual(slots float64, samples bool) (c hfspVirtual) {
	c.all, _ = aging.NewCluster[slotmodel.Job](slots)
	if samples {
		c.samples, _ = aging.NewCluster[slotmodel.Job](slots)
	}
	return c
}

// advance lets time pass.
func (c *hfspVirtual) advance(elapsed float64) {
	_ = c.all.Advance(elapsed) // fails for times beyond 2^200 alone
	if c.samples != nil {
		_ = c.samples.Advance(elapsed)
	}
}

// add puts in a phase that is not there, with values in range.
func (c *hfspVirtual) add(j slotmodel.Job, x aging.Job) {
	_ = c.all.Add(j, x)
	if c.samples != nil {
		_ = c.samples.Add(j, x)
	}
}

// reestimate gives a phase that is there a size in range.
func (c *hfspVirtual) reestimate(j slotmodel.Job, work float64) {
	_ = c.all.Reestimate(j, work)
	if c.samples != nil {
		_ = c.samples.Reestimate(j, work)
	}
}

// setSlots gives a phase that is there a cap; 0: none.
func (c *hfspVirtual) setSlots(j slotmodel.Job, slots float64) {
	slots = cmp.Or(slots, math.Inf(1))
	_ = c.all.SetSlots(j, slots)
	if c.samples != nil {
		_ = c.samples.SetSlots(j, slots)
	}
}

// setCapacity says how many slots there are.
func (c *hfspVirtual) setCapacity(slots float64) {
	_ = c.all.SetCapacity(slots)
	if c.samples != nil {
		_ = c.samples.SetCapacity(slots)
	}
}

// complete lets a phase age on whose tasks are done.
func (c *hfspVirtual) complete(j slotmodel.Job) {
	c.all.Complete(j)
	if c.samples != nil {
		c.samples.Complete(j)
	}
}

// remove takes a phase out.
func (c *hfspVirtual) remove(j slotmodel.Job) {
	c.all.Remove(j)
	if c.samples != nil {
		c.samples.Remove(j)
	}
}

// firstSample returns the first phase on time that needs a sample and has a task to start; None: there is none. The virtual cluster of
// samples is told of those on the way that they are none.
func (s *hfspSide) firstSample(v *slotmodel.View) slotmodel.Job {
	if j := s.sample; j != slotmodel.None && s.phases[j].want > 0 && s.eligible(v, j) {
		return j
	}
	for {
		j, ok := s.virtual.samples.First(s.key)
		if !ok {
			s.sample = slotmodel.None
			return slotmodel.None
		}
		p := &s.phases[j]
		if p.want > 0 && s.eligible(v, j) {
			s.sample = j
			return j
		}
		p.sated = true
		_ = s.virtual.samples.SetReady(j, false) // it is there
	}
}

// unsated notes that a phase may need a sample again that it can start.
func (s *hfspSide) unsated(j slotmodel.Job) {
	p := &s.phases[j]
	if p.want == 0 || s.virtual.samples == nil {
		return
	}
	s.sample = slotmodel.None
	if p.sated {
		p.sated = false
		_ = s.virtual.samples.SetReady(j, true)
	}
}
