package policy_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A Slack out of its range is refused before the first event.
func TestPerUserSettings(t *testing.T) {
	c, jobs := policytest.Blocked(1, 3)
	for _, x := range []float64{math.NaN(), math.Inf(1), -1, -math.SmallestNonzeroFloat64} {
		p := &policy.PerUser{Slack: x}
		expect.InputError(t, "Check", p.Check(), "policy.PerUser.Check", "Slack", -1)
		if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err == nil {
			t.Errorf("Run with a Slack of %v returns no error", x)
		}
	}
	if err := (&policy.PerUser{Slack: math.MaxFloat64, Prefer: true}).Check(); err != nil {
		t.Errorf("Check with the greatest Slack = %v, want none", err)
	}
}
