package malleable_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// anything is a problem of which every number may be hostile.
type anything struct {
	slots    int
	jobs     []malleable.Job
	g        *precedence.Graph
	priority []int
	times    []float64 // one for each job, and one more
	obj      precedence.Objective
}

func pick[E any](r *rand.Rand, from []E) E { return from[r.IntN(len(from))] }

func drawAnything(t *testing.T, r *rand.Rand) anything {
	t.Helper()
	inf := math.Inf(1)
	good := []float64{0, 5e-324, 1e-300, 1e-9, 1.0 / 3, 1, 2.5, 3, 7, 100, 1e18, 1e300, 1e307}
	bad := append(good, math.NaN(), inf, -inf, -1, math.Copysign(0, -1), math.MaxFloat64)
	counts := []int{0, 1, 2, 3, 5, 100, -1, math.MinInt, math.MaxInt32, malleable.MaxSlots, malleable.MaxSlots + 1, math.MaxInt}
	hostile := r.IntN(3) == 0
	in := anything{slots: pick(r, []int{1, 2, 3, 7, 100, malleable.MaxSlots}), jobs: make([]malleable.Job, r.IntN(6))}
	if hostile && r.IntN(4) == 0 {
		in.slots = pick(r, counts)
	}
	var arcs [][2]int
	in.times = append(in.times, pick(r, bad))
	for j := range in.jobs {
		job := &in.jobs[j]
		job.Work, job.Max = pick(r, good), pick(r, []int{0, 1, 2, 5, math.MaxInt})
		if r.IntN(3) == 0 {
			job.Min = min(r.IntN(3), max(job.Max, 1))
		}
		if hostile && r.IntN(4) == 0 {
			job.Work, job.Min, job.Max = pick(r, bad), pick(r, counts), pick(r, counts)
		}
		in.times = append(in.times, pick(r, bad))
		for k := range j {
			if r.IntN(3) == 0 {
				arcs = append(arcs, [2]int{k, j})
			}
		}
		x, w := pick(r, bad), pick(r, good)
		penalties := []precedence.Penalty{precedence.Response{Weight: w}, precedence.Tardy{Deadline: x, Weight: w},
			precedence.Tardiness{Deadline: x, Weight: w}, precedence.Lateness{Deadline: x, Weight: w}, precedence.NoPenalty{},
			precedence.SLA{Deadlines: []float64{x}, Costs: []float64{w}}, justAt{precedence.Response{Weight: w}}, nan{}, nil}
		if !hostile {
			penalties = penalties[:7]
		}
		in.obj.Penalties = append(in.obj.Penalties, pick(r, penalties))
	}
	in.obj.Aggregate = precedence.Aggregate(r.IntN(2))
	if r.IntN(3) > 0 {
		g, err := precedence.NewGraph(len(in.jobs), arcs)
		must(t, err)
		in.g = g
	}
	in.priority = r.Perm(len(in.jobs))
	return in
}

// TestAnything: whatever the arguments, nothing panics, errors are of the types that are promised,
// and what comes without an error is a schedule without NaN.
func TestAnything(t *testing.T) {
	made, failed := 0, 0
	for seed := range uint64(6000) {
		r := random(seed)
		in := drawAnything(t, r)
		check := func(call string, g *precedence.Graph, s *malleable.Schedule, err error) {
			t.Helper()
			if err != nil {
				failed++
				if !typed(err, call) {
					t.Errorf("seed %d: %s(%+v) = %v, want an error of this call", seed, call, in, err)
				}
				return
			}
			made++
			if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
				t.Errorf("seed %d: %s(%+v) fails Verify: %v", seed, call, in, err)
			}
		}
		numbers := func(call string, err error, xs ...float64) {
			t.Helper()
			for _, x := range xs {
				if x != x {
					t.Errorf("seed %d: %s(%+v) = %v, %v", seed, call, in, xs, err)
				}
			}
			if err != nil && !typed(err, call) {
				t.Errorf("seed %d: %s(%+v) = %v, want an error of this call", seed, call, in, err)
			}
		}
		s, err := malleable.Pack(in.slots, in.jobs, in.g, in.priority)
		check("Pack", in.g, s, err)
		s, err = malleable.WaterFill(in.slots, in.jobs, in.times[1:])
		check("WaterFill", nil, s, err)
		s = new(malleable.Schedule)
		err = malleable.PackInto(s, in.slots, in.jobs, in.g, in.priority, in.times[0])
		check("PackInto", in.g, s, err)
		restricted := new(malleable.Schedule)
		err = malleable.PackAllowed(restricted, in.slots, in.jobs, in.g, in.priority, append(powersOfTwo(min(in.slots, 64)), in.slots), math.Inf(1))
		check("PackAllowed", in.g, restricted, err)
		s, report, err := malleable.Plan(in.slots, in.jobs, in.g, in.obj, malleable.PlanOptions{})
		check("Plan", in.g, s, err)
		numbers("Plan", err, report.Value, report.Bound, report.Factor)
		if err == nil && (report.Bound > report.Value || report.Factor < 1 || report.Exact && report.Factor != 1) {
			t.Errorf("seed %d: Plan(%+v) = %+v", seed, in, report)
		}
		limits, err := malleable.Bounds(in.slots, in.jobs, in.g, nil)
		numbers("Bounds", err, append(limits.Earliest, limits.Makespan)...)
		_, err = malleable.NormalizeMinima(nil, in.slots, in.jobs, in.g)
		numbers("NormalizeMinima", err)
	}
	if made < 10_000 || failed < 4000 {
		t.Errorf("%d schedules and %d errors: the cases are too one-sided", made, failed)
	}
}

// typed reports whether an error of a function is one that this package promises.
func typed(err error, name string) bool {
	var in *schedmath.InputError
	var minima *malleable.MinimaError
	var late *malleable.DeadlineError
	return errors.As(err, &in) && in.Func == "malleable."+name && in.Arg != "" && in.Reason != "" || errors.As(err, &minima) || errors.As(err, &late)
}
