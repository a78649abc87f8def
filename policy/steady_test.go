package policy_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// accounts of the users of blocked; the last has no money.
var accounts = []market.User{
	{Budget: 1e4 * market.Credit, Rate: 4 * market.Credit, Income: market.Credit}, {Budget: 1e4 * market.Credit, Rate: 2 * market.Credit, Income: market.Credit},
	{Budget: 100 * market.Credit, Rate: market.Credit, Income: market.Credit}, {Rate: market.Credit, Income: 5 * market.Credit},
}

// policies makes one of each.
func policies() map[string]func() slotmodel.Policy {
	return map[string]func() slotmodel.Policy{
		"FIFO":   func() slotmodel.Policy { return policy.FIFO{} },
		"Greedy": func() slotmodel.Policy { return &policy.Greedy{Inner: new(policy.ByArrival)} },
		"Fair":   func() slotmodel.Policy { return new(policy.Fair) },
		"Fair, users": func() slotmodel.Policy {
			return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{MinMaps: 5}}}
		},
		"Fair, timeout": func() slotmodel.Policy {
			return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{MinMaps: 20, MinReduces: 5}}, MinTimeout: 2}
		},
		"SRPT":              func() slotmodel.Policy { return new(policy.SRPT) },
		"SRPT, suspends":    func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptSuspend} },
		"SRPT, kills":       func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptKill} },
		"Delay, by arrival": func() slotmodel.Policy { return &policy.Delay{Node: 3, Rack: 3} },
		"Delay, Fair": func() slotmodel.Policy {
			return &policy.Delay{Inner: new(policy.Fair), Node: 3, Rack: 3}
		},
		"Delay, calls": func() slotmodel.Policy {
			return &policy.Delay{Inner: new(policy.SRPT), Node: 20, Rack: 20, Skips: true}
		},
		"Queues":       func() slotmodel.Policy { return new(queues.Policy) },
		"Queues, fair": func() slotmodel.Policy { return &queues.Policy{Order: queues.Fair} },
		"Queues, EDF": func() slotmodel.Policy {
			return &queues.Policy{Order: queues.LLFAhead, Remaining: queues.TrueRemaining}
		},
		"Queues, LLF": func() slotmodel.Policy {
			return &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
		},
		"PerUser, preferring": func() slotmodel.Policy {
			return &policy.PerUser{Prefer: true, Slack: 2, Chooser: oddUsers{}}
		},
		"dynprio": func() slotmodel.Policy { return &dynprio.Policy{Users: accounts} },
		"dynprio, Delay": func() slotmodel.Policy {
			return &dynprio.Policy{Users: accounts, Period: 7, Rules: market.Options{Carry: true, Charge: market.AllHeld}, Filter: &policy.Delay{Node: 3, Rack: 3}}
		},
		"Capacity": func() slotmodel.Policy {
			return &policy.Capacity{Guaranteed: []float64{.5, .25, .125}}
		},
		"Capacity, reclaims": func() slotmodel.Policy {
			return &policy.Capacity{Guaranteed: []float64{.5, .25, .125}, Reclaim: 2}
		},
		"DynamicShare": func() slotmodel.Policy {
			return &queues.DynamicShare{Policy: queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}, Period: 4, Stragglers: policytest.Laggards, Kill: true}
		},
	}
}

// The longer jobs may wait the more of their maps have their block at hand.
func TestDelayBuysLocality(t *testing.T) {
	for _, skips := range []bool{false, true} {
		last, all := -1.0, ""
		for _, d := range []float64{0, 1, 4, 16, 64} {
			local, total := 0, 0
			if skips {
				d *= 2
			}
			for seed := range uint64(3) {
				c, jobs := policytest.Blocked(seed, 400)
				res, err := slotmodel.Run(c, jobs, &policy.Delay{Inner: new(policy.Fair), Node: d, Rack: d, Skips: skips}, slotmodel.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for j, r := range res.Jobs {
					if r.Outcome != slotmodel.Finished {
						t.Fatalf("Node %v, Skips %v: job %d: %v", d, skips, j, r.Outcome)
					}
				}
				local += res.Totals.LocalMaps
				total += res.Totals.LocalMaps + res.Totals.RackMaps + res.Totals.RemoteMaps
			}
			share := float64(local) / float64(total)
			all += fmt.Sprintf(" %.3f", share)
			if !(share > last) {
				t.Errorf("Skips %v: with Node %v %v of the maps are local, with less %v", skips, d, share, last)
			}
			last = share
		}
		if !(last > .9) {
			t.Errorf("Skips %v: at most %v of the maps are local, want more than 0.9", skips, last)
		}
		t.Logf("Skips %v: local maps%s", skips, all)
	}
}

// The same run has the same events, and the policies are not all one.
func TestDeterministic(t *testing.T) {
	c, jobs := policytest.Blocked(7, 300)
	seen := map[uint64]string{}
	for name, p := range policies() {
		run := func() uint64 {
			res, err := slotmodel.Run(c, jobs, p(), slotmodel.Options{Hash: true})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return res.Hash
		}
		hash := run()
		if again := run(); again != hash {
			t.Errorf("%s: the hash is %x, then %x", name, hash, again)
		}
		if other, ok := seen[hash]; ok && !(name == "Greedy" || other == "Greedy") {
			t.Errorf("%s and %s have the same events", name, other)
		}
		seen[hash] = name
	}
	if len(seen) != len(policies())-1 {
		t.Errorf("%d different runs, want %d: FIFO and Greedy by arrival are the same policy", len(seen), len(policies())-1)
	}
}

// In the steady state a decision allocates nothing, the starts that it makes included: what has
// been seen before, the same jobs at the same distances, needs no more room when it comes again.
func TestAllocations(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// The jobs come four times, each time when all have ended; the tables of blocks, which jobs
	// take over from one another, take some times to be large enough for every job.
	const times, again = 4, 1 << 14
	c, jobs := policytest.Blocked(9, 500)
	for i := range jobs { // multiples of 1/64 s add up exactly
		jobs[i].Arrival, jobs[i].Maps.Work = math.Floor(64*jobs[i].Arrival)/64, math.Floor(64*jobs[i].Maps.Work)/64
	}
	for i := range (times - 1) * 500 {
		j := jobs[i]
		j.Arrival += again
		jobs = append(jobs, j)
	}
	for name, make := range policies() {
		least := uint64(math.MaxUint64)
		for range 4 { // the runtime itself allocates now and then, the policy always or never
			p := &policytest.Frugal{Policy: make(), From: (times - 1) * again}
			p.Observer, _ = p.Policy.(slotmodel.Observer)
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if last := res.Jobs[(times-1)*500-1].Finish; last >= p.From {
				t.Fatalf("%s: the last job before ends at %v, want before %v", name, last, p.From)
			}
			if p.Watched < 300 {
				t.Errorf("%s: %d calls are watched, want enough", name, p.Watched)
			}
			if least = min(least, p.Mallocs); least == 0 {
				break
			}
		}
		if least > 0 {
			t.Errorf("%s: Decide and Observe allocate at least %d times in four runs each", name, least)
		}
	}
}
