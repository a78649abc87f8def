package queues_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// planned runs jobs under queues whose reduces a plan binds, and returns where and when the reduces
// ended, in their order.
func planned(t policytest.Failer, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, plan *queues.ReducePlan) (nodes []slotmodel.Node, ends []float64) {
	q := &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
	plan.Queues, q.Bind = q, plan.Bind
	return runReduces(t, c, jobs, q)
}

// runReduces runs jobs and returns where and when the reduces ended, in their order.
func runReduces(t policytest.Failer, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, q *queues.Policy) (nodes []slotmodel.Node, ends []float64) {
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
		plan queues.ReducePlan
		want string
	}{
		// From the largest: 6 takes 2 s on node 2; 3 would end there after 3 s and on node 1 as
		// well, the lower one; 2 ends after 8/3 s on node 2, which serves it first by its number.
		{"by speed", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, queues.ReducePlan{Size: sizes}, "[2 2 1] [1.6667 3.6667 4]"},
		// All of size 1: after 1/3 and 2/3 s on node 2, then after 1 s on node 1, the lower of two.
		{"sizes unknown", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, queues.ReducePlan{}, "[2 2 1] [1.6667 3.6667 4]"},
		// Costs say that node 1 is ten times as fast.
		{"costs", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, queues.ReducePlan{Size: sizes, Cost: func(_ *slotmodel.View, _ slotmodel.Job, n slotmodel.Node, total float64) float64 {
			return total / []float64{0, 10, 1}[n]
		}}, "[1 1 1] [3 9 12]"},
		// The second job's map ends at 2 s, when node 2 is busy for another 8 s.
		{"what waits counts", []slotmodel.JobSpec{withReduces(0, 27), withReduces(.5, 6)}, queues.ReducePlan{Size: sizes}, "[2 1] [10 8]"},
		// A cost that Assign refuses: the caller's.
		{"refused", []slotmodel.JobSpec{withReduces(0, 2, 6, 3)}, queues.ReducePlan{Size: sizes, Cost: func(*slotmodel.View, slotmodel.Job, slotmodel.Node, float64) float64 {
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

// Where one size or one cost is out of range, Else binds all reduces of the job.
func TestReducePlanRefuses(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1}, {Reduces: 1, Speed: 3}}}
	for _, x := range []float64{-1, -math.SmallestNonzeroFloat64, 0x1p201, math.Inf(-1), math.Inf(1), math.NaN()} {
		for name, plan := range map[string]*queues.ReducePlan{
			"size": {Size: func(_ *slotmodel.View, t slotmodel.Task) float64 { return []float64{0, 6, x, 6}[t] },
				Cost: func(*slotmodel.View, slotmodel.Job, slotmodel.Node, float64) float64 { return 1 }},
			"cost": {Cost: func(_ *slotmodel.View, _ slotmodel.Job, n slotmodel.Node, _ float64) float64 {
				return []float64{0, 1, x}[n]
			}},
		} {
			plan.Else = func(*slotmodel.View, slotmodel.Task) slotmodel.Node { return 2 }
			if nodes, _ := planned(t, c, []slotmodel.JobSpec{withReduces(0, 6, 6, 6)}, plan); !slices.Equal(nodes, []slotmodel.Node{2, 2, 2}) {
				t.Errorf("a %s of %v: the reduces ended on %v, want on node 2 as Else says", name, x, nodes)
			}
		}
	}
}

// Worker 1 runs a reduce until 1.1 s and A's waits there. By least laxity B's would overtake it and
// end sooner than on worker 2, but A, whose deadline is 5.1 s, would end at 6.1 s.
func TestReducePlanKeepsDeadlines(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3}, {Reduces: 1}, {Reduces: 1, Speed: .7}}}
	job := func(work, reduce, deadline float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1, Work: work}, Reduces: slotmodel.Phase{Tasks: 1, Work: reduce}, Deadline: deadline}
	}
	for _, x := range []struct {
		deadline float64 // of A
		want     string
	}{
		{5.1, "[1 1 2] [1.1 2.1 6.214]"},
		{6.1, "[1 1 1] [1.1 6.1 5.1]"}, // A meets this one although it is overtaken
		{1.9, "[1 1 1] [1.1 6.1 5.1]"}, // A misses this one in any case, and is served after B
	} {
		jobs := []slotmodel.JobSpec{job(.3, .8, 0), job(.4, 1, x.deadline), job(.5, 4, 7)}
		q := &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
		plan := &queues.ReducePlan{Queues: q, Size: func(v *slotmodel.View, t slotmodel.Task) float64 { return 4 }}
		q.Bind = func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
			if j, k, _ := v.Index(t); k == slotmodel.Reduce && j < 2 {
				return 1
			}
			return plan.Bind(v, t)
		}
		nodes, ends := runReduces(t, c, jobs, q)
		for i := range ends {
			ends[i] = math.Round(1e3*ends[i]) / 1e3
		}
		if got := fmt.Sprint(nodes, ends); got != x.want {
			t.Errorf("A's deadline is %v: reduces ended on and at %s, want %s", x.deadline, got, x.want)
		}
	}
}

// The worker that a plan chooses is the one for which the fewest deadlines are missed because of
// the reduce, then the one on which it ends first, when the model is run with the reduce on every
// worker in turn.
func TestReducePlanByTrial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 40}}}
		workers := rapid.IntRange(2, 4).Draw(t, "workers")
		for range workers {
			c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Reduces: rapid.IntRange(1, 2).Draw(t, "slots"), Speed: rapid.SampledFrom([]float64{.5, 1, 2}).Draw(t, "speed")})
		}
		unit := rapid.SampledFrom([]float64{1. / 64, .1}).Draw(t, "unit")
		length := rapid.IntRange(1, 400)
		var jobs []slotmodel.JobSpec
		var at [][]slotmodel.Node
		others := rapid.IntRange(1, 6).Draw(t, "jobs")
		for i := range others + 1 {
			works, nodes := []float64{}, []slotmodel.Node{}
			reduces := 1
			if i < others {
				reduces = rapid.IntRange(1, 4).Draw(t, "reduces")
			}
			for k := range reduces {
				works = append(works, unit*float64(length.Draw(t, "work"))+float64(i)/1024+float64(k)/65536)
				nodes = append(nodes, slotmodel.Node(rapid.IntRange(1, workers).Draw(t, "worker")))
			}
			job := withReduces(0, works...)
			job.Maps.Work = 1 + float64(i)/4
			if rapid.IntRange(0, 4).Draw(t, "has a deadline") > 0 {
				job.Deadline = 3 + unit*float64(rapid.IntRange(1, 1500).Draw(t, "deadline")) + float64(i)/512
			}
			jobs, at = append(jobs, job), append(at, nodes)
		}
		settings := queues.Policy{Remaining: queues.TrueRemaining,
			Order: rapid.SampledFrom([]queues.Order{queues.FIFO, queues.EDF, queues.LLF, queues.EDFDemoted, queues.LLFAhead}).Draw(t, "order")}
		// run binds the last job's reduce to a worker, or to a worker of its own, or by a plan.
		const alone, byPlan = -1, -2
		run := func(to slotmodel.Node) (missed []bool, end float64, on slotmodel.Node) {
			q := settings
			plan := &queues.ReducePlan{Queues: &q, Size: sizes}
			cluster := *c
			if to == alone {
				to = slotmodel.Node(len(c.Nodes))
				cluster.Nodes = append(slices.Clone(c.Nodes), slotmodel.NodeSpec{Reduces: 1})
			}
			q.Bind = func(v *slotmodel.View, x slotmodel.Task) slotmodel.Node {
				switch j, k, i := v.Index(x); {
				case k == slotmodel.Map:
					return 0
				case int(j) < others:
					return at[j][i]
				case to == byPlan:
					return plan.Bind(v, x)
				}
				return to
			}
			nodes, ends := runReduces(t, &cluster, jobs, &q)
			missed = make([]bool, len(jobs)*len(cluster.Nodes)) // by job and worker
			i := 0
			for j, job := range jobs {
				for range job.Reduces.Tasks {
					if job.Deadline > 0 && ends[i] > job.Deadline*(1+1e-9) {
						missed[int(nodes[i])*len(jobs)+j] = true
					}
					on, end = nodes[i], ends[i]
					i++
				}
			}
			return missed, end, on
		}
		before, _, _ := run(alone)
		before = before[:len(jobs)*len(c.Nodes)]
		best, fewest, first := slotmodel.Node(0), 0, 0.0
		for n := slotmodel.Node(1); int(n) <= workers; n++ {
			after, end, _ := run(n)
			broken := 0
			for i := range after {
				if after[i] && !before[i] {
					broken++
				}
			}
			if best == 0 || broken < fewest || broken == fewest && end < first*(1-1e-9) {
				best, fewest, first = n, broken, end
			}
		}
		if _, end, on := run(byPlan); on != best && math.Abs(end-first) > 1e-9*end {
			t.Fatalf("the plan takes worker %d, where the reduce ends at %v; worker %d misses %d deadlines and ends it at %v", on, end, best, fewest, first)
		}
	})
}

// A reduce that is lost with its worker is planned by itself, and a plan without queues binds
// nothing.
func TestReducePlanAnew(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1}, {Reduces: 1, Speed: 3, Down: []slotmodel.Outage{{From: 2, Until: math.Inf(1)}}}}}
	nodes, ends := planned(t, c, []slotmodel.JobSpec{withReduces(0, 6)}, &queues.ReducePlan{Size: sizes})
	if len(nodes) != 1 || nodes[0] != 1 || ends[0] != 8 {
		t.Errorf("the reduce ended on %v at %v, want on node 1 at 8 s", nodes, ends)
	}
	if n := new(queues.ReducePlan).Bind(new(slotmodel.View), 0); n != slotmodel.None {
		t.Errorf("Bind without queues = %v, want None", n)
	}
}

// A plan does not outlive its run. In the first run task 3 is in no queue while the workers are
// busy, and task 1 is bound anew when its worker is lost at 7 s. In the second run, whose maps end
// at 7 s too, task 3 is bound by a plan of its own, to the faster worker.
func TestReducePlanForgets(t *testing.T) {
	until := []slotmodel.Outage{{Until: 2}}
	lost := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1, Down: append(until, slotmodel.Outage{From: 7, Until: math.Inf(1)})}, {Reduces: 1, Down: until}}}
	plan := &queues.ReducePlan{Size: sizes}
	if nodes, _ := planned(t, lost, []slotmodel.JobSpec{withReduces(0, 10, 10, 10)}, plan); !slices.Equal(nodes, []slotmodel.Node{2, 2, 2}) {
		t.Fatalf("the reduces ended on %v, want all on node 2", nodes)
	}
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1, Speed: 4}, {Reduces: 1}}}
	job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 3, Works: []float64{3, 3, 1}}, Reduces: slotmodel.Phase{Tasks: 1, Works: []float64{8}}}
	if nodes, ends := planned(t, c, []slotmodel.JobSpec{job}, plan); nodes[0] != 1 || ends[0] != 9 {
		t.Errorf("the reduce ended on %v at %v, want on node 1 at 9 s", nodes, ends)
	}
}

// A job whose reduces have partitions of 6, 3 and 2 units, on workers of speeds 1 and 3.
func ExampleReducePlan() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Reduces: 1}, {Reduces: 1, Speed: 3}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 3, Works: []float64{6, 3, 2}}}}
	q := &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
	plan := &queues.ReducePlan{Queues: q, Size: func(v *slotmodel.View, t slotmodel.Task) float64 {
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
