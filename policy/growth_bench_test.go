package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// growing is a cluster of n nodes in racks of 20 and ten times as many jobs of 10 maps, or of 1 to
// 19, blocks with 3 copies in two racks, 10 s of work each on average, at a given load.
func growing(n int, load float64, mixed bool) (*slotmodel.Cluster, []slotmodel.JobSpec) {
	r := rand.New(rand.NewPCG(uint64(n), 10))
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(n, 20, 2, 1)}
	jobs := make([]slotmodel.JobSpec, 10*n)
	at := 0.0
	for i := range jobs {
		tasks := 10
		if mixed {
			tasks = 1 + r.IntN(19)
		}
		jobs[i] = policytest.Maps(at, tasks, 10*r.ExpFloat64())
		at += 100 * r.ExpFloat64() / (load * float64(2*n))
		jobs[i].Copies = 3
		for range tasks {
			a, b := r.IntN(n), r.IntN(n)
			jobs[i].Replicas = append(jobs[i].Replicas, int32(a), int32(b), int32(b/20*20+r.IntN(20)))
		}
	}
	return c, jobs
}

// ownOrder is a Ranker and a Comparer as a user may write them: by arrival, from what the View
// says.
type ownOrder struct {
	kind slotmodel.Kind
	last slotmodel.Job
}

func (r *ownOrder) Begin(_ *slotmodel.View, k slotmodel.Kind) { r.kind, r.last = k, slotmodel.None }

func (r *ownOrder) Next(v *slotmodel.View) slotmodel.Job {
	r.last = v.NextRunnable(r.last, r.kind)
	return r.last
}

func (r *ownOrder) Ahead(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	_, x := v.Arrival(a)
	_, y := v.Arrival(b)
	return x < y, true
}

// The cost of a task as nodes, slots, jobs and jobs present grow tenfold, without a backlog and, at
// load 3, with one that grows all the time.
func BenchmarkGrowth(b *testing.B) {
	for _, p := range []struct {
		name    string
		most    int // nodes
		backlog int // nodes at load 3, since some grow faster there
		mixed   bool
		make    func() slotmodel.Policy
	}{
		{"Fair", 10000, 10000, false, func() slotmodel.Policy { return new(policy.Fair) }},
		{"SRPTSuspend", 1000, 1000, false, func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptSuspend} }},
		{"SRPTKill", 1000, 1000, false, func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptKill} }},
		{"QueuesEDF", 1000, 1000, false, func() slotmodel.Policy { return &queues.Policy{Order: queues.EDF} }},
		{"QueuesLLF", 1000, 1000, false, func() slotmodel.Policy {
			return &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
		}},
		{"DelayArrival", 10000, 1000, false, func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} }},
		{"DelayFair", 10000, 1000, false, func() slotmodel.Policy {
			return &policy.Delay{Inner: new(policy.Fair), Node: 4.5, Rack: 4.5}
		}},
		{"DelayOwn", 10000, 1000, false, func() slotmodel.Policy { return &policy.Delay{Inner: new(ownOrder), Node: 4.5, Rack: 4.5} }},
		{"HFSP", 10000, 100, false, func() slotmodel.Policy { return new(hfsp.Policy) }},
		{"DelayHFSP", 10000, 100, false, func() slotmodel.Policy {
			return &policy.Delay{Inner: new(hfsp.Policy), Node: 4.5, Rack: 4.5}
		}},
		{"DelayHFSPMixed", 10000, 100, true, func() slotmodel.Policy {
			return &policy.Delay{Inner: new(hfsp.Policy), Node: 4.5, Rack: 4.5}
		}},
	} {
		for _, load := range []float64{.9, 3} {
			most := p.most
			if load > 1 {
				most = p.backlog
			}
			for n := 100; n <= most; n *= 10 {
				b.Run(fmt.Sprintf("%s/load=%v/nodes=%d", p.name, load, n), func(b *testing.B) {
					if testing.Short() && (load > 1 || n > 1000) {
						b.Skip("long")
					}
					c, jobs := growing(n, load, p.mixed)
					present := 0.0
					for b.Loop() {
						res, err := slotmodel.Run(c, jobs, p.make(), slotmodel.Options{})
						must(b, err)
						present = res.Totals.Load / res.End
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e3/float64(b.N)/float64(10*len(jobs)), "us/task")
					b.ReportMetric(present, "jobs")
				})
			}
		}
	}
}
