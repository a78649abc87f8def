package fluid_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

func TestInputErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := fluid.Job{Arrival: 1, Size: 2, Estimate: 2, Slots: 1, Weight: 1}
	job := func(change func(j *fluid.Job)) []fluid.Job {
		j := good
		change(&j)
		return []fluid.Job{good, j, good}
	}
	type args struct {
		slots float64
		jobs  []fluid.Job
		p     fluid.Policy
		o     fluid.Options
	}
	ok := args{1, []fluid.Job{good}, fluid.PS{}, fluid.Options{}}
	var tests []struct {
		name  string
		args  args
		arg   string
		index int
	}
	add := func(name, arg string, index int, change func(a *args)) {
		a := ok
		change(&a)
		tests = append(tests, struct {
			name  string
			args  args
			arg   string
			index int
		}{name, a, arg, index})
	}
	for name, x := range map[string]float64{
		"nan": nan, "+inf": inf, "-inf": -inf, "negative": -1, "subnormal": 5e-324, "too small": math.Nextafter(0x1p-200, 0),
		"too large": math.Nextafter(0x1p200, inf), "largest": math.MaxFloat64,
	} {
		add("slots "+name, "slots", -1, func(a *args) { a.slots = x })
		add("arrival "+name, "jobs", 1, func(a *args) { a.jobs = job(func(j *fluid.Job) { j.Arrival = x }) })
		add("size "+name, "jobs", 1, func(a *args) { a.jobs = job(func(j *fluid.Job) { j.Size = x }) })
		add("estimate "+name, "jobs", 1, func(a *args) { a.jobs = job(func(j *fluid.Job) { j.Estimate = x }) })
		add("weight "+name, "jobs", 1, func(a *args) { a.jobs = job(func(j *fluid.Job) { j.Weight = x }) })
		if !(x > 1) { // a large cap is no limit
			add("cap "+name, "jobs", 1, func(a *args) { a.jobs = job(func(j *fluid.Job) { j.Slots = x }) })
		}
		add("step time "+name, "o", 1, func(a *args) { a.o.Capacity = []fluid.Step{{Time: 0, Slots: 1}, {Time: x, Slots: 1}} })
		add("step slots "+name, "o", 1, func(a *args) { a.o.Capacity = []fluid.Step{{Time: 0, Slots: 1}, {Time: 1, Slots: x}} })
	}
	add("steps out of order", "o", 2, func(a *args) {
		a.o.Capacity = []fluid.Step{{Time: 0, Slots: 1}, {Time: 2, Slots: 1}, {Time: 1, Slots: 1}}
	})
	add("two steps at once", "o", 1, func(a *args) { a.o.Capacity = []fluid.Step{{Time: 2, Slots: 1}, {Time: 2, Slots: 1}} })
	add("nil policy", "p", -1, func(a *args) { a.p = nil })
	add("pointer policy", "p", -1, func(a *args) { a.p = (*fluid.PS)(nil) })
	add("late rule", "p", -1, func(a *args) { a.p = fluid.FSP{Late: 4} })
	add("late rule 255", "p", -1, func(a *args) { a.p = fluid.FSP{Late: 255} })

	for _, tt := range tests {
		jobs := slices.Clone(tt.args.jobs)
		res, err := fluid.Run(tt.args.slots, tt.args.jobs, tt.args.p, tt.args.o)
		checkInput(t, tt.name, err, "fluid.Run", tt.arg, tt.index)
		if res != nil {
			t.Errorf("%s: Run returned %v with its error", tt.name, res)
		}
		dst := fluid.Result{Finish: []float64{7}, Area: 8}
		var r fluid.Runner
		checkInput(t, tt.name, r.Run(&dst, tt.args.slots, tt.args.jobs, tt.args.p, tt.args.o), "fluid.Runner.Run", tt.arg, tt.index)
		if d := cmp.Diff(fluid.Result{Finish: []float64{7}, Area: 8}, dst); d != "" {
			t.Errorf("%s: Runner.Run changed dst: %s", tt.name, d)
		}
		if !slices.EqualFunc(jobs, tt.args.jobs, func(a, b fluid.Job) bool { return a == b || a != a || b != b }) {
			t.Errorf("%s: Run changed its jobs to %v", tt.name, tt.args.jobs)
		}
	}
	checkInput(t, "nil dst", new(fluid.Runner).Run(nil, 1, nil, fluid.PS{}, fluid.Options{}), "fluid.Runner.Run", "dst", -1)
}

func checkInput(t *testing.T, name string, err error, fn, arg string, index int) {
	t.Helper()
	expect.InputError(t, name, err, fn, arg, index)
	if err != nil && !strings.Contains(err.Error(), "want") {
		t.Errorf("%s: error %v does not say what is wanted", name, err)
	}
}

func TestUnfinished(t *testing.T) {
	jobs := []fluid.Job{{Size: 1, Estimate: 1}, {Size: 5, Estimate: 5}, {Arrival: 9, Size: 1, Estimate: 1}, {Arrival: 9}}
	o := fluid.Options{Capacity: []fluid.Step{{Time: 3, Slots: 0}}}
	for _, p := range everyPolicy {
		for _, caps := range []float64{0, 1.5} {
			for i := range jobs {
				jobs[i].Slots = caps
			}
			_, err := fluid.Run(2, jobs, p, o)
			var e *fluid.UnfinishedError
			if !errors.As(err, &e) || errors.Is(err, schedmath.ErrInput) {
				t.Errorf("Run(2, %v, %v, %v): error is %v, want an UnfinishedError that is no InputError", jobs, p, o, err)
				continue
			}
			want := []int{2}
			if caps > 0 {
				want = []int{1, 2} // the caps leave slots idle
			}
			if p == (fluid.FIFO{Turn: true}) {
				want = append(want, 3) // the last job waits for its turn
			}
			text := fmt.Sprintf("fluid.Run: jobs[%d] and %d others never finish: ", want[0], len(want)-1)
			if !slices.Equal(e.Jobs, want) || e.Func != "fluid.Run" || !strings.HasPrefix(err.Error(), text) {
				t.Errorf("Run(2, %v, %v, %v): error is %#v, want jobs %v", jobs, p, o, e, want)
			}
		}
	}
	if text := new(fluid.UnfinishedError).Error(); !strings.Contains(text, "never finish") {
		t.Errorf("the message of a zero UnfinishedError is %q", text)
	}
	// Over-estimates alone are no error: the virtual system stays behind.
	res, err := fluid.Run(1, []fluid.Job{{Size: 1, Estimate: 9}}, fluid.FSP{}, fluid.Options{Capacity: []fluid.Step{{Time: 2, Slots: 0}}})
	if err != nil || res.Finish[0] != 1 || !math.IsInf(res.Virtual[0], 1) {
		t.Errorf("an over-estimated job: %+v, %v, want finish 1 and virtual finish +Inf", res, err)
	}
}

func TestEmpty(t *testing.T) {
	if res, err := fluid.Run(0x1p-200, nil, fluid.PS{}, fluid.Options{}); err != nil || len(res.Finish) != 0 {
		t.Errorf("Run(2^-200, nil, ps): %+v, %v, want an empty result", res, err)
	}
	for _, p := range everyPolicy {
		res, err := fluid.Run(0, nil, p, fluid.Options{})
		if err != nil || len(res.Finish) != 0 || res.Makespan != 0 || res.Area != 0 || res.MeanSojourn() != 0 {
			t.Errorf("Run(0, nil, %v): %+v, %v, want an empty result", p, res, err)
		}
	}
}

// Whatever the numbers, a run ends with times >= the arrivals or with an error, never NaN.
func TestExtremes(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 0x1p-200, 0x1.8p-200, 1e-50, 1e-9, 1, 3, 1e9, 1e50, 0x1p200}
	for a, x := range values {
		for b, y := range values {
			for c, z := range values {
				checkAny(t, instance{slots: x, jobs: []fluid.Job{
					{Arrival: y, Size: z, Estimate: x, Slots: y, Weight: z}, {Arrival: z, Size: x, Estimate: y, Slots: z, Weight: x},
					{Arrival: x, Size: y, Estimate: z, Slots: math.Inf(1)}, {Size: values[(a+b+c)%len(values)], Estimate: 1},
				}})
			}
		}
	}
}

func checkAny(t *testing.T, in instance) {
	t.Helper()
	for _, p := range everyPolicy {
		res, err := fluid.Run(in.slots, in.jobs, p, in.o)
		var never *fluid.UnfinishedError
		if errors.As(err, &never) {
			continue
		}
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
		for _, x := range []float64{res.Area, res.Makespan, res.MeanSojourn()} {
			if !(x >= 0 && x <= math.MaxFloat64) {
				t.Errorf("%v: area %v, makespan %v, mean sojourn %v", in.with(p), res.Area, res.Makespan, res.MeanSojourn())
			}
		}
	}
}

// Extreme units change nothing but the units.
func TestExtremeUnits(t *testing.T) {
	in := instance{slots: 1, jobs: sized([4]float64{0, 30}, [4]float64{10, 10, 0, 2}, [4]float64{15, 10, 0.5})}
	for _, p := range everyPolicy {
		want := mustRun(t, in.with(p))
		for _, e := range []int{-200, -150, 150, 195} {
			got := mustRun(t, in.with(p).stretched(math.Ldexp(1, e)))
			for i := range in.jobs {
				if f := math.Ldexp(want.Finish[i], e); got.Finish[i] != f {
					t.Errorf("%v, times 2^%d: job %d finishes at %v, want %v", in.with(p), e, i, got.Finish[i], f)
				}
			}
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add(1.0, 0.0, 30.0, 30.0, 0.0, 0.0, 10.0, 10.0, 10.0, 1.0, 5.0)
	f.Add(0.0, 1e300, 1e-300, 5e-324, math.Inf(1), math.NaN(), -1.0, 3.0, 0.0, 1.0, 0.0)
	f.Fuzz(func(t *testing.T, slots, a, s, e, c, w, a2, s2, e2, at, then float64) {
		in := instance{slots: slots, jobs: []fluid.Job{{Arrival: a, Size: s, Estimate: e, Slots: c, Weight: w}, {Arrival: a2, Size: s2, Estimate: e2}}}
		in.o.Capacity = []fluid.Step{{Time: at, Slots: then}}
		if _, err := fluid.Run(in.slots, in.jobs, fluid.PS{}, in.o); errors.Is(err, schedmath.ErrInput) {
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
			if rng.IntN(2) == 0 {
				in.jobs[rng.IntN(3)].Slots = 0.3
			}
			if rng.IntN(2) == 0 {
				in.o.Capacity = []fluid.Step{{Time: at / 2, Slots: 0.7}}
			}
			checkAny(t, in)
		}
	}
}
