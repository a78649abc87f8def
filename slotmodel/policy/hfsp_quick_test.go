package policy_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

func TestHFSPQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := &slotmodel.Cluster{}
	for i := range 600 {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: i / 60, Maps: 4, Reduces: 2})
	}
	var jobs []slotmodel.JobSpec
	at := 0.0
	n := 0
	for range 4000 {
		at += r.ExpFloat64() * .3
		m := int(1 + r.ExpFloat64()*r.ExpFloat64()*200)
		jobs = append(jobs, slotmodel.JobSpec{Arrival: at, Maps: slotmodel.Phase{Tasks: m, Work: 10 * r.ExpFloat64()}, Reduces: slotmodel.Phase{Tasks: m / 5, Work: 20 * r.ExpFloat64()}, Slowstart: .95})
		n += m + m/5
	}
	run := func(name string, p slotmodel.Policy) {
		start := time.Now()
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
		d := time.Since(start)
		if err != nil {
			t.Fatal(name, err)
		}
		mst := 0.0
		for i := range res.Jobs {
			mst += res.Jobs[i].Finish - jobs[i].Arrival
		}
		t.Logf("%-12s %d tasks, events %d calls %d in %v: %.2f M tasks/s hash %x mst %.2f kills %d susp %d load %.1f", name, n, res.Events, res.Calls, d, float64(n)/d.Seconds()/1e6, res.Hash, mst/float64(len(jobs)),
			res.Totals.Kills, res.Totals.Suspensions, res.Totals.Load/res.End)
	}
	run("fifo", policy.FIFO{})
	for _, x := range []struct {
		name string
		o    policy.HFSPOptions
	}{
		{"hfsp", policy.HFSPOptions{}},
		{"first", policy.HFSPOptions{Late: policy.LateFirst}},
		{"next", policy.HFSPOptions{Late: policy.LateNext}},
		{"nocap", policy.HFSPOptions{Caps: policy.CapNone}},
		{"work/nocap", policy.HFSPOptions{Caps: policy.CapNone, ByWork: true}},
		{"true", policy.HFSPOptions{Size: policy.TrueSize, NoTraining: true}},
		{"true nocap", policy.HFSPOptions{Size: policy.TrueSize, NoTraining: true, Caps: policy.CapNone}},
		{"r1", policy.HFSPOptions{Refresh: 1}},{"r5", policy.HFSPOptions{Refresh: 5}},{"kill", policy.HFSPOptions{Preempt: policy.PreemptKill}},
		{"suspend", policy.HFSPOptions{Preempt: policy.PreemptSuspend}},
	} {
		p, err := policy.NewHFSP(x.o)
		if err != nil {
			t.Fatal(err)
		}
		run(x.name, p)
	}
}
