package whatif

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/internal/numbers"
	"gonum.org/v1/gonum/floats"
)

// Loads outside of these make a comparison say little.
const (
	lowLoad  = .3
	highLoad = 1 + 1e-9 // and rounding
)

// offer says how loaded the cluster is.
func (c *Comparison) offer() string {
	r := &c.Rows[0]
	switch {
	case math.IsNaN(r.Loads.busiest()):
		return "The offered load is not known: jobs come after others, or all at one time."
	case !c.Slots:
		return fmt.Sprintf("Offered load: the work of the jobs is %s times what the server can do from the first arrival to the last.", numbers.Short(r.Loads[0]))
	}
	reduces := ""
	if r.Loads[1] > 0 {
		reduces = fmt.Sprintf(", and %s times what the reduce slots can", numbers.Short(r.Loads[1]))
	}
	return fmt.Sprintf("Offered load: the work of the jobs is %s times what the map slots of %s can do from the first arrival to the last%s.",
		numbers.Short(r.Loads[0]), numbers.Count(int(r.Machines), "machine"), reduces)
}

// warning says behind offer what is wrong with the load, if it is low or high.
func (c *Comparison) warning() string {
	switch busiest := c.Rows[0].Loads.busiest(); {
	case busiest > highLoad:
		return " That is more than there is time for: a queue grows until the last arrival, and the numbers tell how long the trace is."
	case busiest < lowLoad:
		return " That is so little that hardly a job waits, and policies hardly differ: -load .7 brings arrivals closer."
	}
	return ""
}

// omniscient are the policies of the slot model that know what nobody knows in a cluster.
var omniscient = []string{"srpt", "llf", "easy-true"}

// really is the row of what really happened; nil: there is none.
func (c *Comparison) really() *Row {
	if i := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Policy == asItWas }); i >= 0 {
		return &c.Rows[i]
	}
	return nil
}

// best is the row of the policy with the least mean sojourn time, and the rival to compare it with:
// the first, or the second where the first is the best.
func (c *Comparison) best() (r *Row, rival int) {
	r = &c.Rows[floats.MinIdx(numbers.Column(c.Rows, func(r *Row) float64 {
		if r.Policy == asItWas && len(c.Rows) > 1 {
			return math.Inf(1)
		}
		return r.Mean
	}))]
	if r.Policy == r.Rivals[0] {
		rival = 1
	}
	return r, rival
}

// gain says which policy is best, and by how much, and how it was.
func (c *Comparison) gain() string {
	r, k := c.best()
	was := ""
	if really := c.really(); really != nil && really != r {
		was = fmt.Sprintf(" As it was the mean was %s s.", numbers.Short(really.Mean))
	}
	who := r.Policy
	if c.Slots && slices.Contains(omniscient, who) {
		who += ", which knows how long each task will take,"
	}
	d := r.Diff[k]
	if d.Mean == 0 {
		return fmt.Sprintf("No policy has a lower mean sojourn time than %s: %s s.", r.Rivals[k], numbers.Short(r.Mean)) + was
	}
	more := "less"
	if d.Mean > 0 {
		more = "more"
	}
	interval := "one seed, so no interval: -seeds 20 gives one"
	if several(c.Rows) {
		interval = fmt.Sprintf("difference %s to %s s at 95%%", numbers.Short(d.Low()), numbers.Short(d.High()))
		if d.Low() <= 0 && d.High() >= 0 {
			interval += ", so the seeds do not tell them apart"
		}
	}
	return fmt.Sprintf("%s has the least mean sojourn time, %s s: %s s or %.0f%% %s than %s (%s).", who, numbers.Short(r.Mean), numbers.Short(math.Abs(d.Mean)),
		100*math.Abs(d.Mean)/c.rivals[k].Mean, more, r.Rivals[k], interval) + was
}

// loses says who is worse off under the best policy.
func (c *Comparison) loses() string {
	r, k := c.best()
	if r.Later[k] == 0 {
		return fmt.Sprintf("No job ends later under %s than under %s.", r.Policy, r.Rivals[k])
	}
	worst, most := 0, 0. // class, and the part of it
	for class, part := range r.later[k] {
		if part > most {
			worst, most = class, part
		}
	}
	text := fmt.Sprintf("%.0f%% of the jobs end later under %s than under %s, most of all in size class %d of %d (sizes up to %s s), where %.0f%% do",
		100*r.Later[k]/r.Jobs, r.Policy, r.Rivals[k], worst+1, classes, numbers.Short(r.upTo[worst]), 100*most)
	loser, longer := -1, 1.
	for u := range r.users {
		if ratio := r.users[u] / c.rivals[k].users[u]; ratio > longer {
			loser, longer = u, ratio
		}
	}
	if loser >= 0 {
		text += fmt.Sprintf("; of the users %s loses most, with a mean of %s instead of %s s", c.Users[loser], numbers.Short(r.users[loser]), numbers.Short(c.rivals[k].users[loser]))
	}
	return text + "."
}

// owes says which user was owed most as it was, or under the first policy, and how much less or more
// it would have been under the others; "" where users do not share a cluster or nobody was owed
// anything.
func (c *Comparison) owes() string {
	base, when := &c.Rows[0], "Under "+c.Rows[0].Policy
	if really := c.really(); really != nil {
		base, when = really, "As it was"
	}
	if len(base.owed) < 2 {
		return ""
	}
	u := floats.MaxIdx(base.owed)
	most := base.owed[u]
	if !(most*hour > laterThan*base.Mean*base.Jobs) {
		return ""
	}
	var changes []string
	under := map[string][]string{} // the policies of each
	for _, r := range c.Rows {
		owed, change := r.owed[u], "as much"
		switch percent := math.Round(100 * (owed/most - 1)); {
		case r.Policy == base.Policy:
			continue
		case owed <= 0:
			change = "nothing"
		case percent >= 100:
			change = numbers.Short(owed/most) + " times as much"
		case percent > 0:
			change = fmt.Sprintf("%.0f%% more", percent)
		case percent < 0:
			change = fmt.Sprintf("%.0f%% less", -percent)
		}
		if under[change] == nil {
			changes = append(changes, change)
		}
		under[change] = append(under[change], r.Policy)
	}
	text := fmt.Sprintf("%s, %s was owed most on balance, %s slot-hours", when, c.Users[u], numbers.Short(most))
	if changes != nil {
		text += "; it would have been owed " + numbers.Words(changes, "; ", func(change string) string { return change + " under " + strings.Join(under[change], ", ") })
	}
	return text + "."
}

// several says whether the rows are of several seeds.
func several(rows []Row) bool { return rows[0].Half-rows[0].Half == 0 }
