package policy_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// Settings that make no sense count as their defaults; nothing panics and every job ends.
func TestOddSettings(t *testing.T) {
	c, jobs := blocked(5, 50)
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
		odd := make([]policy.Pool, 5)
		for i := range odd {
			odd[i] = policy.Pool{Weight: w, MinMaps: math.MinInt, MinReduces: -1}
		}
		f := &policy.Fair{PoolOf: policy.ByUser, Pools: odd, WeightOf: func(*slotmodel.JobSpec) float64 { return w }}
		if got := run(f); got != pools {
			t.Errorf("Fair with weights of %v runs differently from one with weights of 1", w)
		}
	}
	if got := run(&policy.Fair{PoolOf: func(s *slotmodel.JobSpec) int { return math.MinInt + s.User }}); got != pools {
		t.Error("Fair depends on the numbers of pools")
	}
	run(&policy.Fair{WeightOf: func(*slotmodel.JobSpec) float64 { return math.SmallestNonzeroFloat64 }})
	run(&policy.Fair{WeightOf: func(*slotmodel.JobSpec) float64 { return math.MaxFloat64 }})

	now := run(&policy.Delay{Inner: new(policy.Fair)})
	for _, d := range []float64{math.NaN(), math.Inf(-1), -1} {
		if got := run(&policy.Delay{Inner: new(policy.Fair), Node: d, Rack: d, Retry: d}); got != now {
			t.Errorf("Delay with waits of %v runs differently from one with 0", d)
		}
	}
	run(&policy.Delay{Inner: new(policy.Fair), Node: math.Inf(1), Rack: math.MaxFloat64}) // all nodes are up, all blocks are somewhere
	run(&policy.Delay{Inner: new(policy.Fair), Node: 3, Rack: 2, Skips: true, Retry: math.SmallestNonzeroFloat64})
}

// A map whose block nobody holds waits for ever for a wait of +Inf, and the run says so.
func TestDelayForEver(t *testing.T) {
	j := maps(0, 1, 1)
	j.Replicas, j.Copies = []int32{-1}, 1
	c := &slotmodel.Cluster{Nodes: nodes(1, 1, 1, 0)}
	for _, skips := range []bool{false, true} {
		_, err := slotmodel.Run(c, []slotmodel.JobSpec{j}, &policy.Delay{Inner: new(policy.ByArrival), Node: math.Inf(1), Skips: skips}, slotmodel.Options{})
		var deadlock *slotmodel.DeadlockError
		if !errors.As(err, &deadlock) {
			t.Errorf("Skips %v: Run failed with %v, want a DeadlockError", skips, err)
		}
	}
}

// Works whose sum no float64 holds.
func TestSRPTHugeWorks(t *testing.T) {
	const most = math.MaxFloat64
	jobs := []slotmodel.JobSpec{maps(0, 3, most), maps(0, 1, 1), maps(0, 3, 0), maps(0, 1, most/4)}
	jobs[2].Maps.Works = []float64{most, most, most}
	c := &slotmodel.Cluster{Nodes: nodes(1, 1, 1, 0)}
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

// An Inner that shows jobs which cannot start is at fault, and its run ends rather than going on for ever.
type blind struct{}

func (b *blind) Begin(*slotmodel.View, slotmodel.Kind) {}
func (b *blind) Next(*slotmodel.View) slotmodel.Job    { return 0 }

func TestWrongRanker(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: nodes(2, 1, 1, 0)}
	for _, p := range []slotmodel.Policy{&policy.Greedy{Inner: new(blind)}, &policy.Delay{Inner: new(blind)}} {
		_, err := slotmodel.Run(c, []slotmodel.JobSpec{maps(0, 1, 1)}, p, slotmodel.Options{})
		if !errors.Is(err, slotmodel.ErrPolicy) {
			t.Errorf("%T: Run failed with %v, want an ErrPolicy", p, err)
		}
	}
}
