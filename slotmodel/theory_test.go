package slotmodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// On one slot jobs of single tasks end as the fluid model says: first come, first served, and under
// SRPT that suspends what has more work left, at no cost.
func TestSuspendingSRPT(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 21))
		n := 1 + r.IntN(300)
		specs, jobs := make([]slotmodel.JobSpec, n), make([]fluid.Job, n)
		at := 0.0
		for i := range specs {
			if r.IntN(4) > 0 {
				at += r.ExpFloat64()
			}
			size := r.ExpFloat64() * float64(r.IntN(3))
			specs[i] = slotmodel.JobSpec{Arrival: at, Maps: tasks(1, size)}
			jobs[i] = fluid.Job{Arrival: at, Size: size, Estimate: size}
		}
		for _, c := range []struct {
			p     slotmodel.Policy
			fluid fluid.Policy
		}{{strict, fluid.FIFO{Turn: true}}, {&policy.SRPT{Preempt: policy.PreemptSuspend}, fluid.SRPT{}}} {
			want, err := fluid.Run(1, jobs, c.fluid, fluid.Options{})
			expect.Must(t, err)
			got := mustRun(t, one(1, 0), specs, c.p, slotmodel.Options{})
			for i := range specs {
				// n additions of rounding 2^-53 each.
				if g, w := got.Jobs[i].Finish, want.Finish[i]; math.Abs(g-w) > float64(n)*0x1p-52*w {
					t.Fatalf("seed %d: job %d of %d finishes at %v, fluid.Run with %v says %v", seed, i, n, g, c.fluid, w)
				}
			}
		}
	}
}

// Batsim's published example: 4 resources, first come, first served, the last job killed at its
// walltime.
func TestBatsimExample(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}, {Maps: 1}, {Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(4, 10), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 5), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 10), Walltime: 6, Rigid: true},
	}
	res := mustRun(t, c, jobs, strict, slotmodel.Options{})
	got := ""
	for _, j := range res.Jobs {
		got += fmt.Sprintf("%v-%v %v; ", j.Start, j.Finish, j.Outcome)
	}
	if want := "0-10 finished; 10-15 finished; 10-16 timed-out; "; got != want {
		t.Errorf("runs %s want %s", got, want)
	}
	if res.Totals.Work != 62 || res.Totals.Wasted != 12 || res.End != 16 {
		t.Errorf("Work %v, Wasted %v, End %v, want 62, 12 and 16", res.Totals.Work, res.Totals.Wasted, res.End)
	}
}
