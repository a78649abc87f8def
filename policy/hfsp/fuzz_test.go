package hfsp_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Any settings, and estimates that are no sizes.
func FuzzPolicy(f *testing.F) {
	policytest.Fuzz(f, func(t *rapid.T) func() slotmodel.Policy {
		h := hfsp.Policy{
			Samples: rapid.IntRange(0, 4).Draw(t, "samples"), NoTraining: rapid.Bool().Draw(t, "no training"),
			Limit: 1 / (1 + policytest.DrawSetting(t, "limit")), Xi: 1 + policytest.DrawSetting(t, "xi"), FirstTask: policytest.DrawSetting(t, "first task"), Delta: policytest.DrawSetting(t, "delta"),
			NoCaps: rapid.Bool().Draw(t, "no caps"), Preempt: policy.Preemption(rapid.IntRange(0, 2).Draw(t, "preempt")),
		}
		sizes, wild := []float64{policytest.DrawSetting(t, "size"), policytest.DrawSetting(t, "size")}, rapid.Bool().Draw(t, "wild sizes")
		return func() slotmodel.Policy {
			p := h
			if wild {
				p.Size = func(_ *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 { return sizes[int(j)%2] }
				p.Weight = func(_ *slotmodel.View, j slotmodel.Job) float64 { return sizes[int(j)%2] }
				p.Estimate = func(*slotmodel.View, hfsp.Samples) float64 { return sizes[1] }
			}
			return &p
		}
	})
}
