package malleable_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestInputErrors checks every function that takes jobs with every kind of bad job.
func TestInputErrors(t *testing.T) {
	inf := math.Inf(1)
	g3, err := precedence.Chains(3)
	if err != nil {
		t.Fatal(err)
	}
	ones := precedence.Objective{Penalties: []precedence.Penalty{precedence.Response{Weight: 1}, precedence.Response{Weight: 1}}}
	s := new(malleable.Schedule)
	order := []int{1, 0}
	functions := map[string]func(slots int, jobs []malleable.Job, g *precedence.Graph) error{
		"Pack": func(n int, j []malleable.Job, g *precedence.Graph) error {
			return second(malleable.Pack(n, j, g, order))
		},
		"PackInto": func(n int, j []malleable.Job, g *precedence.Graph) error {
			return malleable.PackInto(s, n, j, g, order, inf)
		},
		"Bounds": func(n int, j []malleable.Job, g *precedence.Graph) error {
			return second(malleable.Bounds(n, j, g, order))
		},
		"NormalizeMinima": func(n int, j []malleable.Job, g *precedence.Graph) error {
			return second(malleable.NormalizeMinima(nil, n, j, g))
		},
		"Verify": func(n int, j []malleable.Job, g *precedence.Graph) error { return malleable.Verify(n, j, g, s) },
		"Plan": func(n int, j []malleable.Job, g *precedence.Graph) error {
			_, _, err := malleable.Plan(n, j, g, ones, malleable.PlanOptions{})
			return err
		},
		"WaterFill": func(n int, j []malleable.Job, g *precedence.Graph) error {
			if g != nil {
				n = 0 // it takes no graph
			}
			return second(malleable.WaterFill(n, j, []float64{1, 1}))
		},
	}
	for _, c := range []struct {
		name, arg string
		index     int
		slots     int
		second    malleable.Job
		g         *precedence.Graph
	}{
		{"no slots", "slots", -1, 0, malleable.Job{}, nil},
		{"negative slots", "slots", -1, math.MinInt, malleable.Job{}, nil},
		{"too many slots", "slots", -1, malleable.MaxSlots + 1, malleable.Job{}, nil},
		{"NaN work", "jobs", 1, 2, malleable.Job{Work: math.NaN()}, nil},
		{"negative work", "jobs", 1, 2, malleable.Job{Work: -1}, nil},
		{"infinite work", "jobs", 1, 2, malleable.Job{Work: inf}, nil},
		{"too much work", "jobs", 1, 2, malleable.Job{Work: math.MaxFloat64}, nil},
		{"negative Min", "jobs", 1, 2, malleable.Job{Min: -1}, nil},
		{"negative Max", "jobs", 1, 2, malleable.Job{Max: -1}, nil},
		{"Min above Max", "jobs", 1, 2, malleable.Job{Min: 2, Max: 1}, nil},
		{"another graph", "g", -1, 2, malleable.Job{}, g3},
	} {
		for name, f := range functions {
			arg := c.arg
			if name == "WaterFill" && c.g != nil {
				arg = "slots"
			}
			err := f(c.slots, []malleable.Job{{Work: 1}, c.second}, c.g)
			expect.InputError(t, name+" with "+c.name, err, "malleable."+name, arg, c.index)
		}
	}
}

// TestOutcomesAreNotInput: that jobs do not fit, or that a schedule is broken, is an outcome of
// valid arguments.
func TestOutcomesAreNotInput(t *testing.T) {
	jobs := []malleable.Job{{Work: 1, Min: 1}, {Work: 1, Min: 1}}
	none, err := malleable.NewSchedule([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var minima *malleable.MinimaError
	var deadline *malleable.DeadlineError
	var broken error
	for _, c := range []struct {
		call string
		err  error
		as   any
	}{
		{"Pack", second(malleable.Pack(1, jobs, nil, []int{0, 1})), &minima},
		{"WaterFill", second(malleable.WaterFill(2, jobs, []float64{1, 0.25})), &deadline},
		{"Verify", malleable.Verify(2, jobs, nil, none), &broken},
	} {
		if !errors.As(c.err, c.as) || errors.Is(c.err, schedmath.ErrInput) {
			t.Errorf("%s = %v, want a %T that is not ErrInput", c.call, c.err, c.as)
		}
	}
}

func TestPriorityErrors(t *testing.T) {
	for _, c := range []struct {
		priority []int
		index    int
	}{{nil, -1}, {[]int{0}, -1}, {[]int{0, 1, 2}, -1}, {[]int{0, 2}, 1}, {[]int{-1, 1}, 0}, {[]int{1, 1}, 1}} {
		_, err := malleable.Pack(1, make([]malleable.Job, 2), nil, c.priority)
		expect.InputError(t, fmt.Sprintf("Pack with priority %v", c.priority), err, "malleable.Pack", "priority", c.index)
	}
	for _, horizon := range []float64{-1, math.NaN(), math.Inf(-1)} {
		err := malleable.PackInto(new(malleable.Schedule), 1, nil, nil, nil, horizon)
		expect.InputError(t, fmt.Sprintf("PackInto to horizon %v", horizon), err, "malleable.PackInto", "horizon", -1)
	}
	if err := malleable.PackInto(nil, 1, nil, nil, nil, 1); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("PackInto(nil) = %v", err)
	}
	if _, err := malleable.WaterFill(1, make([]malleable.Job, 2), []float64{1, math.NaN()}); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("WaterFill with a NaN deadline = %v", err)
	}
	if _, err := malleable.WaterFill(1, make([]malleable.Job, 2), []float64{1}); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("WaterFill with one deadline for two jobs = %v", err)
	}
	var late *malleable.DeadlineError
	if _, err := malleable.WaterFill(1, make([]malleable.Job, 2), []float64{1, -1}); !errors.As(err, &late) || late.Job != 1 {
		t.Errorf("WaterFill with a negative deadline = %v, want a DeadlineError of job 1", err)
	}
}

// TestExtremes: works from the least subnormal to the greatest that are allowed, and very many
// slots.
func TestExtremes(t *testing.T) {
	for _, works := range [][]float64{{5e-324, 5e-324}, {1e307, 1e-307}, {2e307, 0}, {math.Copysign(0, -1), 1}, {1e5, 1e-9}} {
		for _, slots := range []int{1, 3, malleable.MaxSlots} {
			jobs := []malleable.Job{{Work: works[0], Max: 2}, {Work: works[1]}, {Work: works[0], Max: math.MaxInt}}
			s, err := malleable.Pack(slots, jobs, nil, []int{0, 2, 1})
			if err != nil {
				t.Fatalf("Pack(%d, %v): %v", slots, jobs, err)
			}
			if err := malleable.Verify(slots, jobs, nil, s); err != nil {
				t.Errorf("Pack(%d, %v) fails Verify: %v", slots, jobs, err)
			}
			if m := s.Makespan(); !(m >= 0 && m <= math.MaxFloat64) {
				t.Errorf("Pack(%d, %v) ends at %v", slots, jobs, m)
			}
		}
	}
	_, err := malleable.Pack(2, []malleable.Job{{Work: 1, Min: math.MaxInt}, {Work: 1, Min: math.MaxInt}}, nil, []int{0, 1})
	var minima *malleable.MinimaError
	if !errors.As(err, &minima) || minima.Minima != math.MaxInt || len(minima.Jobs) != 2 {
		t.Errorf("Pack with huge minima = %v, want a MinimaError of both", err)
	}
}

// TestScale: all works times a power of two scale all times exactly.
func TestScale(t *testing.T) {
	for seed := range uint64(300) {
		in := randomInstance(random(seed), false)
		g := in.graph(t)
		a, err := malleable.Pack(in.slots, in.jobs, g, in.priority)
		if err != nil {
			t.Fatal(err)
		}
		for _, scale := range []float64{0x1p-60, 0x1p60} {
			scaled := append([]malleable.Job(nil), in.jobs...)
			for j := range scaled {
				scaled[j].Work *= scale
			}
			b, err := malleable.Pack(in.slots, scaled, g, in.priority)
			if err != nil {
				t.Fatal(err)
			}
			ca := a.Completion(nil)
			for j, c := range b.Completion(nil) {
				if c != ca[j]*scale {
					t.Fatalf("seed %d: works times %g: job %d completes at %v, want %v", seed, scale, j, c, ca[j]*scale)
				}
			}
		}
	}
}
