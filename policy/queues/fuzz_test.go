package queues_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// Any settings, alone and under DynamicShare, with estimates that are no times, workers that do not
// exist, a next worker that always promises more than the present one, and rules that name nobody.
func FuzzPolicy(f *testing.F) {
	policytest.Fuzz(f, func(t *rapid.T) func() slotmodel.Policy {
		q := queues.Policy{Order: queues.Order(rapid.IntRange(0, 10).Draw(t, "order"))}
		seconds := policytest.DrawSetting(t, "seconds")
		estimate := func(*slotmodel.View, slotmodel.Task, slotmodel.Node) float64 { return seconds }
		q.Remaining = []queues.Remaining{nil, queues.TrueRemaining, queues.ByEstimate(estimate), queues.ByProgress(estimate)}[rapid.IntRange(0, 3).Draw(t, "remaining")]
		if shift := rapid.IntRange(-2, 8).Draw(t, "bind"); shift < 4 {
			q.Bind = func(_ *slotmodel.View, t slotmodel.Task) slotmodel.Node { return slotmodel.Node(int(t) + shift) }
		}
		period, kill, dynamic := policytest.DrawSetting(t, "period"), rapid.Bool().Draw(t, "kill"), rapid.Bool().Draw(t, "dynamic")
		return func() slotmodel.Policy {
			p := q
			if dynamic {
				return &queues.DynamicShare{Policy: p, Period: period, Kill: kill, Stragglers: func(dst []int, laxity []float64) []int {
					return append(policytest.Laggards(dst, laxity), -1, 99)
				}}
			}
			return &p
		}
	})
}
