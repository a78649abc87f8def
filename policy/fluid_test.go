package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
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

// On one slot, with jobs of one task, policies end jobs when the fluid server does: SRPT where
// attempts are suspended at no cost. A finish is the sum of the pieces of the busy period, each
// rounded a few times; a thousand units in the last place of the latest time are more than that
// gives.
func TestOneSlotIsTheFluidServer(t *testing.T) {
	const tolerance = 1000 * 0x1p-52
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	for _, x := range []struct {
		server fluid.Policy
		p      slotmodel.Policy
		least  int // suspensions in 10,000 jobs
	}{{fluid.FIFO{}, policy.FIFO{}, 0}, {fluid.SRPT{}, &policy.SRPT{Preempt: policy.PreemptSuspend}, 1000}} {
		suspensions := 0
		for seed := range uint64(20) {
			jobs := oneSlot(seed, 500)
			served := make([]fluid.Job, len(jobs))
			for i, j := range jobs {
				served[i] = fluid.Job{Arrival: j.Arrival, Size: j.Maps.Work, Estimate: j.Maps.Work}
			}
			want, err := fluid.Run(1, served, x.server)
			expect.Must(t, err)
			got, err := slotmodel.Run(c, jobs, x.p, slotmodel.Options{})
			expect.Must(t, err)
			suspensions += got.Totals.Suspensions
			for j := range jobs {
				if a, b := got.Jobs[j].Finish, want.Finish[j]; !(math.Abs(a-b) <= tolerance*b) {
					t.Fatalf("%T, seed %d: job %d finishes at %v, on the fluid server at %v", x.p, seed, j, a, b)
				}
			}
		}
		if suspensions < x.least {
			t.Errorf("%T: %d suspensions in 10,000 jobs, want at least %d", x.p, suspensions, x.least)
		}
	}
}
