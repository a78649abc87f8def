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
// refuses the settings, or every job ends, and another run of the same value and one of a new value
// have the same events; settings stay as they were. draw returns what makes the policy.
func Fuzz(f *testing.F, draw func(t *rapid.T) func() slotmodel.Policy) {
	r := rand.New(rand.NewPCG(5, 11))
	for range 200 {
		data := make([]byte, 6000)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		c := DrawCluster(t)
		jobs := DrawJobs(t, len(c.Nodes))
		shared, limited := rapid.Bool().Draw(t, "shared slots"), rapid.Bool().Draw(t, "memory is limited")
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if shared {
				n.Slots = rapid.IntRange(0, 2).Draw(t, "slots")
			}
			if limited {
				n.Memory = float64(rapid.IntRange(1, 4).Draw(t, "memory"))
			}
			if rapid.IntRange(0, 3).Draw(t, "is slow") == 0 {
				n.Slow = []slotmodel.Slowdown{{From: DrawWork(t, "slow"), Until: math.Inf(1), Factor: 8}}
			}
		}
		for i := range jobs {
			jobs[i].Deadline = DrawWork(t, "deadline")
			if limited {
				jobs[i].Maps.Memory = float64(rapid.IntRange(0, 2).Draw(t, "memory of a map"))
			}
		}
		make := draw(t)
		p := make()
		settings := Settings(p)
		var hash uint64
		for i, p := range []slotmodel.Policy{p, p, make()} {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			if errors.Is(err, schedmath.ErrInput) {
				return
			}
			if err != nil {
				t.Fatalf("Run under %s failed: %v", settings, err)
			}
			for j, r := range res.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("under %s job %d has not ended", settings, j)
				}
			}
			if i == 0 {
				hash = res.Hash
			} else if res.Hash != hash {
				t.Fatalf("run %d under %s has other events than the first", i, settings)
			}
			if now := Settings(p); now != settings {
				t.Fatalf("a run changes the settings from %s to %s", settings, now)
			}
		}
	}))
}

// DrawSetting draws a setting, most often an everyday one, at times one that no policy takes.
func DrawSetting(t *rapid.T, name string) float64 {
	all := []float64{0, 0, 0, 0, 0, 0, 0, 0, .25, .25, .5, .5, .5, 1, 1, 1, 1, 2, 2, 3, 3, 10, 10, 1e9, math.MaxFloat64, math.Inf(1), -1, math.NaN()}
	return all[rapid.IntRange(0, len(all)-1).Draw(t, name)]
}

// DrawWait draws a setting that is a wait in seconds. No run has times beyond 2^200, where a wait of
// a 10^308 s would end.
func DrawWait(t *rapid.T, name string) float64 { return min(1e9, DrawSetting(t, name)) }
