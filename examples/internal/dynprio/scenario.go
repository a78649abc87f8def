package dynprio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/slotmodel"
)

const (
	enough  = 1e7  // credits that no run can spend
	every   = 20   // s from step to step of the market
	kills   = 60   // s from preemption to preemption
	reclaim = 3600 // s after which capacity takes slots
)

// A scheduler is how a scenario shares the slots.
type scheduler int

const (
	byMarket scheduler = iota
	capacity
	fifo
)

// A scenario is users who submit jobs of equal tasks, the next one when one has ended, all starting
// within ten seconds.
type scenario struct {
	scheduler scheduler
	preempt   bool      // of the market
	contrib   bool      // the market has the rules of the published implementation, not those of section 3.1
	nodes     [2]int    // how many, and cores of each, which are its slots for maps
	users     int       // user n bids n, or rates
	rates     []float64 // nil: user n bids n
	budgets   []float64 // nil: enough
	reset     float64   // s: budgets are set to 10,000 and preemption begins; 0: no
	tasks     int       // maps of a job
	spread    float64   // map times lie evenly within so much of their mean
	cycle     float64   // s that a job takes under FIFO: it fixes the mean time of a map
	reduces   int       // of a job, each of last s, on half as many slots as there are for maps
	last      float64
	jobs      int     // of each user; 0: as many as end before the horizon
	horizon   float64 // s; 0: all jobs end
	quick     float64 // horizon of a quick run; 0: the same
	boost     float64 // user n multiplies its rate so for its n-th job; 0: no
}

// A step is what the market came to at one time.
type step struct {
	time    float64
	price   float64
	slots   []int     // paid maps, by user
	budgets []float64 // after the charge
}

// An outcome is one run. Times are lists by user, job after job, of jobs that have ended.
type outcome struct {
	times, ends [][]float64
	held        float64 // slot-seconds of all users
	lost        float64 // fraction of all work
	steps       []step
}

// rate is what a user bids.
func (c *scenario) rate(user int) float64 {
	if c.rates != nil {
		return c.rates[user]
	}
	return float64(user + 1)
}

// shares are the rates over their sum.
func (c *scenario) shares() []float64 {
	list, total := make([]float64, c.users), 0.0
	for u := range list {
		list[u] = c.rate(u)
		total += list[u]
	}
	for u := range list {
		list[u] /= total
	}
	return list
}

// mapTime is the mean time of a map: under FIFO users take turns and have the cluster to
// themselves.
func (c *scenario) mapTime() float64 {
	return c.cycle * float64(c.nodes[0]*c.nodes[1]) / float64(c.users*c.tasks)
}

// workload draws the jobs. Scenarios with equal users, tasks and times have equal jobs at a seed.
func (c *scenario) workload(seed uint64, repetition int) []slotmodel.JobSpec {
	var list []slotmodel.JobSpec
	for u, share := range c.shares() {
		r := rand.New(rand.NewPCG(seed, uint64(repetition*c.users+u)))
		n := c.jobs
		if n == 0 { // more than the share can do, or FIFO
			n = 4 + int(1.5*c.horizon/c.cycle*max(1, share*float64(c.users)))
		}
		start := 10 * r.Float64()
		for k := range n {
			j := slotmodel.JobSpec{User: u, Arrival: start, Maps: slotmodel.Phase{Tasks: c.tasks}, Reduces: slotmodel.Phase{Tasks: c.reduces, Work: c.last}, Slowstart: 1}
			for range c.tasks {
				j.Maps.Works = append(j.Maps.Works, c.mapTime()*(1+c.spread*(2*r.Float64()-1)))
			}
			if k > 0 {
				j.After = len(list)
			}
			if k == u {
				j.Priority = c.boost
			}
			list = append(list, j)
		}
	}
	return list
}

// rules are those of the market, with rates of the interval before.
func (c *scenario) rules() market.Options {
	o := market.Options{}
	if c.contrib {
		o = market.HadoopContrib()
	}
	o.Lag = 1
	return o
}

// policy makes the scheduler. A market reports its steps to o.
func (c *scenario) policy(o *outcome) slotmodel.Policy {
	switch c.scheduler {
	case fifo:
		return policy.FIFO{}
	case capacity:
		return &policy.Capacity{Guaranteed: c.shares(), Reclaim: reclaim}
	}
	users := make([]market.User, c.users)
	for u := range users {
		users[u] = market.User{Rate: credits(c.rate(u)), Budget: credits(enough)}
		if c.budgets != nil {
			users[u].Budget = credits(c.budgets[u])
		}
	}
	m := &dynprio.Policy{Users: users, Rules: c.rules(), Period: every, Preempt: dynprio.Preempt{On: c.preempt, Period: kills, Victims: market.VictimOptions{AsListed: true}}}
	if c.reset > 0 {
		m.Changes = []dynprio.Change{{Time: c.reset, Set: dynprio.SetPreempt, Amount: 1}}
		for u := range users {
			m.Changes = append(m.Changes, dynprio.Change{Time: c.reset, User: u, Set: dynprio.SetBudget, Amount: credits(10000)})
		}
	}
	m.Report = func(m dynprio.Report) {
		s := step{time: m.Time, price: value(m.Totals.Price)}
		for _, g := range m.Grants {
			s.slots, s.budgets = append(s.slots, g.Slots[0]), append(s.budgets, value(g.Next.Budget))
		}
		o.steps = append(o.steps, s)
	}
	return m
}

// run plays the scenario with the jobs of one seed.
func (c *scenario) run(seed uint64, repetition int) (outcome, error) {
	o := outcome{times: make([][]float64, c.users), ends: make([][]float64, c.users)}
	cluster := &slotmodel.Cluster{}
	for range c.nodes[0] {
		cluster.Nodes = append(cluster.Nodes, slotmodel.NodeSpec{Maps: c.nodes[1], Reduces: min(c.reduces, c.nodes[1]/2)})
	}
	jobs := c.workload(seed, repetition)
	result, err := slotmodel.Run(cluster, jobs, c.policy(&o), slotmodel.Options{Until: c.horizon})
	if err != nil {
		return o, err
	}
	for i, j := range result.Jobs {
		t, ok := j.Sojourn()
		if !ok {
			continue
		}
		u := jobs[i].User
		o.times[u], o.ends[u] = append(o.times[u], t), append(o.ends[u], j.Finish)
		if last := i+1 == len(jobs) || jobs[i+1].User != u; last && c.jobs == 0 {
			return o, fmt.Errorf("dynprio: user %d has no more jobs at %v s of %v", u+1, j.Finish, c.horizon)
		}
	}
	for _, u := range result.Users {
		o.held += u.SlotSeconds[0]
	}
	o.lost = result.Totals.Wasted / result.Totals.Work
	return o, nil
}

// later are a user's times without the first: that job starts when the cluster is empty.
func (o *outcome) later(user int) []float64 { return o.times[user][min(1, len(o.times[user])):] }

// mean is a user's mean time of a later job; NaN: none has ended.
func (o *outcome) mean(user int) float64 { return numbers.Mean(o.later(user)) }

// meanOf is mean as a function of an outcome, and spread the range of the times.
func meanOf(user int) func(o *outcome) float64 {
	return func(o *outcome) float64 { return o.mean(user) }
}

func spread(user int) func(o *outcome) float64 {
	return func(o *outcome) float64 { return rangeOf(o.later(user)) }
}

// rangeOf is the largest number less the least; of none NaN.
func rangeOf(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return slices.Max(list) - slices.Min(list)
}

// lost is the percentage of the work that was lost.
func lost(o *outcome) float64 { return 100 * o.lost }

// less is the interval of what scenario b gave less what a gave, seed by seed.
func less(b, a []outcome, what func(o *outcome) float64) numbers.Interval {
	return numbers.Difference(numbers.Column(b, what), numbers.Column(a, what))
}
