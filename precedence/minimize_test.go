package precedence_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// sumObjectives returns sums that local search has to solve when the exact programme may not.
func sumObjectives(t testing.TB, r *rand.Rand, n int, total float64) map[string]precedence.Objective {
	t.Helper()
	due, weight := make([]float64, n), make([]float64, n)
	levels := make([]precedence.SLA, n)
	callers := make([]precedence.Penalty, n)
	for j := range n {
		due[j] = math.Trunc(r.Float64() * total)
		weight[j] = float64(1 + r.IntN(9))
		levels[j] = precedence.SLA{Deadlines: []float64{due[j], due[j] + 20}, Costs: []float64{weight[j], 3 * weight[j]}}
		callers[j] = hidden{precedence.Tardiness{Deadline: due[j], Weight: weight[j]}}
	}
	objs := map[string]precedence.Objective{"callers": {Penalties: callers}}
	add := func(name string) func(precedence.Objective, error) {
		return func(o precedence.Objective, err error) {
			must(t, err)
			objs[name] = o
		}
	}
	add("tardy")(precedence.SumTardy(due))
	add("weighted tardy")(precedence.SumWeightedTardy(due, weight))
	add("tardiness")(precedence.SumTardiness(due))
	add("weighted tardiness")(precedence.SumWeightedTardiness(due, weight))
	add("SLA")(precedence.SumSLA(levels))
	return objs
}

// Where the exact programme is over its limit, the search stays near the optimum and the bound
// below it.
func TestSearchAgainstDownsets(t *testing.T) {
	var value, optimum, bound float64
	searched := 0
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 4))
		g, err := precedence.Chains(6, 6, 6, 6)
		n := 24
		if seed%2 == 1 { // a general graph of few down-sets
			n = 30
			g, err = precedence.NewGraph(n, orders.Random(r, n, 0.25))
		}
		must(t, err)
		work, total := make([]float64, n), 0.0
		for j := range work {
			work[j] = float64(1 + r.IntN(20))
			total += work[j]
		}
		for name, obj := range sumObjectives(t, r, n, total) {
			exact, err := precedence.Minimize(g, work, obj, precedence.Options{})
			if err != nil || !exact.Exact || exact.Method != precedence.MethodDownSets {
				t.Fatalf("seed %d: Minimize(%s) by %s: exact %v, %v", seed, name, exact.Method, exact.Exact, err)
			}
			near, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1})
			if err != nil || precedence.Verify(g, near.Order) != nil || near.Method != precedence.MethodSearch ||
				!(near.Bound <= exact.Value && exact.Value <= near.Value) || near.Exact && near.Value != exact.Value {
				t.Errorf("seed %d: Minimize(%s, States 1) = %v, bound %v, exact %v by %s, %v, optimum %v", seed, name, near.Value, near.Bound, near.Exact, near.Method, err, exact.Value)
			}
			before := slices.Clone(work)
			if again, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1}); err != nil || !reflect.DeepEqual(near, again) || !slices.Equal(before, work) {
				t.Errorf("seed %d: Minimize(%s, States 1) = %+v, and then %+v, %v", seed, name, near, again, err)
			}
			value, optimum, bound = value+near.Value, optimum+exact.Value, bound+near.Bound
			searched++
		}
	}
	// Measured: all optima found; the bound 8% below in total.
	if value > 1.005*optimum || bound < 0.88*optimum {
		t.Errorf("%d searches: values %v, optima %v, bounds %v in total", searched, value, optimum, bound)
	}
	t.Logf("%d searches: values %v, optima %v, bounds %v in total", searched, value, optimum, bound)
}

// Chains of any length are exact as long as the product of the lengths plus one is within States,
// and up to 20 jobs whatever States is.
func TestWhatStatesAllow(t *testing.T) {
	chains, err := precedence.Chains(99, 99)
	must(t, err)
	for _, c := range []struct {
		n, states int
		g         *precedence.Graph
		exact     bool
	}{{198, 100 * 100, chains, true}, {198, 100*100 - 1, chains, false}, {20, 1, nil, true}, {20, 1, mustGraph(t, 20, [][2]int{{3, 7}}), true}, {21, 1, nil, false}} {
		work, weight, due := randomJobs(c.n, 5)
		obj := mustObj(t)(precedence.SumWeightedTardiness(due, weight))
		s, err := precedence.Minimize(c.g, work, obj, precedence.Options{States: c.states, Steps: 1000})
		if err != nil || (s.Method == precedence.MethodDownSets) != c.exact || c.exact && !s.Exact {
			t.Errorf("Minimize(%d jobs, States %d) by %s, exact %v, %v", c.n, c.states, s.Method, s.Exact, err)
		}
	}
}

// Each objective takes the method that the doc comment promises.
func TestMethods(t *testing.T) {
	work, weight, due := randomJobs(30, 8)
	obj := mustObj(t)
	for method, list := range map[precedence.Method][]precedence.Objective{
		precedence.MethodMooreHodgson: {obj(precedence.SumTardy(due))},
		precedence.MethodLawlerMoore:  {obj(precedence.SumWeightedTardy(due, weight))},
		precedence.MethodSearch:       {obj(precedence.SumTardiness(due)), obj(precedence.SumWeightedTardiness(due, weight))},
		precedence.MethodDueDates:     {obj(precedence.MaxResponse(30)), obj(precedence.MaxTardiness(due)), obj(precedence.MaxLateness(due))},
		precedence.MethodThresholds: {obj(precedence.MaxWeightedResponse(weight)), obj(precedence.MaxTardy(due)), obj(precedence.MaxWeightedTardy(due, weight)),
			obj(precedence.MaxWeightedTardiness(due, weight)), obj(precedence.MaxSLA(make([]precedence.SLA, 30))), obj(precedence.MaxWeightedLateness(due, weight))},
	} {
		for _, o := range list {
			s, err := precedence.Minimize(nil, work, o, precedence.Options{Steps: 2000})
			if err != nil || s.Method != method {
				t.Errorf("Minimize of 30 %T, %v, by %v, %v, want %v", o.Penalties[0], o.Aggregate, s.Method, err, method)
			}
		}
	}
}

// Times in units of any power of two give the same order and method, and the value in the unit.
func TestScalingByPowersOfTwo(t *testing.T) {
	for seed := range 15 {
		c := rapid.Custom(func(t *rapid.T) *problem20 { return drawProblem20(t, 33) }).Example(seed)
		g := c.graph(t)
		o := precedence.Options{States: 5000, Steps: 3000}
		objs, _ := must20(t, c, 1)
		for _, scale := range []float64{1 << 30, 1.0 / (1 << 40)} {
			others, factor := must20(t, c, scale)
			for i := range objs {
				if i%10 == 2 {
					continue // stretch scales twice: alone is a time too
				}
				a, err1 := precedence.Minimize(g, scaled(c.work, 1), objs[i], o)
				b, err2 := precedence.Minimize(g, scaled(c.work, scale), others[i], o)
				if err1 != nil || err2 != nil || !slices.Equal(a.Order, b.Order) || b.Value != a.Value*factor[i%10] || a.Bound*factor[i%10] != b.Bound || a.Exact != b.Exact || a.Method != b.Method {
					t.Fatalf("seed %d, objective %d, scale %v: %+v, %v, and %+v, %v", seed, i, scale, a, err1, b, err2)
				}
			}
		}
	}
}

// Shapes on which a search without care would not end, or would look at every pair of jobs for
// nothing. What it spends is counted in values of the penalties.
func TestMinimizeEnds(t *testing.T) {
	const n, steps = 10_000, 300_000
	work, weight, due := randomJobs(n, 7)
	star := make([][2]int, 0, n)
	for j := 1; j < n; j++ {
		star = append(star, [2]int{0, j})
	}
	chain, err := precedence.Chains(n)
	must(t, err)
	two, err := precedence.Chains(n/2, n/2)
	must(t, err)
	calls := 0
	own := make([]precedence.Penalty, n)
	for j := range own {
		tardiness := precedence.Tardiness{Deadline: due[j], Weight: weight[j]}
		own[j] = fn(func(t float64) float64 { calls++; return tardiness.At(t) })
	}
	zero := make([]float64, n)
	for name, g := range map[string]*precedence.Graph{"no arcs": nil, "one chain": chain, "star": mustGraph(t, n, star), "two chains": two} {
		for _, w := range [][]float64{work, zero} {
			for kind, obj := range map[string]precedence.Objective{"tardiness": mustObj(t)(precedence.SumWeightedTardiness(due, weight)),
				"tardy": mustObj(t)(precedence.SumWeightedTardy(due, weight)), "own": {Penalties: own}} {
				calls = 0
				s, err := precedence.Minimize(g, w, obj, precedence.Options{Steps: steps})
				if err != nil || precedence.Verify(g, s.Order) != nil || !(s.Bound <= s.Value) {
					t.Errorf("Minimize(%s, %s): value %v, bound %v, %v", name, kind, s.Value, s.Bound, err)
				}
				if name == "one chain" && !s.Exact {
					t.Errorf("Minimize(%s, %s) by %s is not exact", name, kind, s.Method)
				}
				// Four starts of 2^20 urgencies and a batch of them more, two values each; the search;
				// the intervals of the bound.
				if most := 8*(1<<20+200*n) + 6*steps + 200*n; calls > most {
					t.Errorf("Minimize(%s, %s) asks for %d penalties, want at most %d", name, kind, calls, most)
				}
			}
		}
	}
}

func mustObj(t testing.TB) func(precedence.Objective, error) precedence.Objective {
	return func(o precedence.Objective, err error) precedence.Objective {
		t.Helper()
		must(t, err)
		return o
	}
}

// No jobs, one job, works of 0, and penalties that cost nothing.
func TestMinimizeSmall(t *testing.T) {
	for _, a := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
		for _, g := range []*precedence.Graph{nil, mustGraph(t, 0, nil), {}} {
			s, err := precedence.Minimize(g, nil, precedence.Objective{Aggregate: a}, precedence.Options{})
			want := 0.0
			if a == precedence.Max {
				want = math.Inf(-1)
			}
			if err != nil || s.Value != want || s.Bound != want || !s.Exact || s.Order == nil || len(s.Order) != 0 {
				t.Errorf("Minimize of no jobs, aggregate %d = %+v, %v", a, s, err)
			}
		}
		for _, p := range []precedence.Penalty{precedence.NoPenalty{}, precedence.SLA{}, precedence.Tardy{Deadline: -1, Weight: 2},
			precedence.Tardiness{Deadline: 1, Weight: 2}, &precedence.Lateness{Deadline: 1, Weight: 2}, hidden{precedence.Response{Weight: 2}}} {
			for _, work := range [][]float64{{0, 0}, {0, 3}} {
				obj := precedence.Objective{Aggregate: a, Penalties: []precedence.Penalty{p, p}}
				s, err := precedence.Minimize(nil, work, obj, precedence.Options{})
				if err != nil || !s.Exact || s.Bound != s.Value {
					t.Fatalf("Minimize(%v, %d of %#v) = %+v, %v", work, a, p, s, err)
				}
				for _, order := range [][]int{{0, 1}, {1, 0}} {
					if v, err := precedence.Evaluate(work, obj, order); err != nil || v < s.Value {
						t.Errorf("Minimize(%v, %d of %#v) = %v, order %v has %v, %v", work, a, p, s.Value, order, v, err)
					}
				}
			}
		}
	}
}

// An interval of one step between float64s cannot be halved.
func TestMinimizeLeastWorks(t *testing.T) {
	const n, step = 30, math.SmallestNonzeroFloat64
	work, due := make([]float64, n), make([]float64, n)
	for j := range n {
		work[j], due[j] = step, float64(j%10)*step
	}
	obj := mustObj(t)(precedence.SumTardiness(due))
	s, err := precedence.Minimize(nil, work, obj, precedence.Options{States: 1, Steps: 500})
	const want = (30*31/2 - 3*45) * step // whatever the order, if due dates do not fall
	if err != nil || s.Value != want || !(s.Bound <= want) || s.Method != precedence.MethodSearch {
		t.Errorf("Minimize(%d works of %v) = %+v, %v, want a value of %v", n, step, s, err, want)
	}
}

// A penalty that falls, though never by two answers in turn, is refused where its values have no sum.
func TestMinimizeOutOfRange(t *testing.T) {
	for _, out := range []float64{-1, -1e308} {
		var obj precedence.Objective
		for range 3 {
			calls, left := 0, false
			obj.Penalties = append(obj.Penalties, fn(func(t float64) float64 {
				calls++
				switch {
				case left:
					return 1e308
				case calls > 2 && t < 3:
					left = true
					return out
				}
				return 0
			}))
		}
		if s, err := precedence.Minimize(nil, []float64{1, 1, 1}, obj, precedence.Options{}); !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("Minimize with a value of %v between two of 0 = %+v, %v, want an InputError", out, s, err)
		}
	}
}

// Penalties that are no functions of time give an order or an error: those that fall, which is
// noticed sooner or later, and those that move as a penalty may from each answer to the next.
func TestMinimizeNonsense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 13))
	small, large, refused := 0, 0, 0 // small: 3 to 10 jobs, for the exact programme; large: more than 20, for the search
	for range 1000 {
		n := 1 + r.IntN(10)
		if r.IntN(3) == 0 {
			n += 20
		}
		calm := r.IntN(6 * n)
		wild := fn(func(t float64) float64 {
			if calm--; calm > 0 {
				return 0
			}
			return []float64{0, -1e308, 1e308, 1e308, 1e308}[r.IntN(5)]
		})
		obj := precedence.Objective{Penalties: make([]precedence.Penalty, n)}
		subtle := r.IntN(2) == 0
		for j := range obj.Penalties {
			obj.Penalties[j] = wild
			if subtle {
				obj.Penalties[j] = drift(r)
			}
		}
		g := mustGraph(t, n, orders.Random(r, n, float64(r.IntN(2))/5))
		work, _, _ := randomJobs(n, 14)
		s, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1 + r.IntN(40), Steps: 500})
		if err == nil && (precedence.Verify(g, s.Order) != nil || math.IsNaN(s.Value) || !(s.Bound <= s.Value)) || err != nil && !errors.Is(err, schedmath.ErrInput) {
			t.Fatalf("Minimize(%d jobs) = %+v, %v", n, s, err)
		}
		switch {
		case n <= 2:
		case err != nil:
			refused++
		case n <= 20:
			small++
		default:
			large++
		}
	}
	if small < 100 || large < 100 || refused < 300 {
		t.Errorf("Minimize solved %d cases of 3 to 10 jobs and %d of 21 to 30, and refused %d; want at least 100, 100 and 300", small, large, refused)
	}
}

// drift returns a penalty whose answers do not fall from one call to the next, by the times of
// both, but are no function of time.
func drift(r *rand.Rand) fn {
	at, value := 0.0, 0.0
	return func(t float64) float64 {
		switch step := math.Ldexp(r.Float64(), r.IntN(40)); {
		case t > at:
			value += step
		case t < at:
			value -= step
		}
		at = t
		return value
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
		g := mustGraph(t, n, orders.Random(r, n, 0.1))
		s, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1000, Steps: 500})
		if err != nil {
			return
		}
		if precedence.Verify(g, s.Order) != nil || !(s.Bound <= s.Value) || math.IsInf(s.Value, 1) && kind < 5 {
			t.Errorf("Minimize(%v, %v) = %+v", work, fmt.Sprint(penalties), s)
		}
	})
}
