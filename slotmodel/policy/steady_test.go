package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// blocked is a cluster of 40 nodes in 4 racks, and jobs whose blocks have two copies, at a load of about 0.8.
func blocked(seed uint64, n int) (*slotmodel.Cluster, []slotmodel.JobSpec) {
	r := rand.New(rand.NewPCG(seed, 3))
	c := &slotmodel.Cluster{Nodes: nodes(40, 10, 2, 1)}
	c.Network = slotmodel.Network{RackRead: 1, RemoteRead: 3}
	jobs := make([]slotmodel.JobSpec, n)
	at := 0.0
	for i := range jobs {
		at += 3 * r.ExpFloat64()
		j := maps(at, 1+r.IntN(20), 5+20*r.Float64())
		j.User = r.IntN(5)
		j.Reduces = slotmodel.Phase{Tasks: r.IntN(4), Work: 10}
		j.Slowstart = .5
		j.Deadline = at + float64(20+37*i%200)
		j.Copies = 2
		for range 2 * j.Maps.Tasks {
			j.Replicas = append(j.Replicas, int32(r.IntN(len(c.Nodes))))
		}
		jobs[i] = j
	}
	return c, jobs
}

// accounts of the users of blocked; the last has no money.
var accounts = []market.User{
	{Budget: 1e4 * market.Credit, Rate: 4 * market.Credit, Income: market.Credit}, {Budget: 1e4 * market.Credit, Rate: 2 * market.Credit, Income: market.Credit},
	{Budget: 100 * market.Credit, Rate: market.Credit, Income: market.Credit}, {Rate: market.Credit, Income: 5 * market.Credit},
}

func madeMarket(o policy.MarketOptions) *policy.Market {
	m, err := policy.NewMarket(o)
	if err != nil {
		panic(err)
	}
	return m
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
		"Queues":       func() slotmodel.Policy { return new(policy.Queues) },
		"Queues, fair": func() slotmodel.Policy { return &policy.Queues{Order: policy.QueueFair} },
		"Queues, EDF": func() slotmodel.Policy {
			return &policy.Queues{Order: policy.QueueEDF, Demote: true, Ahead: true, Remaining: policy.TrueRemaining}
		},
		"Queues, LLF": func() slotmodel.Policy {
			return &policy.Queues{Order: policy.QueueLLF, Remaining: policy.TrueRemaining}
		},
		"Market": func() slotmodel.Policy { return madeMarket(policy.MarketOptions{Users: accounts}) },
		"Market, Delay": func() slotmodel.Policy {
			return madeMarket(policy.MarketOptions{Users: accounts, Interval: 7, Rules: market.Options{Carry: true, Charge: market.AllHeld}, Filter: &policy.Delay{Node: 3, Rack: 3}})
		},
		"Capacity": func() slotmodel.Policy {
			return &policy.Capacity{Guaranteed: []float64{.5, .25, .125}}
		},
		"Capacity, reclaims": func() slotmodel.Policy {
			return &policy.Capacity{Guaranteed: []float64{.5, .25, .125}, Reclaim: 2}
		},
		"DynamicShare": func() slotmodel.Policy {
			return &policy.DynamicShare{Queues: policy.Queues{Order: policy.QueueLLF, Remaining: policy.TrueRemaining}, Period: 4, Stragglers: laggards, Kill: true}
		},
	}
}

// The longer jobs may wait the more of their maps have their block at hand.
func TestDelayBuysLocality(t *testing.T) {
	for _, skips := range []bool{false, true} {
		last, all := -1.0, ""
		for _, d := range []float64{0, 1, 4, 16, 64} {
			local, total := 0, 0
			for seed := range uint64(3) {
				c, jobs := blocked(seed, 400)
				if skips {
					d *= 2
				}
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
	c, jobs := blocked(7, 300)
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

// frugal counts what a policy allocates from a time on.
type frugal struct {
	slotmodel.Policy
	observer slotmodel.Observer
	from     float64
	calls    int
	watched  int
	mallocs  uint64
	before   runtime.MemStats
	after    runtime.MemStats
}

func (p *frugal) BeginRun(v *slotmodel.View) { begin(p.Policy, v) }

func (p *frugal) watch(now float64, f func()) {
	if now < p.from || p.calls%8 != 0 {
		f()
		return
	}
	p.watched++
	runtime.ReadMemStats(&p.before)
	f()
	runtime.ReadMemStats(&p.after)
	p.mallocs += p.after.Mallocs - p.before.Mallocs
}

func (p *frugal) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.calls++
	p.watch(v.Now(), func() { p.Policy.Decide(v, a) })
}

func (p *frugal) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p.observer != nil {
		p.watch(v.Now(), func() { p.observer.Observe(v, e) })
	}
}

// In the steady state a decision allocates nothing, the starts that it makes included: what has been seen before, the same jobs at the
// same distances, needs no more room when it comes again.
func TestAllocations(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// The jobs come four times, each time when all have ended; the tables of blocks, which jobs take over from one another, take some
	// times to be large enough for every job.
	const times, again = 4, 1 << 14
	c, jobs := blocked(9, 500)
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
			p := &frugal{Policy: make(), from: (times - 1) * again}
			p.observer, _ = p.Policy.(slotmodel.Observer)
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if last := res.Jobs[(times-1)*500-1].Finish; last >= p.from {
				t.Fatalf("%s: the last job before ends at %v, want before %v", name, last, p.from)
			}
			if p.watched < 300 {
				t.Errorf("%s: %d calls are watched, want enough", name, p.watched)
			}
			if least = min(least, p.mallocs); least == 0 {
				break
			}
		}
		if least > 0 {
			t.Errorf("%s: Decide and Observe allocate at least %d times in four runs each", name, least)
		}
	}
}
