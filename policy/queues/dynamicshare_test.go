package queues_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// Six workers have two tasks of 4 s each, and one of them is slow by 4: by hand.
func TestDynamicShareByHand(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(6, 6, 1, 0)}
	c.Nodes[0].Slow = []slotmodel.Slowdown{{Until: math.Inf(1), Factor: 4}}
	job := policytest.Maps(0, 12, 4)
	job.Deadline = 20
	estimates := func(*slotmodel.View, slotmodel.Task, slotmodel.Node) float64 { return 4 }
	for _, x := range []struct {
		name string
		p    *queues.DynamicShare
		want string
	}{
		{"nobody is named", &queues.DynamicShare{Policy: queues.Policy{Remaining: queues.TrueRemaining}}, "32: []"},
		// At 0 s worker 0 would end its tasks at 16 and 32 s; the second ends at 12 s elsewhere.
		{"queued tasks", &queues.DynamicShare{Policy: queues.Policy{Remaining: queues.TrueRemaining}, Stragglers: policytest.Laggards, Period: 50}, "16: [0 s: node 0, laxity -12 of [12]]"},
		{"running tasks too", &queues.DynamicShare{Policy: queues.Policy{Remaining: queues.TrueRemaining}, Stragglers: policytest.Laggards, Kill: true, Period: 50}, "12: [0 s: node 0, laxity -12 of [12]]"},
		// At 3 s three sixteenths of the first task are done: its rest takes 13 s and the second
		// task 4 s, while others end theirs at 8 s. Worker 1 takes the second, until 12 s.
		{"by progress", &queues.DynamicShare{Policy: queues.Policy{Remaining: queues.ByProgress(estimates)}, Stragglers: policytest.Laggards, Period: 3}, "16: [3 s: node 0, laxity 0 of [12] 6 s: node 0, laxity 4 of [12] 6 s: node 1, laxity 8 of [12] 9 s: node 0, laxity 4 of [8]]"},
		// With estimates alone an overdue task is about to end, for ever.
		{"by estimates", &queues.DynamicShare{Policy: queues.Policy{Remaining: queues.ByEstimate(estimates)}, Stragglers: policytest.Laggards, Period: 3}, "32: []"},
	} {
		var seen []string
		others := map[float64][]float64{}
		x.p.Report = func(r queues.Report) {
			if r.Overloaded {
				seen = append(seen, fmt.Sprintf("%v s: node %d, laxity %v of", r.Time, r.Node, r.Laxity))
			} else if !slices.Contains(others[r.Time], r.Laxity) {
				others[r.Time] = append(others[r.Time], r.Laxity)
			}
		}
		res, err := slotmodel.Run(c, []slotmodel.JobSpec{job}, x.p, slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range seen {
			var at float64
			fmt.Sscanf(s, "%v s", &at)
			slices.Sort(others[at])
			seen[i] = fmt.Sprint(s, " ", others[at])
		}
		if got := fmt.Sprintf("%v: %v", res.Jobs[0].Finish, seen); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// A task that leaves goes where it would end first: to worker 2, where it ends at 8 s after another
// task, and not to worker 1, which is free and would take 16 s.
func TestTasksLeaveForTheFirstEnd(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Speed: .5}, {Maps: 1, Speed: .25}, {Maps: 1}}}
	p := &queues.DynamicShare{Stragglers: func(dst []int, _ []float64) []int { return append(dst, 0) }}
	p.Remaining = queues.TrueRemaining
	p.Bind = func(_ *slotmodel.View, t slotmodel.Task) slotmodel.Node { return []slotmodel.Node{0, 0, 2}[t] }
	got := policytest.Starts(t, c, []slotmodel.JobSpec{policytest.Maps(0, 3, 4)}, p)
	if want := "0:0m@0 0:0m@2 4:0m@2 | 8"; got != want {
		t.Errorf("the starts are %q, want %q", got, want)
	}
}

// The queued task of a worker that other load slows by 4 leaves, whatever the laxities, as soon as
// a report shows the load: by hand, as above. The rule is not asked about a job with one report.
func TestOutliers(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(6, 6, 1, 0)}
	c.Nodes[0].Slow = []slotmodel.Slowdown{{From: 3, Until: math.Inf(1), Factor: 4}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 12, 4), policytest.Maps(0, 1, 1)}
	memory := 0.0
	p := &queues.DynamicShare{Period: 3, Stragglers: func([]int, []float64) []int { panic("asked") }, Outliers: func(dst []int, reports []queues.Report) []int {
		for i, r := range reports {
			want := 1.
			if r.Node == 0 && r.Time >= 3 {
				want = 4
			}
			if len(reports) < 2 || r.Job != 0 || r.Running != 1 || r.Slowdown != want {
				t.Errorf("report %+v of %d", r, len(reports))
			}
			memory += r.Memory
			if r.Slowdown > 1 {
				dst = append(dst, i)
			}
		}
		return dst
	}}
	p.Remaining = queues.TrueRemaining
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Job 1 ends at 9 s on worker 0 or elsewhere; the first task of worker 0 ends at 3 + 4 s, and
	// its second is on another worker after that one's two tasks, until 12 s.
	if got := res.Jobs[0].Finish; got != 12 || memory != 0 {
		t.Errorf("job 0 ends at %v s with %v bytes in reports, want 12 and 0: memory has no limit", got, memory)
	}
}

// A map that runs again for a reduce which holds a slot is not killed: it could move to the worker
// whose slot the reduce holds, and each would wait for the other.
func TestDynamicShareWaits(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{
		{Maps: 1, Down: []slotmodel.Outage{{From: 2, Until: math.Inf(1)}}},
		{Maps: 1, Slow: []slotmodel.Slowdown{{Until: math.Inf(1), Factor: 8}}},
		{Slots: 1},
	}, Network: slotmodel.Network{Shuffle: 10}}
	job := slotmodel.JobSpec{Deadline: 100, Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 5}}
	named := 0
	p := &queues.DynamicShare{Stragglers: policytest.Laggards, Kill: true, Report: func(r queues.Report) {
		if r.Overloaded && r.Node == 1 {
			named++
		}
	}}
	p.Remaining = queues.TrueRemaining
	p.Bind = func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		_, k, _ := v.Index(t)
		return slotmodel.Node(2 * k)
	}
	res, err := slotmodel.Run(c, []slotmodel.JobSpec{job}, p, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Jobs[0].Outcome != slotmodel.Finished || res.Totals.Kills != 0 || named == 0 {
		t.Errorf("the job is %v after %d kills, the slow worker is named %d times, want it finished without a kill", res.Jobs[0].Outcome, res.Totals.Kills, named)
	}
}
