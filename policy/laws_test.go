package policy_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// drawMemory draws whole numbers and decimals that do not add up exactly.
func drawMemory(t *rapid.T, what string) float64 {
	return []float64{0, .1, .3, .7, 1, 2, 3, 7.1}[rapid.IntRange(0, 7).Draw(t, what)]
}

// No policy ends a run with an error: not with rigid jobs that memory can never hold, tasks that fit
// no node, reduces that would wait for them, nodes that are lost for ever or suspended attempts that
// hold memory. If all nodes come back, and no reduce holds memory while it waits for maps, every job
// ends that the idle cluster could run.
func TestEveryJobEnds(t *testing.T) {
	all := policies()
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
			fits[i] = policytest.HasRoom(c, &jobs[i])
			before := jobs[i].After - 1
			comes[i] = before < 0 || fits[before] && comes[before]
		}
		return func(t testing.TB) {
			for name, x := range all {
				if strings.HasPrefix(name, unpaid) && seed%50 > 0 {
					continue
				}
				p := x.make()
				if over := overtaking(p); over != nil && seed%4 == 0 {
					p = over
				}
				res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
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
	seeds := 150
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
		for name, r := range policies() {
			if strings.HasPrefix(name, unpaid) {
				continue
			}
			p := &policytest.After{Policy: r.make(), Before: func(v *slotmodel.View, a *slotmodel.Actions) { // the first job, where its block is
				if v.Runnable(0, slotmodel.Map) {
					a.Start(0, slotmodel.Map, 1)
				}
			}}
			res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: x.nodes}, jobs, p, slotmodel.Options{})
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

// No slot is free while a job can use it. A rigid job can when there are as many slots as it has
// maps; without overtaking, jobs may also have to wait behind a rigid job that the slots which are
// up suffice for.
func TestWorkConserving(t *testing.T) {
	idle := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		overtake := rapid.Bool().Draw(t, "overtake")
		for name, x := range policies() {
			if !x.busy {
				continue
			}
			p := x.make()
			if overtake {
				p = overtaking(p)
			}
			check := func(v *slotmodel.View) {
				for k := range slotmodel.Kind(2) {
					idle += min(1, v.FreeSlots(k))
					if j, waits := policytest.Idles(v, k, overtake, x.byArrival); waits {
						t.Fatalf("%s: at %v s %d %v slots stay free while %d tasks of job %d wait", name, v.Now(), v.FreeSlots(k), k, v.Count(j, k).Pending(), j)
					}
				}
			}
			if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{}); err != nil {
				t.Fatalf("%s: Run failed: %v", name, err)
			}
		}
	}
	rapid.Check(t, property)
	idle = 0
	policytest.Counted(t, 100, property)
	if idle < 1000 {
		t.Errorf("slots were free %d times, want at least 1000: the workloads test nothing", idle)
	}
}

// A policy that is used again, after a run that was broken off, on another workload or cluster,
// begins anew, and leaves its settings as they were.
func TestUsedAgain(t *testing.T) {
	c, jobs := policytest.Blocked(3, 60)
	larger, more := policytest.Blocked(4, 90)
	larger.Nodes = append(larger.Nodes, larger.Nodes...)
	for name, r := range policies() {
		if strings.HasPrefix(name, unpaid) {
			continue
		}
		p := r.make()
		settings := policytest.Settings(p)
		for i, x := range []struct {
			c     *slotmodel.Cluster
			jobs  []slotmodel.JobSpec
			until float64
		}{{c, jobs, 50}, {c, jobs, 0}, {larger, more, 0}, {c, jobs, 0}} {
			o := slotmodel.Options{Until: x.until, Hash: true}
			got, err := slotmodel.Run(x.c, x.jobs, p, o)
			want, fresh := slotmodel.Run(x.c, x.jobs, r.make(), o)
			if err != nil || fresh != nil || got.Hash != want.Hash {
				t.Errorf("%s, run %d: errors %v and %v, want none, and the events of a new policy", name, i, err, fresh)
			}
		}
		if now := policytest.Settings(p); now != settings {
			t.Errorf("%s: after runs the settings are %s, want %s", name, now, settings)
		}
	}
}

// In the steady state a decision allocates nothing, the starts that it makes included.
func TestAllocations(t *testing.T) {
	steady := map[string]func() slotmodel.Policy{}
	for name, r := range policies() {
		if !r.allocates {
			steady[name] = r.make
		}
	}
	policytest.Steady(t, 0, steady)
}

// liar shows a policy events that have not happened, of jobs, tasks and nodes that may not exist.
type liar struct {
	policytest.After
	r *rand.Rand
}

func (p *liar) number() int32 {
	return []int32{-1, math.MinInt32, math.MaxInt32, p.r.Int32N(8), p.r.Int32N(8), p.r.Int32N(8), p.r.Int32N(100)}[p.r.IntN(7)]
}

func (p *liar) lie(v *slotmodel.View) {
	for range 5 {
		p.Observe(v, slotmodel.Event{Time: v.Now(), Value: []float64{0, 1, -1, math.NaN(), math.Inf(1)}[p.r.IntN(5)], Type: slotmodel.EventType(p.r.IntN(20)), Kind: slotmodel.Kind(p.r.IntN(3)),
			Job: slotmodel.Job(p.number()), Task: slotmodel.Task(p.number()), Attempt: slotmodel.Attempt(p.number()), Node: slotmodel.Node(p.number())})
		if r, ok := p.Policy.(policy.Ranker); ok {
			r.Begin(v, slotmodel.Kind(p.r.IntN(256)))
			r.Next(v)
			r.Next(new(slotmodel.View))
		}
	}
}

// What a policy is shown may be wrong: the run may then fail, but nothing panics.
func TestOddEvents(t *testing.T) {
	for name, r := range policies() {
		for seed := range uint64(30) {
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s, seed %d: panic: %v", name, seed, p)
					}
				}()
				c, jobs := policytest.Blocked(seed, 20)
				p, truths := &liar{policytest.After{Policy: r.make()}, rand.New(rand.NewPCG(seed, 5))}, int(seed%20)
				p.Before = func(v *slotmodel.View, _ *slotmodel.Actions) {
					if truths--; truths < 0 {
						p.lie(v)
					}
				}
				_, _ = slotmodel.Run(c, jobs, p, slotmodel.Options{Until: 200})
				for range 20 { // after the run, and with no run at all
					p.Decide(new(slotmodel.View), new(slotmodel.Actions))
				}
			}()
		}
	}
}
