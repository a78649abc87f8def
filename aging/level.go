package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
)

// settle finds the water level and takes groups across it until it stands: capped are those with ratio <= level. First groups
// leave their caps while the level is below the greatest capped ratio, then groups meet them while it has reached the
// least open one; the level only rises in the second part, so that nothing need be taken back.
func (c *Cluster[K]) settle() {
	c.next.known = false
	c.findLevel()
	for c.capped.ratio.Len() > 0 && !(-c.capped.ratio.Key(0) <= c.level) {
		c.cross(c.capped.ratio.ID(0))
	}
	for c.open.ratio.Len() > 0 && c.open.ratio.Key(0) <= c.level {
		c.cross(c.open.ratio.ID(0))
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
	rest := dd.Of(c.capacity).Sub(c.slots.Value()).Float()
	switch {
	case c.open.ratio.Len() > 0:
		c.level = max(0, rest) / c.weight.Value().Float()
	case rest < 0:
		c.level = 0
	default:
		c.level = math.Inf(1)
	}
}

// levelBefore returns what the level would be if a capped group were open. Its ratio is at most that level exactly if it is at most the
// level as it is, which rounding can move by any factor where next to no weight is left.
func (c *Cluster[K]) levelBefore(id int32) float64 {
	slots, weight, _ := c.demand(&c.groups[id])
	rest := dd.Of(c.capacity).Sub(c.slots.Value()).Add(slots.Value()).Float()
	return rest / c.weight.Value().Add(weight.Value()).Float()
}

// cross takes a group to the other side of the water level; its clock reads the same before and after.
func (c *Cluster[K]) cross(id int32) {
	g := &c.groups[id]
	c.displace(id)
	now := c.now(g)
	slots, weight, jobs := c.demand(g)
	if g.capped {
		c.slots.SubSum(slots)
		c.weight.AddSum(weight)
		c.crossPassed(g, (*exact.Sum).AddSum)
		c.openJobs += jobs
		g.offset = now.Sub(c.water)
	} else {
		c.weight.SubSum(weight)
		c.slots.AddSum(slots)
		c.crossPassed(g, (*exact.Sum).SubSum)
		c.openJobs -= jobs
		g.offset = now.Sub(c.clock.Mul(g.ratio))
	}
	g.capped = !g.capped
	c.place(id)
	c.findLevel()
}

// demand returns the sums of the caps and of the weights of a group's jobs, and their number. The sums are valid until the
// next call.
func (c *Cluster[K]) demand(g *group) (slots, weight *exact.Sum, jobs int) {
	if m := c.crowdOf(g); m != nil {
		return &m.slots, &m.weight, m.waiting.Len() + m.passed.Len()
	}
	j := &c.jobs[g.jobs]
	c.onlySlots, c.onlyWeight = exact.Sum{}, exact.Sum{}
	c.onlySlots.Add(j.slots)
	c.onlyWeight.Add(j.weight)
	return &c.onlySlots, &c.onlyWeight, 1
}

// crossPassed adds to, or takes from, what is passed over in open groups that of group g.
func (c *Cluster[K]) crossPassed(g *group, move func(*exact.Sum, *exact.Sum)) {
	if m := c.crowdOf(g); m != nil {
		if m.passed.Len() > 0 {
			move(&c.passed, &m.passedWeight)
		}
	} else if c.jobs[g.jobs].passed() {
		move(&c.passed, &c.onlyWeight)
	}
}
