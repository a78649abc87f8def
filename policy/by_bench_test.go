package policy_test

import (
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// slotQuota is a Filter that lets a user hold at most so many slots of a kind.
type slotQuota int

func (q slotQuota) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, _ slotmodel.Node) bool {
	return v.UserRunning(slotmodel.User(v.Spec(j).User), k) < int(q)
}

// jobQuota is a Filter that lets a job hold at most so many slots of a kind.
type jobQuota int32

func (q jobQuota) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, _ slotmodel.Node) bool {
	return v.Count(j, k).Running < int32(q)
}

// tasksLeft orders jobs by their tasks of a kind that have not ended.
func tasksLeft(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
	c := v.Count(j, k)
	return float64(c.Tasks - c.Done)
}

// A first policy of one's own, an order by a key and a quota of slots for each user, beside Fair:
// 2,000 jobs of 5 users on 40 nodes, of which the quota leaves some idle while jobs wait.
func BenchmarkByQuota(b *testing.B) {
	c, jobs := policytest.Blocked(1, 2000)
	for _, p := range []struct {
		name string
		make func() slotmodel.Policy
	}{
		{"Fair", func() slotmodel.Policy { return new(policy.Fair) }},
		{"By", func() slotmodel.Policy { return &policy.Greedy{Inner: policy.By(tasksLeft)} }},
		{"ByQuota", func() slotmodel.Policy {
			return &policy.Greedy{Inner: policy.By(tasksLeft), Filter: slotQuota(11)}
		}},
		{"SRPTQuota", func() slotmodel.Policy { return &policy.Greedy{Inner: new(policy.SRPT), Filter: slotQuota(11)} }},
	} {
		b.Run(p.name, func(b *testing.B) {
			present := 0.0
			for b.Loop() {
				res, err := slotmodel.Run(c, jobs, p.make(), slotmodel.Options{})
				must(b, err)
				present = res.Totals.Load / res.End
			}
			b.ReportMetric(present, "jobs")
		})
	}
}
