package hfsp_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// clocked measures what HFSP takes for its decisions and for what it is told, from a time on.
type clocked struct {
	*hfsp.Policy
	from              float64
	decide, observe   time.Duration
	decisions, events int
	mallocs           uint64 // when the time began
}

func (p *clocked) begin(v *slotmodel.View) bool {
	if v.Now() < p.from {
		return false
	}
	if p.mallocs == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		p.mallocs = m.Mallocs
	}
	return true
}

func (p *clocked) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if !p.begin(v) {
		p.Policy.Decide(v, a)
		return
	}
	at := time.Now()
	p.Policy.Decide(v, a)
	p.decide += time.Since(at)
	p.decisions++
}

func (p *clocked) Observe(v *slotmodel.View, e slotmodel.Event) {
	if !p.begin(v) {
		p.Policy.Observe(v, e)
		return
	}
	at := time.Now()
	p.Policy.Observe(v, e)
	p.observe += time.Since(at)
	p.events++
}

// BenchmarkTraining is HFSP where samples tell sizes: n jobs wait from about 0 on, others come
// as fast as the cluster ends them, and phases train, get their new sizes and end. The metrics are
// of the policy alone, from 1 s on: a decision fills all slots that are free, and its starts are
// among the events. With first=0.1 s all phases are underestimated at first, and many are late.
func BenchmarkTraining(b *testing.B) {
	for _, x := range []struct {
		name string
		o    *hfsp.Policy
	}{
		{"default", &hfsp.Policy{}},
		{"nocaps", &hfsp.Policy{NoCaps: true}},
		{"first=0.1s", &hfsp.Policy{FirstTask: .1, Estimate: func(*slotmodel.View, hfsp.Samples) float64 { return 1 }}},
		{"kill", &hfsp.Policy{Preempt: policy.PreemptKill}},
		{"suspend", &hfsp.Policy{Preempt: policy.PreemptSuspend}},
	} {
		for _, tasks := range []string{"10", "tailed"} {
			for _, slots := range []int{24, 240, 2400} {
				for _, n := range []int{1000, 10000} {
					b.Run(fmt.Sprintf("%s/tasks=%s/slots=%d/jobs=%d", x.name, tasks, slots, n), func(b *testing.B) {
						if testing.Short() && (n > 1000 || slots != 2400) {
							b.Skip("long")
						}
						train(b, x.o, tasks == "tailed", slots, n)
					})
				}
			}
		}
	}
}

func train(b *testing.B, o *hfsp.Policy, tailed bool, slots, n int) {
	r := rand.New(rand.NewPCG(1, 2))
	jobs := make([]slotmodel.JobSpec, 3*n)
	works := make([]float64, len(jobs))
	mean := 0.0
	for i := range jobs {
		tasks := 10
		if tailed {
			tasks = int(min(1000, math.Ceil(4*math.Pow(1-r.Float64(), -1/1.2))))
		}
		work := 20 * r.ExpFloat64()
		jobs[i] = policytest.Maps(0, tasks, work)
		works[i] = float64(tasks) * work
		mean += works[i] / float64(len(jobs))
	}
	gap := mean / float64(slots)
	for i := range jobs {
		if jobs[i].Arrival = float64(i) * .5 / float64(n); i >= n {
			jobs[i].Arrival = 1 + float64(i-n)*gap
		}
	}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(slots/4, 20, 4, 0)}
	var all clocked
	allocations, load := uint64(0), 0.0
	for b.Loop() {
		p := &clocked{Policy: o, from: 1}
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Until: 1 + gap*float64(min(n, 1500))})
		if err != nil {
			b.Fatal(err)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		allocations += m.Mallocs - p.mallocs
		load += res.Totals.Load / res.End
		all.decide, all.observe = all.decide+p.decide, all.observe+p.observe
		all.decisions, all.events = all.decisions+p.decisions, all.events+p.events
	}
	b.ReportMetric(all.decide.Seconds()*1e6/float64(all.decisions), "us/decision")
	b.ReportMetric(all.observe.Seconds()*1e6/float64(all.events), "us/event")
	b.ReportMetric((all.decide+all.observe).Seconds()*1e6/float64(all.decisions), "us/both")
	b.ReportMetric(float64(allocations)/float64(all.decisions), "allocs/decision")
	b.ReportMetric(load/float64(b.N), "jobs")
}
