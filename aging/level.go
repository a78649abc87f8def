package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// side holds the groups on one side of the water level.
type side struct {
	demand
	ratio  heap.Heap // groups by ratio. Open: least first; capped: greatest first, negated
	finish heap.Heap // groups by when their first jobs finish
}

// side returns the side on which g is.
func (c *Cluster[K]) side(g *group) *side {
	if g.capped {
		return &c.capped
	}
	return &c.open
}

// upcoming returns the earliest virtual finish among the jobs of a side that has jobs, as a reading
// of the side's clock.
func (c *Cluster[K]) upcoming(s *side) dd.T {
	e := s.finish.At(0)
	return dd.T{Hi: e.Key, Lo: c.groups[e.ID].nextLo}
}

// groupTies orders groups whose next finishes have equal upper halves: by the lower halves, then by
// the first jobs' order of Add.
type groupTies[K comparable] Cluster[K]

func (t *groupTies[K]) Before(a, b int32) bool {
	c := (*Cluster[K])(t)
	x, y := &c.groups[a], &c.groups[b]
	if x.nextLo != y.nextLo {
		return x.nextLo < y.nextLo
	}
	return c.jobs[c.first(&x.queue)].added < c.jobs[c.first(&y.queue)].added
}

// noTies is for the heaps by ratio: no two groups have the same ratio.
type noTies struct{}

func (noTies) Before(a, b int32) bool { return false }

// place puts a group into the heaps of its side. The caller updates the sums of the side.
func (c *Cluster[K]) place(id int32) {
	g := &c.groups[id]
	s := c.side(g)
	ratio := g.ratio
	if g.capped {
		ratio = -ratio
	}
	s.ratio.Push(heap.Entry{Key: ratio, ID: id}, c.ratioPos, noTies{})
	next := g.when(c.jobs[c.first(&g.queue)].tag)
	g.nextLo = next.Lo
	s.finish.Push(heap.Entry{Key: next.Hi, ID: id}, c.finishPos, (*groupTies[K])(c))
}

// displace takes a group out of the heaps of its side.
func (c *Cluster[K]) displace(id int32) {
	s := c.side(&c.groups[id])
	s.ratio.Remove(c.ratioPos[id], c.ratioPos, noTies{})
	s.finish.Remove(c.finishPos[id], c.finishPos, (*groupTies[K])(c))
}

// refresh moves a group to its new place among the finishes of its side after its first job has
// changed.
func (c *Cluster[K]) refresh(id int32) {
	g := &c.groups[id]
	next := g.when(c.jobs[c.first(&g.queue)].tag)
	g.nextLo = next.Lo
	c.side(g).finish.Fix(c.finishPos[id], next.Hi, c.finishPos, (*groupTies[K])(c))
}

// settle finds the water level, at which the groups at their caps are exactly those with ratio
// <= level. First, as long as the level is below the greatest ratio of a capped group, that group
// leaves its cap. Then, as long as the level has reached the least ratio of an open group, that
// group meets its cap. The level only rises in the second loop, so that no group need leave its cap
// again.
func (c *Cluster[K]) settle() {
	c.findLevel()
	for c.capped.ratio.Len() > 0 && !(-c.capped.ratio.Key(0) <= c.level) {
		c.cross(c.capped.ratio.ID(0))
		c.findLevel()
	}
	for c.open.ratio.Len() > 0 && c.open.ratio.Key(0) <= c.level {
		c.cross(c.open.ratio.ID(0))
		c.findLevel()
	}
	c.raiseLevel()
}

// raiseLevel makes the level at least the ratio of every capped group, as it is in exact
// arithmetic. Rounding can put it below: where a group met its cap with a ratio equal to the level,
// what the caps leave of the capacity may come out slightly too small, or below 0, and the level of
// open groups of little weight then falls by any factor.
func (c *Cluster[K]) raiseLevel() {
	if c.capped.ratio.Len() > 0 {
		c.level = max(c.level, -c.capped.ratio.Key(0))
	}
}

// findLevel sets the level for the present split into capped and open groups: 0 while the caps
// exceed the capacity, +Inf if no group is open.
func (c *Cluster[K]) findLevel() {
	switch {
	case c.open.ratio.Len() > 0:
		c.level = max(0, levelOf(c.capacity, &c.capped.slots, &c.open.weight))
	case dd.Of(c.capacity).Sub(c.capped.slots.Value()).Float() < 0:
		c.level = 0
	default:
		c.level = math.Inf(1)
	}
}

// cross takes a group to the other side of the water level. The clock of the group reads the same
// before and after.
func (c *Cluster[K]) cross(id int32) {
	g := &c.groups[id]
	offset := c.now(g)
	if g.capped {
		offset = offset.Sub(c.water)
	} else {
		offset = offset.Sub(c.clock.Mul(g.ratio))
	}
	if c.trying {
		c.tried = append(c.tried, step{group: id, crossed: true, offset: g.offset})
	}
	c.move(id, offset)
}

// move takes a group to the other side, where its clock has the given offset.
func (c *Cluster[K]) move(id int32, offset dd.T) {
	c.displace(id)
	g := &c.groups[id]
	from := c.side(g)
	g.capped, g.offset = !g.capped, offset
	to := c.side(g)
	from.slots.SubSum(&g.slots)
	from.weight.SubSum(&g.weight)
	from.passedWeight.SubSum(&g.passedWeight)
	to.slots.AddSum(&g.slots)
	to.weight.AddSum(&g.weight)
	to.passedWeight.AddSum(&g.passedWeight)
	c.place(id)
}
