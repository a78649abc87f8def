package fluid

import (
	"math"
	"slices"
)

// capped is a run in which caps bind, or in which FSP orders by virtual work with unequal weights. It works in time, with a
// rate for every job in service, and decides anew at every event.
type capped struct {
	*cappedState
	r     *Runner
	p     Policy
	fsp   FSP
	isFSP bool

	now   dd // time from base
	slots dd
	step  int     // next step
	most  float64 // largest capacity

	fresh bool  // something happened since the order of service was decided
	mate  int32 // the on-time job that shares with the late ones, under Next; -1: none
	nLate int
}

type service struct {
	entry
	rate dd
}

// cappedState is the memory of capped runs.
type cappedState struct {
	kinds  kinds
	real   water // PS, or the late jobs that share
	virt   water
	blocks blocks // LAS, or the late jobs under LeastAttained
	plan   plan
	wait   loose   // FIFO, SPT, SRPT
	first  []int32 // late jobs in order, under First
	onTime []bool
	served []service // jobs served in order, one by one
	newly  []int32   // jobs that become late at this instant
}

// binds tells whether caps or virtual work make a difference, so that the run is not that of a server.
func (r *Runner) binds(slots float64, o Options, byWork bool) bool {
	for _, s := range o.Capacity {
		slots = max(slots, s.Slots)
	}
	return r.least < slots || byWork && !r.equal
}

func (r *Runner) runCapped(p Policy, slots float64, steps []Step) {
	c := capped{cappedState: &r.capped, r: r, p: p, slots: dd{hi: slots}, most: slots, mate: -1}
	c.served, c.newly = c.served[:0], c.newly[:0]
	c.fsp, c.isFSP = p.(FSP)
	for _, s := range steps {
		c.most = max(c.most, s.Slots)
	}
	c.kinds.reset(r)
	c.real.reset(r)
	c.blocks.reset(r.jobs)
	c.wait.heap, c.wait.tol, c.first = c.wait.heap[:0], 0, c.first[:0]
	c.virt.n, c.virt.pools = 0, c.virt.pools[:0]
	for i := range r.finish {
		r.finish[i] = math.Inf(1)
	}
	if c.isFSP {
		c.virt.reset(r)
		c.plan.reset(r, &c.virt, c.fsp.ByWork)
		for i := range r.virtual {
			r.virtual[i] = math.Inf(1)
		}
		c.onTime = slices.Grow(c.onTime[:0], len(r.jobs))[:len(r.jobs)]
		clear(c.onTime)
	}
	for {
		if r.live == 0 && (!c.isFSP || c.virt.n == 0) {
			id := r.arrival()
			if id < 0 {
				break
			}
			r.line.base, r.last, c.now = r.jobs[id].Arrival, dd{}, dd{} // a busy period begins
		}
		c.instant(steps)
		c.rates()
		if c.turn() {
			continue
		}
		if !c.pass(steps) {
			r.unfinished = r.live // the capacity is 0 for good
			break
		}
	}
}

// instant carries out what happens now: completions, virtual completions, steps and arrivals.
func (c *capped) instant(steps []Step) {
	r := c.r
	c.realDone()
	if c.isFSP {
		for id := c.virt.due(c.now); c.virt.n > 0 && id >= 0; id = c.virt.due(c.now) {
			c.virt.leave(id)
			r.events++
			c.fresh = true
			r.virtual[id] = r.absolute(c.now)
			if c.onTime[id] {
				c.newly = append(c.newly, id)
			}
		}
	}
	for c.step < len(steps) && !c.now.less(twoSum(steps[c.step].Time, -r.line.base)) {
		c.slots = dd{hi: steps[c.step].Slots}
		c.step++
		r.events++
		c.fresh = true
		c.plan.stale = true
	}
	for id := r.arrival(); id >= 0 && !c.now.less(twoSum(r.jobs[id].Arrival, -r.line.base)); id = r.arrival() {
		c.arrive(id)
	}
	if len(c.newly) > 0 {
		c.late()
	}
}

func (c *capped) arrive(id int32) {
	r := c.r
	c.fresh = true
	there := r.enter(id)
	j := &r.jobs[id]
	if c.isFSP {
		c.onTime[id] = there
		c.plan.stale = true
		switch {
		case j.Estimate > 0:
			c.virt.join(id, dd{hi: j.Estimate})
			if there {
				c.plan.add(id)
			}
		case there:
			r.virtual[id] = j.Arrival
			c.newly = append(c.newly, id)
		default:
			r.virtual[id] = j.Arrival
		}
	}
	if !there {
		return
	}
	r.rem[id] = dd{hi: j.Size}
	switch c.p.(type) {
	case PS:
		c.real.join(id, r.rem[id])
	case LAS:
		c.blocks.add(r, id, dd{})
	case SPT, SRPT:
		c.wait.push(entry{dd{hi: j.Estimate}, id})
	case FIFO:
		c.wait.push(entry{dd{hi: float64(r.next)}, id})
	}
}

// late moves the jobs that became late at this instant to those that are.
func (c *capped) late() {
	r := c.r
	slices.Sort(c.newly)
	for _, id := range c.newly {
		if id == c.mate {
			c.unmate()
		}
		c.onTime[id] = false
		if r.jobs[id].Estimate > 0 {
			c.plan.remove(id)
		}
		c.nLate++
		switch c.fsp.Late {
		case First:
			c.first = append(c.first, id)
		case LeastAttained:
			c.blocks.add(r, id, dd{hi: r.jobs[id].Size}.sub(r.rem[id]))
		default:
			c.real.join(id, r.rem[id])
		}
	}
	c.newly = c.newly[:0]
}

func (c *capped) unmate() {
	c.r.rem[c.mate] = c.real.leave(c.mate)
	c.mate = -1
}

// realDone takes out the jobs that are done now.
func (c *capped) realDone() {
	r := c.r
	kept := c.served[:0]
	for _, s := range c.served {
		if r.rem[s.id].hi > tie*c.now.hi*s.rate.hi {
			kept = append(kept, s)
			continue
		}
		c.done(s.id)
		if i := slices.Index(c.first, s.id); i >= 0 {
			c.first = slices.Delete(c.first, i, i+1)
		}
	}
	c.served = kept
	for c.real.n > 0 {
		id := c.real.due(c.now)
		if id < 0 {
			break
		}
		c.real.leave(id)
		if id == c.mate {
			c.mate = -1
		}
		c.done(id)
	}
	for c.blocks.n > 0 {
		id := c.blocks.due(c.now)
		if id < 0 {
			break
		}
		c.done(id)
	}
	c.blocks.meet(c.now)
}

func (c *capped) done(id int32) {
	r := c.r
	c.fresh = true
	r.doneAt(id, c.now)
	if !c.isFSP {
		return
	}
	if c.onTime[id] {
		c.onTime[id] = false
		c.plan.remove(id)
	} else {
		c.nLate--
	}
}

// turn ends the jobs of size 0 whose turn has come, under FIFO; it tells whether there were any.
func (c *capped) turn() bool {
	if !c.r.turn {
		return false
	}
	n := len(c.served)
	c.served = slices.DeleteFunc(c.served, func(s service) bool {
		if c.r.jobs[s.id].Size > 0 {
			return false
		}
		c.done(s.id)
		return true
	})
	return len(c.served) < n
}

// pass moves on to the next instant at which something happens; false: nothing ever does.
func (c *capped) pass(steps []Step) bool {
	r := c.r
	dt := far
	for _, s := range c.served {
		if s.rate.hi > 0 {
			if d := r.rem[s.id].div(s.rate); d.less(dt) {
				dt = d
			}
		}
	}
	for _, d := range [...]dd{c.real.until(), c.blocks.until(), c.virt.until()} {
		if d.less(dt) {
			dt = d
		}
	}
	if dt.hi < 0 {
		dt = dd{}
	}
	next := c.now.add(dt)
	if dt == far {
		next = far
	}
	outer := far // arrivals and steps, whose times are exact
	if id := r.arrival(); id >= 0 {
		outer = twoSum(r.jobs[id].Arrival, -r.line.base)
	}
	if c.step < len(steps) {
		if t := twoSum(steps[c.step].Time, -r.line.base); t.less(outer) {
			outer = t
		}
	}
	if outer.hi <= math.MaxFloat64 && outer.minus(next) <= tie*outer.hi {
		next, dt = outer, outer.sub(c.now)
	}
	if next == far {
		return false
	}
	c.now = next
	_, shrink := c.p.(SRPT)
	for i := range c.served {
		s := &c.served[i]
		work := s.rate.mul(dt)
		r.rem[s.id] = r.rem[s.id].sub(work)
		if shrink {
			s.key = s.key.sub(work)
		}
	}
	c.real.advance(dt)
	c.blocks.advance(dt)
	c.virt.advance(dt)
	return true
}
