package policy

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
)

// CapacityOptions are the settings of Capacity. With the zero value slots go by arrival.
type CapacityOptions struct {
	Guaranteed []float64 // fraction of the slots of each kind, by number of the user, in [0, 1], at most 1 in sum; 0 for users beyond
	Reclaim    float64   // s that a user is below its guarantee, with a task to start, before it takes the slots that it lacks, > 0; 0: for ever
	Filter     Filter    // refuses starts, as Delay does; nil: every start is accepted
}

// Capacity is Hadoop's capacity scheduler [8] with a queue for each user: a free slot goes to the user whose attempts hold the fewest slots of the kind per guaranteed
// fraction, among those who have a task to start. Users without a guarantee come last. Ties: the earliest job. So spare capacity goes to others.
// Within a user jobs come by arrival.
//
// A guarantee is reached as slots become free, unless there is a Reclaim time, which in practice is long: a user who has been below its guarantee, in whole slots rounded
// down, for so long takes the slots that it lacks from users above theirs. It kills the attempts that have run for the least time, as market.Victims says. Attempts of
// rigid jobs are spared, and none is killed for a rigid job.
//
// A start costs O(U log jobs) for U users, with Reclaim each decision O(U log jobs) besides, and O(attempts) when slots are taken. Nothing is allocated in the steady
// state, but for the memory of market.Victims.
type Capacity struct {
	options CapacityOptions
	users   PerUser
	order   byLack
	wake    wake
	reclaim reclaim
	since   [][2]float64 // by user: since when it has been below its guarantee, with a task to start; +Inf: it is not
	slots   [2]int       // of the cluster now
	now     float64
}

// NewCapacity returns the policy.
//
// Errors: an *schedmath.InputError naming the option that is out of its range.
func NewCapacity(o CapacityOptions) (*Capacity, error) {
	fault, sum := "", 0.0
	for u, g := range o.Guaranteed {
		if sum += g; !(g >= 0 && sum <= 1+1e-9) {
			fault = fmt.Sprintf("Guaranteed[%d] is %v and the sum %v, want at least 0 and at most 1 in sum", u, g, sum)
			break
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

// BeginRun forgets the previous run.
func (c *Capacity) BeginRun(v *slotmodel.View) {
	if c == nil {
		return
	}
	*c = Capacity{options: c.options, order: byLack{filter: c.options.Filter}, since: make([][2]float64, v.Users())}
	c.order.shares = c
	c.users = PerUser{Users: &c.order, Chooser: &c.order}
	c.reclaim.begin(v)
	for u := range c.since {
		c.since[u] = [2]float64{math.Inf(1), math.Inf(1)}
	}
	beginRun(v, c.options.Filter)
}

// Observe hands an event on to the filter.
func (c *Capacity) Observe(v *slotmodel.View, e slotmodel.Event) {
	if c != nil {
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
	if c == nil || len(c.since) != v.Users() {
		return
	}
	c.users.Decide(v, a)
	next := alarmOf(v, c.options.Filter)
	if c.options.Reclaim > 0 {
		due, at := c.below(v)
		if due {
			c.reclaim.kill(v, a, &c.order, market.VictimOptions{}, nil, c.share)
			_, at = c.below(v)
		}
		next = min(next, at)
	}
	c.wake.ask(v, a, next)
}

// below notes who is below its guarantee. It reports whether somebody has been for the Reclaim time, and when the next user will have been.
func (c *Capacity) below(v *slotmodel.View) (due bool, next float64) {
	c.now, next = v.Now(), math.Inf(1)
	c.slots = [2]int{v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}
	for u := range c.since {
		for k := range slotmodel.Kind(2) {
			since, user := &c.since[u][k], slotmodel.User(u)
			if v.UserRunning(user, k) >= c.guarantee(u, k) || v.NextRunnableOf(user, k, slotmodel.None) == slotmodel.None {
				*since = math.Inf(1)
				continue
			}
			*since = min(*since, c.now)
			if at := *since + c.options.Reclaim; at > c.now {
				next = min(next, at)
			} else {
				due = true
			}
		}
	}
	return due, next
}

// guarantee returns the slots that a user is guaranteed. A fraction such as 1/3 is not exact: a billionth of a slot too little counts as a slot.
func (c *Capacity) guarantee(u int, k slotmodel.Kind) int {
	return int(c.fraction(u)*float64(c.slots[k]) + 1e-9)
}

// fraction returns the fraction that a user is guaranteed.
func (c *Capacity) fraction(u int) float64 {
	if u < len(c.options.Guaranteed) {
		return c.options.Guaranteed[u]
	}
	return 0
}

// share returns a user's guarantee, and whether it takes slots.
func (c *Capacity) share(u slotmodel.User, k slotmodel.Kind) (slots int, claims bool) {
	return c.guarantee(int(u), k), c.since[u][k]+c.options.Reclaim <= c.now
}

// lack orders users by the slots that they hold per guaranteed fraction. Anyone may have any number.
func (c *Capacity) lack(v *slotmodel.View, u slotmodel.User, k slotmodel.Kind) (by float64, most int) {
	by = math.Inf(-1)
	if g := c.fraction(int(u)); g > 0 {
		by = -float64(v.UserRunning(u, k)) / g
	}
	return by, math.MaxInt
}
