package fluid

import "math"

// clock is the virtual time of a weighted processor-sharing server: while jobs of total weight w are there, v grows by
// du/w when the work clock grows by du, and every job gets weight*dv. A job that joins with work x has the key v + x/weight,
// which never changes, and leaves when v reaches it.
type clock struct {
	v    dd // virtual time at work clock at
	at   dd
	w    dd
	inv  float64 // 1/w, rounded
	peak float64 // the largest w since it was last summed afresh
	n    int
	unit bool // every weight is 1
}

// sync moves the clock to u.
func (c *clock) sync(u dd) {
	if c.n > 0 {
		d := u.past(c.at)
		if c.w.lo != 0 {
			d = d.div(c.w)
		} else {
			// The product with inv is off by two bits at most, which leaves the remainder exact.
			q := float64(d.hi * c.inv)
			d = dd{q, float64((math.FMA(-q, c.w.hi, d.hi) + d.lo) * c.inv)}
		}
		c.v = c.v.add(d)
	}
	c.at = u
}

// join adds a job of work x at work clock u and returns its key.
func (c *clock) join(u, x dd, weight float64) dd {
	if !c.unit {
		c.sync(u)
		c.n++
		c.w = c.w.plus(weight)
		c.inv = 1 / c.w.hi
		c.peak = max(c.peak, c.w.hi)
		return c.v.add(x.over(weight))
	}
	v := c.v
	if c.n > 0 { // as sync, but the key need not wait for the last step of v
		d := u.past(c.at)
		q := float64(d.hi * c.inv)
		v = v.sum(dd{q, float64((math.FMA(-q, c.w.hi, d.hi) + d.lo) * c.inv)})
		c.v = quickTwoSum(v.hi, v.lo)
	}
	c.at = u
	c.n++
	c.w.hi = float64(c.n)
	c.inv = 1 / c.w.hi
	return v.add(x)
}

// leave removes a job at work clock u, where the virtual time is v; an empty clock starts anew at 0. It tells whether so
// much of w has cancelled that the caller must sum the weights afresh.
func (c *clock) leave(u, v dd, weight float64) (resum bool) {
	c.n--
	if c.n == 0 {
		*c = clock{at: u, unit: c.unit}
		return false
	}
	c.at, c.v = u, v
	if c.unit {
		c.w.hi = float64(c.n)
		c.inv = 1 / c.w.hi
		return false
	}
	c.w = c.w.plus(-weight)
	c.inv = 1 / c.w.hi
	return c.w.hi < 0x1p-40*c.peak
}

// when is the work clock at which v will be key if nobody joins or leaves.
func (c *clock) when(key dd) dd {
	d := key.past(c.v)
	p := float64(d.hi * c.w.hi)
	return c.at.add(dd{p, math.FMA(d.hi, c.w.hi, -p) + (float64(d.hi*c.w.lo) + float64(d.lo*c.w.hi))})
}

// gap is by how much the work clock at key is later than u, rounded; what it says of the order is certain beyond slack.
func (c *clock) gap(key, u dd) (d, slack float64) {
	t := c.at.hi + float64(key.minus(c.v)*c.w.hi)
	return t - u.hi, 0x1p-48 * (c.at.hi + float64(key.hi*c.w.hi))
}

// first tells whether v reaches key before the work clock reaches u, where instants that cannot be told apart decide for yes if
// sign is 1 and for no if it is -1. Nearly always a float64 decides.
func (c *clock) first(key, u dd, sign float64) bool {
	if d, slack := c.gap(key, u); d > slack || d < -slack {
		return d < 0
	}
	return c.when(key).minus(u) <= sign*c.blur(key, u)
}

// blur is how near the work clock at key must come to u to be taken for it: u is known to the 80 bits of tie, and the virtual time to
// some more, as its errors are multiplied by w.
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
	c.inv, c.peak = 1/c.w.hi, c.w.hi
}

// weight is the weight of job id.
func (r *Runner) weight(id int32) float64 {
	if !r.unit { // spares a cache miss
		if w := r.jobs[id].Weight; w != 0 {
			return w
		}
	}
	return 1
}
