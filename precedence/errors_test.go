package precedence_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/precedence"
)

var must = expect.Must

type (
	list      = []float64
	penalties = []precedence.Penalty
	objective = precedence.Objective
	options   = precedence.Options
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
	// bad are numbers that no function takes.
	bad = list{nan, inf, -inf}
)

func TestGraphErrors(t *testing.T) {
	type arcs = [][2]int
	expect.Refused(t, "precedence.NewGraph", precedence.NewGraph, nil,
		expect.Bad("n", -1, -1, nil),
		expect.Bad("n", -1, math.MaxInt32, nil),
		expect.Bad("arcs", 0, 0, arcs{{0, 0}}),
		expect.Bad("arcs", 1, 2, arcs{{0, 1}, {0, 2}}),
		expect.Bad("arcs", 2, 2, arcs{{0, 1}, {1, 1}, {-1, 0}})) // before the cycle
	expect.Refused(t, "precedence.Chains", precedence.Chains, nil,
		expect.Bad("lengths", 1, []int{3, -1}), expect.Bad("lengths", 1, []int{1 << 29, 1 << 30}))
}

func TestSmithErrors(t *testing.T) {
	g := mustGraph(t, 2, [][2]int{{0, 1}})
	most := math.MaxFloat64
	expect.Refused(t, "precedence.Smith", precedence.Smith, nil,
		expect.Bad("work", -1, g, list{1}, list{1, 1}),
		expect.Bad("weight", -1, g, list{1, 1}, list{1, 1, 1}),
		expect.Bad("weight", -1, nil, list{1, 1}, list{1}),
		expect.Bad("work", 1, g, list{1, nan}, list{1, 1}),
		expect.Bad("work", 0, g, list{inf, 1}, list{1, 1}),
		expect.Bad("work", 1, g, list{1, -1}, list{1, 1}),
		expect.Bad("weight", 1, g, list{1, 1}, list{1, nan}),
		expect.Bad("weight", 0, g, list{1, 1}, list{-inf, 1}),
		expect.Bad("weight", 0, g, list{1, 1}, list{-5e-324, 1}),
		expect.Bad("work", -1, g, list{most, most}, list{1, 1}),
		expect.Bad("weight", -1, g, list{1, 1}, list{most, most}),
		expect.Bad("weight", -1, g, list{1e200, 1}, list{1, 1e200}))
	expect.Refused(t, "precedence.SidneyBlocks", precedence.SidneyBlocks, nil, expect.Bad("work", 1, g, list{1, -1}, list{1, 1}))

	// Not errors: -0, subnormals, the largest values that fit.
	for _, c := range []struct{ work, weight, value float64 }{
		{math.Copysign(0, -1), 1, 0},
		{5e-324, 1, 5e-324},
		{1, 5e-324, 5e-324},
		{0x1p1000, 0x1p20, 0x1p1020},
		{5e-324, 0x1p1000, 0x1p-74},
	} {
		s, err := precedence.Smith(nil, list{c.work}, list{c.weight})
		if err != nil || s.Value != c.value || !s.Exact || s.Bound != c.value {
			t.Errorf("Smith(nil, [%v], [%v]) = %+v, %v, want %v", c.work, c.weight, s, err, c.value)
		}
	}
}

func TestPenaltyErrors(t *testing.T) {
	wrong := penalties{nil, (*precedence.Response)(nil), (*precedence.Tardy)(nil), (*precedence.Tardiness)(nil),
		(*precedence.Lateness)(nil), (*precedence.SLA)(nil), (*precedence.NoPenalty)(nil),
		precedence.Response{Weight: -1}, precedence.Response{Weight: nan}, precedence.Response{Weight: inf},
		precedence.Tardy{Weight: -1}, precedence.Tardy{Weight: nan}, precedence.Tardy{Deadline: nan, Weight: 1}, precedence.Tardy{Deadline: inf},
		precedence.Tardiness{Weight: inf}, precedence.Tardiness{Deadline: -inf, Weight: 1}, &precedence.Tardiness{Deadline: nan},
		precedence.Lateness{Weight: -1e-300}, precedence.Lateness{Deadline: nan, Weight: 1},
		precedence.Response{Weight: math.MaxFloat64}, // overflows at 3
		precedence.Lateness{Deadline: -math.MaxFloat64, Weight: 2},
		precedence.SLA{Deadlines: []float64{1}}, precedence.SLA{Deadlines: []float64{1, 1}, Costs: []float64{1, 2}},
		precedence.SLA{Deadlines: []float64{2, 1}, Costs: []float64{1, 2}}, precedence.SLA{Deadlines: []float64{1, nan}, Costs: []float64{1, 2}},
		precedence.SLA{Deadlines: []float64{1, 2}, Costs: []float64{2, 1}}, precedence.SLA{Deadlines: []float64{1}, Costs: []float64{-1}},
		precedence.SLA{Deadlines: []float64{1}, Costs: []float64{nan}}, precedence.SLA{Deadlines: []float64{1}, Costs: []float64{inf}},
		precedence.SLA{Deadlines: []float64{inf}, Costs: []float64{1}},
	}
	work := list{1, 2}
	for _, p := range wrong {
		ps := penalties{precedence.NoPenalty{}, p}
		for _, a := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
			obj := objective{Aggregate: a, Penalties: ps}
			expect.Refused(t, "precedence.Minimize", precedence.Minimize, nil, expect.Bad("obj", 1, nil, work, obj, options{}))
			expect.Refused(t, "precedence.Evaluate", precedence.Evaluate, nil, expect.Bad("obj", 1, work, obj, []int{0, 1}))
		}
		expect.Refused(t, "precedence.Lawler", precedence.Lawler, nil, expect.Bad("penalties", 1, nil, work, ps))
	}
}

// A penalty that is NaN or falls is noticed where it is asked.
func TestPenaltiesMustRise(t *testing.T) {
	rising := hidden{precedence.Response{Weight: 1}}
	work := list{1, 2, 3}
	for name, wrong := range map[string]fn{
		"NaN":               func(float64) float64 { return nan },
		"NaN at the end":    func(t float64) float64 { return map[bool]float64{true: nan, false: 0}[t == 6] },
		"decreasing":        func(t float64) float64 { return -t },
		"a bump":            func(t float64) float64 { return map[bool]float64{true: 9, false: 7}[t > 0 && t < 5] },
		"decreasing in sum": func(t float64) float64 { return 100 - t },
	} {
		ps := penalties{rising, rising, wrong}
		expect.Refused(t, "precedence.Minimize", precedence.Minimize, nil, expect.Bad("obj", 2, nil, work, objective{Penalties: ps}, options{}))
		if name != "a bump" { // which a maximum does not look at
			expect.Refused(t, "precedence.Minimize", precedence.Minimize, nil, expect.Bad("obj", 2, nil, work, objective{Aggregate: precedence.Max, Penalties: ps}, options{}))
			expect.Refused(t, "precedence.Lawler", precedence.Lawler, nil, expect.Bad("penalties", 2, nil, work, ps))
		}
	}
}

// The sum of the weights is beyond float64 by what additions in float64 round away one by one. At time
// 0 the small ones cost nothing.
func TestEvaluateAtTheEdge(t *testing.T) {
	obj := mustObj(t)(precedence.SumWeightedResponse(list{math.MaxFloat64, 0x1p969, 0x1p969, 0x1p969, 0x1p969}))
	work := list{1, 0, 0, 0, 0}
	if v, err := precedence.Evaluate(work, obj, []int{1, 2, 3, 4, 0}); v != math.MaxFloat64 || err != nil {
		t.Errorf("Evaluate with the large weight last = %v, %v, want %v", v, err, math.MaxFloat64)
	}
	expect.Refused(t, "precedence.Evaluate", precedence.Evaluate, nil, expect.Bad("obj", -1, work, obj, []int{0, 1, 2, 3, 4}))
}

func TestMinimizeErrors(t *testing.T) {
	two := mustObj(t)(precedence.SumResponse(2))
	three, err := precedence.Chains(3)
	must(t, err)
	infinite := fn(func(t float64) float64 { return inf })
	large := precedence.Response{Weight: math.MaxFloat64 / 4}
	ok := list{1, 2}
	calls := []expect.Call{
		expect.Bad("obj", -1, nil, ok, objective{Aggregate: 7, Penalties: two.Penalties}, options{}),
		expect.Bad("obj", -1, nil, ok, objective{Aggregate: 255, Penalties: two.Penalties}, options{}),
		expect.Bad("obj", -1, nil, ok, objective{Penalties: two.Penalties[:1]}, options{}),
		expect.Bad("obj", -1, nil, ok[:1], two, options{}),
		expect.Bad("work", -1, three, ok, two, options{}),
		expect.Bad("o", -1, nil, ok, two, options{States: -1}),
		expect.Bad("o", -1, nil, ok, two, options{Steps: -1}),
		expect.Bad("work", 1, nil, list{1, -1}, two, options{}),
		expect.Bad("work", -1, nil, list{math.MaxFloat64, math.MaxFloat64}, two, options{}),
		expect.Bad("obj", -1, nil, ok, objective{Penalties: penalties{large, large}}, options{}),
		expect.Bad("obj", 0, nil, ok, objective{Penalties: penalties{infinite, infinite}}, options{}),
	}
	for _, x := range bad {
		calls = append(calls, expect.Bad("work", 0, nil, list{x, 1}, two, options{}))
	}
	expect.Refused(t, "precedence.Minimize", precedence.Minimize, nil, calls...)
}

func TestObjectiveErrors(t *testing.T) {
	for name, f := range map[string]func(a, b []float64) (objective, error){"SumWeightedTardy": precedence.SumWeightedTardy, "MaxWeightedTardy": precedence.MaxWeightedTardy,
		"SumWeightedTardiness": precedence.SumWeightedTardiness, "MaxWeightedTardiness": precedence.MaxWeightedTardiness,
		"SumWeightedLateness": precedence.SumWeightedLateness, "MaxWeightedLateness": precedence.MaxWeightedLateness} {
		expect.Refused(t, "precedence."+name, f, nil, expect.Bad("weights", -1, list{1}, nil), expect.Bad("weights", -1, nil, list{1}), expect.Bad("weights", 1, list{1, 1}, list{1, -1}))
		for _, x := range bad {
			expect.Refused(t, "precedence."+name, f, nil, expect.Bad("weights", 1, list{1, 1}, list{1, x}), expect.Bad("deadlines", 1, list{1, x}, list{1, 1}))
		}
	}
	for _, c := range []struct {
		name, arg string
		f         func([]float64) (objective, error)
		also      list // refused beside bad
	}{
		{"SumTardy", "deadlines", precedence.SumTardy, nil}, {"MaxTardy", "deadlines", precedence.MaxTardy, nil},
		{"SumTardiness", "deadlines", precedence.SumTardiness, nil}, {"MaxTardiness", "deadlines", precedence.MaxTardiness, nil},
		{"SumLateness", "deadlines", precedence.SumLateness, nil}, {"MaxLateness", "deadlines", precedence.MaxLateness, nil},
		{"SumWeightedResponse", "weights", precedence.SumWeightedResponse, list{-1}}, {"MaxWeightedResponse", "weights", precedence.MaxWeightedResponse, list{-1}},
		{"SumStretch", "alone", precedence.SumStretch, list{-1, 0, 5e-324}}, {"MaxStretch", "alone", precedence.MaxStretch, list{-1, 0, 5e-324}},
	} {
		for _, x := range append(c.also, bad...) {
			expect.Refused(t, "precedence."+c.name, c.f, nil, expect.Bad(c.arg, 1, list{1, x}))
		}
	}
	for name, f := range map[string]func(int) (objective, error){"SumResponse": precedence.SumResponse, "MaxResponse": precedence.MaxResponse} {
		expect.Refused(t, "precedence."+name, f, nil, expect.Bad("n", -1, -1), expect.Bad("n", -1, math.MaxInt32))
	}
	for name, f := range map[string]func([]precedence.SLA) (objective, error){"SumSLA": precedence.SumSLA, "MaxSLA": precedence.MaxSLA} {
		expect.Refused(t, "precedence."+name, f, nil, expect.Bad("levels", 1, []precedence.SLA{{}, {Deadlines: list{1}}}))
	}
}

func TestVerifyErrors(t *testing.T) {
	g := mustGraph(t, 3, [][2]int{{0, 1}})
	expect.Refused(t, "precedence.Verify", precedence.Verify, nil,
		expect.Bad("order", -1, g, []int{0, 1}), expect.Bad("order", 0, g, []int{1, 0, 2}), expect.Bad("order", 2, g, []int{0, 2, 2}),
		expect.Bad("order", 1, g, []int{0, 3, 1}), expect.Bad("order", 0, g, []int{-1, 0, 1}), expect.Bad("order", 1, nil, []int{0, 0}))
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {0, 2, 1}} {
		if err := precedence.Verify(g, order); err != nil {
			t.Errorf("Verify(%v) = %v", order, err)
		}
	}
	if err := precedence.Verify(nil, nil); err != nil {
		t.Errorf("Verify(nil, nil) = %v", err)
	}
	one, two := mustObj(t)(precedence.SumResponse(1)), mustObj(t)(precedence.SumResponse(2))
	down := fn(func(t float64) float64 { return map[bool]float64{true: 3, false: 1}[t == 1] })
	expect.Refused(t, "precedence.Evaluate", precedence.Evaluate, nil,
		expect.Bad("work", 1, list{1, nan}, two, []int{0, 1}),
		expect.Bad("order", -1, list{1}, one, []int{0, 1}),
		expect.Bad("order", -1, list{1, 1}, two, []int{0}),
		expect.Bad("order", 1, list{1, 1}, two, []int{1, 1}),
		expect.Bad("order", 1, list{1, 1}, two, []int{0, 0}),
		expect.Bad("obj", -1, list{1, 1}, objective{Aggregate: 5, Penalties: two.Penalties}, []int{0, 1}),
		expect.Bad("obj", 0, list{1, 1}, objective{Penalties: penalties{down, two.Penalties[0]}}, []int{0, 1}))
}
