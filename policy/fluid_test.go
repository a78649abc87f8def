package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// oneSlot draws jobs of one map.
func oneSlot(seed uint64, n int) []slotmodel.JobSpec {
	r := rand.New(rand.NewPCG(seed, 1))
	jobs := make([]slotmodel.JobSpec, n)
	at := 0.0
	for i := range jobs {
		at += r.ExpFloat64()
		jobs[i] = policytest.Maps(at, 1, .9*r.ExpFloat64())
	}
	return jobs
}

// On one slot, with jobs of one task, FIFO ends jobs when the fluid server does. Both add up
// at most n terms, each rounded once; a thousand units in the last place of the latest time are
// far more than that gives.
func TestFluidFIFO(t *testing.T) {
	const tolerance = 1000 * 0x1p-52
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	for seed := range uint64(20) {
		jobs := oneSlot(seed, 500)
		served := make([]fluid.Job, len(jobs))
		for i, j := range jobs {
			served[i] = fluid.Job{Arrival: j.Arrival, Size: j.Maps.Work}
		}
		want, err := fluid.Run(1, served, fluid.FIFO{}, fluid.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := slotmodel.Run(c, jobs, policy.FIFO{}, slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j := range jobs {
			if a, b := got.Jobs[j].Finish, want.Finish[j]; !(math.Abs(a-b) <= tolerance*b) {
				t.Fatalf("seed %d: job %d finishes at %v, on the fluid server at %v", seed, j, a, b)
			}
		}
	}
}

// On one slot, with jobs of one task, SRPT is shortest job first, and lies between preemptive SRPT
// and FIFO.
func TestSRPTOnOneSlot(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	for seed := range uint64(20) {
		jobs := oneSlot(seed, 500)
		served := make([]fluid.Job, len(jobs))
		for i, j := range jobs {
			served[i] = fluid.Job{Arrival: j.Arrival, Size: j.Maps.Work, Estimate: j.Maps.Work}
		}
		res, err := slotmodel.Run(c, jobs, new(policy.SRPT), slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// Shortest job first, by trying all jobs for each turn.
		now, done := 0.0, make([]bool, len(jobs))
		for range jobs {
			best := -1
			for j := range jobs {
				if !done[j] && jobs[j].Arrival <= now && (best < 0 || jobs[j].Maps.Work < jobs[best].Maps.Work) {
					best = j
				}
			}
			if best < 0 {
				for j := range jobs {
					if !done[j] && (best < 0 || jobs[j].Arrival < jobs[best].Arrival) {
						best = j
					}
				}
				now = jobs[best].Arrival
			}
			now += jobs[best].Maps.Work
			done[best] = true
			if got := res.Jobs[best].Finish; got != now {
				t.Fatalf("seed %d: job %d finishes at %v, want %v", seed, best, got, now)
			}
		}
		preemptive, err := fluid.Run(1, served, fluid.SRPT{}, fluid.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fifo, err := slotmodel.Run(c, jobs, policy.FIFO{}, slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, low, high := res.Totals.Load, preemptive.Area, fifo.Totals.Load; !(low <= got && got <= high) {
			t.Errorf("seed %d: the sojourn times add up to %v under SRPT without preemption, to %v with, to %v under FIFO", seed, got, low, high)
		}
	}
}
