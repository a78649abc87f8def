package aging

import "github.com/schedmath/schedmath/internal/dd"

// Advance lets elapsed time pass. Everybody ages by the weighted max-min shares, which are taken anew at each virtual
// finish on the way; jobs that finish become late if they are not done in reality, and are forgotten if they are. Advancing
// by a and then by b equals advancing by a+b, to rounding.
//
// Errors: an elapsed time that is NaN, negative (time cannot go backwards) or above 2^200.
func (c *Cluster[K]) Advance(elapsed float64) error {
	if err := checkElapsed("Cluster.Advance", elapsed); err != nil {
		return err
	}
	if c == nil {
		return nilCluster("Advance")
	}
	c.changes++
	left := dd.Of(elapsed)
	for {
		id, in, ok := c.upcoming()
		if !ok || in.Hi > left.Hi { // the form in which NextFinish states the time
			if left.Hi == 0 {
				return nil
			}
			c.pass(left)
			left = dd.T{}
			continue // the clocks may have passed a tag by its last bit
		}
		c.run(id, in)
		c.finish(c.first(&c.groups[id]))
		if left = left.Sub(in); left.Hi < 0 {
			left = dd.T{}
		}
	}
}

// pass lets time pass in which nobody finishes.
func (c *Cluster[K]) pass(elapsed dd.T) {
	c.instant++
	c.next.known = false
	if c.onTime+c.early == 0 {
		c.reset()
		return
	}
	if c.open.ratio.Len() > 0 {
		c.water = c.water.Add(elapsed.Mul(c.level))
	}
	c.clock = c.clock.Add(elapsed)
}

// finish is what is known of the next virtual finish: whose group's first job it is, and in what time.
type finish struct {
	known bool // nothing has happened since
	group int32
	in    dd.T
	ok    bool // somebody will finish
}

// upcoming returns the group whose first job finishes next and in what time; ok is false when nobody ever does.
func (c *Cluster[K]) upcoming() (id int32, in dd.T, ok bool) {
	if n := &c.next; n.known {
		return n.group, n.in, n.ok
	}
	if c.open.finish.Len() > 0 && c.level > 0 {
		h := c.open.first()
		id, ok = h.groups.ID(0), true
		in = notNegative(h.upcoming(0, c.groups).Sub(c.water).Div(c.level)) // a clock may pass a tag by its last bit
	}
	if c.capped.finish.Len() > 0 {
		h := c.capped.first()
		other := h.groups.ID(0)
		t := h.upcoming(0, c.groups).Sub(c.clock)
		d := t.Cmp(in)
		if !ok || d < 0 || d == 0 && c.jobs[c.first(&c.groups[other])].seq < c.jobs[c.first(&c.groups[id])].seq {
			id, in, ok = other, t, true
		}
	}
	in = notNegative(in)
	c.next = finish{true, id, in, ok}
	return id, in, ok
}

// run moves the clocks to the instant at which the first job of group id, the first of its side, finishes; the group's clock
// then reads the job's tag, or stands where it was if it has passed that.
func (c *Cluster[K]) run(id int32, in dd.T) {
	if in.Hi > 0 {
		c.instant++
	}
	c.next.known = false
	if !c.groups[id].capped {
		c.water = later(c.water, c.open.first().upcoming(0, c.groups))
		c.clock = c.clock.Add(in)
		return
	}
	if c.open.ratio.Len() > 0 {
		c.water = c.water.Add(in.Mul(c.level))
	}
	c.clock = later(c.clock, c.capped.first().upcoming(0, c.groups))
}

// later returns the later of two readings of a clock. A finish may lie before what its clock reads, by much if the last bits of its
// group's offset are much time there.
func later(now, at dd.T) dd.T {
	if at.Cmp(now) > 0 {
		return at
	}
	return now
}

// finish ends job i in virtual time.
func (c *Cluster[K]) finish(i int32) {
	done := c.jobs[i].state == completed
	c.leave(i)
	if done {
		c.drop(i)
	} else {
		c.becomeLate(i)
	}
	c.settle()
}

// NextFinish returns the job that finishes next in virtual time if nothing else happens, completed jobs included, and the
// time until then; Advance(in) makes it finish. Ties go to the job added first. ok is false when the virtual system is empty or
// the capacity is 0. Cost O(1).
func (c *Cluster[K]) NextFinish() (key K, in float64, ok bool) {
	if c == nil {
		return key, 0, false
	}
	id, t, ok := c.upcoming()
	if !ok {
		return key, 0, false
	}
	return c.jobs[c.first(&c.groups[id])].key, t.Hi, true
}
