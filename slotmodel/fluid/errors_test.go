package fluid_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

func TestInputErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type jobs = []fluid.Job
	good := fluid.Job{Arrival: 1, Size: 2, Estimate: 2, Weight: 1}
	var calls []expect.Call
	bad := func(arg string, index int, slots float64, jobs jobs, p fluid.Policy) {
		calls = append(calls, expect.Bad(arg, index, slots, jobs, p))
	}
	for _, x := range []float64{nan, inf, -inf, -1, 5e-324, math.Nextafter(0x1p-200, 0), math.Nextafter(0x1p200, inf), math.MaxFloat64} {
		bad("slots", -1, x, jobs{good}, fluid.PS{})
		for _, field := range []func(j *fluid.Job) *float64{
			func(j *fluid.Job) *float64 { return &j.Arrival }, func(j *fluid.Job) *float64 { return &j.Size }, func(j *fluid.Job) *float64 { return &j.Estimate },
			func(j *fluid.Job) *float64 { return &j.Weight },
		} {
			j := good
			*field(&j) = x
			bad("jobs", 1, 1, jobs{good, j, good}, fluid.PS{})
		}
	}
	bad("slots", -1, 0, jobs{good}, fluid.PS{})
	bad("p", -1, 1, jobs{good}, nil)
	bad("p", -1, 1, jobs{good}, (*fluid.PS)(nil))
	bad("p", -1, 1, jobs{good}, fluid.FSP{Late: 4})
	bad("p", -1, 1, jobs{good}, fluid.FSP{Late: 255})
	expect.Refused(t, "fluid.Run", fluid.Run, nil, calls...)
	for i := range calls {
		calls[i].Args = append([]any{&fluid.Result{Finish: []float64{7}, Area: 8}}, calls[i].Args...)
	}
	expect.Refused(t, "fluid.Runner.Run", new(fluid.Runner).Run, nil, calls...)
	expect.Refused(t, "fluid.Runner.Run", new(fluid.Runner).Run, nil, expect.Bad("dst", -1, nil, 1, nil, fluid.PS{}))
}

func TestEmpty(t *testing.T) {
	if res, err := fluid.Run(0x1p-200, nil, fluid.PS{}); err != nil || len(res.Finish) != 0 {
		t.Errorf("Run(2^-200, nil, ps): %+v, %v, want an empty result", res, err)
	}
	for _, p := range everyPolicy {
		res, err := fluid.Run(1, nil, p)
		if err != nil || len(res.Finish) != 0 || res.Area != 0 || res.MeanSojourn() != 0 {
			t.Errorf("Run(1, nil, %v): %+v, %v, want an empty result", p, res, err)
		}
	}
}

// Whatever the numbers, a run ends with times >= the arrivals or with an error, never NaN.
func TestExtremes(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 0x1p-200, 0x1.8p-200, 1e-50, 1e-9, 1, 3, 1e9, 1e50, 0x1p200}
	for a, x := range values {
		for b, y := range values {
			for c, z := range values {
				if x == 0 {
					continue
				}
				checkAny(t, instance{slots: x, jobs: []fluid.Job{
					{Arrival: y, Size: z, Estimate: x, Weight: z}, {Arrival: z, Size: x, Estimate: y, Weight: x},
					{Arrival: x, Size: y, Estimate: z}, {Size: values[(a+b+c)%len(values)], Estimate: 1},
				}})
			}
		}
	}
}

func checkAny(t *testing.T, in instance) {
	t.Helper()
	for _, p := range everyPolicy {
		res, err := fluid.Run(in.slots, in.jobs, p)
		if err != nil {
			t.Errorf("%v: %v", in.with(p), err)
			continue
		}
		for i, j := range in.jobs {
			if !(res.Finish[i] >= j.Arrival) || math.IsInf(res.Finish[i], 1) || !(res.Sojourn[i] >= 0) || res.Virtual != nil && !(res.Virtual[i] >= j.Arrival) {
				t.Errorf("%v: job %d: finish %v, sojourn %v, virtual %v", in.with(p), i, res.Finish[i], res.Sojourn[i], res.Virtual)
				return
			}
		}
		for _, x := range []float64{res.Area, res.MeanSojourn()} {
			if !(x >= 0 && x <= math.MaxFloat64) {
				t.Errorf("%v: area %v, mean sojourn %v", in.with(p), res.Area, res.MeanSojourn())
			}
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add(1.0, 0.0, 30.0, 30.0, 0.0, 10.0, 10.0, 10.0)
	f.Add(0.0, 1e300, 1e-300, 5e-324, math.NaN(), -1.0, 3.0, 0.0)
	f.Fuzz(func(t *testing.T, slots, a, s, e, w, a2, s2, e2 float64) {
		in := instance{slots: slots, jobs: []fluid.Job{{Arrival: a, Size: s, Estimate: e, Weight: w}, {Arrival: a2, Size: s2, Estimate: e2}}}
		if _, err := fluid.Run(in.slots, in.jobs, fluid.PS{}); errors.Is(err, schedmath.ErrInput) {
			return
		}
		checkAny(t, in)
	})
}

// A job too small to be seen beside the clock finishes when it arrives, not before: a large job
// from the start makes a long busy period, and capacities that are no powers of two make the
// conversion between time and work inexact.
func TestTinyJobs(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for _, at := range []float64{9948.686, 12346.378, 16621.083, 1e9 / 3} {
		for range 200 {
			in := instance{slots: float64(1+rng.IntN(1000)) / 10, jobs: []fluid.Job{
				{Arrival: float64(rng.IntN(1000)) / 10, Size: 1e12, Estimate: 1e12}, {Arrival: at, Size: 1e-29, Estimate: 1e-29, Weight: 2}, {Arrival: at, Size: 1e-28, Estimate: 1e-31},
			}}
			checkAny(t, in)
		}
	}
}
