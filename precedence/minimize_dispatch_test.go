package precedence_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// Above the size that the programme over down-sets takes whatever the options, sums of weighted
// response times and of lateness go to Smith: States 1 and Steps 1 leave nothing to the others.
func TestManyJobsGoToSmith(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 91))
		kind := []string{"independent", "chains", "outforest", "inforest", "seriesparallel"}[seed%5]
		in := newSumCase(r, kind, 21+r.IntN(40), 9)
		want, err := precedence.Smith(in.graph(t), floats(in.work), floats(in.weight))
		if err != nil || !want.Exact {
			t.Fatalf("Smith(%v) = %+v, %v, want an exact solution", in, want, err)
		}
		due, shift := make([]float64, in.n), 0.0
		for j := range due {
			due[j] = float64(r.IntN(100) - 20)
			shift += float64(in.weight[j]) * due[j]
		}
		response := mustObj(t)(precedence.SumWeightedResponse(floats(in.weight)))
		lateness := mustObj(t)(precedence.SumWeightedLateness(due, floats(in.weight)))
		for _, c := range []struct {
			obj  precedence.Objective
			want float64
		}{{response, want.Value}, {lateness, want.Value - shift}} {
			s, err := precedence.Minimize(in.graph(t), floats(in.work), c.obj, precedence.Options{States: 1, Steps: 1})
			if err != nil || s.Method != want.Method || !s.Exact || s.Value != c.want || s.Bound != c.want {
				t.Errorf("Minimize(%v) = %v, bound %v, exact %v by %v, %v, want %v by %v", in, s.Value, s.Bound, s.Exact, s.Method, err, c.want, want.Method)
			}
		}
	}
}

// Weights whose sum is out of Smith's range leave the sum to the others, whose bound must not
// exceed the optimum. The optimum is that of weights scaled into the range.
func TestWeightsOutOfSmithsRange(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 92))
		n := 25 + r.IntN(10)
		work, weight, scaled := make([]float64, n), make([]float64, n), make([]float64, n)
		for j := range n {
			work[j] = math.Ldexp(float64(1+r.IntN(9)), -20)
			scaled[j] = float64(1 + r.IntN(99))
			weight[j] = math.Ldexp(scaled[j], 1015)
		}
		if _, err := precedence.Smith(nil, work, weight); err == nil {
			t.Fatal("the weights are in Smith's range, want them out of it")
		}
		best, err := precedence.Smith(nil, work, scaled)
		must(t, err)
		least := math.Ldexp(best.Value, 1015)
		s, err := precedence.Minimize(nil, work, mustObj(t)(precedence.SumWeightedResponse(weight)), precedence.Options{Steps: 3000})
		if err != nil || precedence.Verify(nil, s.Order) != nil || s.Bound > least || s.Value < least || s.Exact && s.Value != least || s.Method != precedence.MethodSearch {
			t.Errorf("Minimize(%v, %v) = %v, bound %v, exact %v by %v, %v, optimum %v", work, weight, s.Value, s.Bound, s.Exact, s.Method, err, least)
		}
		// The same with deadlines long after the end: the least sum of lateness is negative.
		const due = 0x1p-8
		shift := 0.0
		for _, w := range scaled {
			shift += w * due
		}
		least = math.Ldexp(best.Value-shift, 1015)
		s, err = precedence.Minimize(nil, work, mustObj(t)(precedence.SumWeightedLateness(slices.Repeat([]float64{due}, n), weight)), precedence.Options{Steps: 3000})
		if err != nil || least >= 0 || s.Bound > least || s.Value < least {
			t.Errorf("Minimize(%v, %v) of lateness = %v, bound %v by %v, %v, optimum %v", work, weight, s.Value, s.Bound, s.Method, err, least)
		}
	}
}

// An out-tree in one block of more than 14 jobs, with an arc more that the best order of the tree
// keeps anyway: the bound by a forest of arcs is the optimum, which neither the diagonal nor a
// table gives. Reversed, the same holds for in-trees.
func TestSidneyForestBound(t *testing.T) {
	tried := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 93))
		n := 18 + r.IntN(8)
		work, weight := make([]float64, n), make([]float64, n)
		arcs, parent := [][2]int{}, make([]int, n)
		work[0] = 1000
		for j := 1; j < n; j++ {
			parent[j] = max(0, j-1-r.IntN(5))
			arcs = append(arcs, [2]int{parent[j], j})
			work[j] = float64(1 + r.IntN(5))
			weight[j] = work[j] + float64(r.IntN(30))
		}
		tree, err := precedence.NewGraph(n, arcs)
		must(t, err)
		best, err := precedence.Smith(tree, work, weight)
		must(t, err)
		place := make([]int, n)
		for k, j := range best.Order {
			place[j] = k
		}
		// The forest keeps of each job the arc from its last predecessor, the parent.
		b := n - 1 - r.IntN(4)
		a := 1 + r.IntN(b)
		for k := b; k > 0; k = parent[k] {
			if k == a {
				a = b
			}
		}
		if a >= parent[b] || place[a] > place[b] {
			continue
		}
		arcs = append(arcs, [2]int{a, b})
		in := make([][2]int, len(arcs))
		for k, c := range arcs {
			in[k] = [2]int{n - 1 - c[1], n - 1 - c[0]}
		}
		backWork, backWeight := make([]float64, n), make([]float64, n)
		for j := range n {
			backWork[n-1-j], backWeight[n-1-j] = weight[j], work[j]
		}
		for _, c := range []struct {
			arcs         [][2]int
			work, weight []float64
		}{{arcs, work, weight}, {in, backWork, backWeight}} {
			g, err := precedence.NewGraph(n, c.arcs)
			must(t, err)
			s, err := precedence.Smith(g, c.work, c.weight)
			if err != nil || !s.Exact || s.Bound != best.Value || s.Value != best.Value {
				t.Errorf("Smith(arcs %v, %v, %v) = %v, bound %v, exact %v, %v, want %v", c.arcs, c.work, c.weight, s.Value, s.Bound, s.Exact, err, best.Value)
			}
			if s.Method == precedence.MethodSidney {
				tried++
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d instances were not series-parallel", tried)
	}
}

// Sums below 2^63 are rounded once, half-way cases to even.
func TestSmithRoundsOnce(t *testing.T) {
	for _, c := range []struct {
		work, weight []float64
		want         float64
	}{
		{[]float64{1, 2}, []float64{1 << 53, 1}, 1<<53 + 4}, // 3 above: half-way
		{[]float64{1, 4}, []float64{1 << 53, 1}, 1<<53 + 4}, // 5 above: half-way
		// 3 times half of the spacing above
		{[]float64{1 << 20, 1 << 21}, []float64{1 << 53, 1}, 1<<73 + 1<<22},
		{[]float64{1 << 20, 1 << 22}, []float64{1 << 53, 1}, 1<<73 + 1<<22}, // 5 times
		{[]float64{1 << 20, 1<<22 + 1}, []float64{1 << 53, 1}, 1<<73 + 3<<21},
		{[]float64{1 << 20, 1<<22 - 1}, []float64{1 << 53, 1}, 1<<73 + 1<<22},
	} {
		s, err := precedence.Smith(nil, c.work, c.weight)
		if err != nil || s.Value != c.want {
			t.Errorf("Smith(nil, %v, %v) = %v, %v, want %v", c.work, c.weight, s.Value, err, c.want)
		}
	}
}

// Objectives share no memory with the service levels that they are made of.
func TestSLAObjectivesCopy(t *testing.T) {
	for _, make := range []func([]precedence.SLA) (precedence.Objective, error){precedence.SumSLA, precedence.MaxSLA} {
		level := precedence.SLA{Deadlines: []float64{1, 5}, Costs: []float64{2, 3}}
		obj := mustObj(t)(make([]precedence.SLA{level}))
		level.Deadlines[0], level.Costs[0] = 4, 3
		if got := obj.Penalties[0].At(2); got != 2 {
			t.Errorf("a change of the caller's slices makes At(2) = %v, want 2", got)
		}
	}
}

// Of equal sums Lawler and Moore keep jobs of the least work, then leave later deadlines; 11 jobs
// more have no deadline to meet.
func TestLawlerMooreTies(t *testing.T) {
	for name, c := range map[string]struct {
		work, due, weight []float64
		late              int
	}{
		"by work, one fits":       {[]float64{2, 2}, []float64{3, 2}, []float64{5, 5}, 0},
		"by work, the shorter":    {[]float64{2, 1}, []float64{2, 2}, []float64{5, 5}, 0},
		"by weight, one fits":     {[]float64{.1, math.Pi}, []float64{3.15, 3.15}, []float64{5, 5}, 1},
		"by weight, same but due": {[]float64{math.Pi, math.Pi}, []float64{4, 3.5}, []float64{5, 5}, 0},
	} {
		s, err := precedence.Minimize(nil, append(c.work, 1), mustObj(t)(precedence.SumWeightedTardy(append(c.due, 1e9), append(c.weight, 7))), precedence.Options{})
		if err != nil || s.Method != precedence.MethodLawlerMoore || s.Order[2] != c.late || s.Value != 5 {
			t.Errorf("%s: order %v of value %v by %s, %v, want job %d late", name, s.Order, s.Value, s.Method, err, c.late)
		}
	}
}

// watched is a penalty of a caller's own that notes the times at which it is asked.
type watched struct {
	precedence.Penalty
	first, last *float64
}

func (w watched) At(t float64) float64 {
	*w.first, *w.last = min(*w.first, t), max(*w.last, t)
	return w.Penalty.At(t)
}

// Penalties are asked at times from 0 to the sum of the works only, whatever the rounding of sums.
func TestPenaltiesAreAskedWithinTheWork(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 94))
		n := []int{1, 5, 30, 60}[seed%4]
		work, unit := make([]float64, n), []float64{1, .1, math.Pi}[seed%3]
		first, last := math.Inf(1), math.Inf(-1)
		penalties := make([]precedence.Penalty, n)
		for j := range n {
			whole := r.IntN(9)
			work[j] = float64(whole) * unit
			penalties[j] = watched{precedence.Tardiness{Deadline: float64(r.IntN(5 * n)), Weight: float64(1 + r.IntN(5))}, &first, &last}
		}
		arcs := orders.Random(r, n, .7/float64(n))
		g := mustGraph(t, n, arcs)
		// the sum of the works, rounded once: what the last job of any order completes at
		makespan := mustObj(t)(precedence.MaxResponse(n))
		end, err := precedence.Evaluate(work, makespan, g.Topological(nil))
		must(t, err)
		for _, a := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
			if _, err := precedence.Minimize(g, work, precedence.Objective{Aggregate: a, Penalties: penalties}, precedence.Options{States: 100, Steps: 5000}); err != nil {
				t.Fatal(err)
			}
			if first < 0 || last > end {
				t.Fatalf("seed %d: Minimize(%v, %v, aggregate %d) asks for penalties from %v to %v, want 0 to %v", seed, arcs, work, a, first, last, end)
			}
		}
	}
}
