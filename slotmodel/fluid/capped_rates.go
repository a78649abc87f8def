package fluid

// rates gives every job in service its rate.
func (c *capped) rates() {
	r := c.r
	left := c.slots
	switch c.p.(type) {
	case PS:
		c.real.rates(left)
		return
	case LAS:
		c.blocks.rates(left)
		return
	case FSP:
		c.virt.rates(left)
		c.rateFSP(left)
		return
	}
	if !c.fresh {
		return
	}
	c.fresh = false
	_, shrink := c.p.(SRPT)
	if shrink {
		c.wait.tol = tie * c.most * c.now.hi
	}
	for _, s := range c.served {
		c.wait.push(s.entry)
	}
	c.served = c.served[:0]
	for len(c.wait.heap) > 0 && (left.hi > 0 || r.turn && len(c.served) == 0) {
		left = c.serve(c.wait.pop(), left)
	}
}

// serve gives a job what it can use of left and returns the rest.
func (c *capped) serve(e entry, left dd) dd {
	s := service{entry: e, rate: left}
	if k := c.r.cap(e.id); k <= left.hi && !left.less(dd{hi: k}) {
		s.rate = dd{hi: k}
	}
	if c.r.jobs[e.id].Size == 0 {
		s.rate = dd{} // its turn
	}
	c.served = append(c.served, s)
	return left.sub(s.rate)
}

func (c *capped) rateFSP(left dd) {
	fresh := c.fresh
	c.fresh = false
	if fresh && (c.plan.stale || c.fsp.ByWork) && left.hi > 0 {
		c.plan.begin(c.now, left)
	}
	c.served = c.served[:0]
	slots, k := left, 0
	switch c.fsp.Late {
	case First:
		for _, id := range c.first {
			if left.hi > 0 {
				left = c.serve(entry{id: id}, left)
			}
		}
	case LeastAttained:
		left = c.blocks.rates(left)
	default:
		if c.fsp.Late == Next && slots.hi > 0 {
			k = c.pair(slots)
		}
		left = c.real.rates(left)
	}
	for ; left.hi > 0; k++ {
		id := c.plan.job(k, slots)
		if id < 0 {
			break
		}
		left = c.serve(entry{id: id}, left)
	}
}

// pair lets the first on-time job share with the late ones, if there are any; it returns how many on-time jobs do.
func (c *capped) pair(slots dd) int {
	var id int32 = -1
	if c.nLate > 0 {
		id = c.plan.job(0, slots)
	}
	if id != c.mate {
		if c.mate >= 0 {
			c.unmate()
		}
		if id >= 0 {
			c.real.join(id, c.r.rem[id])
			c.mate = id
		}
	}
	if id >= 0 {
		return 1
	}
	return 0
}
