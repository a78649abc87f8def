package hfsp_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// known is HFSP that knows the sizes.
func known() *hfsp.Policy { return &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true} }

// TestFigure1 is Figure 1 of the paper: three jobs of 30, 10 and 10 s of the whole cluster
// that arrive at 0, 10 and 15.
func TestFigure1(t *testing.T) {
	const slots, task = 4, 1. / 64
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 2, 2, 0)}
	var jobs []slotmodel.JobSpec
	for _, j := range [][2]float64{{0, 30}, {10, 10}, {15, 10}} {
		jobs = append(jobs, policytest.Maps(j[0], int(j[1]*slots/task), task))
	}
	res, err := slotmodel.Run(c, jobs, known(), slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{50, 20, 30} {
		// Every task starts at a multiple of its length, and so do the arrivals: nothing is lost at
		// the changes.
		if got := res.Jobs[i].Finish; got != want {
			t.Errorf("job %d of Figure 1 ends at %v, want %v", i+1, got, want)
		}
	}
}

// TestSamples sees what the estimator is given, and when.
func TestSamples(t *testing.T) {
	one := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 2), Network: slotmodel.Network{Shuffle: 3}}
	jobs := []slotmodel.JobSpec{{
		Maps:    slotmodel.Phase{Tasks: 4, Works: []float64{1, 2, 3, 4}},
		Reduces: slotmodel.Phase{Tasks: 3, Works: []float64{4, 32, 1}},
		Shuffle: 10, Slowstart: 1,
	}}
	var b strings.Builder
	o := &hfsp.Policy{Samples: 2, Estimate: func(v *slotmodel.View, s hfsp.Samples) float64 {
		fmt.Fprintf(&b, "%v: job %d %v of %d %v %v\n", v.Now(), s.Job, s.Kind, s.Tasks, s.Times, s.Shuffles)
		return 1
	}}
	if _, err := slotmodel.Run(one, jobs, o, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	// Maps end at 1, 3, 6 and 10. Reduces start at 10 and compute from 13; the first ends at 17,
	// the second has done 10 of 32 s at 23 and ends at 45.
	want := "3: job 0 map of 4 [1 2] []\n23: job 0 reduce of 3 [4 32] [3 3]\n45: job 0 reduce of 3 [4 32] [3 3]\n"
	if b.String() != want {
		t.Errorf("Estimate was called with\n%swant\n%s", b.String(), want)
	}
}

// What is known of an attempt is forgotten with it: the model uses the number of an attempt that
// was suspended again.
func TestAttemptsAreForgotten(t *testing.T) {
	var calls []string
	o := &hfsp.Policy{Samples: 1, Size: hfsp.TrueSize, Preempt: policy.PreemptSuspend, Estimate: func(v *slotmodel.View, s hfsp.Samples) float64 {
		calls = append(calls, fmt.Sprint(v.Now(), s.Times))
		return hfsp.TrueSize(v, s.Job, s.Kind)
	}}
	// The second task of job 0 runs from 8 to 9 and from 10 to 17. Job 2 reads its block for 3 s.
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 8), policytest.Maps(9, 1, 1), policytest.Maps(20, 1, 1)}
	jobs[2].Replicas, jobs[2].Copies = []int32{1}, 1
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Rack: 1, Reduces: 1}}, Network: slotmodel.Network{RemoteRead: 3}}
	res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"8 [8]", "10 [1]", "24 [4]"}; !slices.Equal(calls, want) || res.Totals.Suspensions != 1 {
		t.Errorf("Estimate was called at and with %q, with %d suspensions, want %q and 1", calls, res.Totals.Suspensions, want)
	}
}

// A phase whose initial size is given gets the size of its samples as any other does.
func TestSamplesReplaceGivenSizes(t *testing.T) {
	calls := 0
	p := &hfsp.Policy{Samples: 1, Size: hfsp.TrueSize, Estimate: func(_ *slotmodel.View, s hfsp.Samples) float64 {
		calls++
		return s.Times[0] * float64(s.Tasks)
	}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 3, 1), policytest.Maps(0, 2, 1)}
	if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, jobs, p, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	if calls != 2 {
		t.Errorf("Estimate was called %d times for 2 phases with a Size, want once each", calls)
	}
}

// TestLostSample: a sample that is lost is drawn again, and the estimate waits for it.
func TestLostSample(t *testing.T) {
	var calls []string
	o := &hfsp.Policy{Samples: 2, Estimate: func(v *slotmodel.View, s hfsp.Samples) float64 {
		calls = append(calls, fmt.Sprint(v.Now(), s.Times))
		return 5
	}}
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, Down: []slotmodel.Outage{{From: 1, Until: 2}}}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 4, Works: []float64{5, 3, 9, 9}}}}
	if _, err := slotmodel.Run(c, jobs, o, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"5 [5 3]"}; !slices.Equal(calls, want) { // task 1 runs from 2 to 5
		t.Errorf("Estimate was called at and with %q, want %q", calls, want)
	}
}

// TestKilled: an attempt that somebody else kills is started again, although nothing has
// changed in the order.
func TestKilled(t *testing.T) {
	h := known()
	killed := false
	p := &policytest.After{Policy: h, Check: func(*slotmodel.View) {}, Before: func(v *slotmodel.View, a *slotmodel.Actions) {
		switch {
		case v.Now() == 0:
			a.Wake(1)
			a.Wake(2)
		case v.Now() == 2 && !killed:
			killed = true
			a.Kill(v.Newest(0, slotmodel.Map))
		}
	}}
	got := policytest.Starts(t, &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 3, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 2, 4)}, p)
	if want := "0:0m@0 0:0m@0 2:0m@0 | 6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTraining: a phase of as many tasks as there are samples ends in training, and is
// estimated when it does.
func TestTraining(t *testing.T) {
	var calls []float64
	o := &hfsp.Policy{Estimate: func(v *slotmodel.View, s hfsp.Samples) float64 {
		calls = append(calls, v.Now())
		return 5
	}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 100, 10), policytest.Maps(1, 5, 1)}
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 5, 0)}, jobs, o, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// All of job 1's tasks start when those of job 0 have ended.
	if want := []float64{10, 11}; !slices.Equal(calls, want) || res.Jobs[1].Finish != 11 {
		t.Errorf("estimates at %v and an end at %v, want %v and 11", calls, res.Jobs[1].Finish, want)
	}
}

// TestReestimate: when its samples are in, a phase moves to where its size belongs.
func TestReestimate(t *testing.T) {
	// Three phases of equal numbers of tasks, of 3, 1 and 2 s. After one sample each they are
	// served by size.
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 3, 3), policytest.Maps(0, 3, 1), policytest.Maps(0, 3, 2)}
	got := policytest.Starts(t, &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, jobs, &hfsp.Policy{Samples: 1})
	want := "0:0m@0 3:1m@0 4:2m@0 6:1m@0 7:1m@0 8:2m@0 10:2m@0 12:0m@0 15:0m@0 | 18 8 12"
	if got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}

// failing is a cluster of nodes of some slots, of which all but the first fail up to twice.
func failing(r *rand.Rand, nodes, maps, reduces int) *slotmodel.Cluster {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(nodes, 4, maps, reduces)}
	for i := range c.Nodes[1:] {
		from := 0.0
		for range r.IntN(3) {
			from += 20 * r.ExpFloat64()
			until := from + 10*r.ExpFloat64()
			c.Nodes[1+i].Down = append(c.Nodes[1+i].Down, slotmodel.Outage{From: from, Until: until})
			from = until
		}
	}
	return c
}
