package policy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// No slot is free while a job can use it. A rigid job can when there are as many slots as it has
// maps; without overtaking, jobs may also have to wait behind a rigid job that the slots which are
// up suffice for.
func TestWorkConserving(t *testing.T) {
	idle := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		overtake := rapid.Bool().Draw(t, "overtake")
		for _, p := range []struct {
			name      string
			policy    slotmodel.Policy
			byArrival bool
		}{
			{"FIFO", policy.FIFO{Overtake: overtake}, true},
			{"Greedy", &policy.Greedy{Overtake: overtake, Inner: new(policy.ByArrival)}, true},
			{"Fair", &policy.Fair{Overtake: overtake}, false},
			{"Fair, users", &policy.Fair{Overtake: overtake, PoolOf: policy.ByUser, Pools: []policy.Pool{{Weight: 2}, {MinMaps: 2, MinReduces: 1}}}, false},
			{"Fair, timeout", &policy.Fair{Overtake: overtake, MinTimeout: 1, PoolOf: policy.ByUser, Pools: []policy.Pool{{Weight: 2}, {MinMaps: 2, MinReduces: 1}}}, false},
			{"SRPT", &policy.SRPT{Overtake: overtake}, false},
			{"SRPT, kill", &policy.SRPT{Overtake: overtake, Preempt: policy.PreemptKill}, false},
			{"SRPT, suspend", &policy.SRPT{Overtake: overtake, Preempt: policy.PreemptSuspend}, false},
			{"HFSP", &hfsp.Policy{Overtake: overtake}, false},
			{"HFSP, kill", &hfsp.Policy{Overtake: overtake, Preempt: policy.PreemptKill}, false},
			{"HFSP, suspend", &hfsp.Policy{Overtake: overtake, Preempt: policy.PreemptSuspend}, false},
			{"Delay of 0", &policy.Delay{Inner: new(policy.Fair), Overtake: overtake}, false},
		} {
			check := func(v *slotmodel.View) {
				for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
					free := v.FreeSlots(k)
					if free == 0 {
						continue
					}
					idle++
					if j, waits := policytest.Idles(v, k, overtake, p.byArrival); waits {
						t.Fatalf("%s: at %v s %d %v slots stay free while %d tasks of job %d wait", p.name, v.Now(), free, k, v.Count(j, k).Pending(), j)
					}
				}
			}
			res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p.policy, Check: check}, slotmodel.Options{})
			if err != nil {
				t.Fatalf("%s: Run failed: %v", p.name, err)
			}
			for j, r := range res.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("%s: job %d has not ended", p.name, j)
				}
			}
		}
	}
	policytest.CheckOften(t, property)
	idle = 0
	policytest.Counted(100, property)
	if idle < 1000 {
		t.Errorf("slots were free %d times, want at least 1000: the workloads test nothing", idle)
	}
}

// Delay: whatever is drawn, every job ends, in both units and around every Ranker.
func TestDelayEnds(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		d := &policy.Greedy{
			Inner: []policy.Ranker{new(policy.ByArrival), new(policy.Fair), new(policy.SRPT)}[rapid.IntRange(0, 2).Draw(t, "inner")],
			Filter: &policy.Delay{
				Node:  policytest.DrawWork(t, "node"),
				Rack:  policytest.DrawWork(t, "rack"),
				Skips: rapid.Bool().Draw(t, "skips"),
				Retry: policytest.DrawWork(t, "retry"),
			},
			Overtake: rapid.Bool().Draw(t, "overtake"),
		}
		res, err := slotmodel.Run(c, jobs, d, slotmodel.Options{})
		if err != nil {
			t.Fatalf("Run(%+v) failed: %v", *d, err)
		}
		for j, r := range res.Jobs {
			if r.Outcome == slotmodel.Unended {
				t.Fatalf("job %d has not ended", j)
			}
		}
	})
}

// owing is what a job of one map is owed, by the paper's rules and nothing else.
type owing struct {
	since float64 // since when it waits
	level int
}

// No free slot has a job that Delay owes it: one that has a block there, or that has waited long
// enough. Jobs have one map each; nodes fail and maps are killed, so that some start more than
// once and wait with a level.
func TestDelayOwes(t *testing.T) {
	let, again := 0, 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			s := &jobs[i]
			*s = slotmodel.JobSpec{Arrival: s.Arrival, Maps: slotmodel.Phase{Tasks: 1, Work: 8 * s.Arrival}, Copies: 1,
				Replicas: []int32{int32(rapid.IntRange(-1, len(c.Nodes)-1).Draw(t, "block"))}}
		}
		d := &policy.Delay{Node: policytest.DrawWork(t, "node wait"), Rack: policytest.DrawWork(t, "rack wait")}
		owed := make([]owing, len(jobs))
		for i := range owed {
			owed[i].since = math.Inf(1)
		}
		kills := rapid.IntRange(0, 6).Draw(t, "kills")
		before := func(v *slotmodel.View, a *slotmodel.Actions) {
			for j := slotmodel.Job(0); int(j) < len(jobs) && kills > 0; j++ {
				if x := v.Newest(j, slotmodel.Map); x != slotmodel.None && v.Attempt(x).Start < v.Now()-3 {
					a.Kill(x)
					kills--
				}
			}
		}
		check := func(v *slotmodel.View) {
			for j := range slotmodel.Job(len(jobs)) {
				x := &owed[j]
				if !v.Runnable(j, slotmodel.Map) {
					x.since = math.Inf(1)
					if a := v.Newest(j, slotmodel.Map); a != slotmodel.None {
						block, n := slotmodel.Node(jobs[j].Replicas[0]), v.Attempt(a).Node
						switch x.level = 2; {
						case n == block:
							x.level = 0
						case v.RackOf(n) == v.RackOf(block):
							x.level = 1
						}
					}
					continue
				}
				forRack := []float64{d.Node, 0, 0}[x.level]
				forAny := []float64{d.Node + d.Rack, d.Rack, 0}[x.level]
				for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None; n = v.NextFree(slotmodel.Map, n) {
					x.since = min(x.since, v.Now())
					let++
					again += min(1, x.level)
					if v.Local(j, n) != slotmodel.None || v.LocalRack(j, v.RackOf(n)) != slotmodel.None && v.Now() >= x.since+forRack || v.Now() >= x.since+forAny {
						t.Fatalf("at %v s node %d is free and job %d waits at level %d, since %v s (Node %v, Rack %v, block on %v)",
							v.Now(), n, j, x.level, x.since, d.Node, d.Rack, v.Spec(j).Replicas)
					}
				}
			}
		}
		if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: &policy.Greedy{Filter: d}, Before: before, Check: check}, slotmodel.Options{}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
	}
	policytest.CheckOften(t, property)
	let, again = 0, 0
	policytest.Counted(5000, property)
	if let < 1000 || again < 50 { // most maps that start again find a slot near their block
		t.Errorf("%d offers were let pass, %d of them above level 0, want 1000 and 50: the workloads test nothing", let, again)
	}
}

// Jobs that want more than there is are within one task of each other, whatever their tasks take.
func TestFairIsEven(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		c := &slotmodel.Cluster{Nodes: policytest.Nodes(rapid.IntRange(1, 5).Draw(t, "nodes"), 5, rapid.IntRange(1, 5).Draw(t, "slots"), 0)}
		jobs := make([]slotmodel.JobSpec, rapid.IntRange(2, 6).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i] = policytest.Maps(0, policytest.Endless, .125+policytest.DrawWork(t, "work"))
		}
		check := func(v *slotmodel.View) {
			least, most := int32(math.MaxInt32), int32(0)
			for j := range slotmodel.Job(len(jobs)) {
				n := v.Count(j, slotmodel.Map).Running
				least, most = min(least, n), max(most, n)
			}
			if most > least+1 {
				t.Fatalf("at %v s one of %d jobs runs %d tasks and another %d", v.Now(), len(jobs), most, least)
			}
		}
		if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: new(policy.Fair), Check: check}, slotmodel.Options{Until: 20}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
	})
}

// Guarantees that fit are kept to from the start, and what is beyond them goes by weight.
func TestFairMinimumShares(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		f := &policy.Fair{PoolOf: policy.ByUser, Pools: make([]policy.Pool, rapid.IntRange(2, 4).Draw(t, "pools"))}
		sum := 0
		var jobs []slotmodel.JobSpec
		for u := range f.Pools {
			f.Pools[u].MinMaps = rapid.IntRange(0, 5).Draw(t, "minimum")
			f.Pools[u].Weight = float64(rapid.IntRange(1, 4).Draw(t, "weight"))
			sum += f.Pools[u].MinMaps
			for range rapid.IntRange(1, 3).Draw(t, "jobs") {
				j := policytest.Maps(0, policytest.Endless, .125+policytest.DrawWork(t, "work"))
				j.User = u
				jobs = append(jobs, j)
			}
		}
		slots := sum + rapid.IntRange(0, 10).Draw(t, "beyond")
		c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, slots, 0)}
		check := func(v *slotmodel.View) {
			level, next := 0.0, math.Inf(1) // of the pools above their guarantees, and of all for one task more
			for u, p := range f.Pools {
				n := v.UserRunning(slotmodel.User(u), slotmodel.Map)
				if n < p.MinMaps {
					t.Fatalf("at %v s pool %d runs %d tasks, want at least %d of %d slots", v.Now(), u, n, p.MinMaps, slots)
				}
				if n > p.MinMaps {
					level = max(level, float64(n-1)/p.Weight)
				}
				next = min(next, float64(n)/p.Weight)
			}
			if level > next { // the last task of a pool beyond its guarantee was due to the pool with less
				t.Fatalf("at %v s a pool has its last task per weight from %v, while another has only %v", v.Now(), level, next)
			}
		}
		if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: f, Check: check}, slotmodel.Options{Until: 20}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
	})
}
