package policy_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// planned runs jobs under queues whose reduces a plan binds, and returns where and when the reduces ended, in their order.
func planned(t require, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, plan *policy.ReducePlan) (nodes []slotmodel.Node, ends []float64) {
	q := &policy.Queues{Order: policy.QueueLLF, Remaining: policy.TrueRemaining}
	plan.Queues, q.Bind = q, plan.Bind
	at := map[slotmodel.Task]slotmodel.Event{}
	_, err := slotmodel.Run(c, jobs, q, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Ended && e.Kind == slotmodel.Reduce {
			at[e.Task] = e
		}
	}})
	if err != nil {
		t.Fatalf("Run = %v", err)
	}
	var tasks []slotmodel.Task
	for x := range at {
		tasks = append(tasks, x)
	}
	slices.Sort(tasks)
	for _, x := range tasks {
		nodes, ends = append(nodes, at[x].Node), append(ends, at[x].Time)
	}
	return nodes, ends
}

type require interface {
	Fatalf(format string, args ...any)
}

// withReduces is a job of one map of 1 s and of reduces of some sizes, which are their work.
func withReduces(arrival float64, works ...float64) slotmodel.JobSpec {
	return slotmodel.JobSpec{Arrival: arrival, Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: len(works), Works: works}}
}

// sizes are those of withReduces.
func sizes(v *slotmodel.View, t slotmodel.Task) float64 {
	j, _, i := v.Index(t)
	return v.Spec(j).Reduces.Works[i]
}

// Two workers for reduces, of speeds 1 and 3: by hand.
func TestReducePlanByHand(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1}, {Reduces: 1, Speed: 3}}}
	for _, x := range []struct {
		name string
		jobs []slotmodel.JobSpec
		plan policy.ReducePlan
		want string
	}{
		// From the largest: 6 takes 2 s on node 2; 3 would end there after 3 s and on node 1 as well, the lower one; 2 ends after 8/3 s on node 2, which serves it first by its number.
		{"by speed", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, policy.ReducePlan{Size: sizes}, "[2 2 1] [1.6667 3.6667 4]"},
		// All of size 1: after 1/3 and 2/3 s on node 2, then after 1 s on node 1, the lower of two.
		{"sizes unknown", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, policy.ReducePlan{}, "[2 2 1] [1.6667 3.6667 4]"},
		// Costs say that node 1 is ten times as fast.
		{"costs", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, policy.ReducePlan{Size: sizes, Cost: func(_ *slotmodel.View, _ slotmodel.Job, n slotmodel.Node, total float64) float64 {
			return total / []float64{0, 10, 1}[n]
		}}, "[1 1 1] [3 9 12]"},
		// The second job's map ends at 2 s, when node 2 is busy for another 8 s.
		{"what waits counts", []slotmodel.JobSpec{withReduces(0, 27), withReduces(.5, 6)}, policy.ReducePlan{Size: sizes}, "[2 1] [10 8]"},
		// A cost that Assign refuses: the caller's.
		{"refused", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, policy.ReducePlan{Size: sizes, Cost: func(*slotmodel.View, slotmodel.Job, slotmodel.Node, float64) float64 {
			return math.NaN()
		}, Else: func(_ *slotmodel.View, t slotmodel.Task) slotmodel.Node { return 1 }}, "[1 1 1] [3 9 12]"},
	} {
		nodes, ends := planned(t, c, x.jobs, &x.plan)
		for i := range ends {
			ends[i] = math.Round(1e4*ends[i]) / 1e4
		}
		if got := fmt.Sprint(nodes, ends); got != x.want {
			t.Errorf("%s: reduces ended on and at %s, want %s", x.name, got, x.want)
		}
	}
}

// A plan is DynamicShare's greedy: from the largest reduce down, each on the worker that ends it first.
func TestReducePlanIsGreedy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
		speeds := rapid.SliceOfN(rapid.IntRange(1, 7), 1, 5).Draw(t, "speeds")
		for _, s := range speeds {
			c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Reduces: 1, Speed: float64(s)})
		}
		var works []float64
		for _, w := range rapid.SliceOfN(rapid.IntRange(1, 1000), 1, 12).Draw(t, "works") {
			works = append(works, float64(w)+float64(len(works))/64) // no two alike
		}
		order := make([]int, len(works))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, works[b]-works[a])) })
		load, want := make([]float64, len(speeds)), make([]slotmodel.Node, len(works))
		for _, i := range order {
			best := 0
			for m := range speeds {
				if (load[m]+works[i])/float64(speeds[m]) < (load[best]+works[i])/float64(speeds[best]) {
					best = m
				}
			}
			load[best] += works[i]
			want[i] = slotmodel.Node(best + 1)
		}
		got, ends := planned(t, c, []slotmodel.JobSpec{withReduces(0, works...)}, &policy.ReducePlan{Size: sizes})
		if !slices.Equal(got, want) {
			t.Fatalf("reduces of %v on speeds %v ran on %v, want %v", works, speeds, got, want)
		}
		last := 0.0
		for m := range load {
			last = max(last, load[m]/float64(speeds[m]))
		}
		if got := slices.Max(ends); math.Abs(got-1-last) > 1e-9*got {
			t.Fatalf("the last reduce of %v on speeds %v ended at %v, want %v", works, speeds, got, 1+last)
		}
	})
}

// A reduce that is lost with its worker is planned by itself, and a nil plan or one without queues binds nothing.
func TestReducePlanAnew(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1}, {Reduces: 1, Speed: 3, Down: []slotmodel.Outage{{From: 2, Until: math.Inf(1)}}}}}
	nodes, ends := planned(t, c, []slotmodel.JobSpec{withReduces(0, 6)}, &policy.ReducePlan{Size: sizes})
	if len(nodes) != 1 || nodes[0] != 1 || ends[0] != 8 {
		t.Errorf("the reduce ended on %v at %v, want on node 1 at 8 s", nodes, ends)
	}
	for _, p := range []*policy.ReducePlan{nil, {}} {
		if n := p.Bind(new(slotmodel.View), 0); n != slotmodel.None {
			t.Errorf("Bind of %+v = %v, want None", p, n)
		}
	}
}

// A job whose reduces have partitions of 6, 3 and 2 units, on workers of speeds 1 and 3.
func ExampleReducePlan() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1}, {Reduces: 1, Speed: 3}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 3, Works: []float64{6, 3, 2}}}}
	q := &policy.Queues{Order: policy.QueueLLF, Remaining: policy.TrueRemaining}
	plan := &policy.ReducePlan{Queues: q, Size: func(v *slotmodel.View, t slotmodel.Task) float64 {
		j, _, i := v.Index(t)
		return v.Spec(j).Reduces.Of(i)
	}}
	q.Bind = plan.Bind
	_, err := slotmodel.Run(cluster, jobs, q, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Started && e.Kind == slotmodel.Reduce {
			fmt.Printf("reduce %d starts on worker %d at %.0f s\n", e.Task-1, e.Node, e.Time) // task 0 is the map
		}
	}})
	fmt.Println(err)
	// Output:
	// reduce 1 starts on worker 1 at 1 s
	// reduce 0 starts on worker 2 at 1 s
	// reduce 2 starts on worker 2 at 3 s
	// <nil>
}
