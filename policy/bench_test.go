package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// benched names the policies that are timed.
var benched = []struct {
	name   string
	blocks bool
	make   func() slotmodel.Policy
}{
	{"FIFO", false, func() slotmodel.Policy { return policy.FIFO{} }},
	{"Fair", false, func() slotmodel.Policy { return new(policy.Fair) }},
	{"FairPools", false, func() slotmodel.Policy { return &policy.Fair{PoolOf: policy.ByUser} }},
	{"SRPT", false, func() slotmodel.Policy { return new(policy.SRPT) }},
	{"Delay", true, func() slotmodel.Policy {
		return &policy.Delay{Inner: new(policy.Fair), Node: 5, Rack: 5}
	}},
}

// timed measures a policy from its second decision on, with the events in between.
type timed struct {
	slotmodel.Policy
	observer slotmodel.Observer
	calls    int
	spent    time.Duration
}

func (p *timed) BeginRun(v *slotmodel.View) { policytest.Begin(p.Policy, v) }

func (p *timed) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.calls++; p.calls < 3 {
		p.Policy.Decide(v, a)
		return
	}
	start := time.Now()
	p.Policy.Decide(v, a)
	p.spent += time.Since(start)
}

func (p *timed) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p.observer != nil {
		p.observer.Observe(v, e)
	}
}

// One decision, for one slot that has become free, while n jobs wait: the starts included, what is
// observed before excluded. The clock itself takes some 50 ns of it.
func BenchmarkDecide(b *testing.B) {
	for _, p := range benched {
		for _, n := range []int{1000, 10000} {
			b.Run(fmt.Sprintf("%s/n=%d", p.name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, uint64(n)))
				c := &slotmodel.Cluster{Nodes: policytest.Nodes(600, 60, 4, 2)}
				jobs := make([]slotmodel.JobSpec, n)
				for i := range jobs {
					jobs[i] = policytest.Maps(0, 40, 0)
					jobs[i].Maps.Works = make([]float64, 40)
					for t := range jobs[i].Maps.Works {
						jobs[i].Maps.Works[t] = 1 + 100*r.ExpFloat64()
					}
					jobs[i].User = i % 100
					if p.blocks {
						jobs[i].Copies = 3
						for range 3 * 40 {
							jobs[i].Replicas = append(jobs[i].Replicas, int32(r.IntN(600)))
						}
					}
				}
				calls, spent := 0, time.Duration(0)
				for b.Loop() {
					x := &timed{Policy: p.make()}
					x.observer, _ = x.Policy.(slotmodel.Observer)
					if _, err := slotmodel.Run(c, jobs, x, slotmodel.Options{Until: 400}); err != nil {
						b.Fatal(err)
					}
					calls += x.calls - 2
					spent += x.spent
				}
				b.ReportMetric(float64(spent.Nanoseconds())/float64(calls), "ns/decision")
				b.ReportMetric(float64(calls)/spent.Seconds(), "decisions/s")
			})
		}
	}
}

// A whole run: some million tasks on 600 nodes of 4 map and 2 reduce slots, at a load of about 0.9,
// with backlogs.
func BenchmarkRun(b *testing.B) {
	for _, p := range benched {
		r := rand.New(rand.NewPCG(2, 2))
		c := &slotmodel.Cluster{Nodes: policytest.Nodes(600, 60, 4, 2)}
		var jobs []slotmodel.JobSpec
		at, tasks := 0.0, 0
		for tasks < 1_000_000 {
			j := policytest.Maps(at, int(1+200*r.ExpFloat64()*r.ExpFloat64()), 30*r.ExpFloat64())
			at += 3 * r.ExpFloat64()
			j.Reduces = slotmodel.Phase{Tasks: j.Maps.Tasks / 5, Work: 30 * r.ExpFloat64()}
			j.Slowstart = .95
			j.User = r.IntN(100)
			if p.blocks {
				j.Copies = 3
				for range 3 * j.Maps.Tasks {
					j.Replicas = append(j.Replicas, int32(r.IntN(600)))
				}
			}
			tasks += j.Maps.Tasks + j.Reduces.Tasks
			jobs = append(jobs, j)
		}
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			load := 0.0
			for b.Loop() {
				res, err := slotmodel.Run(c, jobs, p.make(), slotmodel.Options{})
				if err != nil {
					b.Fatal(err)
				}
				load = res.Totals.Load / res.End
			}
			b.ReportMetric(float64(tasks)*float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
			b.ReportMetric(load, "jobs")
		})
	}
}
