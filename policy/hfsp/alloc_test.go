package hfsp_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestSteady: HFSP allocates nothing in the steady state, whatever its settings: what has been
// seen before, the same jobs at the same distances, needs no more room when it comes again.
func TestSteady(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const times, again = 4, 1 << 14
	const few = 2 // a Go map inside aging.Cluster is laid out anew now and then, whatever its size
	c, jobs := policytest.Blocked(9, 300)
	for i := range jobs { // multiples of 1/64 s add up exactly
		jobs[i].Arrival, jobs[i].Maps.Work = math.Floor(64*jobs[i].Arrival)/64, math.Floor(64*jobs[i].Maps.Work)/64
	}
	n := len(jobs)
	for i := range (times - 1) * n {
		j := jobs[i]
		j.Arrival += again
		jobs = append(jobs, j)
	}
	for _, o := range []*hfsp.Policy{
		{}, {NoCaps: true}, {FirstTask: .1},
		{Preempt: policy.PreemptKill}, {Preempt: policy.PreemptSuspend}, known(),
	} {
		name := fmt.Sprintf("%+v", o)
		least := uint64(math.MaxUint64)
		for range 4 { // the runtime itself allocates now and then, the policy always or never
			fresh := *o
			h := &fresh
			p := &policytest.Frugal{Policy: h, Observer: h, From: (times - 1) * again}
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if last := res.Jobs[(times-1)*n-1].Finish; last >= p.From {
				t.Fatalf("%s: the last job before ends at %v, want before %v", name, last, p.From)
			}
			if p.Watched < 300 {
				t.Errorf("%s: %d calls are watched, want enough", name, p.Watched)
			}
			if least = min(least, p.Mallocs); least <= few {
				break
			}
		}
		if least > few {
			t.Errorf("%s: Decide and Observe allocate at least %d times in four runs each, want at most %d", name, least, few)
		}
	}
}

// However many samples are asked for, a phase takes memory for those that it has.
func TestManySamples(t *testing.T) {
	for _, n := range []int{math.MaxInt32, math.MaxInt} {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 2}}}
		jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 3, Work: 1}, Reduces: slotmodel.Phase{Tasks: 20, Work: 1}}}
		res, err := slotmodel.Run(c, jobs, &hfsp.Policy{Samples: n}, slotmodel.Options{})
		if err != nil || res.Jobs[0].Outcome != slotmodel.Finished {
			t.Errorf("%d samples: %v, %v, want finished", n, res, err)
		}
	}
}

// As an order alone a Policy that preempts, of which nobody calls Decide, notes nothing about
// phases that have left, and each phase once.
func TestRankerKeepsFew(t *testing.T) {
	c, jobs := policytest.Blocked(9, 300)
	h := &hfsp.Policy{Preempt: policy.PreemptKill}
	most := 0
	check := func(*slotmodel.View) {
		notes, present := h.Newcomers()
		if most = max(most, notes); notes > present {
			t.Fatalf("%d phases are noted, %d are present", notes, present)
		}
	}
	if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: &policy.Delay{Inner: h, Node: .3}, Check: check}, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	if most == 0 {
		t.Error("no phase is noted: the workload tests nothing")
	}
}
