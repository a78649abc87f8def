package fluid

import "slices"

// plan lists the on-time jobs in the order of service of FSP with caps, as far as anybody asks.
//
// By virtual finish, it runs the virtual system ahead as if nobody else arrived and lists jobs as they finish there. The list
// stays right until an arrival or a step, so that a run ahead costs O(g) per job listed, g the groups present, and
// is made anew at these events only. By virtual work, it picks the least of the heads of the classes, O(c) per job listed, c
// the classes present, anew at every event.
type plan struct {
	r     *Runner
	v     *water
	ready []int32 // listed, neither done nor late
	stale bool

	pools []pool  // the virtual system run ahead
	then  dd      // to this time
	batch []int32 // jobs that finish at this time, decreasing

	byWork bool
	class  ranks   // on-time jobs by class
	open   []int32 // classes that may have jobs, increasing
	heads  []int32 // by open, the next job to list
}

func (p *plan) reset(r *Runner, v *water, byWork bool) {
	p.r, p.v, p.byWork = r, v, byWork
	p.ready, p.pools, p.batch, p.open, p.heads = p.ready[:0], p.pools[:0], p.batch[:0], p.open[:0], p.heads[:0]
	p.stale = true
	if byWork {
		p.class.reset(len(r.jobs), len(r.capped.kinds.weight))
	}
}

// add tells of an on-time job that has joined the virtual system.
func (p *plan) add(id int32) {
	if !p.byWork {
		return
	}
	c := p.r.capped.kinds.of[id]
	p.class.insert(c, entry{p.v.list.keys[id], id})
	if i, ok := slices.BinarySearch(p.open, c); !ok {
		p.open = slices.Insert(p.open, i, c)
	}
}

// remove tells of a job that is done or late.
func (p *plan) remove(id int32) {
	if i := slices.Index(p.ready, id); i >= 0 {
		p.ready = slices.Delete(p.ready, i, i+1)
	}
	if p.byWork {
		c := p.r.capped.kinds.of[id]
		p.class.remove(c, id)
		if p.class.first(c) < 0 {
			i, _ := slices.BinarySearch(p.open, c)
			p.open = slices.Delete(p.open, i, i+1)
		}
	}
}

// begin starts a list afresh at time now, on so many slots.
func (p *plan) begin(now, slots dd) {
	p.ready, p.batch = p.ready[:0], p.batch[:0]
	p.stale = false
	if p.byWork {
		p.heads = p.heads[:0]
		for _, c := range p.open {
			p.heads = append(p.heads, p.class.first(c))
		}
		return
	}
	p.pools = append(p.pools[:0], p.v.pools...)
	p.then = now
	p.v.share(p.pools, slots)
}

// job is the k-th on-time job in order, -1 if there are no more.
func (p *plan) job(k int, slots dd) int32 {
	for k >= len(p.ready) {
		id := p.pick(slots)
		if id < 0 {
			return -1
		}
		if p.r.capped.onTime[id] {
			p.ready = append(p.ready, id)
		}
	}
	return p.ready[k]
}

func (p *plan) pick(slots dd) int32 {
	if p.byWork {
		return p.least()
	}
	if len(p.batch) == 0 && !p.ahead(slots) {
		return -1
	}
	id := p.batch[len(p.batch)-1]
	p.batch = p.batch[:len(p.batch)-1]
	return id
}

// least takes the job of least virtual work left among the heads of the classes.
func (p *plan) least() int32 {
	best := -1
	var work dd
	var slack float64
	for i, id := range p.heads {
		if id < 0 {
			continue
		}
		g, _ := p.v.find(p.r.capped.kinds.group[p.r.capped.kinds.of[id]])
		left := p.v.left(&p.v.pools[g], id)
		// The work left carries the rounding of the key that it comes from, and is known to 80 bits of that.
		err := tie * p.v.list.keys[id].hi * p.r.weight(id)
		d := left.minus(work)
		if best < 0 || d < -max(err, slack) || d <= max(err, slack) && id < p.heads[best] {
			best, work, slack = i, left, err
		}
	}
	if best < 0 {
		return -1
	}
	id := p.heads[best]
	p.heads[best] = p.class.after(id)
	return id
}

// ahead runs the virtual system to its next finish.
func (p *plan) ahead(slots dd) bool {
	best := far
	for i := range p.pools {
		q := &p.pools[i]
		if q.n == 0 || q.rate.hi == 0 {
			continue
		}
		if d := p.v.list.keys[q.next].sub(q.v).div(q.rate); d.less(best) {
			best = d
		}
	}
	if best == far {
		return false
	}
	if best.hi < 0 {
		best = dd{}
	}
	p.then = p.then.add(best)
	for i := range p.pools {
		q := &p.pools[i]
		q.v = q.v.add(q.rate.mul(best))
		for q.n > 0 && q.reached(p.v.list.keys[q.next], p.then) {
			id := q.next
			p.batch = append(p.batch, id)
			q.next = p.v.list.after(id)
			q.drop(p.v, id)
		}
	}
	slices.SortFunc(p.batch, func(a, b int32) int { return int(b - a) })
	p.v.share(p.pools, slots)
	return true
}
