package shufflewatcher_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// Any settings, and loads that are no loads.
func FuzzChooser(f *testing.F) {
	policytest.Fuzz(f, func(t *rapid.T) func() slotmodel.Policy {
		on := func(name string) bool { return rapid.Bool().Draw(t, name) }
		number := func(name string) float64 { return policytest.DrawSetting(t, name) }
		s := shufflewatcher.Chooser{NoNASS: on("no NASS"), NoSAMP: on("no SAMP"), NoSARP: on("no SARP"), NetSat: shufflewatcher.NetSat(rapid.IntRange(0, 3).Draw(t, "NetSat")),
			Threshold: number("threshold"), Period: number("period"), Window: number("window"), Wait: number("wait"), Patience: number("patience"), MapsDone: 1 / (1 + number("maps done")),
			Recompute: on("recompute"), Within: on("within"), Unoccupied: on("unoccupied"), TrueRatio: on("true ratio"), Waves: rapid.IntRange(0, 3).Draw(t, "waves")}
		load, prefer := number("load"), on("prefer")
		if on("measured") {
			s.Measured = func(_ slotmodel.Rack, mean shuffle.Link) shuffle.Link {
				return shuffle.Link{Out: mean.Out * load, In: load}
			}
		}
		return func() slotmodel.Policy {
			c := s
			return &policy.PerUser{Users: new(policy.FairUsers), Chooser: &c, Prefer: prefer}
		}
	})
}
