package fluid

// stage is where a job stands in the projection.
type stage uint8

const (
	open    stage = iota // below its cap
	limited              // at its cap
	gone                 // finished
)

// project gives every job of the virtual system as its key the time at which it finishes there if
// nothing else happens; share has sorted the jobs by Slots/weight.
//
// As jobs only leave, the level of the max-min share only rises: a job that reaches its cap stays
// there, and its finish is known from then on. The other jobs finish in the order of their work
// left by weight. O(m log m).
func (c *capped) project() {
	c.open, c.limit = c.open[:0], c.limit[:0]
	var weight dd // of the open jobs
	for _, id := range c.virt {
		j := &c.jobs[id]
		j.stage = open
		c.open.push(entry{j.left(virtual).over(j.weight[virtual]), id})
		weight = weight.plus(j.weight[virtual])
	}
	opened := len(c.virt)
	peak := weight.hi
	drop := func(j *present, to stage) {
		j.stage = to
		opened--
		if weight = weight.plus(-j.weight[virtual]); weight.hi >= 0x1p-40*peak {
			return
		}
		weight = dd{} // too much has cancelled
		for _, id := range c.virt {
			if c.jobs[id].stage == open {
				weight = weight.plus(c.jobs[id].weight[virtual])
			}
		}
		peak = weight.hi
	}

	free := c.slots // for the open jobs
	then := c.now
	var v dd // work done per unit of weight, of the open jobs
	next := 0
	for left := len(c.virt); left > 0; left-- {
		for ; next < len(c.virt) && opened > 0; next++ { // who is at the cap now
			j := &c.jobs[c.virt[next]]
			if j.stage != open {
				continue
			}
			if j.ratio[virtual] == far || free.less(j.ratio[virtual].mul(weight)) {
				break
			}
			work := j.left(virtual).sub(v.scale(j.weight[virtual]))
			c.limit.push(entry{then.add(work.over(j.cap)), c.virt[next]})
			free = free.plus(-j.cap)
			drop(j, limited)
		}
		for len(c.open) > 0 && c.jobs[c.open.min().id].stage != open {
			c.open.pop()
		}
		end := far
		if opened > 0 && free.hi > 0 {
			end = then.add(c.open.min().key.sub(v).mul(weight).div(free))
		}
		if len(c.limit) > 0 && !end.less(c.limit.min().key) {
			e := c.limit.pop()
			if opened > 0 && free.hi > 0 {
				v = v.add(e.key.sub(then).mul(free).div(weight))
			}
			then = e.key
			c.jobs[e.id].key, c.jobs[e.id].stage = then, gone
			free = free.plus(c.jobs[e.id].cap)
			if len(c.limit) == 0 {
				free = c.slots
			}
			continue
		}
		e := c.open.pop()
		v, then = e.key, end
		c.jobs[e.id].key = then
		drop(&c.jobs[e.id], gone)
	}
}
