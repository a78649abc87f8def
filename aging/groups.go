package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// group holds the jobs of one ratio Slots/Weight, which age alike: its clock, in work for each unit of weight, runs at
// min(ratio, level). It reads water + offset while the group is open, and ratio clock + offset while it is capped, so
// that groups need no update as time passes.
type group struct {
	ratio  float64
	offset dd.T
	nextLo float64 // lower half of when its first job finishes: on water if open, on clock if capped. The upper is its key in its shelf
	jobs   int32   // its only job; or, once they were several, the complement of the index of its crowd
	shelf  uint16  // in its side
	capped bool
}

// nobody is group.jobs of a group that holds no job yet.
const nobody = math.MinInt32

// crowd is the part of a group that only a group of several jobs needs.
type crowd struct {
	slots, weight exact.Sum
	passedWeight  exact.Sum // of the jobs in passed
	waiting       heap.Heap // on time and ready, by tag
	passed        heap.Heap // completed or not ready, by tag
	next          int32     // in the list of spares
}

// spares are lists of elements of groups (linked by jobs) and crowds (by next) to use again; -1: none.
type spares struct{ group, crowd int32 }

// jobTies orders jobs in one heap whose tags have equal upper halves by the lower halves, and jobs of equal tags, or late
// since the same instant, by key.
type jobTies[K comparable] Cluster[K]

func (t *jobTies[K]) Before(a, b int32) bool {
	x, y := &t.jobs[a], &t.jobs[b]
	if x.state != late && x.tag.Lo != y.tag.Lo {
		return x.tag.Lo < y.tag.Lo
	}
	return x.seq < y.seq
}

// heap returns one of the two heaps.
func (m *crowd) heap(passed bool) *heap.Heap {
	if passed {
		return &m.passed
	}
	return &m.waiting
}

// passed reports whether a job of the virtual system is none to serve.
func (j *job[K]) passed() bool { return j.busy || j.state == completed }

// crowdOf returns where the jobs of g are, or nil if it has but one.
func (c *Cluster[K]) crowdOf(g *group) *crowd {
	if g.jobs >= 0 {
		return nil
	}
	return &c.crowds[^g.jobs]
}

// first returns the job of g that finishes first, completed or not.
func (c *Cluster[K]) first(g *group) int32 {
	m := c.crowdOf(g)
	switch {
	case m == nil:
		return g.jobs
	case m.passed.Len() == 0:
		return m.waiting.ID(0)
	case m.waiting.Len() == 0:
		return m.passed.ID(0)
	}
	a, b := m.waiting.At(0), m.passed.At(0)
	if a.Key < b.Key || a.Key == b.Key && (*jobTies[K])(c).Before(a.ID, b.ID) {
		return a.ID
	}
	return b.ID
}

// now returns the clock of g.
func (c *Cluster[K]) now(g *group) dd.T {
	if g.capped {
		return c.clock.Mul(g.ratio).Add(g.offset)
	}
	return c.water.Add(g.offset)
}

// left returns the virtual work that a job of a group has left: at most its size, and never nothing, since a clock may pass a tag
// by its last bit before the job is seen to finish, and only late jobs have no work left.
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

// when returns the reading of the water (open) or of the real clock (capped) at which the clock of g reads tag.
func (g *group) when(tag dd.T) dd.T {
	t := tag.Sub(g.offset)
	if g.capped {
		t = t.Div(g.ratio)
	}
	return t
}

// enter puts job i, in no heap now, into the virtual system with the given work left. The caller settles.
func (c *Cluster[K]) enter(i int32, left dd.T) {
	j := &c.jobs[i]
	ratio := j.slots / j.weight
	id, spot, exists := c.groupOf(ratio)
	if !exists {
		id = c.newGroup(ratio, spot)
	}
	g := &c.groups[id]
	j.group, j.epoch, j.astray = id, c.epoch, false
	j.tag = c.now(g).Add(left.Div(j.weight))
	c.count(j, g)
	c.join(g, i)
	switch {
	case !exists:
		c.place(id)
	case c.first(g) == i:
		c.refresh(id)
	}
}

// count adds j, which is in g, to the totals.
func (c *Cluster[K]) count(j *job[K], g *group) {
	if g.capped {
		c.slots.Add(j.slots)
	} else {
		c.weight.Add(j.weight)
		c.openJobs++
		if j.passed() {
			c.passed.Add(j.weight)
		}
	}
	c.number(j, 1)
	if j.slots < math.Inf(1) {
		c.limited++
	}
	c.entered++
	c.bound(j)
}

// number adds n to the numbers of jobs like j.
func (c *Cluster[K]) number(j *job[K], n int) {
	switch {
	case j.state == completed:
		c.early += n
	case j.busy:
		c.busy += n
		fallthrough
	default:
		c.onTime += n
	}
}

// bound lowers the bound on weights to take in j.
func (c *Cluster[K]) bound(j *job[K]) {
	c.minWeight = min(c.minWeight, j.weight)
}

// leave takes job i out of the virtual system. The caller settles.
func (c *Cluster[K]) leave(i int32) {
	j := &c.jobs[i]
	id := j.group
	g := &c.groups[id]
	if g.capped {
		c.slots.Sub(j.slots)
	} else {
		c.weight.Sub(j.weight)
		c.openJobs--
		if j.passed() {
			c.passed.Sub(j.weight)
		}
	}
	c.number(j, -1)
	if j.slots < math.Inf(1) {
		c.limited--
	}
	m := c.crowdOf(g)
	first, empty := c.first(g) == i, m == nil
	if !empty {
		m.heap(j.passed()).Remove(c.pos[i], c.pos, (*jobTies[K])(c))
		m.weight.Sub(j.weight)
		if j.passed() {
			m.passedWeight.Sub(j.weight)
		}
		if j.slots < math.Inf(1) {
			m.slots.Sub(j.slots)
		}
		empty = m.waiting.Len()+m.passed.Len() == 0
	}
	switch {
	case empty:
		c.dropGroup(id)
	case first:
		c.refresh(id)
	}
}

// newGroup returns a group for the ratio, not yet in any heap. Its side keeps the capped groups a prefix by ratio.
func (c *Cluster[K]) newGroup(ratio float64, s spot) int32 {
	id := c.spare.group
	if id >= 0 {
		c.spare.group = c.groups[id].jobs
	} else {
		id = int32(len(c.groups))
		c.groups = grow(c.groups)
		c.finishPos, c.ratioPos = grow(c.finishPos), grow(c.ratioPos)
	}
	g := group{ratio: ratio, jobs: nobody}
	if c.capped.ratio.Len() > 0 && ratio < -c.capped.ratio.Key(0) {
		g.capped = true
		g.offset = c.clock.Mul(ratio).Neg() // the group's clock starts at 0
	}
	c.groups[id] = g
	c.ratios.insert(id, s)
	return id
}

// grow returns s with one more element. It takes an eighth more room when there is none, where append would take a quarter:
// these are the arrays that a cluster of many jobs consists of.
func grow[T any](s []T) []T {
	if len(s) == cap(s) {
		s = append(make([]T, 0, len(s)+len(s)/8+8), s...)
	}
	return s[:len(s)+1]
}

// dropGroup forgets a group whose last job has left.
func (c *Cluster[K]) dropGroup(id int32) {
	g := &c.groups[id]
	c.readPlace(g.ratio, 1)
	c.displace(id)
	_, spot, _ := c.groupOf(g.ratio)
	c.ratios.remove(spot.at)
	if g.jobs < 0 {
		c.crowdOf(g).next = c.spare.crowd
		c.spare.crowd = ^g.jobs
	}
	g.jobs = c.spare.group
	c.spare.group = id
}

// join adds job i to g, whose second job needs room for several.
func (c *Cluster[K]) join(g *group, i int32) {
	if g.jobs == nobody {
		g.jobs = i
		return
	}
	if g.jobs >= 0 {
		first := g.jobs
		w := c.spare.crowd
		if w >= 0 {
			c.spare.crowd = c.crowds[w].next
		} else {
			w = int32(len(c.crowds))
			c.crowds = append(c.crowds, crowd{})
		}
		g.jobs = ^w
		c.join(g, first)
	}
	m, j := c.crowdOf(g), &c.jobs[i]
	m.weight.Add(j.weight)
	if j.passed() {
		m.passedWeight.Add(j.weight)
	}
	if j.slots < math.Inf(1) {
		m.slots.Add(j.slots)
	}
	m.heap(j.passed()).Push(heap.Entry{Key: j.tag.Hi, ID: i}, c.pos, (*jobTies[K])(c))
}
