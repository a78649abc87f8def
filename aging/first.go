package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
)

// First returns the job to serve now: the first of All that is ready, as all are unless SetReady
// has said otherwise. ok is false when there is none, and for an unknown by.
//
// A late job costs O(1), and so does ByFinish where the next job to finish is on time and ready.
// Else ByFinish costs O(log n) for each job passed over and for each group that meets its cap
// before the answer finishes, O(1) for such a group while the ready jobs alone keep all below their
// caps. ByWork costs O(g) for g groups, and O(log n) for each job whose work, at the least weight
// of all, would be less than the answer's: one where weights are equal, at worst all.
func (c *Cluster[K]) First(by By) (key K, ok bool) {
	if by > ByFinish || c.onTime-c.notReady+c.late.ready.Len() == 0 {
		return key, false
	}
	var first int32
	switch {
	case c.late.ready.Len() > 0:
		first = c.late.ready.ID(0)
	case by == ByWork:
		c.frontier.byWork(c, true, func(i int32) bool {
			first = i
			return false
		})
	default:
		first = c.firstToFinish()
	}
	return c.jobs[first].key, true
}

// firstToFinish returns the ready job, not late, that finishes first; there is one.
func (c *Cluster[K]) firstToFinish() (first int32) {
	if id, _, ok := c.next(); ok {
		if i := c.first(&c.groups[id].queue); !c.jobs[i].passed() {
			return i
		}
	}
	if i, ok := c.soonest(); ok {
		return i
	}
	c.play(func(i int32) bool {
		first = i
		return c.jobs[i].passed()
	})
	return first
}

// earliest is the ready job of one side that finishes first if no group changes sides.
type earliest struct {
	at  dd.T // on the side's clock
	job int32
	ok  bool
	// tied: another group has a ready job that finishes at the same time;
	// which comes first depends on passed jobs of the two groups
	tied bool
}

const (
	// spread is the factor by which soonest widens its bounds, to cover rounding.
	spread = 1 + 0x1p-40
	// leastReady is the least fraction of the open weight that the ready jobs must have for soonest
	// to bound the level by it. The weight of the ready jobs is a difference of two sums, of which
	// rounding leaves few digits where it is small.
	leastReady = 0x1p-8
	// soonestGrain is the shortest time to a finish, as a fraction of the clocks, that soonest
	// compares. Two such times that differ by the factor spread then differ by 2^-70 of the clocks,
	// far more than their rounding, 2^-104 for each job that finishes before.
	soonestGrain = 0x1p-30
)

// soonest returns the ready job, not late, that finishes first, if that can be told without playing
// the virtual system forward.
//
// Until the first ready job finishes, all of them are present, so the level is at most capacity
// / (weight of the ready jobs in open groups). If that is below the least ratio of an open group,
// no open group meets its cap until then, and the first ready job of each side is known. The water
// rises at a rate between the present level, which cannot fall, and that bound. The open side's job
// comes first if it does at the lower rate, the capped side's job if it does at the higher rate.
func (c *Cluster[K]) soonest() (first int32, ok bool) {
	var open, capped earliest
	c.search(&c.open, 0, &open)
	c.search(&c.capped, 0, &capped)
	if open.tied || capped.tied {
		return 0, false
	}
	if !open.ok {
		return capped.job, true
	}
	weight := c.open.weight.Value()
	ready := weight.Sub(c.open.passedWeight.Value()).Float()
	highest := math.Inf(1)
	if ready > weight.Hi*leastReady {
		highest = c.capacity / ready * spread
	}
	if !(highest <= c.open.ratio.Key(0)) {
		return 0, false
	}
	if !capped.ok {
		return open.job, true
	}
	rise, in := open.at.Sub(c.water).Float(), capped.at.Sub(c.clock).Float()
	grain := soonestGrain * (c.water.Hi + float64(c.clock.Hi*highest))
	switch {
	case rise*spread < in*c.level && in*c.level > grain:
		return open.job, true
	case in*highest*spread < rise && rise > grain:
		return capped.job, true
	}
	return 0, false
}

// search looks for the earliest ready job among the groups in the element pos of a side's heap and
// in the elements below it. It skips groups whose first jobs finish after the best job found so
// far.
func (c *Cluster[K]) search(s *side, pos int32, best *earliest) {
	if int(pos) >= s.finish.Len() || best.ok && s.finish.Key(pos) > best.at.Hi {
		return
	}
	if g := &c.groups[s.finish.ID(pos)]; g.ready.Len() > 0 {
		i := g.ready.ID(0)
		at := g.when(c.jobs[i].tag)
		switch d := at.Cmp(best.at); {
		case !best.ok || d < 0:
			*best = earliest{at: at, job: i, ok: true}
		case d == 0:
			best.tied = true
		}
	}
	for p, to := s.finish.Children(pos); p < to; p++ {
		c.search(s, p, best)
	}
}
