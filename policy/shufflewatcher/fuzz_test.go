package shufflewatcher_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// Any settings.
func FuzzChooser(f *testing.F) {
	policytest.Fuzz(f, func(t *rapid.T) func() slotmodel.Policy {
		on := func(name string) bool { return rapid.Bool().Draw(t, name) }
		number := func(name string) float64 { return policytest.DrawSetting(t, name) }
		s := shufflewatcher.Chooser{NoSAMP: on("no SAMP"), NoSARP: on("no SARP"),
			Threshold: number("threshold"), Period: number("period"), Window: number("window"), Wait: policytest.DrawWait(t, "wait"), Patience: policytest.DrawWait(t, "patience"), Within: on("within")}
		prefer := on("prefer")
		return func() slotmodel.Policy {
			c := s
			return &policy.PerUser{Users: new(policy.FairUsers), Chooser: &c, Prefer: prefer}
		}
	})
}
