package hfsp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// onFirst is a policy that once, when all jobs of the start have come and the slots are full, has
// something done.
type onFirst struct {
	*hfsp.Policy
	do   func(v *slotmodel.View)
	done bool
}

func (p *onFirst) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.Policy.Decide(v, a)
	if !p.done && v.FreeSlots(slotmodel.Map) == 0 {
		p.done = true
		p.do(v)
	}
}

// backlog runs n jobs on nodes of 4 map slots, and calls do in the first decision. Job n is one
// that has not come yet. Tasks per job and their times are long-tailed.
func backlog(b *testing.B, nodeCount, n int, h *hfsp.Policy, do func(h *hfsp.Policy, v *slotmodel.View)) {
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []slotmodel.JobSpec
	for range n {
		tasks := int(math.Ceil(math.Pow(1-r.Float64(), -1)))
		jobs = append(jobs, policytest.Maps(0, min(tasks, 10000), 20*math.Exp(r.NormFloat64())))
	}
	jobs = append(jobs, policytest.Maps(1e9, 20, 20))
	p := &onFirst{Policy: h, do: func(v *slotmodel.View) { do(h, v) }}
	if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(nodeCount, 20, 4, 0)}, jobs, p, slotmodel.Options{Until: 1e-3}); err != nil {
		b.Fatal(err)
	}
	if !p.done {
		b.Fatalf("%d jobs do not fill %d nodes", n, nodeCount)
	}
}

// ask is what a decision costs for one slot, without the start itself.
func ask(b *testing.B, h *hfsp.Policy, v *slotmodel.View) {
	h.Begin(v, slotmodel.Map)
	if h.Next(v) == slotmodel.None {
		b.Fatal("no job can start a task")
	}
}

// BenchmarkStanding is a decision while the order stands.
func BenchmarkStanding(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			backlog(b, 6, n, known(), func(h *hfsp.Policy, v *slotmodel.View) {
				b.ReportAllocs()
				for b.Loop() {
					ask(b, h, v)
				}
			})
		})
	}
}

// BenchmarkChanged is a decision after a phase has come or has gone, with the change itself.
// On 6 nodes few phases run; on 60 most of those that come first have all of their tasks running,
// and have to be passed over.
func BenchmarkChanged(b *testing.B) {
	for _, caps := range []bool{true, false} {
		for _, nodeCount := range []int{6, 60} {
			for _, n := range []int{100, 1000, 10000} {
				b.Run(fmt.Sprintf("caps=%t/nodes=%d/n=%d", caps, nodeCount, n), func(b *testing.B) {
					p := known()
					p.NoCaps = !caps
					backlog(b, nodeCount, n, p, func(h *hfsp.Policy, v *slotmodel.View) {
						comes := slotmodel.Event{Type: slotmodel.Ready, Job: slotmodel.Job(n), Kind: slotmodel.Map}
						goes := slotmodel.Event{Type: slotmodel.JobEnded, Job: slotmodel.Job(n)}
						b.ReportAllocs()
						for come := true; b.Loop(); come = !come {
							if come {
								h.Observe(v, comes)
							} else {
								h.Observe(v, goes)
							}
							ask(b, h, v)
						}
					})
				})
			}
		}
	}
}

// BenchmarkRun is a whole run of some 1e6 tasks (a tenth of that under -short) on 600 nodes of
// 4 map and 2 reduce slots, at a load of about 0.9.
func BenchmarkRun(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []slotmodel.JobSpec
	at, tasks := 0.0, 0
	n := 10000
	if testing.Short() {
		n = 1000
	}
	for range n {
		at += 0.55 * r.ExpFloat64()
		m := int(1 + 80*r.ExpFloat64()*r.ExpFloat64())
		jobs = append(jobs, slotmodel.JobSpec{Arrival: at, Slowstart: .95,
			Maps:    slotmodel.Phase{Tasks: m, Work: 15 * r.ExpFloat64()},
			Reduces: slotmodel.Phase{Tasks: m / 5, Work: 34 * r.ExpFloat64()}})
		tasks += m + m/5
	}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(600, 60, 4, 2)}
	for _, x := range []struct {
		name string
		p    *hfsp.Policy
	}{
		{"default", &hfsp.Policy{}},
		{"known", known()},
		{"nocaps", &hfsp.Policy{NoCaps: true}},
		{"kill", &hfsp.Policy{Preempt: policy.PreemptKill}},
		{"suspend", &hfsp.Policy{Preempt: policy.PreemptSuspend}},
	} {
		b.Run(x.name, func(b *testing.B) {
			load := 0.0
			for b.Loop() {
				res, err := slotmodel.Run(c, jobs, x.p, slotmodel.Options{})
				if err != nil {
					b.Fatal(err)
				}
				load = res.Totals.Load
			}
			b.ReportMetric(float64(tasks)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtasks/s")
			b.ReportMetric(load/float64(len(jobs)), "s-mean-sojourn")
		})
	}
}
