package malleable_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// packAllowed packs jobs that can hold allowed counts of slots only.
func packAllowed(slots int, jobs []malleable.Job, g *precedence.Graph, priority, allowed []int) (*malleable.Schedule, error) {
	s := new(malleable.Schedule)
	if err := malleable.PackAllowed(s, slots, jobs, g, priority, allowed, math.Inf(1)); err != nil {
		return nil, err
	}
	return s, nil
}

// powersOfTwo returns 1, 2, 4 and so on up to slots.
func powersOfTwo(slots int) []int {
	var powers []int
	for p := 1; p <= slots; p *= 2 {
		powers = append(powers, p)
	}
	return powers
}

// lost returns how many slots rounding to steps can leave idle or to jobs of lower priority, from
// the definition: the most of s less the largest step <= s over all s below the largest Max, which
// is a step.
func lost(jobs []malleable.Job, steps []int) int {
	most, loss := 0, 0
	for _, j := range jobs {
		most = max(most, j.Max)
	}
	for s := range most {
		down := 0
		for _, step := range steps {
			if step <= s {
				down = step
			}
		}
		loss = max(loss, s-down)
	}
	return loss
}

func (in *instance) checkAllowed(t *testing.T, s *malleable.Schedule, steps []int) {
	t.Helper()
	must(t, malleable.Verify(in.slots, in.jobs, in.graph(t), s))
	for p := range s.Pieces() {
		if !slices.Contains(steps, p.Slots) {
			t.Fatalf("%+v, allowed %v: a schedule has piece %v", in, steps, p)
		}
	}
}

// TestAllowed compares with the definition, checks that only allowed counts occur, and the
// guarantee with what rounding costs.
func TestAllowed(t *testing.T) {
	bounded := 0
	for seed := range uint64(2000) {
		r := random(seed)
		in := randomInstance(r, seed%2 == 0)
		steps := powersOfTwo(in.slots)
		if seed%3 == 0 {
			steps = nil
			for s := 1; s <= in.slots; s += 1 + r.IntN(3) {
				steps = append(steps, s)
			}
		}
		g := in.graph(t)
		rounded := slices.Clone(in.jobs)
		ok := true
		for j := range rounded {
			job := &rounded[j]
			most := job.Max
			if most == 0 || most > in.slots {
				most = in.slots
			}
			i, found := slices.BinarySearch(steps, most)
			if !found {
				i--
			}
			job.Max = steps[i]
			if job.Min > 0 {
				i, _ := slices.BinarySearch(steps, job.Min)
				ok = ok && i < len(steps) && steps[i] <= job.Max
				if ok {
					job.Min = steps[i]
				}
			}
		}
		s, err := packAllowed(in.slots, in.jobs, g, in.priority, steps)
		if !ok {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("seed %d: PackAllowed(%+v, allowed %v) = %v, want an InputError: a job has no step", seed, in, steps, err)
			}
			continue
		}
		want, intervals, _ := exactPack(in.slots, rounded, in.arcs, in.priority, steps...)
		var minima *malleable.MinimaError
		if want == nil {
			if !errors.As(err, &minima) {
				t.Fatalf("seed %d: PackAllowed(%+v, allowed %v) = %v, want a MinimaError", seed, in, steps, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: PackAllowed(%+v, allowed %v): %v", seed, in, steps, err)
		}
		in.checkAllowed(t, s, steps)
		compareIntervals(t, in, s, intervals)
		if slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 }) {
			continue
		}
		loss := lost(rounded, steps)
		limits, err := malleable.Bounds(in.slots, rounded, g, nil)
		must(t, err)
		prefix, done := 0.0, s.Completion(nil)
		for _, j := range in.priority {
			prefix += in.jobs[j].Work
			if bound := prefix/float64(in.slots-loss) + limits.Earliest[j]; done[j] > bound && !near(done[j], bound) {
				t.Fatalf("seed %d: PackAllowed(%+v, allowed %v): job %d completes at %v, after %v", seed, in, steps, j, done[j], bound)
			}
		}
		if loss > 0 {
			bounded++
		}
	}
	if bounded < 100 {
		t.Errorf("the guarantee was tried on %d cases with a loss", bounded)
	}
}

// TestPlanAllowed: all counts allowed is no restriction; with some, the schedule keeps to them and
// the report to its bound.
func TestPlanAllowed(t *testing.T) {
	for seed := range uint64(500) {
		r := random(seed)
		in := randomInstance(r, false)
		weight := make([]float64, len(in.jobs))
		for j := range in.jobs {
			in.jobs[j].Max = max(in.jobs[j].Max, 1)
			weight[j] = float64(1 + r.IntN(5))
		}
		obj, err := precedence.SumWeightedResponse(weight)
		must(t, err)
		var all []int
		for s := range in.slots {
			all = append(all, s+1)
		}
		g := in.graph(t)
		_, free, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{})
		must(t, err)
		_, same, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{Allowed: all})
		if err != nil || !near(same.Value, free.Value) || same.Exact != free.Exact {
			t.Fatalf("seed %d: Plan(%+v) with every count allowed = %+v, %v, want %+v", seed, in, same, err, free)
		}
		steps := powersOfTwo(in.slots)
		s, some, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{Allowed: steps})
		if err != nil || some.Bound < free.Bound && !near(some.Bound, free.Bound) || some.Value < some.Bound || some.Factor < 1 {
			t.Fatalf("seed %d: Plan(%+v, allowed %v) = %+v, %v, without %+v", seed, in, steps, some, err, free)
		}
		in.checkAllowed(t, s, steps)
	}
}
