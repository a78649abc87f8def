package precedence_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

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
			if err != nil {
				t.Fatal(err)
			}
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
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 4))
		g, err := precedence.Chains(6, 6, 6, 6)
		n := 24
		if seed%2 == 1 { // a general graph of few down-sets
			n = 30
			g, err = precedence.NewGraph(n, precedence.RandomArcs(r, n, 0.25))
		}
		if err != nil {
			t.Fatal(err)
		}
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

// Chains of any length are exact as long as the product of the lengths plus one is within States.
func TestChainsWithinStatesAreExact(t *testing.T) {
	g, err := precedence.Chains(99, 99)
	if err != nil {
		t.Fatal(err)
	}
	work, weight, due := randomJobs(198, 5)
	obj, err := precedence.SumWeightedTardiness(due, weight)
	if err != nil {
		t.Fatal(err)
	}
	for states, want := range map[int]bool{100 * 100: true, 100*100 - 1: false} {
		s, err := precedence.Minimize(g, work, obj, precedence.Options{States: states, Steps: 1000})
		if err != nil || (s.Method == precedence.MethodDownSets) != want {
			t.Errorf("Minimize(two chains of 99, States %d) by %s, exact %v, %v", states, s.Method, s.Exact, err)
		}
	}
}

// Up to 20 jobs are exact whatever States is.
func TestTwentyJobsAreExact(t *testing.T) {
	work, weight, due := randomJobs(20, 6)
	for name, g := range map[string]*precedence.Graph{"no arcs": nil, "an arc": graphOf(t, 20, [][2]int{{3, 7}})} {
		obj, err := precedence.SumWeightedTardiness(due, weight)
		if err != nil {
			t.Fatal(err)
		}
		s, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1})
		if err != nil || !s.Exact || s.Method != precedence.MethodDownSets {
			t.Errorf("Minimize(20 jobs, %s, States 1): exact %v by %s, %v", name, s.Exact, s.Method, err)
		}
	}
}

func graphOf(t testing.TB, n int, arcs [][2]int) *precedence.Graph {
	t.Helper()
	g, err := precedence.NewGraph(n, arcs)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Each objective takes the method that the doc comment promises.
func TestMethods(t *testing.T) {
	n := 30
	work, weight, due := randomJobs(n, 8)
	objs, _ := must20(t, &problem20{n: n, work: toInt(work), weight: toInt(weight), due: toInt(due), alone: toInt(make1(n)),
		slaDue: make([][]int64, n), slaCost: make([][]int64, n)}, 1)
	want := map[int]precedence.Method{3: precedence.MethodMooreHodgson, 4: precedence.MethodLawlerMoore, 5: precedence.MethodSearch, 6: precedence.MethodSearch,
		10: precedence.MethodDueDates, 11: precedence.MethodThresholds, 13: precedence.MethodThresholds, 14: precedence.MethodThresholds, 15: precedence.MethodDueDates, 16: precedence.MethodThresholds,
		17: precedence.MethodThresholds, 18: precedence.MethodDueDates, 19: precedence.MethodThresholds}
	for i, method := range want {
		s, err := precedence.Minimize(nil, work, objs[i], precedence.Options{Steps: 2000})
		if err != nil || s.Method != method {
			t.Errorf("objective %d by %v, %v, want %v", i, s.Method, err, method)
		}
	}
}

func toInt(x []float64) []int64 {
	y := make([]int64, len(x))
	for i, v := range x {
		y[i] = int64(v)
	}
	return y
}

func make1(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// Times in units of any power of two give the same order and method, and the value in the unit.
func TestScalingByPowersOfTwo(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		n := 4 + r.IntN(30)
		var arcs [][2]int
		if seed%2 == 0 {
			arcs = precedence.RandomArcs(r, n, 0.1)
		}
		c := &problem20{n: n, arcs: arcs}
		for range n {
			c.work, c.weight = append(c.work, r.Int64N(9)), append(c.weight, r.Int64N(5))
			c.due, c.alone = append(c.due, r.Int64N(int64(5*n))), append(c.alone, 1)
			c.slaDue, c.slaCost = append(c.slaDue, []int64{c.due[len(c.due)-1]}), append(c.slaCost, []int64{r.Int64N(9)})
		}
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

// The same call gives the same solution, and changes none of its arguments.
func TestDeterministicAndPure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	n := 40
	g := graphOf(t, n, precedence.RandomArcs(r, n, 0.02))
	work, _, _ := randomJobs(n, 6)
	for name, obj := range sumObjectives(t, r, n, 1500) {
		before := slices.Clone(work)
		a, err := precedence.Minimize(g, work, obj, precedence.Options{States: 1000, Steps: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := precedence.Minimize(g, work, obj, precedence.Options{States: 1000, Steps: 20_000})
		if !reflect.DeepEqual(a, b) || !slices.Equal(before, work) {
			t.Errorf("Minimize(%s) twice: %+v and %+v", name, a, b)
		}
	}
}

// Shapes on which a search without care would not end, or would look at every pair of jobs for
// nothing. The limit is generous: the point is that each takes a second at most, not minutes.
func TestMinimizeEnds(t *testing.T) {
	begin := time.Now()
	const n = 20_000
	work, weight, due := randomJobs(n, 7)
	star := make([][2]int, 0, n)
	comb := make([][2]int, 0, n)
	for j := 1; j < n; j++ {
		star = append(star, [2]int{0, j})
		if j >= 2 {
			comb = append(comb, [2]int{j - 2, j})
		}
	}
	chain, err := precedence.Chains(n)
	if err != nil {
		t.Fatal(err)
	}
	zero := make([]float64, n)
	for name, g := range map[string]*precedence.Graph{"no arcs": nil, "one chain": chain, "star": graphOf(t, n, star), "two chains": graphOf(t, n, comb)} {
		for _, w := range [][]float64{work, zero} {
			for kind, obj := range map[string]precedence.Objective{"tardiness": mustObj(t)(precedence.SumWeightedTardiness(due, weight)),
				"tardy": mustObj(t)(precedence.SumWeightedTardy(due, weight))} {
				s, err := precedence.Minimize(g, w, obj, precedence.Options{})
				if err != nil || precedence.Verify(g, s.Order) != nil || !(s.Bound <= s.Value) {
					t.Errorf("Minimize(%s, %s): value %v, bound %v, %v", name, kind, s.Value, s.Bound, err)
				}
				if name == "one chain" && !s.Exact {
					t.Errorf("Minimize(%s, %s) by %s is not exact", name, kind, s.Method)
				}
			}
		}
	}
	if d := time.Since(begin); d > 2*time.Minute {
		t.Errorf("took %v", d)
	}
}

func mustObj(t testing.TB) func(precedence.Objective, error) precedence.Objective {
	return func(o precedence.Objective, err error) precedence.Objective {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
}

// No jobs, one job, works of 0, and penalties that cost nothing.
func TestMinimizeSmall(t *testing.T) {
	for _, a := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
		for _, g := range []*precedence.Graph{nil, graphOf(t, 0, nil), {}} {
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
