package fluid

// clock is the virtual time of a weighted processor-sharing server: while jobs of total weight w
// are there, v grows by du/w when the work clock grows by du, and every job gets weight*dv. A job
// that joins with work x has the key v + x/weight, which never changes, and leaves when v reaches
// it.
type clock struct {
	v    dd // virtual time at work clock at
	at   dd
	w    dd
	peak float64 // the largest w since it was last summed afresh
	n    int
}

// sync moves the clock to u.
func (c *clock) sync(u dd) {
	if c.n > 0 {
		c.v = c.v.add(u.sub(c.at).div(c.w))
	}
	c.at = u
}

// join adds a job of work x at work clock u and returns its key.
func (c *clock) join(u, x dd, weight float64) dd {
	c.sync(u)
	c.n++
	c.w = c.w.plus(weight)
	c.peak = max(c.peak, c.w.hi)
	if weight != 1 {
		x = x.over(weight)
	}
	return c.v.add(x)
}

// leave removes a job at work clock u, where the virtual time is v; an empty clock starts anew at
// 0. It tells whether so much of w has cancelled that the caller must sum the weights afresh.
func (c *clock) leave(u, v dd, weight float64) (resum bool) {
	c.n--
	if c.n == 0 {
		*c = clock{at: u}
		return false
	}
	c.at, c.v = u, v
	c.w = c.w.plus(-weight)
	return c.w.hi < 0x1p-40*c.peak
}

// when is the work clock at which v will be key if nobody joins or leaves.
func (c *clock) when(key dd) dd { return c.at.add(key.sub(c.v).mul(c.w)) }

// after tells that v reaches key later than the work clock reaches u by more than any rounding:
// nearly always a float64 decides.
func (c *clock) after(key, u dd) bool {
	const rounding = 0x1p-48
	return c.at.hi+float64((key.hi-c.v.hi)*c.w.hi)-u.hi > rounding*(c.at.hi+float64(key.hi*c.w.hi))
}

// blur is how near the work clock at key must come to u to be taken for it: u is known to the 80
// bits of tie, and the virtual time to some more, as its errors are multiplied by w.
func (c *clock) blur(key, u dd) float64 {
	return float64(tie*u.hi) + float64(fine*key.hi*c.w.hi)
}

// resum sums the weights of the jobs in the queues afresh, and of the job mate if there is one.
func (r *Runner) resum(c *clock, mate int32, queues ...heap) {
	c.w = dd{}
	if mate >= 0 {
		c.w = dd{hi: r.weight(mate)}
	}
	for _, q := range queues {
		for _, e := range q {
			c.w = c.w.plus(r.weight(e.id))
		}
	}
	c.peak = c.w.hi
}
