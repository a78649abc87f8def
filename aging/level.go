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

// upcoming returns when the first group of a side sees its next finish, on the side's clock.
func (c *Cluster[K]) upcoming(s *side) dd.T {
	e := s.finish.At(0)
	return dd.T{Hi: e.Key, Lo: c.groups[e.ID].nextLo}
}

// groupTies orders groups whose next finishes have equal upper halves: by the lower halves, then by the first jobs' order of Add.
type groupTies[K comparable] Cluster[K]

func (t *groupTies[K]) Before(a, b int32) bool {
	c := (*Cluster[K])(t)
	x, y := &c.groups[a], &c.groups[b]
	if x.nextLo != y.nextLo {
		return x.nextLo < y.nextLo
	}
	return c.jobs[c.first(&x.queue)].added < c.jobs[c.first(&y.queue)].added
}

// noTies serves the heaps by ratio, which is unique.
type noTies struct{}

func (noTies) Before(a, b int32) bool { return false }

// place puts a group into the heaps of its side. The side's sums are the caller's.
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

// refresh puts a group where it belongs after its first job has changed.
func (c *Cluster[K]) refresh(id int32) {
	g := &c.groups[id]
	next := g.when(c.jobs[c.first(&g.queue)].tag)
	g.nextLo = next.Lo
	c.side(g).finish.Fix(c.finishPos[id], next.Hi, c.finishPos, (*groupTies[K])(c))
}

// settle finds the water level and takes groups across it until it stands: capped are those with ratio <= level. First groups
// leave their caps while the level is below the greatest capped ratio, then groups meet them while it has reached the
// least open one; the level only rises in the second part, so that nothing need be taken back.
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

// raiseLevel makes the level at least the greatest capped ratio, which it is but for rounding: a group whose ratio is the level to the last bit
// can leave less than nothing to the others, however little they would get.
func (c *Cluster[K]) raiseLevel() {
	if c.capped.ratio.Len() > 0 {
		c.level = max(c.level, -c.capped.ratio.Key(0))
	}
}

// findLevel sets the level for the groups as they are split now; it is 0 while the caps exceed the capacity.
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

// cross takes a group to the other side of the water level; its clock reads the same before and after.
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
