package policy_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// unpaid is a market without spare slots.
const unpaid = "dynprio, no spares"

// composed makes one of each policy of the package, and of the ways to put their parts together.
func composed(t *testing.T) map[string]func() slotmodel.Policy {
	all := everyPolicy(t)
	delay := func() policy.Filter { return &policy.Delay{Node: 1, Rack: 1} }
	for name, p := range map[string]func() slotmodel.Policy{
		"FIFO, overtaken":  func() slotmodel.Policy { return policy.FIFO{Overtake: true} },
		"Fair, overtaken":  func() slotmodel.Policy { return &policy.Fair{Overtake: true} },
		"SRPT, overtaken":  func() slotmodel.Policy { return &policy.SRPT{Overtake: true, Preempt: policy.PreemptSuspend} },
		"By":               func() slotmodel.Policy { return &policy.Greedy{Inner: policy.By(workOfTasks)} },
		"By, Delay":        func() slotmodel.Policy { return &policy.Greedy{Inner: policy.By(workOfTasks), Filter: delay()} },
		"PerUser":          func() slotmodel.Policy { return new(policy.PerUser) },
		"PerUser, DRF":     func() slotmodel.Policy { return &policy.PerUser{Users: new(policy.DRF)} },
		"PerUser, Delay":   func() slotmodel.Policy { return &policy.PerUser{Chooser: &policy.Earliest{Filter: delay()}} },
		"Capacity, Delay":  func() slotmodel.Policy { return &policy.Delay{Inner: new(policy.Capacity), Node: 1, Rack: 1} },
		unpaid:             func() slotmodel.Policy { return paidOnly(false) },
		unpaid + ", kills": func() slotmodel.Policy { return paidOnly(true) },
		"HFSP, overtaken": func() slotmodel.Policy {
			return &hfsp.Policy{Overtake: true, Preempt: policy.PreemptSuspend}
		},
		"ShuffleWatcher, parts": func() slotmodel.Policy {
			return &policy.PerUser{Chooser: &shufflewatcher.Chooser{NoSAMP: true, NoSARP: true}}
		},
		"ShuffleWatcher, obeyed": func() slotmodel.Policy {
			return &policy.PerUser{Chooser: &shufflewatcher.Chooser{Patience: 7, Within: true}, Prefer: true, Slack: 2}
		},
	} {
		all[name] = p
	}
	return all
}

// paidOnly is dynprio in which everybody has an income, and who cannot pay starts nothing.
func paidOnly(kills bool) slotmodel.Policy {
	users := make([]market.User, 4)
	for i := range users {
		users[i] = market.User{Budget: 10 * market.Credit, Rate: market.Credit, Income: 100 * market.Credit}
	}
	return &dynprio.Policy{Users: users, Period: 2, Preempt: dynprio.Preempt{On: kills}, Rules: market.Options{Fill: market.NoFill, Carry: true}}
}

// drawMemory draws whole numbers and decimals that do not add up exactly.
func drawMemory(t *rapid.T, what string) float64 {
	return []float64{0, .1, .3, .7, 1, 2, 3, 7.1}[rapid.IntRange(0, 7).Draw(t, what)]
}

// most returns how many attempts of a phase nodes that hold nothing else run at once.
func most(c *slotmodel.Cluster, own func(n *slotmodel.NodeSpec) int, memory float64) int {
	sum := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for slots := 1; slots <= own(n)+n.Slots && (n.Memory == 0 || float64(slots)*memory <= n.Memory); slots++ {
			sum++
		}
	}
	return sum
}

// hasRoom reports whether a cluster can run a job when all nodes are up.
func hasRoom(c *slotmodel.Cluster, s *slotmodel.JobSpec) bool {
	maps := most(c, func(n *slotmodel.NodeSpec) int { return n.Maps }, s.Maps.Memory)
	reduces := most(c, func(n *slotmodel.NodeSpec) int { return n.Reduces }, s.Reduces.Memory)
	atOnce := min(1, s.Maps.Tasks)
	if s.Rigid {
		atOnce = s.Maps.Tasks
	}
	return maps >= atOnce && reduces >= min(1, s.Reduces.Tasks)
}

// No policy of the package ends a run with an error: not with rigid jobs that memory can
// never hold, tasks that fit no node, reduces that would wait for them, nodes that are lost
// for ever or suspended attempts that hold memory. If all nodes come back, and no reduce
// holds memory while it waits for maps, every job ends that the idle cluster could run.
func TestEveryJobEnds(t *testing.T) {
	all := composed(t)
	stuck, rigid, certain, seed := 0, 0, 0, 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := policytest.DrawCluster(t)
		c.EarlyReduces = float64(rapid.IntRange(0, 4).Draw(t, "early reduces")) / 4
		sure, fails := c.EarlyReduces < 1, false // sure: every job must end that has room
		for i := range c.Nodes {
			n := &c.Nodes[i]
			n.Maps = rapid.IntRange(0, 2).Draw(t, "maps")
			n.Slots = rapid.IntRange(0, 3).Draw(t, "shared slots")
			n.Memory = 2 * drawMemory(t, "memory")
			fails = fails || n.Down != nil
			if n.Down != nil && rapid.IntRange(0, 4).Draw(t, "for ever") == 0 {
				n.Down[0].Until = math.Inf(1)
				sure = false
			}
		}
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			s := &jobs[i]
			s.Rigid = rapid.IntRange(0, 2).Draw(t, "rigid") == 0 && s.Reduces.Tasks == 0
			s.Maps.Memory, s.Reduces.Memory = drawMemory(t, "memory of a map"), drawMemory(t, "memory of a reduce")
			sure = sure && (s.Reduces.Tasks == 0 || s.Reduces.Memory == 0 || s.Slowstart == 1 && !fails)
		}
		fits := make([]bool, len(jobs))  // the cluster can run the job
		comes := make([]bool, len(jobs)) // it can also run the jobs that the job comes after
		for i := range jobs {            // a job comes after jobs of lower numbers
			fits[i] = hasRoom(c, &jobs[i])
			before := jobs[i].After - 1
			comes[i] = before < 0 || fits[before] && comes[before]
		}
		return func(t testing.TB) {
			for name, make := range all {
				if strings.HasPrefix(name, unpaid) && seed%50 > 0 { // a Step every 2 s, until the run passes over them
					continue
				}
				res, err := slotmodel.Run(c, jobs, make(), slotmodel.Options{})
				if err != nil {
					t.Errorf("%s: Run failed: %v", name, err)
					continue
				}
				for j, r := range res.Jobs {
					switch {
					case r.Outcome == slotmodel.Unended:
						t.Errorf("%s: job %d has not ended", name, j)
					case r.Outcome == slotmodel.Stuck && sure && fits[j] && comes[j]:
						t.Errorf("%s: job %d is stuck (%s), want that it ends: the idle cluster could run it", name, j, r.Reason)
					case r.Outcome == slotmodel.Finished && !fits[j]:
						t.Errorf("%s: job %d is finished, which the cluster has no room for", name, j)
					}
					if r.Outcome == slotmodel.Stuck {
						stuck++
						if jobs[j].Rigid {
							rigid++
						}
						if sure {
							certain++
						}
					}
				}
			}
		}
	})
	seeds := 300
	if testing.Short() {
		seeds = 60
	}
	for seed = range seeds {
		draw.Example(seed)(t)
	}
	if stuck < 3*seeds || rigid < seeds || certain < seeds/3 {
		t.Errorf("%d jobs are stuck, %d of them rigid, %d where all others must end: the workloads test nothing", stuck, rigid, certain)
	}
}

// Jobs behind one that can never start do not wait for it, in every order and at once: also while
// others run.
func TestNeverHoldsUp(t *testing.T) {
	phase := func(n int, work, memory float64) slotmodel.Phase {
		return slotmodel.Phase{Tasks: n, Work: work, Memory: memory}
	}
	for _, x := range []struct {
		name  string
		nodes []slotmodel.NodeSpec
		never slotmodel.JobSpec // and the job of another user that runs from 0 to 100 s on the last node
	}{
		{"rigid, too much memory", []slotmodel.NodeSpec{{Maps: 2, Memory: 1}, {Maps: 1}}, slotmodel.JobSpec{Rigid: true, Maps: phase(3, .01, .7)}},
		{"rigid, decimals", []slotmodel.NodeSpec{{Maps: 3, Memory: .3}, {Maps: 1}}, slotmodel.JobSpec{Rigid: true, Maps: phase(4, .01, .1)}},
		{"a reduce of a map that fits no node", []slotmodel.NodeSpec{{Slots: 2, Memory: 1}, {Slots: 1, Memory: 1}}, slotmodel.JobSpec{Maps: phase(1, .01, 2), Reduces: phase(2, 1, 0)}},
	} {
		jobs := []slotmodel.JobSpec{
			{Maps: phase(1, 100, 0), Replicas: []int32{1}, Copies: 1}, x.never, {Arrival: 2, Rigid: true, Maps: phase(2, 1, .1)}, {User: 1, Arrival: 1, Maps: phase(2, 4, .1)},
		}
		jobs[1].Arrival = 1
		for name, make := range composed(t) {
			if strings.HasPrefix(name, unpaid) {
				continue
			}
			starts := func(v *slotmodel.View, a *slotmodel.Actions) bool { // the first job, where its block is
				return v.Runnable(0, slotmodel.Map) && a.Start(0, slotmodel.Map, 1)
			}
			p := make()
			observer, _ := p.(slotmodel.Observer)
			res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: x.nodes}, jobs, &first{p, observer, starts}, slotmodel.Options{})
			if err != nil {
				t.Errorf("%s, %s: Run failed: %v", x.name, name, err)
				continue
			}
			for j, want := range []slotmodel.Outcome{slotmodel.Finished, slotmodel.Stuck, slotmodel.Finished, slotmodel.Finished} {
				if r := res.Jobs[j]; r.Outcome != want || want == slotmodel.Finished && j > 0 && r.Finish > 20 {
					t.Errorf("%s, %s: job %d: %+v, want %v, before 20 s", x.name, name, j, r, want)
				}
			}
		}
	}
}

// first does something before a policy decides.
type first struct {
	slotmodel.Policy
	observer slotmodel.Observer
	do       func(v *slotmodel.View, a *slotmodel.Actions) bool
}

func (p *first) BeginRun(v *slotmodel.View) { policytest.Begin(p.Policy, v) }

func (p *first) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p.observer != nil {
		p.observer.Observe(v, e)
	}
}

func (p *first) Heartbeat() float64 {
	if t, ok := p.Policy.(slotmodel.Ticker); ok {
		return t.Heartbeat()
	}
	return 0
}

func (p *first) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.do(v, a)
	p.Policy.Decide(v, a)
}
