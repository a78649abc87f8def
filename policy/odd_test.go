package policy_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A weight of a job that makes no sense counts as 1. Under settings at the ends of their ranges
// every job ends.
func TestOddSettings(t *testing.T) {
	c, jobs := policytest.Blocked(5, 50)
	run := func(p slotmodel.Policy) uint64 {
		t.Helper()
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
		if err != nil {
			t.Fatalf("Run(%+v): %v", p, err)
		}
		for j, r := range res.Jobs {
			if r.Outcome != slotmodel.Finished {
				t.Fatalf("Run(%T): job %d: %v", p, j, r.Outcome)
			}
		}
		return res.Hash
	}
	pools := run(&policy.Fair{PoolOf: policy.ByUser})
	for _, w := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0} {
		f := &policy.Fair{PoolOf: policy.ByUser, WeightOf: func(*slotmodel.JobSpec) float64 { return w }}
		if got := run(f); got != pools {
			t.Errorf("Fair with weights of %v of jobs runs differently from one with weights of 1", w)
		}
	}
	if got := run(&policy.Fair{PoolOf: func(s *slotmodel.JobSpec) int { return math.MinInt + s.User }}); got != pools {
		t.Error("Fair depends on the numbers of pools")
	}
	for _, w := range []float64{math.SmallestNonzeroFloat64, math.MaxFloat64} {
		run(&policy.Fair{WeightOf: func(*slotmodel.JobSpec) float64 { return w }})
		run(&policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{Weight: w, MinMaps: math.MaxInt, MinReduces: 1}}})
	}
	guaranteed := func(timeout float64) *policy.Fair {
		return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{1: {MinMaps: 79}}, MinTimeout: timeout}
	}
	never := run(guaranteed(0))
	if run(guaranteed(.1)) == never {
		t.Error("Fair kills nothing with a timeout of .1 s: the workload tests nothing")
	}
	if run(guaranteed(math.Inf(1))) != never {
		t.Error("Fair with a timeout of +Inf runs differently from one with none")
	}
	// All nodes are up, and every block is on one.
	run(&policy.Delay{Inner: new(policy.Fair), Node: math.Inf(1), Rack: math.MaxFloat64})
	run(&policy.Delay{Inner: new(policy.Fair), Node: 3, Rack: 2, Skips: true, Retry: math.SmallestNonzeroFloat64})
}

// A map whose block nobody holds waits for ever for a wait of +Inf, and the run says so.
func TestDelayForEver(t *testing.T) {
	j := policytest.Maps(0, 1, 1)
	j.Replicas, j.Copies = []int32{-1}, 1
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	for _, skips := range []bool{false, true} {
		_, err := slotmodel.Run(c, []slotmodel.JobSpec{j}, &policy.Delay{Node: math.Inf(1), Skips: skips}, slotmodel.Options{})
		var deadlock *slotmodel.DeadlockError
		if !errors.As(err, &deadlock) {
			t.Errorf("Skips %v: Run failed with %v, want a DeadlockError", skips, err)
		}
	}
}

// Every job ends for as long as waits are finite, with the most instants that they may ask for and
// however short they are, also beside a long task.
func TestDelaySkipsEnd(t *testing.T) {
	long, far := policytest.Maps(0, 1, 1e9), policytest.Maps(1, 3, 1)
	far.Replicas, far.Copies = []int32{-1, -1, -1}, 1
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 0)}
	for _, d := range []policy.Delay{
		{Node: 5e4},
		{Node: 5e4, Rack: 5e4},
		{Node: 5, Retry: 1e-12},
		{Node: 5e4, Rack: 5e4, Retry: 1e-12},
	} {
		for _, jobs := range [][]slotmodel.JobSpec{{far}, {long, far}} {
			d.Skips = true
			res, err := slotmodel.Run(c, jobs, &policy.Greedy{Filter: &d}, slotmodel.Options{})
			if err != nil {
				t.Errorf("Run(Node %v, Rack %v, Retry %v) of %d jobs failed: %v", d.Node, d.Rack, d.Retry, len(jobs), err)
				continue
			}
			if r := res.Jobs[len(jobs)-1]; r.Outcome != slotmodel.Finished || res.PassedOver > 0 {
				t.Errorf("Node %v, Rack %v, Retry %v, %d jobs: %+v, passed over %d times, want finished, 0", d.Node, d.Rack, d.Retry, len(jobs), r, res.PassedOver)
			}
		}
	}
}

// The greatest works that a run takes.
func TestSRPTHugeWorks(t *testing.T) {
	const most = 0x1p200
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 3, most), policytest.Maps(0, 1, 1), policytest.Maps(0, 3, 0), policytest.Maps(0, 1, most/4)}
	jobs[2].Maps.Works = []float64{most, most, most}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	var order []slotmodel.Job
	_, err := slotmodel.Run(c, jobs, new(policy.SRPT), slotmodel.Options{Until: 10, Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Started {
			order = append(order, e.Job)
		}
	}})
	if err != nil || len(order) != 2 || order[0] != 1 || order[1] != 3 {
		t.Errorf("the first jobs to start are %v (error %v), want [1 3]", order, err)
	}
}

// An Inner that shows jobs which cannot start is at fault, and its run ends rather than going on
// for ever.
type blind struct{}

func (b *blind) Begin(*slotmodel.View, slotmodel.Kind) {}
func (b *blind) Next(*slotmodel.View) slotmodel.Job    { return 0 }

func TestWrongRanker(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 0)}
	// The second job waits when the first has started.
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 1, 1), policytest.Maps(0, 1, 1)}
	for _, p := range []slotmodel.Policy{&policy.Greedy{Inner: new(blind)}, &policy.Delay{Inner: new(blind)}} {
		_, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
		if !errors.Is(err, slotmodel.ErrPolicy) {
			t.Errorf("%T: Run failed with %v, want an ErrPolicy", p, err)
		}
	}
}

// Functions that settings take are harmless without a job.
func TestNoJob(t *testing.T) {
	if u := policy.ByUser(nil); u != 0 {
		t.Errorf("ByUser(nil) = %v, want 0", u)
	}
}
