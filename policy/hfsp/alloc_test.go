package hfsp_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// HFSP allocates next to nothing in the steady state, whatever its settings: a Go map inside
// aging.Cluster is laid out anew now and then, whatever its size.
func TestSteady(t *testing.T) {
	all := map[string]func() slotmodel.Policy{}
	for name, o := range map[string]*hfsp.Policy{
		"zero value": {}, "no caps": {NoCaps: true}, "kills": {Preempt: policy.PreemptKill}, "suspends": {Preempt: policy.PreemptSuspend}, "known": known(),
	} {
		all[name] = func() slotmodel.Policy { h := *o; return &h }
	}
	policytest.Steady(t, 2, all)
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
