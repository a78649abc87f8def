package precedence_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/precedence"
)

var badNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}

func TestPenaltyErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	bad := []precedence.Penalty{nil, (*precedence.Response)(nil), (*precedence.Tardy)(nil), (*precedence.Tardiness)(nil),
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
	work := []float64{1, 2}
	for _, p := range bad {
		penalties := []precedence.Penalty{precedence.NoPenalty{}, p}
		for _, a := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
			call := fmt.Sprintf("Minimize(%v, %d, %#v)", work, a, p)
			s, err := precedence.Minimize(nil, work, precedence.Objective{Aggregate: a, Penalties: penalties}, precedence.Options{})
			expect.InputError(t, call, err, "precedence.Minimize", "obj", 1)
			if s.Order != nil {
				t.Errorf("%s: a solution beside the error: %v", call, s)
			}
			_, err = precedence.Evaluate(work, precedence.Objective{Aggregate: a, Penalties: penalties}, []int{0, 1})
			expect.InputError(t, call, err, "precedence.Evaluate", "obj", 1)
		}
		_, err := precedence.Lawler(nil, work, penalties)
		expect.InputError(t, fmt.Sprintf("Lawler(%v, %#v)", work, p), err, "precedence.Lawler", "penalties", 1)
	}
}

func TestMinimizeErrors(t *testing.T) {
	two, err := precedence.SumResponse(2)
	if err != nil {
		t.Fatal(err)
	}
	g, err := precedence.Chains(3)
	if err != nil {
		t.Fatal(err)
	}
	try := func(g *precedence.Graph, work []float64, obj precedence.Objective, o precedence.Options, arg string, index int) {
		t.Helper()
		_, err := precedence.Minimize(g, work, obj, o)
		expect.InputError(t, fmt.Sprintf("Minimize(%v, %v, %v)", work, obj, o), err, "precedence.Minimize", arg, index)
	}
	ok := []float64{1, 2}
	try(nil, ok, precedence.Objective{Aggregate: 7, Penalties: two.Penalties}, precedence.Options{}, "obj", -1)
	try(nil, ok, precedence.Objective{Aggregate: 255, Penalties: two.Penalties}, precedence.Options{}, "obj", -1)
	try(nil, ok, precedence.Objective{Penalties: two.Penalties[:1]}, precedence.Options{}, "obj", -1)
	try(nil, ok[:1], two, precedence.Options{}, "obj", -1)
	try(g, ok, two, precedence.Options{}, "work", -1)
	try(nil, ok, two, precedence.Options{States: -1}, "o", -1)
	try(nil, ok, two, precedence.Options{Steps: -1}, "o", -1)
	try(nil, []float64{1, -1}, two, precedence.Options{}, "work", 1)
	for _, x := range badNumbers {
		try(nil, []float64{x, 1}, two, precedence.Options{}, "work", 0)
	}
	try(nil, []float64{math.MaxFloat64, math.MaxFloat64}, two, precedence.Options{}, "work", -1)
	try(nil, ok, precedence.Objective{Penalties: []precedence.Penalty{precedence.Response{Weight: math.MaxFloat64 / 4}, precedence.Response{Weight: math.MaxFloat64 / 4}}}, precedence.Options{}, "obj", -1)
	infinite := fn(func(t float64) float64 { return math.Inf(1) })
	try(nil, ok, precedence.Objective{Penalties: []precedence.Penalty{infinite, infinite}}, precedence.Options{}, "obj", 0)
}

func TestObjectiveErrors(t *testing.T) {
	one := []float64{1}
	type two = func(a, b []float64) (precedence.Objective, error)
	for name, f := range map[string]two{"SumWeightedTardy": precedence.SumWeightedTardy, "MaxWeightedTardy": precedence.MaxWeightedTardy,
		"SumWeightedTardiness": precedence.SumWeightedTardiness, "MaxWeightedTardiness": precedence.MaxWeightedTardiness,
		"SumWeightedLateness": precedence.SumWeightedLateness, "MaxWeightedLateness": precedence.MaxWeightedLateness} {
		_, err := f(one, nil)
		expect.InputError(t, name, err, "precedence."+name, "weights", -1)
		_, err = f(nil, one)
		expect.InputError(t, name, err, "precedence."+name, "weights", -1)
		for _, x := range append(badNumbers, -1) {
			_, err = f([]float64{1, 1}, []float64{1, x})
			expect.InputError(t, name, err, "precedence."+name, "weights", 1)
		}
		for _, x := range badNumbers {
			_, err = f([]float64{1, x}, []float64{1, 1})
			expect.InputError(t, name, err, "precedence."+name, "deadlines", 1)
		}
	}
	type single = func(a []float64) (precedence.Objective, error)
	for name, f := range map[string]single{"SumTardy": precedence.SumTardy, "MaxTardy": precedence.MaxTardy,
		"SumTardiness": precedence.SumTardiness, "MaxTardiness": precedence.MaxTardiness,
		"SumLateness": precedence.SumLateness, "MaxLateness": precedence.MaxLateness} {
		for _, x := range badNumbers {
			_, err := f([]float64{1, x})
			expect.InputError(t, name, err, "precedence."+name, "deadlines", 1)
		}
	}
	for name, f := range map[string]single{"SumWeightedResponse": precedence.SumWeightedResponse, "MaxWeightedResponse": precedence.MaxWeightedResponse} {
		for _, x := range append(badNumbers, -1) {
			_, err := f([]float64{1, x})
			expect.InputError(t, name, err, "precedence."+name, "weights", 1)
		}
	}
	for name, f := range map[string]single{"SumStretch": precedence.SumStretch, "MaxStretch": precedence.MaxStretch} {
		for _, x := range append(badNumbers, -1, 0, 5e-324) {
			_, err := f([]float64{1, x})
			expect.InputError(t, name, err, "precedence."+name, "alone", 1)
		}
	}
	for name, f := range map[string]func(int) (precedence.Objective, error){"SumResponse": precedence.SumResponse, "MaxResponse": precedence.MaxResponse} {
		for _, n := range []int{-1, math.MaxInt32} {
			_, err := f(n)
			expect.InputError(t, name, err, "precedence."+name, "n", -1)
		}
	}
	for name, f := range map[string]func([]precedence.SLA) (precedence.Objective, error){"SumSLA": precedence.SumSLA, "MaxSLA": precedence.MaxSLA} {
		_, err := f([]precedence.SLA{{}, {Deadlines: one}})
		expect.InputError(t, name, err, "precedence."+name, "levels", 1)
	}
}

func TestVerifyErrors(t *testing.T) {
	g, err := precedence.NewGraph(3, [][2]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g     *precedence.Graph
		order []int
		index int
	}{{g, []int{0, 1}, -1}, {g, []int{1, 0, 2}, 0}, {g, []int{0, 2, 2}, 2}, {g, []int{0, 3, 1}, 1}, {g, []int{-1, 0, 1}, 0}, {nil, []int{0, 0}, 1}} {
		expect.InputError(t, fmt.Sprintf("Verify(%v)", c.order), precedence.Verify(c.g, c.order), "precedence.Verify", "order", c.index)
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {0, 2, 1}} {
		if err := precedence.Verify(g, order); err != nil {
			t.Errorf("Verify(%v) = %v", order, err)
		}
	}
	if err := precedence.Verify(nil, nil); err != nil {
		t.Errorf("Verify(nil, nil) = %v", err)
	}
	for _, c := range []struct {
		work  []float64
		order []int
		arg   string
		index int
	}{{[]float64{1, math.NaN()}, []int{0, 1}, "work", 1}, {[]float64{1}, []int{0, 1}, "order", -1}, {[]float64{1, 1}, []int{1, 1}, "order", 1}} {
		obj, err := precedence.SumResponse(len(c.work))
		if err != nil {
			t.Fatal(err)
		}
		_, err = precedence.Evaluate(c.work, obj, c.order)
		expect.InputError(t, fmt.Sprintf("Evaluate(%v, %v)", c.work, c.order), err, "precedence.Evaluate", c.arg, c.index)
	}
	obj, err := precedence.SumResponse(2)
	if err != nil {
		t.Fatal(err)
	}
	_, err = precedence.Evaluate([]float64{1, 1}, obj, []int{0})
	expect.InputError(t, "Evaluate", err, "precedence.Evaluate", "order", -1)
	_, err = precedence.Evaluate([]float64{1, 1}, obj, []int{0, 0})
	expect.InputError(t, "Evaluate", err, "precedence.Evaluate", "order", 1)
	_, err = precedence.Evaluate([]float64{1, 1}, precedence.Objective{Aggregate: 5, Penalties: obj.Penalties}, []int{0, 1})
	expect.InputError(t, "Evaluate", err, "precedence.Evaluate", "obj", -1)
	down := fn(func(t float64) float64 { return map[bool]float64{true: 3, false: 1}[t == 1] })
	_, err = precedence.Evaluate([]float64{1, 1}, precedence.Objective{Penalties: []precedence.Penalty{down, obj.Penalties[0]}}, []int{0, 1})
	expect.InputError(t, "Evaluate", err, "precedence.Evaluate", "obj", 0)
}

// Penalties that are no functions of time, as far as that goes unnoticed, give an order or an
// error.
func TestMinimizeNonsense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 13))
	for range 1000 {
		n := 1 + r.IntN(10)
		calm := r.IntN(6 * n)
		wild := fn(func(t float64) float64 {
			if calm--; calm > 0 {
				return 0
			}
			return []float64{0, -1e308, 1e308, 1e308, 1e308}[r.IntN(5)]
		})
		obj := precedence.Objective{Penalties: make([]precedence.Penalty, n)}
		for j := range obj.Penalties {
			obj.Penalties[j] = wild
		}
		g := graphOf(t, n, precedence.RandomArcs(r, n, float64(r.IntN(2))/5))
		work, _, _ := randomJobs(n, 14)
		s, err := precedence.Minimize(g, work, obj, precedence.Options{})
		if err == nil && precedence.Verify(g, s.Order) != nil || err != nil && !errors.Is(err, schedmath.ErrInput) {
			t.Fatalf("Minimize(%d jobs) = %+v, %v", n, s, err)
		}
	}
}

// Numbers at the ends of the range neither panic nor give NaN.
func FuzzMinimize(f *testing.F) {
	f.Add(uint64(1), 1.0, 2.0, 3.0, false)
	f.Add(uint64(2), math.MaxFloat64, 1e-300, -5.0, true)
	f.Add(uint64(3), 5e-324, 1e308, 1e-308, false)
	f.Add(uint64(4), math.MaxFloat64/8, 0.0, -math.MaxFloat64, true)
	f.Add(uint64(5), math.NaN(), math.Inf(1), math.Inf(-1), false)
	f.Fuzz(func(t *testing.T, seed uint64, a, b, c float64, most bool) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := r.IntN(26)
		x := []float64{a, b, c, 0, 1, 2.5}
		pick := func() float64 { return x[r.IntN(len(x))] }
		work, penalties := make([]float64, n), make([]precedence.Penalty, n)
		kind := r.IntN(7)
		for j := range n {
			work[j] = math.Abs(pick())
			w, d := math.Abs(pick()), pick()
			penalties[j] = []precedence.Penalty{precedence.Response{Weight: w}, precedence.Tardy{Deadline: d, Weight: w}, precedence.Tardiness{Deadline: d, Weight: w},
				precedence.Lateness{Deadline: d, Weight: w}, precedence.SLA{Deadlines: []float64{d}, Costs: []float64{w}}, hidden{precedence.Tardiness{Deadline: d, Weight: w}},
				inverse{precedence.Lateness{Deadline: d, Weight: w}}}[kind]
		}
		obj := precedence.Objective{Penalties: penalties}
		if most {
			obj.Aggregate = precedence.Max
		}
		g := graphOf(t, n, precedence.RandomArcs(r, n, 0.1))
		s, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1000, Steps: 500})
		if err != nil {
			return
		}
		if precedence.Verify(g, s.Order) != nil || !(s.Bound <= s.Value) || math.IsInf(s.Value, 1) && kind < 5 {
			t.Errorf("Minimize(%v, %v) = %+v", work, fmt.Sprint(penalties), s)
		}
	})
}
