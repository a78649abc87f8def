package aging

import "github.com/schedmath/schedmath/internal/dd"

// Advance lets elapsed time pass. Every job ages by its share; jobs that finish become late if they
// are not done in reality, and are forgotten if they are. Advancing by a and then by b equals
// advancing by a+b, to rounding.
//
// Errors: an elapsed time that is NaN, negative (time cannot go backwards) or above 2^200.
func (c *Cluster[K]) Advance(elapsed float64) error {
	if err := checkElapsed("aging.Cluster.Advance", elapsed); err != nil {
		return err
	}
	c.changes++
	left := dd.Of(elapsed)
	for {
		id, in, ok := c.next()
		if !ok || in.Hi > left.Hi { // NextFinish returns in.Hi
			if left.Hi == 0 {
				return nil
			}
			c.pass(left)
			left = dd.T{}
			continue // rounding may have taken a clock past a tag by its last bit
		}
		if in.Hi > 0 {
			c.tick()
		}
		c.run(id, in)
		c.finish(c.first(&c.groups[id].queue))
		left = notNegative(left.Sub(in))
	}
}

// pass lets time pass in which no job finishes. In an empty virtual system it sets the clocks back,
// so that tags stay small.
func (c *Cluster[K]) pass(elapsed dd.T) {
	c.tick()
	if c.open.finish.Len()+c.capped.finish.Len() == 0 {
		c.clock, c.water = dd.T{}, dd.T{}
		c.period = min(c.period+1, lastInstant)
		c.minWeight, c.entered = 0, 0
		return
	}
	if c.open.finish.Len() > 0 {
		c.water = c.water.Add(elapsed.Mul(c.level))
	}
	c.clock = c.clock.Add(elapsed)
}

// tick begins a new instant. After 2^53 of them, as many as float64 can tell apart, all jobs become
// late in the same one.
func (c *Cluster[K]) tick() { c.instant = min(c.instant+1, lastInstant) }

// next returns the group whose first job finishes next and in what time; ok is false when no job
// ever does.
func (c *Cluster[K]) next() (id int32, in dd.T, ok bool) {
	if c.open.finish.Len() > 0 && c.level > 0 {
		id, ok = c.open.finish.ID(0), true
		in = notNegative(c.upcoming(&c.open).Sub(c.water).Div(c.level))
	}
	if c.capped.finish.Len() > 0 {
		other := c.capped.finish.ID(0)
		t := notNegative(c.upcoming(&c.capped).Sub(c.clock))
		d := t.Cmp(in)
		if !ok || d < 0 || d == 0 && c.jobs[c.first(&c.groups[other].queue)].added < c.jobs[c.first(&c.groups[id].queue)].added {
			id, in, ok = other, t, true
		}
	}
	return id, in, ok
}

// run moves the clocks to the instant at which the first job of group id finishes; no group of
// its side has an earlier finish. The side's clock then reads that finish. A clock that rounding
// has already taken past the finish is not set back, since the last bits of a clock with a large
// offset can be much time.
func (c *Cluster[K]) run(id int32, in dd.T) {
	if c.groups[id].capped {
		if c.open.finish.Len() > 0 {
			c.water = c.water.Add(in.Mul(c.level))
		}
		c.clock = later(c.clock, c.upcoming(&c.capped))
		return
	}
	c.water = later(c.water, c.upcoming(&c.open))
	c.clock = c.clock.Add(in)
}

// later returns the later of two readings of a clock.
func later(a, b dd.T) dd.T {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// finish ends job i in virtual time.
func (c *Cluster[K]) finish(i int32) {
	at := c.end(&c.jobs[i])
	c.leave(i)
	if c.jobs[i].state == Completed {
		c.drop(i)
	} else {
		c.becomeLate(i, at)
	}
	c.settle()
}

// NextFinish returns the job that finishes next in virtual time if nothing else happens, completed
// jobs included, and the time until then; Advance(in) makes it finish. ok is false when the virtual
// system is empty or the capacity is 0.
func (c *Cluster[K]) NextFinish() (key K, in float64, ok bool) {
	id, t, ok := c.next()
	if !ok {
		return key, 0, false
	}
	return c.jobs[c.first(&c.groups[id].queue)].key, t.Hi, true
}
