package malleable_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// packAllowed packs jobs that can hold allowed counts of slots only.
func packAllowed(slots int, jobs []malleable.Job, g *precedence.Graph, priority, allowed []int) (*malleable.Schedule, error) {
	s := new(malleable.Schedule)
	return s, malleable.PackAllowed(s, slots, jobs, g, priority, allowed, math.Inf(1))
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

// TestAllowed compares with the definition, checks that only allowed counts occur, and the
// guarantee with what rounding costs.
func TestAllowed(t *testing.T) {
	bounded := 0
	for seed := range uint64(4000) {
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
		if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
			t.Fatalf("seed %d: PackAllowed(%+v, allowed %v) fails Verify: %v", seed, in, steps, err)
		}
		for p := range s.Pieces() {
			if !slices.Contains(steps, p.Slots) {
				t.Fatalf("seed %d: PackAllowed(%+v, allowed %v) has piece %v", seed, in, steps, p)
			}
		}
		compareIntervals(t, in, s, intervals)
		if slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 }) {
			continue
		}
		loss := lost(rounded, steps)
		limits, err := malleable.Bounds(in.slots, rounded, g, nil)
		if err != nil {
			t.Fatal(err)
		}
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
	if bounded < 200 {
		t.Errorf("the guarantee was tried on %d cases with a loss", bounded)
	}
}

func TestAllowedErrors(t *testing.T) {
	one := precedence.Objective{Penalties: []precedence.Penalty{precedence.Response{Weight: 1}}}
	for _, c := range []struct {
		allowed []int
		index   int
	}{{[]int{}, -1}, {[]int{0, 1}, 0}, {[]int{1, 1}, 1}, {[]int{2, 1}, 1}, {[]int{1, 4}, 1}} {
		allowed := c.allowed
		_, err := packAllowed(3, []malleable.Job{{Work: 1}}, nil, []int{0}, allowed)
		expect.InputError(t, fmt.Sprintf("PackAllowed with allowed %v", allowed), err, "malleable.PackAllowed", "allowed", c.index)
		s, r, err := malleable.Plan(3, []malleable.Job{{Work: 1}}, nil, one, malleable.PlanOptions{Allowed: allowed})
		expect.InputError(t, fmt.Sprintf("Plan with allowed %v", allowed), err, "malleable.Plan", "o", c.index)
		if s != nil || r.Order != nil {
			t.Errorf("Plan with allowed %v = %v, %+v beside its error", allowed, s, r)
		}
	}
	_, err := packAllowed(8, []malleable.Job{{Work: 1}, {Work: 1, Min: 3, Max: 3}}, nil, []int{0, 1}, []int{2, 4})
	expect.InputError(t, "PackAllowed of a job between two allowed counts", err, "malleable.PackAllowed", "jobs", 1)
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
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		for s := range in.slots {
			all = append(all, s+1)
		}
		g := in.graph(t)
		_, free, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, same, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{Allowed: all})
		if err != nil || !near(same.Value, free.Value) || same.Exact != free.Exact {
			t.Fatalf("seed %d: Plan(%+v) with every count allowed = %+v, %v, want %+v", seed, in, same, err, free)
		}
		steps := powersOfTwo(in.slots)
		s, some, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{Allowed: steps})
		if err != nil || some.Bound < free.Bound && !near(some.Bound, free.Bound) || some.Value < some.Bound || some.Factor < 1 {
			t.Fatalf("seed %d: Plan(%+v, allowed %v) = %+v, %v, without %+v", seed, in, steps, some, err, free)
		}
		if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
			t.Fatalf("seed %d: Plan(%+v, allowed %v) fails Verify: %v", seed, in, steps, err)
		}
		for p := range s.Pieces() {
			if !slices.Contains(steps, p.Slots) {
				t.Fatalf("seed %d: Plan(%+v, allowed %v) has piece %v", seed, in, steps, p)
			}
		}
	}
}
