package queues_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// finishes runs jobs of one map each on one slot and returns when they end.
func finishes(t interface{ Fatalf(string, ...any) }, p *queues.Policy, arrivals, works, deadlines []float64) []float64 {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	var jobs []slotmodel.JobSpec
	for i := range works {
		jobs = append(jobs, slotmodel.JobSpec{Arrival: arrivals[i], Deadline: deadlines[i], Maps: slotmodel.Phase{Tasks: 1, Work: works[i]}})
	}
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
	if err != nil {
		t.Fatalf("Run failed: %v", err)
	}
	var ends []float64
	for _, r := range res.Jobs {
		ends = append(ends, r.Finish)
	}
	return ends
}

// A job of 2 s comes 1 s after one of 10 s. With laxity left it takes the slot; with none it waits
// under LLF.
func TestPreemptByHand(t *testing.T) {
	for _, c := range []struct {
		p        queues.Policy
		deadline float64
		want     []float64
	}{
		{queues.Policy{Order: queues.JobLLF}, 5, []float64{10, 12}},
		{queues.Policy{Order: queues.JobLLFPreempting}, 5, []float64{12, 3}},
		{queues.Policy{Order: queues.JobLLFPreempting}, 2.5, []float64{10, 12}},
		{queues.Policy{Order: queues.JobLLFPreempting}, 23, []float64{10, 12}},
		{queues.Policy{Order: queues.EDFPreempting}, 2.5, []float64{12, 3}},
	} {
		c.p.Remaining = queues.TrueRemaining
		if got := finishes(t, &c.p, []float64{0, 1}, []float64{10, 2}, []float64{30, c.deadline}); !slices.Equal(got, c.want) {
			t.Errorf("%v, deadline %v: jobs end at %v, want %v", c.p.Order, c.deadline, got, c.want)
		}
	}
}

// Where suspended tasks are asked to need most, two jobs would take the slot from each other for
// ever.
func TestPreemptOnce(t *testing.T) {
	p := &queues.Policy{Order: queues.JobLLFPreempting, Remaining: func(v *slotmodel.View, _ slotmodel.Task, _ slotmodel.Node, x slotmodel.Attempt) float64 {
		if x != slotmodel.None && !v.Attempt(x).Suspended {
			return 0
		}
		return 5
	}}
	if got, want := finishes(t, p, []float64{0, 1}, []float64{10, 2}, []float64{30, 29}), []float64{12, 3}; !slices.Equal(got, want) {
		t.Errorf("jobs end at %v, want %v", got, want)
	}
}

// A node is lost with a task that runs and one that is suspended, and is bound tasks like any other
// when it is back.
func TestPreemptedLost(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Down: []slotmodel.Outage{{From: 2, Until: 3}}}, {Maps: 1}}}
	job := func(at, deadline float64, tasks int, work float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Arrival: at, Deadline: deadline, Maps: slotmodel.Phase{Tasks: tasks, Work: work}}
	}
	p := &queues.Policy{Order: queues.EDFPreempting, Bind: func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		if v.Now() < 2 {
			return 0
		}
		return slotmodel.None
	}}
	res, err := slotmodel.Run(c, []slotmodel.JobSpec{job(0, 90, 1, 10), job(1, 50, 1, 3), job(40, 90, 2, 4)}, p, slotmodel.Options{})
	if err != nil || res.Totals.Suspensions != 1 || res.Jobs[1].Finish != 5 || res.Jobs[0].Finish != 15 || res.Jobs[2].Finish != 44 {
		t.Errorf("Run = %+v, %v, want one suspension and ends at 15, 5 and 44", res.Jobs, err)
	}
}

// The report of a job whose task is suspended counts what the task has left. A suspended task stays
// on its worker even if that is overloaded.
func TestPreemptedReports(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}}}
	var laxity []float64
	p := &queues.DynamicShare{
		Policy:     queues.Policy{Order: queues.JobLLFPreempting, Remaining: queues.TrueRemaining, Bind: func(_ *slotmodel.View, t slotmodel.Task) slotmodel.Node { return slotmodel.Node(t % 2) }},
		Stragglers: func(dst []int, _ []float64) []int { return append(dst, 0) },
		Report: func(r queues.Report) {
			if r.Job == 0 && r.Node == 0 && r.Time == 2 {
				laxity = append(laxity, r.Laxity)
			}
		},
	}
	jobs := []slotmodel.JobSpec{{Deadline: 30, Maps: slotmodel.Phase{Tasks: 2, Works: []float64{10, 3}}}, {Arrival: 1, Deadline: 20, Maps: slotmodel.Phase{Tasks: 1, Work: 14}}}
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
	if want := []float64{30 - 2 - 13 - 9}; err != nil || !slices.Equal(laxity, want) || res.Jobs[0].Finish != 24 || res.Jobs[1].Finish != 15 {
		t.Errorf("Run = %+v, %v, laxities %v at 2 s, want ends at 24 and 15 and %v", res.Jobs, err, laxity, want)
	}
}

// On one slot EDF that preempts is the textbook's: at each second the earliest deadline runs.
func TestPreemptiveEDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "jobs")
		var arrivals, works, deadlines, left []float64
		for i := range n {
			arrivals = append(arrivals, float64(rapid.IntRange(0, 20).Draw(t, "arrival")))
			works = append(works, float64(rapid.IntRange(1, 9).Draw(t, "work")))
			deadlines = append(deadlines, arrivals[i]+float64(rapid.IntRange(1, 30).Draw(t, "within"))+float64(i)/16) // no ties
		}
		want := make([]float64, n)
		left = slices.Clone(works)
		for now := 0.0; slices.Max(left) > 0; now++ {
			first := -1
			for i := range left {
				if left[i] > 0 && arrivals[i] <= now && (first < 0 || deadlines[i] < deadlines[first]) {
					first = i
				}
			}
			if first >= 0 {
				if left[first]--; left[first] == 0 {
					want[first] = now + 1
				}
			}
		}
		got := finishes(t, &queues.Policy{Order: queues.EDFPreempting}, arrivals, works, deadlines)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9 {
				t.Fatalf("arrivals %v, works %v, deadlines %v: ends %v, want %v", arrivals, works, deadlines, got, want)
			}
		}
	})
}
