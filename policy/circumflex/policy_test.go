package circumflex_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/schedtest"
	"github.com/schedmath/schedmath/slotmodel"
)

// cluster has nodes of some map slots.
func cluster(nodes ...int) *slotmodel.Cluster {
	c := &slotmodel.Cluster{}
	for _, n := range nodes {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: n})
	}
	return c
}

// run runs a policy and returns the result.
func run(t *testing.T, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy, o slotmodel.Options) *slotmodel.Result {
	t.Helper()
	r, err := slotmodel.Run(c, jobs, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ends are the times at which jobs end.
func ends(r *slotmodel.Result) []float64 {
	var list []float64
	for _, j := range r.Jobs {
		list = append(list, j.Finish)
	}
	return list
}

func TestByHand(t *testing.T) {
	scan := func(arrival float64, dataset, blocks int) slotmodel.JobSpec {
		s := policytest.Maps(arrival, blocks, 1)
		s.Dataset = dataset
		return s
	}
	p := new(circumflex.Policy)
	for _, c := range []struct {
		name   string
		nodes  []int
		policy *circumflex.Policy
		jobs   []slotmodel.JobSpec
		want   []float64
		read   float64 // slot-seconds on the nodes
	}{
		// Block 0 is read until 1, when job 1 is there already, and once more for job 1.
		{"one joins", []int{1}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(.5, 1, 4)}, []float64{4, 5}, 5},
		{"three join", []int{1}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(.5, 1, 4), scan(2.5, 1, 4)}, []float64{4, 5, 7}, 7},
		{"together", []int{1}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(0, 1, 4)}, []float64{4, 4}, 4},
		{"apart", []int{1}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(.5, 2, 4)}, []float64{4, 8}, 8},
		{"FLEX", []int{1}, &circumflex.Policy{}, []slotmodel.JobSpec{scan(0, 0, 4), scan(.5, 0, 4)}, []float64{4, 8}, 8},
		{"a smaller one goes first", []int{1}, &circumflex.Policy{}, []slotmodel.JobSpec{scan(0, 0, 4), scan(.5, 0, 2)}, []float64{6, 3}, 6},
		{"the smaller one has both slots", []int{2}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(0, 2, 2)}, []float64{3, 1}, 6},
		// At 2 both jobs of dataset 1 end.
		{"a ride ends with the read", []int{1}, p, []slotmodel.JobSpec{scan(0, 1, 2), scan(0, 1, 2), scan(0, 2, 5), scan(0, 3, 3)}, []float64{2, 2, 10, 5}, 10},
		// At 1 all four blocks of job 0 are under way, and job 1 has missed them.
		{"too late to join", []int{4}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(.5, 1, 4)}, []float64{1, 2}, 8},
		// The chain of dataset 1 has 2 blocks for both jobs and then 2 for job 1; dataset 2 has 1.
		{"a chain stops for another", []int{1}, p, []slotmodel.JobSpec{scan(0, 1, 4), scan(1.5, 1, 4), scan(1.5, 2, 1)}, []float64{5, 7, 3}, 7},
		{"a job can use one slot", []int{3}, &circumflex.Policy{Max: func(*slotmodel.JobSpec) int { return 1 }},
			[]slotmodel.JobSpec{scan(0, 1, 3), scan(0, 2, 2)}, []float64{3, 2}, 5},
		{"the least limit of a dataset", []int{3}, &circumflex.Policy{Max: func(s *slotmodel.JobSpec) int { return int(s.Priority) }},
			[]slotmodel.JobSpec{{Priority: 1, Dataset: 1, Maps: slotmodel.Phase{Tasks: 4, Work: 1}}, {Priority: 2, Dataset: 1, Maps: slotmodel.Phase{Tasks: 4, Work: 1}}}, []float64{4, 4}, 4},
		// What is left of job 0 is worth little, with what job 1 needs besides it is worth most.
		{"weights", []int{1}, &circumflex.Policy{Penalty: func(_ *slotmodel.View, j slotmodel.Job) precedence.Penalty {
			return precedence.Response{Weight: []float64{1, 10, 1}[j]}
		}}, []slotmodel.JobSpec{scan(0, 1, 4), scan(1.5, 1, 4), scan(1.5, 2, 1)}, []float64{4, 6, 7}, 7},
		// The node reports at 0, 2, 4, ....
		{"heartbeats", []int{1}, &circumflex.Policy{Period: 2}, []slotmodel.JobSpec{scan(0, 1, 2), scan(.5, 1, 2)}, []float64{3, 5}, 3},
		// The plan at 0 has job 0 alone, and job 1 gets what that one leaves until the plan at 10.
		{"epochs", []int{1}, &circumflex.Policy{Epoch: 10}, []slotmodel.JobSpec{scan(0, 0, 12), scan(.5, 0, 1)}, []float64{13, 11}, 13},
		{"the third epoch", []int{1}, &circumflex.Policy{Epoch: 4}, []slotmodel.JobSpec{scan(0, 0, 12), scan(4.5, 0, 1)}, []float64{13, 9}, 13},
		{"the first one's estimate", []int{1}, &circumflex.Policy{Estimate: func(_ *slotmodel.View, j slotmodel.Job) float64 { return []float64{1, 100, 1}[j] }},
			[]slotmodel.JobSpec{scan(0, 1, 4), scan(0, 1, 4), scan(.5, 2, 5)}, []float64{4, 4, 9}, 9},
		// At 4 job 1 is believed to take 5, and job 2 nothing: it has no place in a plan.
		{"believed to take nothing", []int{1}, &circumflex.Policy{Estimate: func(_ *slotmodel.View, j slotmodel.Job) float64 { return []float64{1, 5, math.NaN()}[j] }},
			[]slotmodel.JobSpec{scan(0, 0, 4), scan(.5, 0, 1), scan(.5, 0, 3)}, []float64{4, 5, 8}, 8},
		{"believed to be long", []int{1}, &circumflex.Policy{Estimate: func(_ *slotmodel.View, j slotmodel.Job) float64 { return []float64{1, 5, 1}[j] }},
			[]slotmodel.JobSpec{scan(0, 0, 4), scan(.5, 0, 1), scan(.5, 0, 3)}, []float64{7, 8, 4}, 8},
		{"the greatest lateness", []int{1}, &circumflex.Policy{Aggregate: precedence.Max, Penalty: func(v *slotmodel.View, j slotmodel.Job) precedence.Penalty {
			return precedence.Lateness{Deadline: v.Spec(j).Deadline - v.Now(), Weight: 1}
		}}, []slotmodel.JobSpec{{Deadline: 9, Maps: slotmodel.Phase{Tasks: 1, Work: 1}}, {Deadline: 5, Maps: slotmodel.Phase{Tasks: 4, Work: 1}}}, []float64{5, 4}, 5},
	} {
		r := run(t, cluster(c.nodes...), c.jobs, c.policy, slotmodel.Options{})
		read := 0.0
		for _, u := range r.Users {
			read += u.SlotSeconds[slotmodel.Map]
		}
		if got := ends(r); !slices.Equal(got, c.want) || read != c.read {
			t.Errorf("%s: ends %v after %v slot-seconds, want %v after %v", c.name, got, read, c.want, c.read)
		}
	}
}

// A read that is lost with its node is made again for all who rode.
func TestLostRead(t *testing.T) {
	c := cluster(1, 1)
	c.Nodes[0].Down = []slotmodel.Outage{{From: 1.5, Until: math.Inf(1)}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 4, 1), policytest.Maps(0, 4, 1)}
	jobs[0].Dataset, jobs[1].Dataset = 1, 1
	crashes := 0
	r := run(t, c, jobs, &circumflex.Policy{}, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Crashed {
			crashes++
		}
	}})
	// Two blocks by 1, one on node 1 by 2, the lost one by 3.
	if got := ends(r); !slices.Equal(got, []float64{3, 3}) || crashes != 1 {
		t.Errorf("ends %v after %d crashes, want 3 and 3 after 1", got, crashes)
	}
	jobs[1].Cancel = 2.5
	r = run(t, cluster(1), jobs, &circumflex.Policy{}, slotmodel.Options{})
	if got := ends(r); !slices.Equal(got, []float64{4, 2.5}) {
		t.Errorf("the rider is cancelled: ends %v, want 4 and 2.5", got)
	}
	jobs[0].Cancel, jobs[1].Cancel = 2.5, 0
	r = run(t, cluster(1), jobs, &circumflex.Policy{}, slotmodel.Options{})
	if got := ends(r); !slices.Equal(got, []float64{2.5, 4.5}) {
		t.Errorf("the driver is cancelled: ends %v, want 2.5 and 4.5", got)
	}
}

// However short an epoch, only what happens between plans makes another one: the wake-ups of a
// billion epochs do not use up the calls in vain before a node reports.
func TestShortEpochs(t *testing.T) {
	for _, epoch := range []float64{1e-9, 1e-300, .1} {
		for _, at := range []float64{0, 1e9} {
			jobs := []slotmodel.JobSpec{policytest.Maps(at, 2, 1), policytest.Maps(at+.5, 2, 1)}
			r := run(t, cluster(1, 1), jobs, &circumflex.Policy{Epoch: epoch, Period: .5}, slotmodel.Options{})
			// Node 0 reports at 0, .5, 1, ..., node 1 at 1/6, 4/6, ... of the present half second.
			if got := ends(r); !(got[0] > at+1 && got[0] < at+2 && got[1] > at+2 && got[1] < at+4) || r.PassedOver > 0 {
				t.Errorf("epochs of %v s from %v s: ends %v, passed over %d times", epoch, at, got, r.PassedOver)
			}
		}
	}
}

// A policy that has not seen the beginning of the run does nothing.
func TestWithoutBeginRun(t *testing.T) {
	type decider struct {
		slotmodel.Policy
		slotmodel.Observer
	}
	p := new(circumflex.Policy)
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Reduces: 1}}}
	_, err := slotmodel.Run(c, []slotmodel.JobSpec{{Reduces: slotmodel.Phase{Tasks: 1, Work: 1}}}, decider{p, p}, slotmodel.Options{})
	var dead *slotmodel.DeadlockError
	if !errors.As(err, &dead) || dead.Time != 0 {
		t.Errorf("Run = %v, want a DeadlockError at 0 s", err)
	}
}

// When a node is lost there is a new plan: one slot is left, and the smaller job has it.
func TestFewerSlots(t *testing.T) {
	c := cluster(1, 1)
	c.Nodes[1].Down = []slotmodel.Outage{{From: 1.5, Until: math.Inf(1)}}
	p := &circumflex.Policy{Max: func(*slotmodel.JobSpec) int { return 1 }}
	r := run(t, c, []slotmodel.JobSpec{policytest.Maps(0, 6, 1), policytest.Maps(0, 3, 1)}, p, slotmodel.Options{})
	if got := ends(r); !slices.Equal(got, []float64{8, 4}) {
		t.Errorf("ends %v, want 8 and 4", got)
	}
}

func TestPolicyLaws(t *testing.T) {
	all := schedtest.PolicyOptions{Users: true, Memory: true, Failures: true, Rigid: true}
	shared := all
	shared.Datasets = true
	for name, c := range map[string]struct {
		make func() slotmodel.Policy
		o    schedtest.PolicyOptions
	}{
		"FLEX":       {func() slotmodel.Policy { return new(circumflex.Policy) }, all},
		"CIRCUMFLEX": {func() slotmodel.Policy { return new(circumflex.Policy) }, shared},
		"maximum":    {func() slotmodel.Policy { return &circumflex.Policy{Aggregate: precedence.Max} }, schedtest.PolicyOptions{}},
		"epochs":     {func() slotmodel.Policy { return &circumflex.Policy{Epoch: 2} }, all},
		"heartbeats": {func() slotmodel.Policy { return &circumflex.Policy{Period: .5} }, schedtest.PolicyOptions{MapsOnly: true, Patience: .5,
			Without: map[schedtest.Law]string{schedtest.Busy: "a slot waits for its node to report, and another one may be free then"}}},
		"wrong settings": {func() slotmodel.Policy {
			return &circumflex.Policy{Estimate: func(*slotmodel.View, slotmodel.Job) float64 { return math.Inf(1) }}
		}, all},
		"sums beyond the largest number": {func() slotmodel.Policy {
			return &circumflex.Policy{Estimate: func(*slotmodel.View, slotmodel.Job) float64 { return math.MaxFloat64 }}
		}, shared},
	} {
		t.Run(name, func(t *testing.T) { schedtest.Policy(t, c.make, c.o) })
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		policy circumflex.Policy
		arg    string
	}{
		{circumflex.Policy{Aggregate: 7}, "Aggregate"},
		{circumflex.Policy{Epoch: -1}, "Epoch"}, {circumflex.Policy{Epoch: math.NaN()}, "Epoch"}, {circumflex.Policy{Epoch: math.Inf(1)}, "Epoch"},
		{circumflex.Policy{Period: -1}, "Period"}, {circumflex.Policy{Period: math.NaN()}, "Period"}, {circumflex.Policy{Period: math.Inf(1)}, "Period"},
	} {
		expect.InputError(t, "Check", c.policy.Check(), "circumflex.Policy.Check", c.arg, -1)
		if r, err := slotmodel.Run(cluster(1), nil, &c.policy, slotmodel.Options{}); r != nil || err == nil {
			t.Errorf("Run with a wrong %s = %v, %v, want an error", c.arg, r, err)
		}
	}
}

// A job with more rigid maps than there are slots is stuck, and the others end.
func TestTooWide(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 4, 1), policytest.Maps(0, 2, 1)}
	jobs[0].Rigid = true
	r := run(t, cluster(2, 1), jobs, new(circumflex.Policy), slotmodel.Options{})
	if r.Jobs[0].Outcome != slotmodel.Stuck || r.Jobs[1].Finish != 1 {
		t.Errorf("%+v, want job 0 stuck and job 1 ended at 1", r.Jobs)
	}
}

// A rigid job waits for room for all of its maps, and goes before whoever is in the plan; none of
// its maps rides.
func TestRigid(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 5, 1), policytest.Maps(.5, 3, 2), policytest.Maps(.5, 2, 1)}
	jobs[1].Rigid = true
	for j := range jobs {
		jobs[j].Dataset = 1
	}
	r := run(t, cluster(2, 1), jobs, &circumflex.Policy{}, slotmodel.Options{})
	if got := ends(r); !slices.Equal(got, []float64{4, 3, 5}) {
		t.Errorf("ends %v, want 4, 3 and 5", got)
	}
	jobs[1].Cancel = .75
	r = run(t, cluster(2, 1), jobs, &circumflex.Policy{}, slotmodel.Options{})
	if got := ends(r); !slices.Equal(got, []float64{2, .75, 3}) {
		t.Errorf("cancelled: ends %v, want 2, .75 and 3", got)
	}
}
