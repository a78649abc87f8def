package hfsp_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestErrors: each setting out of its range is named, and the ends of the ranges are not refused.
func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type test struct {
		field string
		o     *hfsp.Policy
	}
	tests := []test{
		{"Samples", &hfsp.Policy{Samples: -1}},
		{"Limit", &hfsp.Policy{Limit: 1.5}},
		{"Xi", &hfsp.Policy{Xi: .5}},
		{"Xi", &hfsp.Policy{Xi: inf}},
		{"FirstTask", &hfsp.Policy{FirstTask: inf}},
		{"Preempt", &hfsp.Policy{Preempt: policy.PreemptSuspend + 1}},
	}
	for _, x := range []float64{nan, -inf, -1, -math.SmallestNonzeroFloat64} {
		tests = append(tests, test{"Limit", &hfsp.Policy{Limit: x}}, test{"Xi", &hfsp.Policy{Xi: x}},
			test{"FirstTask", &hfsp.Policy{FirstTask: x}}, test{"Delta", &hfsp.Policy{Delta: x}})
	}
	for _, x := range tests {
		expect.InputError(t, fmt.Sprintf("Check of a wrong %s", x.field), x.o.Check(), "hfsp.Policy.Check", x.field, -1)
	}
	for _, h := range []*hfsp.Policy{{}, {Samples: math.MaxInt, Limit: 1, Xi: 1, FirstTask: math.MaxFloat64, Delta: inf},
		{Limit: math.SmallestNonzeroFloat64, Xi: math.MaxFloat64, FirstTask: math.SmallestNonzeroFloat64, Delta: math.SmallestNonzeroFloat64,
			NoCaps: true, Preempt: policy.PreemptSuspend}} {
		if err := h.Check(); err != nil {
			t.Errorf("Check of %+v = %v, want nil", h, err)
		}
	}
}

// A run leaves the settings as they were. A setting changed for the worse after a run is as bad as
// one before it.
func TestSettingsStay(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 2, 2, 1)}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 9, 2), policytest.Maps(1, 3, 1)}
	h := new(hfsp.Policy)
	if _, err := slotmodel.Run(c, jobs, h, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	if h.Samples != 0 || h.Limit != 0 || h.Xi != 0 || h.FirstTask != 0 || h.Delta != 0 {
		t.Errorf("after a run of the zero value Samples, Limit, Xi, FirstTask and Delta are %v, %v, %v, %v, %v, want 0",
			h.Samples, h.Limit, h.Xi, h.FirstTask, h.Delta)
	}
	h.Xi = .5
	unchecked := &policytest.After{Policy: h, Check: func(*slotmodel.View) {}}
	res, err := slotmodel.Run(c, jobs, unchecked, slotmodel.Options{})
	if !errors.Is(err, slotmodel.ErrPolicy) || res == nil || res.Totals.Work != 0 {
		t.Errorf("Run with Xi .5 under a policy that hands on no Check: %v, want an ErrPolicy and no start", err)
	}
}

// The zero value of HFSP is HFSP with the settings that the documentation gives for 0.
func TestZeroValue(t *testing.T) {
	c, jobs := policytest.Blocked(7, 50)
	var hash [2]uint64
	for i, p := range []slotmodel.Policy{new(hfsp.Policy), &hfsp.Policy{Samples: 5, Limit: 1, Xi: 1, FirstTask: 60, Delta: 10}} {
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
		if err != nil {
			t.Fatal(err)
		}
		hash[i] = res.Hash
	}
	if hash[0] != hash[1] {
		t.Errorf("hash %x with the zero value, %x with its settings written out", hash[0], hash[1])
	}
}

// A time after which samples are extrapolated that the clock cannot tell from none.
func TestSmallDelta(t *testing.T) {
	c, jobs := policytest.Blocked(7, 50)
	for i := range jobs {
		jobs[i].Arrival += 1e6
	}
	for _, delta := range []float64{math.SmallestNonzeroFloat64, 1e-12} {
		h, done := &hfsp.Policy{Delta: delta}, make(chan error, 1)
		go func() {
			_, err := slotmodel.Run(c, jobs, h, slotmodel.Options{})
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Delta %v: %v", delta, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("Delta %v: the run does not end", delta)
		}
	}
}
