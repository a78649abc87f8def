package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// queue holds jobs in one order: a group's jobs by tag, or the late jobs by the instant of becoming
// late. It is two heaps, so that the first job and the first job to serve are both at hand.
type queue struct {
	ready  heap.Heap // jobs to serve
	passed heap.Heap // jobs that First passes over: completed or not ready
}

func (q *queue) len() int { return q.ready.Len() + q.passed.Len() }

// half returns one of the two heaps.
func (q *queue) half(passed bool) *heap.Heap {
	if passed {
		return &q.passed
	}
	return &q.ready
}

// jobTies orders jobs in one heap whose keys are equal: those of a group by the lower halves of
// their tags, then all by the order of Add.
type jobTies[K comparable] Cluster[K]

func (t *jobTies[K]) Before(a, b int32) bool {
	x, y := &t.jobs[a], &t.jobs[b]
	if x.state != Late && x.tag.Lo != y.tag.Lo {
		return x.tag.Lo < y.tag.Lo
	}
	return x.added < y.added
}

// push puts job i into q.
func (c *Cluster[K]) push(q *queue, i int32, key float64) {
	q.half(c.jobs[i].passed()).Push(heap.Entry{Key: key, ID: i}, c.pos, (*jobTies[K])(c))
}

// pull takes job i out of q and returns its key there.
func (c *Cluster[K]) pull(q *queue, i int32) (key float64) {
	h := q.half(c.jobs[i].passed())
	key = h.Key(c.pos[i])
	h.Remove(c.pos[i], c.pos, (*jobTies[K])(c))
	return key
}

// first returns the first job of q, to serve or not; there is one.
func (c *Cluster[K]) first(q *queue) int32 {
	switch {
	case q.passed.Len() == 0:
		return q.ready.ID(0)
	case q.ready.Len() == 0:
		return q.passed.ID(0)
	}
	a, b := q.ready.At(0), q.passed.At(0)
	if a.Key < b.Key || a.Key == b.Key && (*jobTies[K])(c).Before(a.ID, b.ID) {
		return a.ID
	}
	return b.ID
}

// demand sums up jobs of the virtual system.
type demand struct {
	slots        exact.Sum // caps of the jobs that have one
	weight       exact.Sum
	passedWeight exact.Sum // weights of the jobs that First passes over
}

// group holds the jobs of one ratio Slots/Weight, which age alike: its clock, in work for each unit
// of weight, runs at min(ratio, level). The clock reads water + offset while the group is open, and
// ratio clock + offset while it is capped, so that groups need no update as time passes.
type group struct {
	queue
	demand
	ratio  float64
	offset dd.T
	// nextLo: lower half of when its first job finishes, on its side's clock; the upper half
	// is its key in side.finish
	nextLo float64
	capped bool
}

// now returns the clock of g.
func (c *Cluster[K]) now(g *group) dd.T {
	if g.capped {
		return c.clock.Mul(g.ratio).Add(g.offset)
	}
	return c.water.Add(g.offset)
}

// left returns the virtual work that a job in the virtual system has left, at most its size and at
// least 2^-104 of that. Only late jobs have no work left, but rounding can take a clock past a tag
// by its last bit before the job is seen to finish.
func (c *Cluster[K]) left(j *job[K]) dd.T {
	left := j.tag.Sub(c.now(&c.groups[j.group])).Mul(j.weight)
	if least := j.size * 0x1p-104; !(left.Hi >= least) {
		return dd.Of(least)
	}
	if left.Cmp(dd.Of(j.size)) > 0 {
		return dd.Of(j.size)
	}
	return left
}

// when returns the reading of the water (open) or of the real clock (capped) at which the clock of
// g reads tag.
func (g *group) when(tag dd.T) dd.T {
	t := tag.Sub(g.offset)
	if g.capped {
		t = t.Div(g.ratio)
	}
	return t
}

// enter puts job i, which is in no heap, into the virtual system with the given work left. The
// caller calls settle.
func (c *Cluster[K]) enter(i int32, left dd.T) {
	j := &c.jobs[i]
	ratio := j.slots / j.weight
	id, ok := c.ratios[ratio]
	if !ok {
		id = c.newGroup(ratio)
	}
	j.group = id
	j.tag = c.now(&c.groups[id]).Add(left.Div(j.weight))
	c.countWeight(j.weight)
	c.join(i)
}

// join puts job i, which has its group and its tag, into the group.
func (c *Cluster[K]) join(i int32) {
	j := &c.jobs[i]
	g := &c.groups[j.group]
	c.push(&g.queue, i, j.tag.Hi)
	c.tally(j, (*exact.Sum).Add, 1)
	switch {
	case g.len() == 1:
		c.place(j.group)
	case c.first(&g.queue) == i:
		c.refresh(j.group)
	}
}

// part is the inverse of join. A group without jobs is in no heap.
func (c *Cluster[K]) part(i int32) {
	j := &c.jobs[i]
	g := &c.groups[j.group]
	first := c.first(&g.queue) == i
	c.pull(&g.queue, i)
	c.tally(j, (*exact.Sum).Sub, -1)
	switch {
	case g.len() == 0:
		c.displace(j.group)
	case first:
		c.refresh(j.group)
	}
}

// leave takes job i out of the virtual system. The caller calls settle.
func (c *Cluster[K]) leave(i int32) {
	c.part(i)
	if id := c.jobs[i].group; c.groups[id].len() == 0 {
		delete(c.ratios, c.groups[id].ratio)
		c.freeGroups = append(c.freeGroups, id)
	}
}

// tally adds j to the sums of its group and side and to the numbers of jobs (change is Add, n is
// 1), or subtracts it (Sub, -1).
func (c *Cluster[K]) tally(j *job[K], change func(*exact.Sum, float64), n int) {
	g := &c.groups[j.group]
	for _, d := range [2]*demand{&g.demand, &c.side(g).demand} {
		change(&d.weight, j.weight)
		if j.slots < math.Inf(1) {
			change(&d.slots, j.slots)
		}
		if j.passed() {
			change(&d.passedWeight, j.weight)
		}
	}
	if j.state == OnTime {
		c.onTime += n
		if j.notReady {
			c.notReady += n
		}
	}
}

// restate changes whether job i is completed and whether it is ready. Neither changes its finish.
func (c *Cluster[K]) restate(i int32, s State, notReady bool) {
	j := &c.jobs[i]
	q := &c.late
	if j.state != Late {
		q = &c.groups[j.group].queue
		c.tally(j, (*exact.Sum).Sub, -1)
	}
	key := c.pull(q, i)
	j.state, j.notReady = s, notReady
	c.push(q, i, key)
	if j.state != Late {
		c.tally(j, (*exact.Sum).Add, 1)
	}
}

// newGroup returns a group without jobs for a ratio that has none yet. The group is capped if its
// ratio is below that of some capped group, so that the capped groups remain those of the least
// ratios.
func (c *Cluster[K]) newGroup(ratio float64) (id int32) {
	if n := len(c.freeGroups); n > 0 {
		id = c.freeGroups[n-1]
		c.freeGroups = c.freeGroups[:n-1]
	} else {
		id = int32(len(c.groups))
		c.groups = append(c.groups, group{})
		c.finishPos, c.ratioPos = append(c.finishPos, 0), append(c.ratioPos, 0)
	}
	g := &c.groups[id]
	g.ratio, g.capped, g.offset = ratio, false, dd.T{}
	if c.capped.ratio.Len() > 0 && ratio < -c.capped.ratio.Key(0) {
		g.capped = true
		g.offset = c.clock.Mul(ratio).Neg() // the group's clock starts at 0
	}
	c.ratios[ratio] = id
	return id
}
