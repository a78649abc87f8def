package policy

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// CapacityOptions are the settings of Capacity. With the zero value all users have equal shares.
type CapacityOptions struct {
	Guaranteed []float64 // fraction of the slots of each kind, by number of the user, >= 0, at most 1 in sum; users beyond have 0, which counts as 1e-9
	Reclaim    float64   // s that a user with a task to start is below its guarantee before it takes slots from others, > 0; 0: it never does
	Filter     Filter    // refuses starts in free slots, as Delay does, not in those taken away; nil: every start is accepted
}

// Capacity is Hadoop's capacity scheduler [10] with a queue for each user: Fair with a pool for each user, whose minimum share is the user's
// guarantee, in whole slots rounded down, and whose weight is its fraction. Within a user jobs come by arrival. Capacity that a user leaves
// unused goes to others in proportion to their guarantees. It comes back as slots become free, or by kills after the Reclaim time, in practice
// a long one. Rigid jobs, victims and cost are those of Fair. A guarantee refers to the slots that are up when the run begins.
type Capacity struct {
	options CapacityOptions
	fair    Fair
}

// NewCapacity returns the policy.
//
// Errors: an *schedmath.InputError naming the option that is out of its range.
func NewCapacity(o CapacityOptions) (*Capacity, error) {
	fault, sum := "", 0.0
	for u, g := range o.Guaranteed {
		if sum += g; !(g >= 0 && sum <= 1+1e-9) && fault == "" {
			fault = fmt.Sprintf("Guaranteed[%d] is %v and the sum %v, want >= 0 and at most 1 in sum", u, g, sum)
		}
	}
	if !(o.Reclaim >= 0) {
		fault = fmt.Sprintf("Reclaim is %v, want >= 0", o.Reclaim)
	}
	if fault != "" {
		return nil, &schedmath.InputError{Func: "policy.NewCapacity", Arg: "o", Index: -1, Reason: fault}
	}
	o.Guaranteed = slices.Clone(o.Guaranteed)
	return &Capacity{options: o}, nil
}

// Check checks the settings of the filter; NewCapacity has checked the others.
func (c *Capacity) Check() error {
	if c == nil {
		return nil
	}
	return check(c.options.Filter)
}

// BeginRun forgets the previous run.
func (c *Capacity) BeginRun(v *slotmodel.View) {
	if c == nil {
		return
	}
	pools := make([]Pool, v.Users())
	for u := range pools {
		g := 0.0
		if u < len(c.options.Guaranteed) {
			g = c.options.Guaranteed[u]
		}
		slots := func(k slotmodel.Kind) int { return int(g*float64(v.Slots(k)) + 1e-9) } // 29% of 100 slots are 29, not 28.999999999999996
		pools[u] = Pool{Weight: max(g, 1e-9), MinMaps: slots(slotmodel.Map), MinReduces: slots(slotmodel.Reduce)}
	}
	c.fair = Fair{Pools: pools, PoolOf: ByUser, MinTimeout: c.options.Reclaim, byArrival: true, greedy: Greedy{Filter: c.options.Filter}}
	c.fair.BeginRun(v)
	beginRun(v, c.options.Filter)
}

// Observe keeps the order.
func (c *Capacity) Observe(v *slotmodel.View, e slotmodel.Event) {
	if c != nil {
		c.fair.Observe(v, e)
		observe(v, e, c.options.Filter)
	}
}

// Heartbeat returns the period that the filter asks for; 0: none.
func (c *Capacity) Heartbeat() float64 {
	if c == nil {
		return 0
	}
	return heartbeat(c.options.Filter)
}

// Decide fills the free slots, and then takes slots for users who have been below their guarantees for too long.
func (c *Capacity) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if c != nil {
		c.fair.Decide(v, a)
	}
}
