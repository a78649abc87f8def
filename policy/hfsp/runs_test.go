package hfsp_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestRuns: under all settings every job ends, work is conserved and a second run is equal to
// the bit.
func TestRuns(t *testing.T) {
	kills, suspensions := 0, 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		o := &hfsp.Policy{
			Samples:    rapid.IntRange(0, 3).Draw(t, "samples"),
			Limit:      float64(rapid.IntRange(0, 4).Draw(t, "limit")) / 4,
			Xi:         float64(rapid.IntRange(1, 3).Draw(t, "xi")),
			Delta:      float64(rapid.IntRange(0, 4).Draw(t, "delta")) / 2,
			NoTraining: rapid.IntRange(0, 3).Draw(t, "no training") == 0,
			NoCaps:     rapid.Bool().Draw(t, "no caps"),
			Preempt:    policy.Preemption(rapid.IntRange(0, 2).Draw(t, "preempt")),
			Overtake:   rapid.Bool().Draw(t, "overtake"),
		}
		if rapid.Bool().Draw(t, "weights") {
			o.Weight = func(_ *slotmodel.View, j slotmodel.Job) float64 { return []float64{0, .5, 3}[j%3] }
		}
		noisy, delayed := rapid.Bool().Draw(t, "noisy"), rapid.IntRange(0, 3).Draw(t, "delayed") == 0
		var hash [2]uint64
		for i := range hash {
			if noisy {
				o.Size = noisySize(rand.NewPCG(3, 4))
			}
			var p slotmodel.Policy = o
			if delayed {
				p = &policy.Delay{Inner: o, Node: 1, Rack: 1}
			}
			lost := make(map[[2]int32]int)
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true, Log: func(e slotmodel.Event) {
				if e.Type == slotmodel.Killed || e.Type == slotmodel.Suspends {
					lost[[2]int32{int32(e.Job), int32(e.Kind)}]++
				}
			}})
			if err != nil {
				t.Fatalf("Run under %+v failed: %v", o, err)
			}
			hash[i] = res.Hash
			kills, suspensions = kills+res.Totals.Kills, suspensions+res.Totals.Suspensions
			for j, r := range res.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("job %d has not ended under %+v", j, o)
				}
				if r.Outcome != slotmodel.Finished { // its end may have killed some
					continue
				}
				if n := lost[[2]int32{int32(j), 0}]; n > jobs[j].Maps.Tasks {
					t.Fatalf("job %d of %d maps lost %d attempts under %+v", j, jobs[j].Maps.Tasks, n, o)
				}
				if n := lost[[2]int32{int32(j), 1}]; n > jobs[j].Reduces.Tasks {
					t.Fatalf("job %d of %d reduces lost %d attempts under %+v", j, jobs[j].Reduces.Tasks, n, o)
				}
			}
		}
		if hash[0] != hash[1] {
			t.Fatalf("two runs under %+v have hashes %x and %x", o, hash[0], hash[1])
		}
	}
	rapid.Check(t, property)
	kills, suspensions = 0, 0
	policytest.Counted(300, property)
	if kills < 100 || suspensions < 10 {
		t.Errorf("%d kills and %d suspensions, want 100 and 10: the workloads test nothing", kills, suspensions)
	}
}

// noisySize is the true size times a log-normal error.
func noisySize(src rand.Source) func(*slotmodel.View, slotmodel.Job, slotmodel.Kind) float64 {
	noise := estimate.LogNormal{Mu: .1, Sigma: 1}
	return func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
		ratio, _ := noise.Rand(src)
		return hfsp.TrueSize(v, j, k) * ratio
	}
}
