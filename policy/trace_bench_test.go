package policy_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// facebook is the Facebook trace when it is there, the synthetic day otherwise.
func facebook(b *testing.B) []joblog.SWIMJob {
	b.Helper()
	f, err := os.Open("../../../shared/data/swim/FB-2010_samples_24_times_1hr_0.tsv")
	if err != nil {
		jobs, err := workload.SyntheticFB2010(rand.NewPCG(1, 1))
		must(b, err)
		return jobs
	}
	defer f.Close()
	jobs, err := joblog.ReadSWIM(f)
	must(b, err)
	return jobs
}

// machines returns nodes of 4 and 2 slots in racks whose links carry the given fraction of what
// their nodes' NICs of 1 Gbit/s do; 0: no network.
func machines(nodes, racks int, fraction float64) *slotmodel.Cluster {
	c := &slotmodel.Cluster{}
	for i := range nodes {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: i * racks / nodes, Maps: 4, Reduces: 2})
	}
	if fraction > 0 {
		link := fraction * 125e6 * float64(nodes/racks)
		for range racks {
			c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: link, Ingress: link})
		}
		c.Network = slotmodel.Network{Fluid: true}
	}
	return c
}

// BenchmarkFacebook plays the trace, exploded into tasks, on 600 nodes of 6 slots; with a network
// on 1,000 nodes in 40 racks, and there a tenth of it too: every tenth job. Under -short it is a
// tenth, without a network.
func BenchmarkFacebook(b *testing.B) {
	trace := facebook(b)
	var tenth []joblog.SWIMJob
	for i := 0; i < len(trace); i += 10 {
		tenth = append(tenth, trace[i])
	}
	if testing.Short() {
		trace = tenth
	}
	sized := func() slotmodel.Policy { return new(hfsp.Policy) }
	fifo := func() slotmodel.Policy { return policy.FIFO{} }
	fair := func() slotmodel.Policy { return &policy.Fair{} }
	quota := func() slotmodel.Policy { // an order by a key, and at most a quarter of the slots for a job
		return &policy.Greedy{Inner: policy.By(tasksLeft), Filter: jobQuota(600)}
	}
	for _, c := range []struct {
		name    string
		cluster *slotmodel.Cluster
		jobs    []joblog.SWIMJob
		policy  func() slotmodel.Policy
	}{
		{"network=none/policy=fifo", machines(600, 10, 0), trace, fifo},
		{"network=none/policy=fair", machines(600, 10, 0), trace, fair},
		{"network=none/policy=hfsp", machines(600, 10, 0), trace, sized},
		{"network=none/policy=quota", machines(600, 10, 0), trace, quota},
		{"network=5to1/tenth", machines(1000, 40, 1./5), tenth, fifo},
		{"network=20to1/tenth", machines(1000, 40, 1./20), tenth, fifo},
		{"network=20to1/all", machines(1000, 40, 1./20), trace, fifo},
	} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() && c.cluster.Network.Fluid {
				b.Skip("long")
			}
			slots := 0
			for _, n := range c.cluster.Nodes {
				slots += n.Maps
			}
			jobs, err := workload.Explode(nil, c.jobs, workload.ExplodeOptions{MapSlots: slots, ReduceSlots: slots / 2})
			must(b, err)
			tasks := 0
			for i := range jobs {
				tasks += jobs[i].Maps.Tasks + jobs[i].Reduces.Tasks
			}
			var r *slotmodel.Result
			for b.Loop() {
				if r, err = slotmodel.Run(c.cluster, jobs, c.policy(), slotmodel.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(r.Events)/seconds/1e6, "Mevents/s")
			b.ReportMetric(float64(tasks)/seconds/1e6, "Mtasks/s")
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
			b.ReportMetric(r.Totals.Load/float64(len(jobs)), "s-sojourn")
		})
	}
}
