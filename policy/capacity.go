package policy

import (
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/slotmodel"
)

// Capacity is Hadoop's capacity scheduler [7]: Fair with a pool for each user, whose minimum share
// is the user's guarantee, in whole slots rounded down, of the slots that are up when the run
// begins, and whose weight is its fraction. Within a user jobs come by arrival. Capacity that a
// user leaves unused goes to others in proportion to their guarantees, and comes back as slots
// become free, or by kills after the Reclaim time, in practice a long one. As a Ranker Capacity
// kills nothing. Rigid jobs, victims and cost are those of Fair. With the zero value all users have
// equal shares.
type Capacity struct {
	// Guaranteed is the fraction of the slots of each kind, by number of the user, >= 0 and at most
	// 1 in total. Users not listed have 0. As a weight, 0 counts as 1e-9.
	Guaranteed []float64
	// Reclaim is for how many seconds a user with a task to start is below its guarantee before it
	// takes slots from others, > 0; 0 or +Inf: it never does.
	Reclaim float64

	fairOrder
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Reclaim, or Guaranteed and the user.
func (c *Capacity) Check() error {
	const fn = "policy.Capacity.Check"
	sum := 0.0
	for u, g := range c.Guaranteed {
		if sum += g; !(g >= 0 && sum <= 1+1e-9) {
			return input.Bad(fn, "Guaranteed", u, "%v, and %v in sum so far, want >= 0 and at most 1 in sum", g, sum)
		}
	}
	if !(c.Reclaim >= 0) {
		return input.Bad(fn, "Reclaim", -1, "%v, want >= 0", c.Reclaim)
	}
	return nil
}

// BeginRun forgets the previous run.
func (c *Capacity) BeginRun(v *slotmodel.View) {
	pools := make([]Pool, v.Users())
	for u := range pools {
		g := 0.0
		if u < len(c.Guaranteed) {
			g = c.Guaranteed[u]
		}
		// 29% of 100 slots are 29, not 28.999999999999996.
		slots := func(k slotmodel.Kind) int { return int(g*float64(v.Slots(k)) + 1e-9) }
		pools[u] = Pool{Weight: max(g, 1e-9), MinMaps: slots(slotmodel.Map), MinReduces: slots(slotmodel.Reduce)}
	}
	c.fairOrder = fairOrder{given: pools, poolOf: ByUser, minTimeout: c.Reclaim, byArrival: true, broken: c.Check() != nil}
	c.beginRun(v)
}
