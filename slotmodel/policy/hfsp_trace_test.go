package policy_test

import (
	"os"
	"testing"
	"time"
	"strings"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestHFSPTrace(t *testing.T) {
	f, err := os.Open("../../../shared/data/swim/FB-2010_samples_24_times_1hr_0.tsv")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	swim, err := workload.ReadSWIM(f)
	if err != nil {
		t.Fatal(err)
	}
	jobs, ex, err := workload.Explode(nil, swim, workload.ExplodeOptions{MapSlots: 2400, ReduceSlots: 1200}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", ex)
	c := &slotmodel.Cluster{}
	for i := range 600 {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: i / 60, Maps: 4, Reduces: 2})
	}
	n := 0
	for i := range jobs {
		n += jobs[i].Maps.Tasks + jobs[i].Reduces.Tasks
	}
	only := os.Getenv("ONLY")
	run := func(name string, p slotmodel.Policy) {
		if only != "" && !strings.Contains(","+only+",", ","+name+",") { return }
		start := time.Now()
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
		d := time.Since(start)
		if err != nil {
			t.Fatal(name, err)
		}
		mst := 0.0
		for i := range res.Jobs {
			mst += res.Jobs[i].Finish - jobs[i].Arrival
		}
		t.Logf("%-12s %d tasks, events %d calls %d in %v: %.2f M tasks/s mst %.2f kills %d susp %d load %.1f", name, n, res.Events, res.Calls, d, float64(n)/d.Seconds()/1e6, mst/float64(len(jobs)),
			res.Totals.Kills, res.Totals.Suspensions, res.Totals.Load/res.End)
	}
	run("fifo", policy.FIFO{})
	run("fair", &policy.Fair{})
	run("srpt", &policy.SRPT{})
	for _, x := range []struct {
		name string
		o    policy.HFSPOptions
	}{
		{"hfsp", policy.HFSPOptions{}},
		{"first", policy.HFSPOptions{Late: policy.LateFirst}},
		{"next", policy.HFSPOptions{Late: policy.LateNext}},
		{"nocap", policy.HFSPOptions{Caps: policy.CapNone}},
		{"work", policy.HFSPOptions{ByWork: true}},
		{"true", policy.HFSPOptions{Size: policy.TrueSize, NoTraining: true}},
		{"true-first", policy.HFSPOptions{Size: policy.TrueSize, NoTraining: true, Late: policy.LateFirst}},
		{"true-nocap", policy.HFSPOptions{Size: policy.TrueSize, NoTraining: true, Caps: policy.CapNone}},
		{"no-training", policy.HFSPOptions{NoTraining: true}},
		{"s1", policy.HFSPOptions{Samples:1}},
		{"t10", policy.HFSPOptions{Limit:.1}},
		{"kill", policy.HFSPOptions{Preempt: policy.PreemptKill}},
		{"suspend", policy.HFSPOptions{Preempt: policy.PreemptSuspend}},
	} {
		p, err := policy.NewHFSP(x.o)
		if err != nil {
			t.Fatal(err)
		}
		run(x.name, p)
	}
}
