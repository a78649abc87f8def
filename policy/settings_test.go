package policy_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// holders makes every policy that can have a part of a type the holder of it.
func holders(part any) []slotmodel.Policy {
	var all []slotmodel.Policy
	if p, ok := part.(slotmodel.Policy); ok {
		all = append(all, p)
	}
	if r, ok := part.(policy.Ranker); ok {
		all = append(all, &policy.Greedy{Inner: r}, &policy.Delay{Inner: r}, &policy.Backfill{Inner: r})
	}
	if f, ok := part.(policy.Filter); ok {
		all = append(all, &policy.Greedy{Filter: f}, &policy.PerUser{Chooser: &policy.Earliest{Filter: f}}, &dynprio.Policy{Filter: f})
	}
	if c, ok := part.(policy.Chooser); ok {
		all = append(all, &policy.PerUser{Chooser: c})
	}
	return all
}

// A run under a policy with a setting out of its range does not begin, and its error names the
// setting, whatever the policy is a part of; the ends of the ranges are not refused.
func TestSettings(t *testing.T) {
	inf := math.Inf(1)
	good := policy.Pool{Weight: 2, MinMaps: 1, MinReduces: 1}
	type wrong struct {
		arg   string
		index int
		part  any
	}
	pools := func(at int, p policy.Pool) wrong {
		all := []policy.Pool{good, good, good}
		all[at] = p
		return wrong{"Pools", at, &policy.Fair{Pools: all}}
	}
	tests := map[string][]wrong{
		"policy.Fair.Check": {pools(1, policy.Pool{MinMaps: -1}), pools(0, policy.Pool{MinReduces: math.MinInt}), pools(2, policy.Pool{Weight: inf})},
		"policy.SRPT.Check": {{"Preempt", -1, &policy.SRPT{Preempt: policy.PreemptSuspend + 1}}},
		"policy.Delay.Check": {
			{"Node", -1, &policy.Delay{Node: 50_001, Skips: true}}, {"Retry", -1, &policy.Delay{Skips: true, Retry: inf}},
			{"Rack", -1, &policy.Delay{Node: 50_000, Rack: math.MaxFloat64, Skips: true}},
		},
		"policy.Capacity.Check":     {{"Guaranteed", 1, &policy.Capacity{Guaranteed: []float64{.5, .6}}}, {"Guaranteed", 0, &policy.Capacity{Guaranteed: []float64{inf}}}},
		"policy.Backfill.Check":     {{"Depth", -1, &policy.Backfill{Depth: -2}}, {"Windows", 0, &policy.Backfill{Windows: []backfill.Window{{Need: []int64{1}}}}}},
		"policy.FairShare.Check":    {{"HalfLife", -1, &policy.FairShare{HalfLife: inf}}, {"HalfLife", -1, &policy.FairShare{HalfLife: 0x1p-101}}},
		"queues.Policy.Check":       {{"Order", -1, &queues.Policy{Order: queues.JobLLFPreempting + 1}}, {"Order", -1, &queues.DynamicShare{Policy: queues.Policy{Order: 128}}}},
		"hfsp.Policy.Check":         {{"Preempt", -1, &hfsp.Policy{Preempt: 7}}},
		"queues.DynamicShare.Check": {{"Period", -1, &queues.DynamicShare{Period: inf}}},
	}
	for _, x := range []float64{math.NaN(), -inf, -1, -math.SmallestNonzeroFloat64, inf} {
		expect.InputError(t, "Check", (&policy.PerUser{Slack: x}).Check(), "policy.PerUser.Check", "Slack", -1)
		if x == inf { // where it is refused it stands above
			continue
		}
		for fn, all := range map[string][]wrong{
			"policy.Fair.Check":      {pools(2, policy.Pool{Weight: x}), {"MinTimeout", -1, &policy.Fair{MinTimeout: x}}},
			"policy.Capacity.Check":  {{"Reclaim", -1, &policy.Capacity{Reclaim: x}}, {"Guaranteed", 0, &policy.Capacity{Guaranteed: []float64{x, .5}}}},
			"policy.FairShare.Check": {{"HalfLife", -1, &policy.FairShare{HalfLife: x}}},
			"policy.Delay.Check": {{"Node", -1, &policy.Delay{Node: x}}, {"Node", -1, &policy.Delay{Node: x, Skips: true}}, {"Rack", -1, &policy.Delay{Rack: x}},
				{"Retry", -1, &policy.Delay{Retry: x}}},
			"queues.DynamicShare.Check":    {{"Period", -1, &queues.DynamicShare{Period: x}}},
			"hfsp.Policy.Check":            {{"Xi", -1, &hfsp.Policy{Xi: x}}},
			"shufflewatcher.Chooser.Check": {{"Wait", -1, &shufflewatcher.Chooser{Wait: x}}},
		} {
			tests[fn] = append(tests[fn], all...)
		}
	}
	for fn, all := range tests {
		for _, x := range all {
			for _, p := range holders(x.part) {
				policytest.Refused(t, fn, policytest.Wrong{Arg: x.arg, Index: x.index, Policy: p})
			}
		}
	}
	for _, part := range []any{
		&policy.Fair{MinTimeout: inf, Pools: []policy.Pool{{Weight: math.MaxFloat64, MinMaps: math.MaxInt}, {Weight: math.SmallestNonzeroFloat64}}},
		&policy.SRPT{Preempt: policy.PreemptSuspend}, &policy.Delay{Node: inf, Rack: inf, Skips: true}, &policy.Delay{Node: 50_000, Rack: 50_000, Skips: true},
		&policy.Delay{Node: inf, Rack: math.MaxFloat64, Retry: math.MaxFloat64}, &queues.Policy{Order: queues.LLF}, &queues.DynamicShare{Period: math.MaxFloat64},
		&policy.PerUser{Slack: math.MaxFloat64, Prefer: true}, &policy.Capacity{Guaranteed: []float64{.5, .5}, Reclaim: inf},
		&policy.FairShare{HalfLife: 0x1p-100}, &policy.FairShare{HalfLife: 0x1p100},
	} {
		for _, p := range holders(part) {
			if x, ok := p.(slotmodel.Checker); !ok || x.Check() != nil {
				t.Errorf("Check of %T with %#v is an error or missing, want none", p, part)
			}
		}
	}
}

// refusing has an error of its own, and fails a test when a run under it begins.
type refusing struct {
	*policy.Fair
	t *testing.T
}

var errRefused = errors.New("refused")

func (p refusing) Check() error             { return errRefused }
func (p refusing) BeginRun(*slotmodel.View) { p.t.Error("BeginRun is called after an error of Check") }
func (p refusing) Decide(*slotmodel.View, *slotmodel.Actions) {
	p.t.Error("Decide is called after an error of Check")
}

// Run hands on what Check returns as it is, and begins no run.
func TestOwnCheck(t *testing.T) {
	c, jobs := policytest.Blocked(5, 3)
	if res, err := slotmodel.Run(c, jobs, refusing{new(policy.Fair), t}, slotmodel.Options{}); res != nil || err != errRefused {
		t.Errorf("Run = %v, %v, want no result and the error of Check", res, err)
	}
}
