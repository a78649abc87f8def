package fluid

import (
	"cmp"
	"slices"
)

// rates gives every job its rate in both systems until the next event: the late jobs by the rule,
// those on time in their order with what is left.
func (c *capped) rates() {
	changed := c.changed || c.completed && c.key != finish
	c.changed, c.completed = false, false
	c.share(c.virt, virtual, c.slots)
	if changed && c.slots.hi > 0 {
		c.sort()
	}
	left, onTime := c.slots, c.order
	switch c.rule {
	case LateShare:
		left = c.share(c.late, real, left)
	case LateFirst:
		left = c.greedy(c.late, left)
	case LateLeastAttained:
		left = c.leastAttained(c.late, left)
	case LateNext:
		c.group = append(c.group[:0], c.late...)
		if len(c.late) > 0 && len(onTime) > 0 {
			c.group = append(c.group, onTime[0])
			onTime = onTime[1:]
		}
		left = c.share(c.group, real, left)
	}
	c.greedy(onTime, left)
}

// sort decides the order of service by keys: the estimate (SPT), what is left of it (SRPT), the
// virtual work left or the virtual finish if nothing else happens (FSP). Keys that differ by
// rounding alone are equal, and the index decides.
func (c *capped) sort() {
	rounding := float64(tie * c.most * c.now.hi)
	for _, id := range c.order {
		switch j := &c.jobs[id]; c.key {
		case estimate:
			j.key, rounding = dd{hi: j.total[virtual]}, 0
		case remaining:
			j.key = dd{hi: j.total[virtual]}.sub(j.served[real])
		case work:
			j.key = j.left(virtual)
		}
	}
	if c.key == finish {
		rounding = 0
		c.project()
	}
	slices.SortFunc(c.order, func(a, b int32) int {
		x, y := c.jobs[a].key, c.jobs[b].key
		slack := rounding + float64(tie*max(x.hi, y.hi))
		if d := x.minus(y); d < -slack || d > slack {
			return cmp.Compare(d, 0)
		}
		return cmp.Compare(a, b)
	})
}

// take gives j what it can use of left and returns the rest.
func (j *present) take(left dd) dd {
	if left.less(dd{hi: j.cap}) {
		j.rate[real] = left
		return dd{}
	}
	j.rate[real] = dd{hi: j.cap}
	return left.sub(j.rate[real])
}

// greedy gives each job in turn what it can use of left, and returns the rest.
func (c *capped) greedy(ids []int32, left dd) dd {
	for _, id := range ids {
		left = c.jobs[id].take(left)
	}
	return left
}

// share gives the jobs their weighted max-min share of left in system s, sorts them by
// Slots/weight, and returns what the caps leave over.
func (c *capped) share(ids []int32, s int, left dd) dd {
	slices.SortFunc(ids, func(a, b int32) int {
		x, y := c.jobs[a].ratio[s], c.jobs[b].ratio[s]
		return cmp.Or(cmp.Compare(x.hi, y.hi), cmp.Compare(x.lo, y.lo), cmp.Compare(a, b))
	})
	// Weight of this job and those behind it.
	c.above = slices.Grow(c.above[:0], len(ids))[:len(ids)]
	var sum dd
	for i := len(ids) - 1; i >= 0; i-- {
		sum = sum.plus(c.jobs[ids[i]].weight[s])
		c.above[i] = sum
	}
	for i, id := range ids {
		j := &c.jobs[id]
		if j.ratio[s] == far || left.less(j.ratio[s].mul(c.above[i])) {
			level := left.div(c.above[i])
			for _, id := range ids[i:] {
				j := &c.jobs[id]
				j.rate[s] = level.scale(j.weight[s])
			}
			return dd{}
		}
		j.rate[s] = dd{hi: j.cap}
		if left = left.plus(-j.cap); left.hi < 0 {
			left = dd{}
		}
	}
	return left
}

// leastAttained serves the jobs level by level of attained service, in equal shares up to the caps
// at a level, and returns the rest. It sorts them by (attained service, cap).
func (c *capped) leastAttained(ids []int32, left dd) dd {
	slices.SortFunc(ids, func(a, b int32) int {
		x, y := &c.jobs[a], &c.jobs[b]
		return cmp.Or(cmp.Compare(x.served[real].hi, y.served[real].hi), cmp.Compare(x.served[real].lo, y.served[real].lo),
			cmp.Compare(x.cap, y.cap), cmp.Compare(a, b))
	})
	for i := 0; i < len(ids); {
		k := i + 1
		for k < len(ids) && c.jobs[ids[k]].served[real] == c.jobs[ids[i]].served[real] {
			k++
		}
		left = c.share(ids[i:k], real, left)
		i = k
	}
	return left
}

// cap is the most slots that job id can use, +Inf for no limit.
func (r *Runner) cap(id int32) float64 {
	if c := r.jobs[id].Slots; c != 0 {
		return c
	}
	return far.hi
}
