package hfsp_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Each setting out of its range is named, and the ends of the ranges are not refused.
func TestErrors(t *testing.T) {
	inf := math.Inf(1)
	wrong := func(arg string, h hfsp.Policy) {
		policytest.Refused(t, "hfsp.Policy.Check", policytest.Wrong{Arg: arg, Index: -1, Policy: &h})
	}
	wrong("Samples", hfsp.Policy{Samples: -1})
	wrong("Limit", hfsp.Policy{Limit: 1.5})
	wrong("Xi", hfsp.Policy{Xi: .5})
	wrong("Xi", hfsp.Policy{Xi: inf})
	wrong("FirstTask", hfsp.Policy{FirstTask: inf})
	wrong("Preempt", hfsp.Policy{Preempt: policy.PreemptSuspend + 1})
	for _, x := range []float64{math.NaN(), -inf, -1, -math.SmallestNonzeroFloat64} {
		wrong("Limit", hfsp.Policy{Limit: x})
		wrong("Xi", hfsp.Policy{Xi: x})
		wrong("FirstTask", hfsp.Policy{FirstTask: x})
		wrong("Delta", hfsp.Policy{Delta: x})
	}
	for _, h := range []*hfsp.Policy{{}, {Samples: math.MaxInt, Limit: 1, Xi: 1, FirstTask: math.MaxFloat64, Delta: inf},
		{Limit: math.SmallestNonzeroFloat64, Xi: math.MaxFloat64, FirstTask: math.SmallestNonzeroFloat64, Delta: math.SmallestNonzeroFloat64,
			NoCaps: true, Preempt: policy.PreemptSuspend}} {
		expect.Must(t, h.Check())
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

// A run ends also with a time after which samples are extrapolated that the clock cannot tell from
// none.
func TestSmallDelta(t *testing.T) {
	c, jobs := policytest.Blocked(7, 50)
	for i := range jobs {
		jobs[i].Arrival += 1e6
	}
	for _, delta := range []float64{math.SmallestNonzeroFloat64, 1e-12} {
		_, err := slotmodel.Run(c, jobs, &hfsp.Policy{Delta: delta}, slotmodel.Options{})
		expect.Must(t, err)
	}
}
