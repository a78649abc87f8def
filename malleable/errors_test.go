package malleable_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

type (
	jobs   = []malleable.Job
	claims = []malleable.Claim
)

// into returns PackInto of s, and what of s its readers see.
func into(s *malleable.Schedule) (pack func(slots int, jobs jobs, g *precedence.Graph, priority []int, horizon float64) error, visible func() any) {
	pack = func(slots int, jobs jobs, g *precedence.Graph, priority []int, horizon float64) error {
		return malleable.PackInto(s, slots, jobs, g, priority, horizon)
	}
	return pack, func() any { return []any{slices.Collect(s.Pieces()), s.Completion(nil), s.Makespan()} }
}

// Every function that takes jobs refuses every kind of bad job.
func TestJobErrors(t *testing.T) {
	inf := math.Inf(1)
	g3, err := precedence.Chains(3)
	must(t, err)
	ones := precedence.Objective{Penalties: []precedence.Penalty{precedence.Response{Weight: 1}, precedence.Response{Weight: 1}}}
	s, err := malleable.Pack(2, jobs{{Work: 3}, {Work: 1}}, nil, []int{0, 1})
	must(t, err)
	packInto, visible := into(s)
	order := []int{1, 0}
	for _, c := range []struct {
		arg    string
		index  int
		slots  int
		second malleable.Job
		g      *precedence.Graph
	}{
		{"slots", -1, 0, malleable.Job{}, nil},
		{"slots", -1, math.MinInt, malleable.Job{}, nil},
		{"slots", -1, malleable.MaxSlots + 1, malleable.Job{}, nil},
		{"jobs", 1, 2, malleable.Job{Work: math.NaN()}, nil},
		{"jobs", 1, 2, malleable.Job{Work: -1}, nil},
		{"jobs", 1, 2, malleable.Job{Work: inf}, nil},
		{"jobs", 1, 2, malleable.Job{Work: math.MaxFloat64}, nil},
		{"jobs", 1, 2, malleable.Job{Min: -1}, nil},
		{"jobs", 1, 2, malleable.Job{Max: -1}, nil},
		{"jobs", 1, 2, malleable.Job{Min: 2, Max: 1}, nil},
		{"g", -1, 2, malleable.Job{}, g3},
	} {
		j := jobs{{Work: 1}, c.second}
		expect.Refused(t, "malleable.Pack", malleable.Pack, nil, expect.Bad(c.arg, c.index, c.slots, j, c.g, order))
		expect.Refused(t, "malleable.PackInto", packInto, visible, expect.Bad(c.arg, c.index, c.slots, j, c.g, order, inf))
		expect.Refused(t, "malleable.Bounds", malleable.Bounds, nil, expect.Bad(c.arg, c.index, c.slots, j, c.g, order))
		expect.Refused(t, "malleable.NormalizeMinima", malleable.NormalizeMinima, nil, expect.Bad(c.arg, c.index, []int{7}, c.slots, j, c.g))
		expect.Refused(t, "malleable.Verify", malleable.Verify, nil, expect.Bad(c.arg, c.index, c.slots, j, c.g, s))
		expect.Refused(t, "malleable.Plan", malleable.Plan, nil, expect.Bad(c.arg, c.index, c.slots, j, c.g, ones, malleable.PlanOptions{}))
		if c.g == nil {
			expect.Refused(t, "malleable.WaterFill", malleable.WaterFill, nil, expect.Bad(c.arg, c.index, c.slots, j, []float64{1, 1}))
		}
	}
}

type nan struct{}

func (nan) At(float64) float64 { return math.NaN() }

// nanAbove is a penalty that is NaN from a time on.
type nanAbove struct{ t float64 }

func (n nanAbove) At(t float64) float64 {
	if t > n.t {
		return math.NaN()
	}
	return t
}

func TestOtherErrors(t *testing.T) {
	two := make(jobs, 2)
	packInto, visible := into(new(malleable.Schedule))
	for _, c := range []struct {
		priority []int
		index    int
	}{{nil, -1}, {[]int{0}, -1}, {[]int{0, 1, 2}, -1}, {[]int{0, 2}, 1}, {[]int{-1, 1}, 0}, {[]int{1, 1}, 1}} {
		expect.Refused(t, "malleable.Pack", malleable.Pack, nil, expect.Bad("priority", c.index, 1, two, nil, c.priority))
	}
	for _, horizon := range []float64{-1, math.NaN(), math.Inf(-1)} {
		expect.Refused(t, "malleable.PackInto", packInto, visible, expect.Bad("horizon", -1, 1, nil, nil, nil, horizon))
	}
	expect.Refused(t, "malleable.PackInto", malleable.PackInto, nil, expect.Bad("s", -1, nil, 1, nil, nil, nil, 1))
	expect.Refused(t, "malleable.WaterFill", malleable.WaterFill, nil,
		expect.Bad("deadlines", 1, 1, two, []float64{1, math.NaN()}), expect.Bad("deadlines", -1, 1, two, []float64{1}))
	chain, err := precedence.Chains(2)
	must(t, err)
	expect.Refused(t, "malleable.Bounds", malleable.Bounds, nil, expect.Bad("priority", 0, 1, two, chain, []int{1, 0}))
	huge := jobs{{Work: 1, Min: math.MaxInt / 4}, {Work: 1, Min: 1}} // a sum that no slots can hold
	expect.Refused(t, "malleable.NormalizeMinima", malleable.NormalizeMinima, nil, expect.Bad("jobs", 1, nil, 2, huge, nil))

	expect.Refused(t, "malleable.Assign", malleable.Assign, nil,
		expect.Bad("claims", 1, []int{7}, nil, 1, claims{{}, {Waiting: -1}}, nil, 0),
		expect.Bad("claims", 0, nil, nil, 1, claims{{Held: math.MaxInt, Waiting: 1}}, nil, 0),
		expect.Bad("claims", 0, nil, nil, 1, claims{{Plan: math.MaxInt}}, nil, 0),
		expect.Bad("free", -1, nil, nil, -1, nil, nil, 0),
		expect.Bad("free", -1, nil, nil, math.MaxInt, nil, nil, 0),
		expect.Bad("free", -1, nil, nil, 1<<24+1, claims{{Plan: 1, Waiting: 1}}, nil, 0),
		expect.Bad("patience", -1, nil, nil, 1, nil, nil, -1))

	type pieces = []malleable.Piece
	expect.Refused(t, "malleable.NewSchedule", malleable.NewSchedule, nil,
		expect.Bad("completion", 1, []float64{1, math.NaN()}, nil),
		expect.Bad("pieces", 1, []float64{1}, pieces{{0, 1, 0, 1}, {1, 1, 0, 1}}),
		expect.Bad("pieces", 0, []float64{1}, pieces{{-1, 1, 0, 1}}),
		expect.Bad("pieces", 0, []float64{1}, pieces{{0, 1, math.NaN(), 1}}),
		expect.Bad("pieces", 0, []float64{1}, pieces{{0, 1, 0, math.Inf(1)}}))
}

func TestPlanErrors(t *testing.T) {
	one := precedence.Response{Weight: 1}
	j, o := jobs{{Work: 1}, {Work: 2, Max: 1}}, malleable.PlanOptions{}
	refused := func(index int, jobs jobs, obj precedence.Objective) {
		t.Helper()
		expect.Refused(t, "malleable.Plan", malleable.Plan, nil, expect.Bad("obj", index, 2, jobs, nil, obj, o))
	}
	refused(1, j, precedence.Objective{Penalties: []precedence.Penalty{one, nil}})
	refused(-1, j, precedence.Objective{Penalties: []precedence.Penalty{one}})
	refused(1, j, precedence.Objective{Penalties: []precedence.Penalty{one, nan{}}})
	refused(1, j, precedence.Objective{Aggregate: precedence.Max, Penalties: []precedence.Penalty{one, nan{}}})
	refused(-1, j, precedence.Objective{Aggregate: 7, Penalties: []precedence.Penalty{one, one}})
	for a := range precedence.Aggregate(2) { // a number as long as one machine would take, NaN where the maximum leads
		refused(0, jobs{{Work: 3, Max: 1}}, precedence.Objective{Aggregate: a, Penalties: []precedence.Penalty{nanAbove{2.5}}})
	}
	obj := precedence.Objective{Penalties: []precedence.Penalty{one}}
	for _, c := range []struct {
		allowed []int
		index   int
	}{{[]int{}, -1}, {[]int{0, 1}, 0}, {[]int{1, 1}, 1}, {[]int{2, 1}, 1}, {[]int{1, 4}, 1}} {
		expect.Refused(t, "malleable.PackAllowed", packAllowed, nil, expect.Bad("allowed", c.index, 3, jobs{{Work: 1}}, nil, []int{0}, c.allowed))
		expect.Refused(t, "malleable.Plan", malleable.Plan, nil, expect.Bad("o", c.index, 3, jobs{{Work: 1}}, nil, obj, malleable.PlanOptions{Allowed: c.allowed}))
	}
	expect.Refused(t, "malleable.Plan", malleable.Plan, nil, expect.Bad("o", -1, 3, jobs{{Work: 1}}, nil, obj, malleable.PlanOptions{Packs: -1}))
	between := jobs{{Work: 1}, {Work: 1, Min: 3, Max: 3}} // two allowed counts
	expect.Refused(t, "malleable.PackAllowed", packAllowed, nil, expect.Bad("jobs", 1, 8, between, nil, []int{0, 1}, []int{2, 4}))
}

// That jobs do not fit, or that a schedule is broken, is an outcome of valid arguments; a schedule to
// pack into stays as it was.
func TestOutcomesAreNotInput(t *testing.T) {
	two := jobs{{Work: 1, Min: 1}, {Work: 1, Min: 1}}
	none, err := malleable.NewSchedule([]float64{0, 0}, nil)
	must(t, err)
	s, err := malleable.Pack(2, two, nil, []int{0, 1})
	must(t, err)
	_, visible := into(s)
	before := expect.Text(visible())
	var minima *malleable.MinimaError
	var deadline *malleable.DeadlineError
	var broken error
	for _, c := range []struct {
		call string
		err  error
		as   any
	}{
		{"Pack", second(malleable.Pack(1, two, nil, []int{0, 1})), &minima},
		{"PackInto", malleable.PackInto(s, 1, two, nil, []int{0, 1}, 9), &minima},
		{"WaterFill", second(malleable.WaterFill(2, two, []float64{1, 0.25})), &deadline},
		{"WaterFill", second(malleable.WaterFill(2, two, []float64{1, -1})), &deadline},
		{"Verify", malleable.Verify(2, two, nil, none), &broken},
	} {
		if !errors.As(c.err, c.as) || errors.Is(c.err, schedmath.ErrInput) {
			t.Errorf("%s = %v, want a %T that is not ErrInput", c.call, c.err, c.as)
		}
	}
	if deadline != nil && deadline.Job != 1 {
		t.Errorf("WaterFill with a negative deadline = %v, want a DeadlineError of job 1", deadline)
	}
	if after := expect.Text(visible()); after != before {
		t.Errorf("PackInto that fails changes the schedule from %s to %s", before, after)
	}
}
