package policy_test

import (
	"math"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// accounts of the users of Blocked; the last has no money.
var accounts = []market.User{
	{Budget: 1e4 * market.Credit, Rate: 4 * market.Credit, Income: market.Credit}, {Budget: 1e4 * market.Credit, Rate: 2 * market.Credit, Income: market.Credit},
	{Budget: 100 * market.Credit, Rate: market.Credit, Income: market.Credit}, {Rate: market.Credit, Income: 5 * market.Credit},
}

// A row is a policy of this package or of one below it, made anew for each run.
type row struct {
	make func() slotmodel.Policy
	// busy: no slot is free while a job can use it; byArrival: jobs behind a rigid one are those
	// that arrived later.
	busy, byArrival bool
	allocates       bool // in the steady state, since a Go map in it is laid out anew now and then, or it plans
}

// paidOnly is dynprio in which everybody has an income, and who cannot pay starts nothing.
func paidOnly(kills bool) slotmodel.Policy {
	users := make([]market.User, 4)
	for i := range users {
		users[i] = market.User{Budget: 10 * market.Credit, Rate: market.Credit, Income: 100 * market.Credit}
	}
	return &dynprio.Policy{Users: users, Period: 2, Preempt: dynprio.Preempt{On: kills}, Rules: market.Options{Fill: market.NoFill, Carry: true}}
}

// unpaid is a market without spare slots: a Step every 2 s, until the run passes over them.
const unpaid = "dynprio, no spares"

// policies has one of each, and of the ways to put their parts together.
func policies() map[string]row {
	all := map[string]row{}
	add := func(name string, make func() slotmodel.Policy) { all[name] = row{make: make} }
	addBusy := func(name string, make func() slotmodel.Policy) { all[name] = row{make: make, busy: true} }
	addLoose := func(name string, make func() slotmodel.Policy) { all[name] = row{make: make, allocates: true} }
	pools := []policy.Pool{{Weight: 2}, {MinMaps: 2, MinReduces: 1}}
	delay := func(r policy.Ranker) *policy.Delay { return &policy.Delay{Inner: r, Node: 3, Rack: 3} }

	all["FIFO"] = row{func() slotmodel.Policy { return policy.FIFO{} }, true, true, false}
	all["Greedy"] = row{func() slotmodel.Policy { return &policy.Greedy{Inner: new(policy.ByArrival)} }, true, true, false}
	addBusy("Fair", func() slotmodel.Policy { return new(policy.Fair) })
	addBusy("Fair, users", func() slotmodel.Policy { return &policy.Fair{PoolOf: policy.ByUser, Pools: pools} })
	addBusy("Fair, timeout", func() slotmodel.Policy {
		return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{MinMaps: 20, MinReduces: 5}}, MinTimeout: 1}
	})
	add("Capacity", func() slotmodel.Policy { return new(policy.Capacity) })
	add("Capacity, reclaims", func() slotmodel.Policy {
		return &policy.Capacity{Guaranteed: []float64{.5, .25, .125}, Reclaim: 2}
	})
	addBusy("SRPT", func() slotmodel.Policy { return new(policy.SRPT) })
	addBusy("SRPT, kills", func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptKill} })
	addBusy("SRPT, suspends", func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptSuspend} })
	addLoose("By", func() slotmodel.Policy { return &policy.Greedy{Inner: policy.By(workOfTasks)} })
	addLoose("By, Delay", func() slotmodel.Policy { return &policy.Greedy{Inner: policy.By(workOfTasks), Filter: delay(nil)} })
	add("Delay", func() slotmodel.Policy { return delay(nil) })
	add("Delay, Fair", func() slotmodel.Policy { return delay(new(policy.Fair)) })
	addBusy("Delay of 0", func() slotmodel.Policy { return &policy.Delay{Inner: new(policy.Fair)} })
	add("Delay, calls", func() slotmodel.Policy {
		return &policy.Delay{Inner: new(policy.SRPT), Node: 20, Rack: 20, Skips: true}
	})
	add("Delay, Capacity", func() slotmodel.Policy { return delay(new(policy.Capacity)) })
	addLoose("Backfill", func() slotmodel.Policy { return new(policy.Backfill) })
	addLoose("Backfill, all", func() slotmodel.Policy { return &policy.Backfill{Depth: -1, Inner: new(policy.Fair)} })
	addLoose("Backfill, fair share", func() slotmodel.Policy { return &policy.Backfill{Inner: &policy.FairShare{HalfLife: 3}, Afresh: true} })
	addLoose("Backfill, windows", func() slotmodel.Policy {
		return &policy.Backfill{Windows: []backfill.Window{{Need: []int64{2}, From: 1, To: 4, Owner: 1}, {Need: []int64{1}, From: 2, To: 3, Period: 2, Until: 9}}}
	})
	addBusy("Greedy, fair share", func() slotmodel.Policy { return &policy.Greedy{Inner: new(policy.FairShare)} })
	addLoose("Backfill, predictions", func() slotmodel.Policy {
		return &policy.Backfill{Depth: 2, Shortest: true, Inner: policy.By(workOfTasks), Time: func(v *slotmodel.View, j slotmodel.Job) float64 {
			return 1 + math.Floor(v.Now()/3)
		}}
	})
	add("PerUser", func() slotmodel.Policy { return new(policy.PerUser) })
	add("PerUser, DRF", func() slotmodel.Policy { return &policy.PerUser{Users: new(policy.DRF)} })
	add("PerUser, Delay", func() slotmodel.Policy { return &policy.PerUser{Chooser: &policy.Earliest{Filter: delay(nil)}} })
	add("PerUser, preferring", func() slotmodel.Policy {
		return &policy.PerUser{Prefer: true, Slack: 2, Chooser: oddUsers{}}
	})
	for name, order := range map[string]queues.Order{"": queues.FIFO, ", fair": queues.Fair, ", LLF": queues.LLF, ", ahead": queues.LLFAhead, ", preempting": queues.JobLLFPreempting} {
		add("Queues"+name, func() slotmodel.Policy { return &queues.Policy{Order: order, Remaining: queues.TrueRemaining} })
	}
	add("DynamicShare", func() slotmodel.Policy {
		return &queues.DynamicShare{Policy: queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}, Period: 4, Stragglers: policytest.Laggards, Kill: true}
	})
	add("dynprio", func() slotmodel.Policy { return &dynprio.Policy{Users: accounts} })
	add("dynprio, zero value", func() slotmodel.Policy { return new(dynprio.Policy) })
	add("dynprio, Delay", func() slotmodel.Policy {
		return &dynprio.Policy{Users: accounts, Period: 7, Rules: market.Options{Carry: true, Charge: market.AllHeld}, Filter: delay(nil)}
	})
	addLoose("dynprio, kills", func() slotmodel.Policy {
		return &dynprio.Policy{Users: accounts, Preempt: dynprio.Preempt{On: true}, Period: 3, Filter: delay(nil)}
	})
	addLoose(unpaid, func() slotmodel.Policy { return paidOnly(false) })
	addLoose(unpaid+", kills", func() slotmodel.Policy { return paidOnly(true) })
	addLoose("CIRCUMFLEX", func() slotmodel.Policy { return new(circumflex.Policy) })
	addLoose("ShuffleWatcher", func() slotmodel.Policy {
		return &policy.PerUser{Users: new(policy.DRF), Chooser: new(shufflewatcher.Chooser)}
	})
	addLoose("ShuffleWatcher, waits", func() slotmodel.Policy {
		return &policy.PerUser{Users: new(policy.DRF), Chooser: &shufflewatcher.Chooser{Wait: 3, TypeOf: func(j slotmodel.Job) int { return int(j) % 3 }}}
	})
	addLoose("ShuffleWatcher, parts", func() slotmodel.Policy {
		return &policy.PerUser{Chooser: &shufflewatcher.Chooser{NoSAMP: true, NoSARP: true}}
	})
	addLoose("ShuffleWatcher, obeyed", func() slotmodel.Policy {
		return &policy.PerUser{Chooser: &shufflewatcher.Chooser{Patience: 7, Within: true}, Prefer: true, Slack: 2}
	})
	for name, o := range map[string]hfsp.Policy{"": {}, ", kills": {Preempt: policy.PreemptKill, Delta: 1}, ", suspends": {Preempt: policy.PreemptSuspend, Samples: 2},
		", with sizes known": {Size: hfsp.TrueSize, NoTraining: true}} {
		fresh := func() *hfsp.Policy {
			h := o
			return &h
		}
		all["HFSP"+name] = row{make: func() slotmodel.Policy { return fresh() }, busy: true, allocates: true}
		addLoose("Delay, HFSP"+name, func() slotmodel.Policy { return delay(fresh()) })
	}
	return all
}

// overtaking returns a policy with Overtake: p itself if it has the setting, Greedy around p if p is
// an order. nil: there is none.
func overtaking(p slotmodel.Policy) slotmodel.Policy {
	switch p := p.(type) {
	case policy.FIFO:
		return &policy.Greedy{Overtake: true}
	case *policy.Greedy:
		p.Overtake = true
		return p
	case *policy.Delay:
		p.Overtake = true
		return p
	case policy.Ranker:
		return &policy.Greedy{Inner: p, Overtake: true}
	}
	return nil
}
