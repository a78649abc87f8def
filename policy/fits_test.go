package policy_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// No policy tries a start that does not fit, on clusters with shared slots and too little memory,
// whatever it kills or suspends; and every job ends that fits some node.
func TestStartsFit(t *testing.T) {
	all := everyPolicy(t)
	all["PerUser"] = func() slotmodel.Policy { return new(policy.PerUser) }
	all["PerUser, Delay"] = func() slotmodel.Policy {
		return &policy.PerUser{Chooser: &policy.Earliest{Filter: &policy.Delay{Node: 1, Rack: 1}}}
	}
	all["By"] = func() slotmodel.Policy { return &policy.Greedy{Inner: policy.By(workOfTasks)} }
	taken := 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := policytest.DrawCluster(t)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			n.Slots = rapid.IntRange(0, 3).Draw(t, "shared slots")
			n.Memory = float64(rapid.IntRange(3, 6).Draw(t, "memory"))
		}
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			jobs[i].Rigid = false
			jobs[i].Maps.Memory = float64(rapid.IntRange(0, 6).Draw(t, "memory of a map")) / 2
			jobs[i].Reduces.Memory = float64(rapid.IntRange(0, 6).Draw(t, "memory of a reduce")) / 2
		}
		return func(t testing.TB) {
			for name, make := range all {
				res, err := slotmodel.Run(c, jobs, make(), slotmodel.Options{})
				if err != nil {
					t.Fatalf("%s: Run failed: %v", name, err)
				}
				for j, r := range res.Jobs {
					if r.Outcome == slotmodel.Unended {
						t.Fatalf("%s: job %d has not ended", name, j)
					}
				}
				taken += res.Totals.Kills + res.Totals.Suspensions
			}
		}
	})
	seeds := 300
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		draw.Example(seed)(t)
	}
	if want := 3 * seeds; taken < want {
		t.Errorf("%d attempts are killed or suspended, want %d: the workloads test nothing", taken, want)
	}
}
