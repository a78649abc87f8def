package policy_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// parts makes every policy that has a part of a type the holder of it.
func parts(part any) []slotmodel.Policy {
	var all []slotmodel.Policy
	if p, ok := part.(slotmodel.Policy); ok {
		all = append(all, p)
	}
	if r, ok := part.(policy.Ranker); ok {
		all = append(all, &policy.Greedy{Inner: r}, &policy.Greedy{Inner: r, Filter: new(policy.Delay)})
	}
	if f, ok := part.(policy.Filter); ok {
		all = append(all, &policy.Greedy{Filter: f}, &policy.Greedy{Inner: new(policy.Fair), Filter: f},
			&policy.PerUser{Users: new(policy.FairUsers), Chooser: &policy.Earliest{Filter: f}})
	}
	return all
}

// unbegun fails a test when a run under it begins.
type unbegun struct {
	*policy.Fair
	t *testing.T
}

func (p unbegun) BeginRun(*slotmodel.View) { p.t.Error("BeginRun is called after an error of Check") }
func (p unbegun) Decide(*slotmodel.View, *slotmodel.Actions) {
	p.t.Error("Decide is called after an error of Check")
}
func (p unbegun) Observe(*slotmodel.View, slotmodel.Event) {
	p.t.Error("Observe is called after an error of Check")
}

// A run under a policy with a setting out of its range does not begin. Its error names the setting,
// whatever the policy is a part of.
func TestSettings(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	c, jobs := policytest.Blocked(5, 3)
	good := policy.Pool{Weight: 2, MinMaps: 1, MinReduces: 1}
	type test struct {
		part  any
		fn    string
		arg   string
		index int
	}
	tests := []test{
		{&policy.Fair{Pools: []policy.Pool{good, {MinMaps: -1}}}, "policy.Fair.Check", "Pools", 1},
		{&policy.Fair{Pools: []policy.Pool{{MinReduces: math.MinInt}, good}}, "policy.Fair.Check", "Pools", 0},
		{&policy.SRPT{Preempt: 255}, "policy.SRPT.Check", "Preempt", -1},
		{&policy.SRPT{Preempt: policy.PreemptSuspend + 1}, "policy.SRPT.Check", "Preempt", -1},
		{&policy.Delay{Node: 50_001, Skips: true}, "policy.Delay.Check", "Node", -1},
		{&policy.Delay{Node: 50_000, Rack: math.MaxFloat64, Skips: true}, "policy.Delay.Check", "Rack", -1},
		{&policy.Delay{Skips: true, Retry: inf}, "policy.Delay.Check", "Retry", -1},
		{&queues.Policy{Order: 255}, "queues.Policy.Check", "Order", -1},
		{&queues.Policy{Order: queues.JobLLFPreempting + 1}, "queues.Policy.Check", "Order", -1},
		{&queues.DynamicShare{Policy: queues.Policy{Order: 128}}, "queues.Policy.Check", "Order", -1},
		{&queues.DynamicShare{Period: inf}, "queues.DynamicShare.Check", "Period", -1},
		{&policy.Fair{Pools: []policy.Pool{good, good, {Weight: inf}}}, "policy.Fair.Check", "Pools", 2},
		{&dynprio.Policy{Filter: &policy.Delay{Node: -1}}, "policy.Delay.Check", "Node", -1},
		{&dynprio.Policy{Changes: make([]dynprio.Change, 3), Period: nan}, "dynprio.Policy.Check", "Period", -1},
		{&policy.Capacity{Guaranteed: []float64{.5, .6}}, "policy.Capacity.Check", "Guaranteed", 1},
		{&policy.Capacity{Guaranteed: []float64{inf}}, "policy.Capacity.Check", "Guaranteed", 0},
		{&policy.Capacity{Guaranteed: []float64{nan, .5}}, "policy.Capacity.Check", "Guaranteed", 0},
		{&hfsp.Policy{Xi: .5}, "hfsp.Policy.Check", "Xi", -1},
		{&policy.Backfill{Depth: -2}, "policy.Backfill.Check", "Depth", -1},
		{&policy.Backfill{Inner: &policy.Fair{MinTimeout: -1}}, "policy.Fair.Check", "MinTimeout", -1},
		{unbegun{&policy.Fair{MinTimeout: -1}, t}, "policy.Fair.Check", "MinTimeout", -1},
	}
	for _, x := range []float64{nan, -inf, -1, -math.SmallestNonzeroFloat64} {
		tests = append(tests,
			test{&policy.Fair{Pools: []policy.Pool{good, good, {Weight: x}}}, "policy.Fair.Check", "Pools", 2},
			test{&policy.Fair{MinTimeout: x}, "policy.Fair.Check", "MinTimeout", -1},
			test{&policy.Capacity{Reclaim: x}, "policy.Capacity.Check", "Reclaim", -1},
			test{&policy.Delay{Inner: &policy.Fair{MinTimeout: x}}, "policy.Fair.Check", "MinTimeout", -1},
			test{&policy.Delay{Node: x}, "policy.Delay.Check", "Node", -1},
			test{&policy.Delay{Node: x, Skips: true}, "policy.Delay.Check", "Node", -1},
			test{&policy.Delay{Rack: x}, "policy.Delay.Check", "Rack", -1},
			test{&policy.Delay{Retry: x}, "policy.Delay.Check", "Retry", -1},
			test{&queues.DynamicShare{Period: x}, "queues.DynamicShare.Check", "Period", -1})
	}
	for _, x := range tests {
		for _, p := range parts(x.part) {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			expect.InputError(t, "Run", err, x.fn, x.arg, x.index)
			if res != nil {
				t.Errorf("Run under %T with a wrong %s of %T returns a result", p, x.arg, x.part)
			}
		}
	}
	for _, part := range []any{
		&policy.Fair{MinTimeout: inf, Pools: []policy.Pool{{Weight: math.MaxFloat64, MinMaps: math.MaxInt}, {Weight: math.SmallestNonzeroFloat64}}},
		&policy.SRPT{Preempt: policy.PreemptSuspend}, &policy.Delay{Node: inf, Rack: inf, Skips: true}, &policy.Delay{Node: 50_000, Rack: 50_000, Skips: true},
		&policy.Delay{Node: inf, Rack: math.MaxFloat64, Retry: math.MaxFloat64}, &queues.Policy{Order: queues.LLF}, &queues.DynamicShare{Period: math.MaxFloat64},
	} {
		for _, p := range parts(part) {
			if x, ok := p.(slotmodel.Checker); !ok || x.Check() != nil {
				t.Errorf("Check of %T with %#v is an error or missing, want none", p, part)
			}
		}
	}
}

// silent is a policy of somebody else that hands on no Check.
type silent struct{ inner slotmodel.Policy }

func (p silent) BeginRun(v *slotmodel.View) {
	if b, ok := p.inner.(slotmodel.Beginner); ok {
		b.BeginRun(v)
	}
}

func (p silent) Observe(v *slotmodel.View, e slotmodel.Event) {
	if o, ok := p.inner.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

func (p silent) Decide(v *slotmodel.View, a *slotmodel.Actions) { p.inner.Decide(v, a) }

// Within a policy that hands on no Check, a policy with a wrong setting starts no map.
func TestSettingsUnchecked(t *testing.T) {
	c, jobs := policytest.Blocked(5, 3)
	for _, p := range []slotmodel.Policy{
		&policy.Fair{MinTimeout: -1}, &policy.Greedy{Inner: &policy.Fair{MinTimeout: -1}}, &policy.SRPT{Preempt: 7}, &policy.Greedy{Inner: &policy.SRPT{Preempt: 7}},
		&policy.Backfill{Depth: -2}, &policy.Delay{Node: -1}, &policy.Greedy{Filter: &policy.Delay{Node: -1}}, &policy.Capacity{Reclaim: -1}, &policy.Delay{Inner: &policy.Capacity{Reclaim: -1}},
		&hfsp.Policy{Xi: .5}, &hfsp.Policy{Preempt: 7}, &policy.Greedy{Inner: &hfsp.Policy{Limit: -1}}, &policy.Delay{Inner: &hfsp.Policy{Samples: -1}},
		&queues.Policy{Order: 255}, &queues.DynamicShare{Policy: queues.Policy{Order: 17}}, &queues.DynamicShare{Period: math.NaN()},
		&policy.PerUser{Chooser: &shufflewatcher.Chooser{Wait: -1}}, &policy.PerUser{Chooser: &shufflewatcher.Chooser{Period: math.NaN()}},
		&dynprio.Policy{Period: -1}, &dynprio.Policy{Filter: &policy.Delay{Node: -1}},
	} {
		res, err := slotmodel.Run(c, jobs, silent{p}, slotmodel.Options{})
		if !errors.Is(err, slotmodel.ErrPolicy) || res == nil || res.Totals.LocalMaps+res.Totals.RackMaps+res.Totals.RemoteMaps != 0 || res.Totals.Work != 0 {
			t.Errorf("Run under %#v: %v, want an ErrPolicy and no start", p, err)
		}
	}
}

// refusing has an error of its own.
type refusing struct{ policy.FIFO }

var errRefused = errors.New("refused")

func (refusing) Check() error { return errRefused }

// Run hands on what Check returns as it is.
func TestOwnCheck(t *testing.T) {
	c, jobs := policytest.Blocked(5, 3)
	if res, err := slotmodel.Run(c, jobs, refusing{}, slotmodel.Options{}); res != nil || err != errRefused {
		t.Errorf("Run = %v, %v, want no result and the error of Check", res, err)
	}
}
