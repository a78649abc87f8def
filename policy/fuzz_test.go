package policy_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Policies, alone and as parts of each other, with any settings.
func FuzzPolicies(f *testing.F) {
	policytest.Fuzz(f, func(t *rapid.T) func() slotmodel.Policy {
		number := func(name string) float64 { return policytest.DrawSetting(t, name) }
		pools := make([]policy.Pool, rapid.IntRange(0, 3).Draw(t, "pools"))
		for i := range pools {
			pools[i] = policy.Pool{Weight: number("weight"), MinMaps: rapid.IntRange(0, 5).Draw(t, "maps"), MinReduces: rapid.IntRange(0, 3).Draw(t, "reduces")}
		}
		preempt, overtake := policy.Preemption(rapid.IntRange(0, 2).Draw(t, "preempt")), rapid.Bool().Draw(t, "overtake")
		timeout, node, rack, period := number("timeout"), policytest.DrawWait(t, "node"), policytest.DrawWait(t, "rack"), number("period")
		guaranteed := []float64{number("guaranteed"), number("guaranteed")}
		skips, prefer := rapid.Bool().Draw(t, "skips"), rapid.Bool().Draw(t, "prefer")
		kind := rapid.IntRange(0, 9).Draw(t, "policy")
		depth := rapid.IntRange(-2, 3).Draw(t, "depth")
		return func() slotmodel.Policy {
			fair := &policy.Fair{Pools: pools, PoolOf: policy.ByUser, MinTimeout: timeout}
			delay := &policy.Delay{Inner: fair, Node: node, Rack: rack, Retry: period, Skips: skips, Overtake: overtake}
			return []slotmodel.Policy{
				policy.FIFO{}, fair, &policy.SRPT{Preempt: preempt}, delay,
				&policy.Capacity{Guaranteed: guaranteed, Reclaim: timeout},
				&policy.Greedy{Inner: new(policy.SRPT), Filter: delay, Overtake: overtake},
				&policy.PerUser{Users: new(policy.DRF), Chooser: &policy.Earliest{Filter: delay}, Prefer: prefer, Slack: node},
				&policy.PerUser{Users: new(policy.FairUsers), Chooser: &policy.Earliest{}, Slack: rack},
				&policy.Backfill{Depth: depth, Shortest: skips, Inner: fair, Time: func(*slotmodel.View, slotmodel.Job) float64 { return node }},
				&policy.Backfill{Depth: depth, Afresh: prefer, Inner: &policy.FairShare{HalfLife: timeout}},
			}[kind]
		}
	})
}
