package hfsp_test

import (
	"strings"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestSequences plays small workloads whose starts can be found by hand.
func TestSequences(t *testing.T) {
	one := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}
	two := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 2, 1, 1)}
	reduces := func(arrival float64, n int, work float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Arrival: arrival, Reduces: slotmodel.Phase{Tasks: n, Work: work}}
	}
	half := func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
		return hfsp.TrueSize(v, j, k) / 2
	}
	for _, x := range []struct {
		name string
		c    *slotmodel.Cluster
		jobs []slotmodel.JobSpec
		o    *hfsp.Policy
		want string
	}{
		{
			// Both are taken for 60 s a task, and job 1 has fewer. Its sample makes its size 6,
			// that of job 0 then makes that 4.
			"samples of the smaller phase, then of the larger, then by size", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 4, 1), policytest.Maps(0, 3, 2)}, &hfsp.Policy{Samples: 1},
			"0:1m@0 2:0m@0 3:0m@0 4:0m@0 5:0m@0 6:1m@0 8:1m@0 | 6 10",
		},
		{
			// The limit of half of 2 slots lets one sample run: the second slot is given by
			// priority, which makes it a sample of job 1 too.
			"limit", two,
			[]slotmodel.JobSpec{policytest.Maps(0, 4, 4), policytest.Maps(0, 2, 4)}, &hfsp.Policy{Samples: 1, Limit: .5},
			"0:1m@0 0:1m@1 4:0m@0 4:0m@1 8:0m@0 8:0m@1 | 12 4",
		},
		{
			// Job 0 is taken for 5*1.5, of which 3.5 is left in virtual time at 4; job 1, after
			// tasks of 2 s were seen, for 2*2.
			"xi 1", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 5, 2), policytest.Maps(4, 2, 1)}, &hfsp.Policy{NoTraining: true, FirstTask: 1.5},
			"0:0m@0 2:0m@0 4:0m@0 6:0m@0 8:0m@0 10:1m@0 11:1m@0 | 10 12",
		},
		{
			// Now 22.5, 18.5 and 12.
			"xi 3", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 5, 2), policytest.Maps(4, 2, 1)}, &hfsp.Policy{NoTraining: true, FirstTask: 1.5, Xi: 3},
			"0:0m@0 2:0m@0 4:1m@0 5:1m@0 6:0m@0 8:0m@0 10:0m@0 | 12 6",
		},
		{
			// Job 0 shares from 1 on, and at 1 it has 9 left against 6 of job 1, which comes first
			// when a slot is free at 2.
			"by virtual finish, without preemption", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 5, 2), policytest.Maps(1, 3, 2)}, known(),
			"0:0m@0 2:1m@0 4:1m@0 6:1m@0 8:0m@0 10:0m@0 12:0m@0 14:0m@0 | 16 8",
		},
		{
			// From 1 on they share by 1 : 3, so that job 1 ends its 10 in virtual time while job 0
			// has work left of its 9.
			"weights", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 5, 2), policytest.Maps(1, 5, 2)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Weight: func(_ *slotmodel.View, j slotmodel.Job) float64 { return float64(1 + 2*j) }},
			"0:0m@0 2:1m@0 4:1m@0 6:1m@0 8:1m@0 10:1m@0 12:0m@0 14:0m@0 16:0m@0 18:0m@0 | 20 12",
		},
		{
			// Late phases hold slots by their weights, 1 : 3.
			"late phases share by weight", &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)},
			[]slotmodel.JobSpec{policytest.Maps(0, 2, 1), policytest.Maps(0, 6, 1)}, &hfsp.Policy{Size: func(*slotmodel.View, slotmodel.Job, slotmodel.Kind) float64 { return 0 }, NoTraining: true,
				Weight: func(_ *slotmodel.View, j slotmodel.Job) float64 { return float64(1 + 2*j) }},
			"0:0m@0 0:1m@0 0:1m@0 0:1m@0 1:0m@0 1:1m@0 1:1m@0 1:1m@0 | 2 2",
		},
		{
			// From 0 on both get half of the virtual slot. The samples make sizes of 6 at 2 and of
			// 5 at 3, of which 4.5 and 3.5 are left then.
			"new sizes keep the service", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 3, 2), policytest.Maps(0, 5, 1)}, &hfsp.Policy{Samples: 1},
			"0:0m@0 2:1m@0 3:1m@0 4:1m@0 5:1m@0 6:1m@0 7:0m@0 9:0m@0 | 11 7",
		},
		{
			// Job 0 is taken for 2 and late from 2 on. Job 1, taken for .5, comes at 2.5 and waits.
			"late first", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 4, 1), policytest.Maps(2.5, 1, 1)}, &hfsp.Policy{Size: half, NoTraining: true},
			"0:0m@0 1:0m@0 2:0m@0 3:0m@0 4:1m@0 | 4 5",
		},
		{
			// Job 0, taken for .4, is late from .7 on, although .7 - .3 is less in floating point. Job
			// 1 has no size and is late from then on, too.
			"late in spite of rounding", one,
			[]slotmodel.JobSpec{policytest.Maps(.3, 2, .4), policytest.Maps(.7, 1, 1)},
			&hfsp.Policy{NoTraining: true, Size: func(_ *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 { return []float64{.4, 0}[j] }},
			"0.3:0m@0 0.7:0m@0 1.1:1m@0 | 1.1 2.1",
		},
		{
			// Both are late from the start.
			"late phases share", two,
			[]slotmodel.JobSpec{policytest.Maps(0, 4, 1), policytest.Maps(0, 4, 1)}, &hfsp.Policy{Size: func(*slotmodel.View, slotmodel.Job, slotmodel.Kind) float64 { return 0 }, NoTraining: true},
			"0:0m@0 0:1m@1 1:0m@0 1:1m@1 2:0m@0 2:1m@1 3:0m@0 3:1m@1 | 4 4",
		},
		{
			// Job 0's size is 80 from 40 on, when its sample ends. Job 1 gets the next slot for its
			// sample, and keeps it.
			"reduces", one,
			[]slotmodel.JobSpec{reduces(0, 2, 40), reduces(1, 2, 5)}, &hfsp.Policy{Samples: 1},
			"0:0r@0 40:1r@0 45:1r@0 50:0r@0 | 90 50",
		},
		{
			// Node 1 is lost at 1 with a sample of job 0. Virtual and sample slots are then one;
			// the sample is drawn again.
			"a node is lost", &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, Down: []slotmodel.Outage{{From: 1, Until: 5}}}}},
			[]slotmodel.JobSpec{policytest.Maps(0, 3, 2)}, &hfsp.Policy{},
			"0:0m@0 0:0m@1 2:0m@0 4:0m@0 | 6",
		},
		{
			// Of 4 slots 2 may run samples, of 2 only 1: from 3 on one slot runs the samples of
			// jobs 1 and 2, one after the other.
			"a node is lost, and with it room for samples",
			&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2, Down: []slotmodel.Outage{{From: 1, Until: 9}}}}},
			[]slotmodel.JobSpec{policytest.Maps(0, 6, 3), policytest.Maps(2, 20, 1), policytest.Maps(2, 21, 1)}, &hfsp.Policy{Samples: 2, Limit: .5},
			"0:0m@0 0:0m@0 0:0m@1 0:0m@1 3:1m@0 3:0m@0 4:1m@0 5:2m@0 6:2m@0 6:0m@0 7:0m@0 9:0m@0 9:1m@1 9:1m@1 10:1m@0",
		},
		{
			// At 4 job 0 has 4 left of 4*2; reduces last 1 s and shuffle for 3 s, so that job 1 is
			// taken for 8.
			"shuffles count in initial sizes", &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 0, 1), Network: slotmodel.Network{Shuffle: 3}},
			[]slotmodel.JobSpec{reduces(0, 4, 1), reduces(4, 2, 1)}, &hfsp.Policy{NoTraining: true, FirstTask: 2},
			"0:0r@0 4:0r@0 8:0r@0 12:0r@0 16:1r@0 20:1r@0 | 16 24",
		},
		{
			// Job 1 comes at 1 and is small; job 0's newest attempts have lasted 1 s of 8, and it
			// may have its share of 2 slots: one.
			"kill", two,
			[]slotmodel.JobSpec{policytest.Maps(0, 4, 8), policytest.Maps(1, 2, 1)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptKill},
			"0:0m@0 0:0m@1 1:1m@1 2:1m@1 3:0m@1 8:0m@0 11:0m@1 | 19 3",
		},
		{
			// The only task of job 0 is killed once, not again at 3.
			"killed once", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 1, 50), policytest.Maps(1, 1, 1), policytest.Maps(3, 1, 1)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptKill},
			"0:0m@0 1:1m@0 2:0m@0 52:2m@0 | 52 2 53",
		},
		{
			// At 5 an attempt has lasted more than half of 8 s: it is not killed.
			"no kill", two,
			[]slotmodel.JobSpec{policytest.Maps(0, 4, 8), policytest.Maps(5, 2, 1)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptKill},
			"0:0m@0 0:0m@1 8:1m@0 8:1m@1 9:0m@0 9:0m@1 | 17 9",
		},
		{
			// What was suspended at 1 goes on at 3, for the 7 s that it lacks.
			"suspend", two,
			[]slotmodel.JobSpec{policytest.Maps(0, 3, 8), policytest.Maps(1, 2, 1)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptSuspend},
			"0:0m@0 0:0m@1 1:1m@1 2:1m@1 8:0m@0 | 16 3",
		},
		{
			// Job 1 may preempt when it comes. At 2 it loses its slot with node 1, and waits for
			// the next one.
			"no preemption after the first", &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, Down: []slotmodel.Outage{{From: 2, Until: 100}}}}},
			[]slotmodel.JobSpec{policytest.Maps(0, 2, 50), policytest.Maps(1, 2, 8)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptSuspend},
			"0:0m@0 0:0m@1 1:1m@1 50:1m@0 58:1m@0 66:0m@0 | 116 66",
		},
		{
			// At 3 the attempts of jobs 0 and 1 are suspended, in this order; job 1 has less left
			// in virtual time and goes on first.
			"of two suspended maps the first by size goes on", one,
			[]slotmodel.JobSpec{policytest.Maps(0, 1, 10), policytest.Maps(1, 1, 5), policytest.Maps(2, 1, 1)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptSuspend},
			"0:0m@0 1:1m@0 2:2m@0 | 16 7 3",
		},
		{
			// As above, on the slot for reduces.
			"of two suspended reduces the first by size goes on", one,
			[]slotmodel.JobSpec{reduces(0, 1, 10), reduces(1, 1, 5), reduces(2, 1, 1)}, &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Preempt: policy.PreemptSuspend},
			"0:0r@0 1:1r@0 2:2r@0 | 16 7 3",
		},
		{
			"a rigid job waits for all of its slots, and holds up others", two,
			[]slotmodel.JobSpec{policytest.Maps(0, 1, 4), {Arrival: 1, Rigid: true, Maps: slotmodel.Phase{Tasks: 2, Work: 1}}, policytest.Maps(1, 4, 1)}, known(),
			"0:0m@0 4:1m@0 4:1m@1 5:2m@0 5:2m@1 6:2m@0 6:2m@1 | 4 5 7",
		},
	} {
		if got := policytest.Starts(t, x.c, x.jobs, x.o); got != x.want && !(!strings.Contains(x.want, "|") && strings.HasPrefix(got, x.want+" ")) {
			t.Errorf("%s:\n got %s\nwant %s", x.name, got, x.want)
		}
	}
}
