package fluid

import (
	"math"
	"slices"
)

// The systems in which a job is served: reality, and FSP's virtual system.
const (
	real = iota
	virtual
)

// present is a job of a capped run, with what it has and gets in each system.
type present struct {
	total  [2]float64 // its work: Size and Estimate
	served [2]dd      // work done
	rate   [2]dd      // slots it gets until the next event
	weight [2]float64 // its share; 1 in reality where attained service decides
	ratio  [2]dd      // Slots/weight, far without a cap
	cap    float64
	key    dd    // of the order of service
	stage  stage // in the projection of the virtual system
}

func (j *present) left(s int) dd { return dd{hi: j.total[s]}.sub(j.served[s]) }

// capped is a run in which caps bind, or in which FSP orders by virtual work with unequal weights.
// It follows the definitions of the policies: at every event it goes through the jobs present,
// gives each its rate, and moves on to the next event. An event costs O(m log m), m the number of
// jobs present.
type capped struct {
	*cappedState
	plan
	r     *Runner
	steps []Step
	step  int // next step

	now   dd // time from the start of the busy period
	slots dd
	most  float64 // largest capacity

	// What happened since the order of service was decided. Completions do not change the order by
	// virtual finish.
	completed, changed bool // a completion in either system; an arrival or a step
}

// cappedState is the memory of capped runs.
type cappedState struct {
	jobs  []present // indexed like Runner.jobs
	order []int32   // jobs to be served in this order, under FSP those on time
	late  []int32   // FSP: late jobs, in the order of becoming late until a rule sorts them
	virt  []int32   // FSP: jobs in the virtual system

	newly       []int32 // FSP: jobs that become late at this instant
	group       []int32 // LateNext: jobs that share
	above       []dd    // share: sums of weights
	open, limit heap    // project: jobs below and at their caps
}

// binds tells whether caps or virtual work make a difference, so that the run is not that of a
// server.
func (r *Runner) binds(slots float64, o Options, byWork bool) bool {
	for _, s := range o.Capacity {
		slots = max(slots, s.Slots)
	}
	return r.least < slots || byWork && !r.equal
}

func (r *Runner) runCapped(p Policy, slots float64, steps []Step) {
	c := capped{cappedState: &r.capped, plan: planOf(p), r: r, steps: steps, slots: dd{hi: slots}, most: slots}
	for _, s := range steps {
		c.most = max(c.most, s.Slots)
	}
	c.jobs = slices.Grow(c.jobs[:0], len(r.jobs))[:len(r.jobs)]
	c.order, c.late, c.virt, c.newly = c.order[:0], c.late[:0], c.virt[:0], c.newly[:0]
	for i := range r.finish {
		r.finish[i] = math.Inf(1)
	}
	for i := range r.virtual {
		r.virtual[i] = math.Inf(1)
	}
	for {
		if r.live == 0 && len(c.virt) == 0 {
			id := r.arrival()
			if id < 0 {
				return
			}
			r.rebase(r.jobs[id].Arrival) // a busy period begins
			c.now = dd{}
		}
		c.settle()
		c.rates()
		if !c.pass() {
			r.unfinished = r.live // the capacity is 0 for good
			return
		}
	}
}

// settle carries out what happens now: completions, virtual completions, steps and arrivals.
func (c *capped) settle() {
	r := c.r
	c.order, c.late = c.complete(c.order), c.complete(c.late)
	c.meet()
	c.virt = slices.DeleteFunc(c.virt, func(id int32) bool {
		if !c.reached(&c.jobs[id], virtual) {
			return false
		}
		c.completed = true
		r.virtuallyDone(id, c.now)
		if i := slices.Index(c.order, id); i >= 0 {
			c.order = slices.Delete(c.order, i, i+1)
			c.newly = append(c.newly, id)
		}
		return true
	})
	for c.step < len(c.steps) && !c.now.less(twoSum(c.steps[c.step].Time, -r.line.base)) {
		c.slots = dd{hi: c.steps[c.step].Slots}
		c.step++
		c.changed = true
	}
	for id := r.arrival(); id >= 0 && !c.now.less(twoSum(r.jobs[id].Arrival, -r.line.base)); id = r.arrival() {
		c.arrive(id)
	}
	slices.Sort(c.newly)
	c.late = append(c.late, c.newly...)
	c.newly = c.newly[:0]
	if r.turn {
		c.turns()
	}
}

// complete ends the jobs of the list that are done now.
func (c *capped) complete(ids []int32) []int32 {
	return slices.DeleteFunc(ids, func(id int32) bool {
		j := &c.jobs[id]
		// A job of size 0 is here to wait for its turn.
		if j.total[real] == 0 || !c.reached(j, real) {
			return false
		}
		c.completed = true
		c.r.doneAt(id, c.now)
		return true
	})
}

// reached tells whether j is done in system s, but for the rounding of the time and of its work.
func (c *capped) reached(j *present, s int) bool {
	return j.left(s).hi <= float64(tie*c.now.hi*j.rate[s].hi)+float64(fine*j.total[s])
}

func (c *capped) arrive(id int32) {
	r := c.r
	c.changed = true
	there := r.enter(id)
	in, w := &r.jobs[id], r.weight(id)
	j := &c.jobs[id]
	*j = present{total: [2]float64{in.Size, in.Estimate}, weight: [2]float64{w, w}, cap: r.cap(id)}
	if c.rule == LateLeastAttained {
		j.weight[real] = 1
	}
	for s := range j.ratio {
		j.ratio[s] = far
		if !math.IsInf(j.cap, 1) {
			j.ratio[s] = ratio(j.cap, j.weight[s])
		}
	}
	if c.virtual() && in.Estimate > 0 {
		c.virt = append(c.virt, id)
	}
	switch late := r.lateAtOnce(id, c.plan); {
	case !there:
	case late:
		c.newly = append(c.newly, id)
	default:
		c.order = append(c.order, id)
	}
}

// turns ends the jobs of size 0 whose turn has come, under FIFO.
func (c *capped) turns() {
	left, first := c.slots, true
	c.late = slices.DeleteFunc(c.late, func(id int32) bool {
		j := &c.jobs[id]
		if j.total[real] > 0 {
			left, first = j.take(left), false
			return false
		}
		if !first && left.hi <= 0 {
			return false
		}
		c.r.doneAt(id, c.now)
		return true
	})
}

// ranked lists the jobs served by attained service, in this order.
func (c *capped) ranked() []int32 {
	if c.rule == LateLeastAttained {
		return c.late
	}
	return nil
}

// meet makes equal the levels of attained service that differ by rounding alone.
func (c *capped) meet() {
	ids := c.ranked()
	for i := len(ids) - 2; i >= 0; i-- {
		j, above := &c.jobs[ids[i]], c.jobs[ids[i+1]].served[real]
		if above.minus(j.served[real]) <= float64(tie*c.now.hi*j.rate[real].hi)+float64(fine*above.hi) {
			j.served[real] = above
		}
	}
}

// pass moves on to the next instant at which something happens; false: nothing ever does.
func (c *capped) pass() bool {
	r := c.r
	dt := far
	for k, ids := range [...][]int32{c.order, c.late, c.virt} {
		s := k / 2
		for _, id := range ids {
			if j := &c.jobs[id]; j.rate[s].hi > 0 {
				dt = dt.min(j.left(s).div(j.rate[s]))
			}
		}
	}
	for i, ids := 1, c.ranked(); i < len(ids); i++ {
		j, above := &c.jobs[ids[i-1]], &c.jobs[ids[i]]
		if j.served[real].less(above.served[real]) && above.rate[real].less(j.rate[real]) {
			dt = dt.min(above.served[real].sub(j.served[real]).div(j.rate[real].sub(above.rate[real])))
		}
	}
	if dt.hi < 0 {
		dt = dd{}
	}
	next := far
	if dt != far {
		next = c.now.add(dt)
	}
	outer := far // arrivals and steps, whose times are exact
	if id := r.arrival(); id >= 0 {
		outer = twoSum(r.jobs[id].Arrival, -r.line.base)
	}
	if c.step < len(c.steps) {
		outer = outer.min(twoSum(c.steps[c.step].Time, -r.line.base))
	}
	if outer != far && outer.minus(next) <= tie*outer.hi {
		next, dt = outer, outer.sub(c.now)
	}
	if next == far {
		return false
	}
	c.now = next
	for k, ids := range [...][]int32{c.order, c.late, c.virt} {
		s := k / 2
		for _, id := range ids {
			if j := &c.jobs[id]; j.rate[s].hi > 0 {
				j.served[s] = j.served[s].add(j.rate[s].mul(dt))
			}
		}
	}
	return true
}
