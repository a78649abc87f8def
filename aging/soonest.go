package aging

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// earliest is the ready job of one side that finishes first if no group changes sides.
type earliest struct {
	at     dd.T // on the side's clock
	job    int32
	ok     bool
	hidden bool // another finishes at the same time, and which is first the jobs passed over decide
}

const (
	// spread is by how much bounds are widened, for the rounding of what is compared.
	spread = 1 + 0x1p-40
	// soonestGrain is what part of a clock must be left to its finish for the last bits of the clock, 2^-104 of it for each job that
	// goes before, to be no matter: the times compared differ by 2^-40 of that.
	soonestGrain = 0x1p-30
)

// soonest returns the job that finishes first of those on time and ready, of which there is one, if that can be told without
// playing the virtual system forward.
//
// Until the first of the ready jobs finishes all of them are present, so the level is at most capacity / (weight of the ready jobs in
// open groups). If that is below the least ratio of an open group, none meets its cap until then, and the first of each side is known.
// The two compare at the level, which only rises, or at its bound.
func (c *Cluster[K]) soonest() (int32, bool) {
	open := c.earliest(&c.open)
	if !open.ok {
		capped := c.earliest(&c.capped)
		return capped.job, !capped.hidden
	}
	weight := c.weight.Value()
	ready := weight.Sub(c.passed.Value()).Float()
	highest := c.capacity / ready * spread
	if !(ready > weight.Hi*leastPart && highest <= c.open.ratio.Key(0)) {
		return 0, false
	}
	capped := c.earliest(&c.capped)
	if open.hidden || capped.hidden {
		return 0, false
	}
	if !capped.ok {
		return open.job, true
	}
	in, rise := capped.at.Sub(c.clock).Float(), open.at.Sub(c.water).Float()
	grain := soonestGrain * (c.water.Hi + c.clock.Hi*highest)
	switch {
	case rise*spread < in*c.level && in*c.level > grain:
		return open.job, true
	case in*highest*spread < rise && rise > grain:
		return capped.job, true
	}
	return 0, false
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
		switch d := at.Cmp(best.at); {
		case !best.ok || d < 0:
			*best = earliest{at: at, job: i, ok: true}
		case d == 0:
			hidden := best.hidden || c.isHidden(i) || c.isHidden(best.job)
			if j.key < c.jobs[best.job].key {
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
