package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// earliest is the ready job of one side that finishes first if no group changes sides.
type earliest struct {
	at     dd.T // on the side's clock
	job    int32
	ok     bool
	hidden bool    // another finishes at the same time, and which is first the jobs passed over decide
	ratio  float64 // of its group; the least of several that finish at the same time
}

const (
	// spread is by how much bounds are widened, for the rounding of what is compared.
	spread = 1 + 0x1p-40
	// countFrom is how many jobs there are at least when counting those that stay can be cheaper than to list those that go.
	countFrom = 128
	// countMost is how many jobs are looked at for that.
	countMost = 1 << 15
	// soonestGrain is what part of a clock must be left to its finish for the last bits of the clock, 2^-104 of it for each job that
	// goes before, to be no matter: the times compared differ by 2^-40 of that.
	soonestGrain = 0x1p-30
)

// soonest returns the job that finishes first of those on time and ready, of which there is one, if that can be told without
// playing the virtual system forward.
//
// Until the first of the ready jobs finishes all of them are present, so the level is at most capacity / (weight of the ready jobs in
// open groups). If that is below the least ratio of an open group, none meets its cap until then, and the first of each side is known. So it
// is, too, if levelUntil knows that the first in open groups, by the water at its tag, does not meet its cap: those that do meet theirs are
// only delayed. The two compare at the level, which only rises, or at its bound.
func (c *Cluster[K]) soonest() (int32, bool) {
	open := c.earliest(&c.open)
	if !open.ok {
		capped := c.earliest(&c.capped)
		return capped.job, !capped.hidden
	}
	weight := c.weight.Value()
	ready := weight.Sub(c.passed.Value()).Float()
	highest := c.capacity / ready * spread
	rise := open.at.Sub(c.water).Float()
	if !(ready > weight.Hi*leastPart && highest <= c.open.ratio.Key(0)) {
		if highest = c.levelUntil(&open, rise); !(highest <= open.ratio) {
			return 0, false
		}
	}
	capped := c.earliest(&c.capped)
	if open.hidden || capped.hidden {
		return 0, false
	}
	if !capped.ok {
		return open.job, true
	}
	in := capped.at.Sub(c.clock).Float()
	grain := soonestGrain * (c.water.Hi + c.clock.Hi*highest)
	switch {
	case rise*spread < in*c.level && in*c.level > grain:
		return open.job, true
	case in*highest*spread < rise && rise > grain:
		return capped.job, true
	}
	return 0, false
}

// levelUntil returns a bound on the level until the water has risen by rise, whereupon the given job finishes, or a value above that
// one's ratio if it finds none so low. Jobs with later tags are present until then, ready or not, and what they get at least nobody else
// can have: the level or, of lower ratio, what it is now; or their caps. Cost O(1) for each group and job looked at, of these at most countMost.
func (c *Cluster[K]) levelUntil(first *earliest, rise float64) float64 {
	left, weight, limit := c.capacity, c.jobs[first.job].weight, first.ratio
	if !(c.level > 0 && c.onTime+c.early >= countFrom) {
		return math.Inf(1)
	}
	budget := int32(countMost)
	bound := func() float64 {
		if !(left > c.capacity*leastPart && weight > 0) {
			return math.Inf(1)
		}
		return left / weight * (1 + previewError)
	}
	for i := range int32(c.open.ratio.Len()) {
		g := &c.groups[c.open.ratio.ID(i)]
		n := float64(c.countBehind(g, first.at.Add(g.offset).Hi, &budget)) * c.minWeight
		if g.ratio < limit {
			left -= c.level * n
			continue
		}
		weight += n
		if b := bound(); b <= limit {
			return b
		}
	}
	until := c.clock.Hi + rise/c.level
	until += until * (spread - 1)
	for i := range int32(c.capped.ratio.Len()) {
		g := &c.groups[c.capped.ratio.ID(i)]
		tag := until*g.ratio + g.offset.Hi
		tag += (math.Abs(tag) + math.Abs(g.offset.Hi)) * (spread - 1)
		left -= g.ratio * float64(c.countBehind(g, tag, &budget)) * c.minWeight
		if b := bound(); b <= limit {
			return b
		}
	}
	return math.Inf(1)
}

// countBehind returns how many jobs of a group have a greater tag, or fewer: it looks at as many as the budget allows, which it lowers.
func (c *Cluster[K]) countBehind(g *group, tag float64, budget *int32) (n int) {
	m := c.crowdOf(g)
	if m == nil {
		if c.jobs[g.jobs].tag.Hi > tag {
			n++
		}
		return n
	}
	for _, h := range [2]*heap.Heap{&m.waiting, &m.passed} {
		last := int32(h.Len()) - 1
		for i := last; i > last-min(last+1, *budget); i-- {
			if h.Key(i) > tag {
				n++
			}
		}
		*budget -= min(last+1, *budget)
	}
	return n
}

// earliest looks only at groups that may be the answer: all others whose first jobs finish after it.
func (c *Cluster[K]) earliest(s *side) (best earliest) {
	if s.finish.Len() > 0 {
		c.searchShelves(s, 0, &best)
	}
	return best
}

func (c *Cluster[K]) searchShelves(s *side, pos int32, best *earliest) {
	if best.ok && s.finish.Key(pos) > best.at.Hi {
		return
	}
	c.searchGroups(&s.shelves[s.finish.ID(pos)].groups, 0, best)
	for p, to := children(&s.finish, pos); p < to; p++ {
		c.searchShelves(s, p, best)
	}
}

func (c *Cluster[K]) searchGroups(h *heap.Heap, pos int32, best *earliest) {
	if best.ok && h.Key(pos) > best.at.Hi {
		return
	}
	if i := c.firstReady(&c.groups[h.ID(pos)]); i >= 0 {
		j := &c.jobs[i]
		at := c.groups[j.group].when(j.tag)
		ratio := c.groups[j.group].ratio
		switch d := at.Cmp(best.at); {
		case !best.ok || d < 0:
			*best = earliest{at: at, job: i, ok: true, ratio: ratio}
		case d == 0:
			best.ratio = min(best.ratio, ratio)
			hidden := best.hidden || c.isHidden(i) || c.isHidden(best.job)
			if j.seq < c.jobs[best.job].seq {
				best.job = i
			}
			best.hidden = hidden
		}
	}
	for p, to := children(h, pos); p < to; p++ {
		c.searchGroups(h, p, best)
	}
}

// firstReady returns the ready job of a group that finishes first; -1: none is ready.
func (c *Cluster[K]) firstReady(g *group) int32 {
	m := c.crowdOf(g)
	switch {
	case m == nil && c.jobs[g.jobs].passed() || m != nil && m.waiting.Len() == 0:
		return -1
	case m == nil:
		return g.jobs
	}
	return m.waiting.ID(0)
}

// isHidden reports whether a job passed over of the same group finishes at the same time as ready job i by rounding alone. Then it is
// that one's key by which the group's turn comes among the groups that finish at that time.
func (c *Cluster[K]) isHidden(i int32) bool {
	j := &c.jobs[i]
	g := &c.groups[j.group]
	first := c.jobs[c.first(g)].tag
	return first != j.tag && g.when(first) == g.when(j.tag)
}
