package policytest

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// Fuzz draws a cluster, jobs and the settings of a policy from the bytes of a fuzzer. Either Run
// refuses the settings, or every job ends and a second run has the same events. draw returns what
// makes the policy, anew for each run.
func Fuzz(f *testing.F, draw func(t *rapid.T) func() slotmodel.Policy) {
	r := rand.New(rand.NewPCG(5, 11))
	for range 40 {
		data := make([]byte, 6000)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		c := DrawCluster(t)
		jobs := DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			jobs[i].Deadline = DrawWork(t, "deadline")
		}
		make := draw(t)
		first, err := slotmodel.Run(c, jobs, make(), slotmodel.Options{Hash: true})
		if errors.Is(err, schedmath.ErrInput) {
			return
		}
		if err != nil {
			t.Fatalf("Run under %+v failed: %v", make(), err)
		}
		for j, r := range first.Jobs {
			if r.Outcome == slotmodel.Unended {
				t.Fatalf("under %+v job %d has not ended", make(), j)
			}
		}
		if again, err := slotmodel.Run(c, jobs, make(), slotmodel.Options{Hash: true}); err != nil || again.Hash != first.Hash {
			t.Fatalf("a second run under %+v has other events, or fails: %v", make(), err)
		}
	}))
}

// DrawSetting draws a setting, most often an everyday one, at times one that no policy takes.
func DrawSetting(t *rapid.T, name string) float64 {
	all := []float64{0, 0, 0, 0, 0, 0, 0, 0, .25, .25, .5, .5, .5, 1, 1, 1, 1, 2, 2, 3, 3, 10, 10, 1e9, math.MaxFloat64, math.Inf(1), -1, math.NaN()}
	return all[rapid.IntRange(0, len(all)-1).Draw(t, name)]
}
