package queues_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// A job of a map of 1 s and a reduce of 6 s, which a plan binds to the worker of speed 3: by hand.
func TestDeciding(t *testing.T) {
	type view = slotmodel.View
	seconds := func(s float64) func(*view, slotmodel.Job) float64 {
		return func(*view, slotmodel.Job) float64 { return s }
	}
	for _, x := range []struct {
		name     string
		deciding func(*view, slotmodel.Job) float64
		down     []slotmodel.Outage // of the node of the map
		cancel   float64
		want     string
	}{
		{"at once", nil, nil, 0, "asked [1], ends 3 finished"},
		{"two seconds", seconds(2), nil, 0, "asked [3], ends 5 finished"},
		{"negative", seconds(-1), nil, 0, "asked [1], ends 3 finished"},
		{"no number", seconds(math.NaN()), nil, 0, "asked [1], ends 3 finished"},
		{"too long", seconds(math.Inf(1)), nil, 0, "asked [1], ends 3 finished"},
		{"cancelled meanwhile", seconds(2), nil, 2, "asked [], ends 2 canceled"},
		// The map's output is lost at 2 s. The reduce enters its queue at 3 s all the same, and
		// waits for the map's second end at 5 s and for the plan of then.
		{"output lost meanwhile", seconds(2), []slotmodel.Outage{{From: 2, Until: 4}}, 0, "asked [3], ends 9 finished"},
	} {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Down: x.down}, {Reduces: 1}, {Reduces: 1, Speed: 3}}}
		job := withReduces(0, 6)
		job.Cancel = x.cancel
		q := &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining, Deciding: x.deciding}
		plan := &queues.ReducePlan{Queues: q, Size: sizes}
		var asked []float64
		q.Bind = func(v *view, task slotmodel.Task) slotmodel.Node {
			if _, k, _ := v.Index(task); k == slotmodel.Reduce {
				asked = append(asked, v.Now())
			}
			return plan.Bind(v, task)
		}
		for range 2 { // a value serves one run after another
			asked = nil
			res, err := slotmodel.Run(c, []slotmodel.JobSpec{job}, q, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("asked %v, ends %v %v", asked, res.Jobs[0].Finish, res.Jobs[0].Outcome); got != x.want {
				t.Errorf("%s: %s, want %s", x.name, got, x.want)
			}
		}
	}
}

// Whatever is lost while plans are made, every job ends, and no reduce of a job that lost nothing
// starts before the plan of the job is made.
func TestDecidingEnds(t *testing.T) {
	late := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		var times []float64
		for range jobs {
			times = append(times, policytest.DrawWork(t, "deciding"))
		}
		q := &queues.Policy{Order: queues.Order(rapid.IntRange(0, 9).Draw(t, "order")), Remaining: queues.TrueRemaining,
			Deciding: func(_ *slotmodel.View, j slotmodel.Job) float64 { return times[j] }}
		res, err := slotmodel.Run(c, jobs, q, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.OutputLost {
				times[e.Job] = 0
			}
		}})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		for j, r := range res.Jobs {
			if r.Outcome == slotmodel.Unended {
				t.Fatalf("job %d has not ended", j)
			}
			if r.Outcome == slotmodel.Finished && jobs[j].Reduces.Tasks > 0 && times[j] > 0 {
				if late++; r.Finish < r.MapEnd+times[j] {
					t.Fatalf("job %d ends at %v, its maps at %v, and deciding takes %v s", j, r.Finish, r.MapEnd, times[j])
				}
			}
		}
	}
	policytest.CheckOften(t, property)
	late = 0
	policytest.Counted(200, property)
	if late < 20 {
		t.Errorf("%d jobs waited for a plan, want 20: the workloads test nothing", late)
	}
}
