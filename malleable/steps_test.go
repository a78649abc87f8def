package malleable_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/malleable"
)

// TestPackSteps compares with the definition, checks that only steps occur, and the guarantee with what rounding costs.
func TestPackSteps(t *testing.T) {
	bounded := 0
	for seed := range uint64(4000) {
		r := random(seed)
		in := randomInstance(r, seed%2 == 0)
		steps := malleable.PowersOfTwo(nil, in.slots)
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
		s, err := malleable.PackSteps(in.slots, in.jobs, g, in.priority, steps)
		if !ok {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("seed %d: PackSteps(%+v, %v) = %v, want an InputError: a job has no step", seed, in, steps, err)
			}
			continue
		}
		want, intervals, _ := exactPack(in.slots, rounded, in.arcs, in.priority, steps...)
		var minima *malleable.MinimaError
		if want == nil {
			if !errors.As(err, &minima) {
				t.Fatalf("seed %d: PackSteps(%+v, %v) = %v, want a MinimaError", seed, in, steps, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: PackSteps(%+v, %v): %v", seed, in, steps, err)
		}
		if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
			t.Fatalf("seed %d: PackSteps(%+v, %v) fails Verify: %v", seed, in, steps, err)
		}
		for p := range s.Pieces() {
			if !slices.Contains(steps, p.Slots) {
				t.Fatalf("seed %d: PackSteps(%+v, %v) has piece %v", seed, in, steps, p)
			}
		}
		compareIntervals(t, in, s, intervals)
		if slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 }) {
			continue
		}
		loss, err := malleable.StepLoss(in.slots, in.jobs, steps)
		if err != nil {
			t.Fatal(err)
		}
		limits, err := malleable.Bounds(in.slots, rounded, g, nil)
		if err != nil {
			t.Fatal(err)
		}
		prefix, done := 0.0, s.Completion(nil)
		for _, j := range in.priority {
			prefix += in.jobs[j].Work
			if bound := prefix/float64(in.slots-loss) + limits.Earliest[j]; done[j] > bound && !near(done[j], bound) {
				t.Fatalf("seed %d: PackSteps(%+v, %v): job %d completes at %v, after %v", seed, in, steps, j, done[j], bound)
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

func TestStepLoss(t *testing.T) {
	one := []malleable.Job{{Work: 1}}
	for _, c := range []struct {
		slots int
		jobs  []malleable.Job
		steps []int
		want  int
	}{
		{100, one, malleable.PowersOfTwo(nil, 100), 31},
		{64, one, malleable.PowersOfTwo(nil, 64), 31},
		{100, []malleable.Job{{Work: 1, Max: 9}}, malleable.PowersOfTwo(nil, 100), 3},
		{100, one, []int{10, 50}, 39},
		{100, one, []int{1}, 0},
		{5, one, []int{1, 2, 3, 4, 5}, 0},
	} {
		if got, err := malleable.StepLoss(c.slots, c.jobs, c.steps); err != nil || got != c.want {
			t.Errorf("StepLoss(%d, %v, %v) = %d, %v, want %d", c.slots, c.jobs, c.steps, got, err, c.want)
		}
	}
	if got := malleable.PowersOfTwo([]int{7}, 9); !slices.Equal(got, []int{7, 1, 2, 4, 8}) {
		t.Errorf("PowersOfTwo([7], 9) = %v", got)
	}
}

func TestStepErrors(t *testing.T) {
	for _, steps := range [][]int{nil, {0, 1}, {1, 1}, {2, 1}, {1, 4}} {
		_, err := malleable.PackSteps(3, []malleable.Job{{Work: 1}}, nil, []int{0}, steps)
		var in *schedmath.InputError
		if !errors.As(err, &in) || in.Func != "malleable.PackSteps" || in.Arg != "steps" {
			t.Errorf("PackSteps with steps %v = %v, want an InputError", steps, err)
		}
		_, err = malleable.StepLoss(3, []malleable.Job{{Work: 1}}, steps)
		if !errors.As(err, &in) || in.Func != "malleable.StepLoss" || in.Arg != "steps" {
			t.Errorf("StepLoss with steps %v = %v, want an InputError", steps, err)
		}
	}
	_, err := malleable.PackSteps(8, []malleable.Job{{Work: 1}, {Work: 1, Min: 3, Max: 3}}, nil, []int{0, 1}, []int{2, 4})
	var in *schedmath.InputError
	if !errors.As(err, &in) || in.Arg != "jobs" || in.Index != 1 {
		t.Errorf("PackSteps of a job between two steps = %v, want an InputError of jobs[1]", err)
	}
}
