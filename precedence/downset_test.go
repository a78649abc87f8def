package precedence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomProblem returns a sum of penalties of all kinds, whole numbers.
func randomProblem(t *testing.T, r *rand.Rand, n int, arcs [][2]int) *problem {
	t.Helper()
	g, err := NewGraph(n, arcs)
	if err != nil {
		t.Fatal(err)
	}
	work := make([]float64, n)
	penalties := make([]Penalty, n)
	form := r.IntN(7)
	for j := range n {
		work[j] = float64(r.IntN(8))
		w, d := float64(r.IntN(5)), float64(r.IntN(4*n+1)-3)
		f := form
		if form == 6 {
			f = r.IntN(6)
		}
		penalties[j] = []Penalty{Response{w}, Tardy{d, w}, Tardiness{d, w}, Lateness{d, w}, SLA{[]float64{d, d + 7}, []float64{w, w + 2}}, callers{Tardiness{d, w}}}[f]
	}
	p, err := newProblem("test", "penalties", g, work, penalties, Sum)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// callers hides a penalty's type.
type callers struct{ p Penalty }

func (c callers) At(t float64) float64 { return c.p.At(t) }

// RandomArcs returns each arc between n jobs in random order with the probability density.
func RandomArcs(r *rand.Rand, n int, density float64) [][2]int {
	label := r.Perm(n)
	var arcs [][2]int
	for j := range n {
		for i := range j {
			if r.Float64() < density {
				arcs = append(arcs, [2]int{label[i], label[j]})
			}
		}
	}
	return arcs
}

// exhaust returns the least sum over all linear extensions by enumeration, in whole numbers (all
// inputs are), and their number of down-sets.
func exhaust(p *problem) (least int64, downsets int) {
	n := len(p.work)
	seen := map[int]bool{}
	first := true
	var visit func(set int, t, sum int64)
	visit = func(set int, t, sum int64) {
		seen[set] = true
		if set == 1<<n-1 && (first || sum < least) {
			least, first = sum, false
		}
	jobs:
		for j := range n {
			if set>>j&1 == 1 {
				continue
			}
			for _, i := range p.g.Preds(j) {
				if set>>i&1 == 0 {
					continue jobs
				}
			}
			end := t + int64(p.work[j])
			visit(set|1<<j, end, sum+int64(wholePenalty(p, j, float64(end))))
		}
	}
	visit(0, 0, 0)
	return least, len(seen)
}

// wholePenalty evaluates by the definition, not by the compiled cost.
func wholePenalty(p *problem, j int, t float64) float64 {
	c := p.cost[j]
	if c.user != nil {
		return c.user.penalty.At(t)
	}
	late := t - c.deadline
	switch c.kind {
	case kindLinear:
		return c.weight * late
	case kindTardiness:
		return c.weight * max(0, late)
	case kindTardy:
		if late > 0 {
			return c.weight
		}
	case kindSLA:
		v := 0.0
		for k, d := range c.deadlines {
			if t > d {
				v = c.costs[k]
			}
		}
		return v
	}
	return 0
}

// The programme over down-sets, the local search and the bound against enumeration.
func TestSumsAgainstEnumeration(t *testing.T) {
	found, tight := 0, 0
	const cases = 2000
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(7)
		p := randomProblem(t, r, n, RandomArcs(r, n, []float64{0, 0.1, 0.4}[r.IntN(3)]))
		want, states := exhaust(p)
		name := fmt.Sprintf("seed %d: work %v, arcs %v, penalties %v", seed, p.work, p.g.succ, p.cost)
		chains, ok := p.cover(states)
		order, fits := p.trie(chains, states)
		if v := p.evaluate(order); !ok || !fits || v != float64(want) || Verify(p.g, order) != nil {
			t.Fatalf("%s: trie = %v, %v, want %v", name, v, order, want)
		}
		if _, ok := p.trie(chains, states-1); ok {
			t.Fatalf("%s: trie with a limit of %d, one less than its down-sets, succeeds", name, states-1)
		}
		if p.manyDownsets(states) {
			t.Fatalf("%s: manyDownsets(%d) although there are as many", name, states)
		}
		order = p.search(2000, nil)
		v := p.evaluate(order)
		if v < float64(want) || Verify(p.g, order) != nil {
			t.Fatalf("%s: search = %v, %v, optimum %v", name, v, order, want)
		}
		if v == float64(want) {
			found++
		}
		// From any order and value the bound stays below the optimum.
		for _, from := range [][]int{order, p.g.Topological(nil)} {
			b := p.lagrange(from, p.evaluate(from), 3000)
			if b > float64(want) {
				t.Fatalf("%s: bound %v from %v, optimum %v", name, b, from, want)
			}
			if b == float64(want) {
				tight++
			}
		}
		if err := p.userError(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("search found %d of %d optima, %d of %d bounds are tight", found, cases, tight, 2*cases)
	if found < cases*95/100 || tight < cases*60/100 {
		t.Errorf("search found %d of %d optima, %d of %d bounds are tight", found, cases, tight, 2*cases)
	}
}

// Works, deadlines and weights of any size and no common unit: the bound stays below the optimum,
// which is known to a rounding.
func TestBoundWithFractions(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := 3 + r.IntN(8)
		p := randomProblem(t, r, n, RandomArcs(r, n, 0.2))
		scale := math.Exp(40 * (r.Float64() - 0.5))
		for j := range p.work {
			p.work[j] = (p.work[j] + r.Float64()) * scale
			if c := &p.cost[j]; c.kind != kindUser && c.kind != kindSLA {
				c.weight *= r.ExpFloat64()
				c.deadline = (c.deadline + r.Float64()) * scale
			}
		}
		p.total, _ = sumWork("test", p.work)
		best, ok := p.downsets(1 << n)
		order := p.g.Topological(nil)
		least, size := p.sums(best)
		if b := p.lagrange(order, p.evaluate(order), 3000); !ok || b > least+1e-14*size {
			t.Errorf("seed %d: bound %v, optimum %v", seed, b, least)
		}
	}
}

// The prices that an optimal order sets need no step where jobs take equally long and pay for time:
// no job gains by moving a place, so that the first evaluation is the optimum, but for 2^-50 of the
// terms for each of at most 200, which it takes off lest rounding lifts it.
func TestBoundOfFirstPrices(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 12))
		n := 2 + r.IntN(40)
		work, order, penalties := make([]float64, n), make([]int, n), make([]Penalty, n)
		long, weight := 0.5+r.Float64(), 0.0
		for i := range slices.Backward(order) { // heavier jobs first
			weight += r.ExpFloat64()
			order[i] = i
			work[i] = long
			penalties[i] = []Penalty{Response{Weight: weight}, Lateness{Deadline: r.Float64(), Weight: weight}, Tardiness{Weight: weight}}[r.IntN(3)]
		}
		p, err := newProblem("test", "penalties", nil, work, penalties, Sum)
		if err != nil {
			t.Fatal(err)
		}
		value, size := p.sums(order)
		if b := p.lagrange(order, value, 0); !(b <= value && b >= value-1e-10*size) {
			t.Errorf("seed %d: first bound %v of %d equal jobs, want the optimum %v", seed, b, n, value)
		}
	}
}

// Blocks in series: the sum is that of the blocks one after the other. There is one down-set for
// each set within a block and one for the blocks done, so that the limit is met exactly.
func TestBlocksInSeries(t *testing.T) {
	for _, c := range []struct{ width, blocks int }{{6, 40}, {2, 4000}} {
		r := rand.New(rand.NewPCG(1, 1))
		n := c.width * c.blocks
		work, penalties := make([]float64, n), make([]Penalty, n)
		for j := range n {
			work[j] = float64(r.IntN(9))
		}
		var arcs [][2]int
		want, begin := 0.0, 0.0
		for b := range c.blocks {
			var w []float64
			var here []Penalty
			for i := range c.width {
				j := b*c.width + i
				d, x := float64(r.IntN(5*c.width)), float64(r.IntN(6))
				penalties[j] = Tardiness{begin + d, x}
				here = append(here, Tardiness{d, x})
				w = append(w, work[j])
				for k := range c.width {
					if b > 0 {
						arcs = append(arcs, [2]int{(b-1)*c.width + k, j})
					}
				}
			}
			p, err := newProblem("test", "penalties", nil, w, here, Sum)
			if err != nil {
				t.Fatal(err)
			}
			least, _ := exhaust(p)
			want += float64(least)
			for _, x := range w {
				begin += x
			}
		}
		g, err := NewGraph(n, arcs)
		if err != nil {
			t.Fatal(err)
		}
		for states, exact := range map[int]bool{c.blocks*(1<<c.width-1) + 1: true, c.blocks * (1<<c.width - 1): false} {
			s, err := Minimize(g, work, Objective{Sum, penalties}, Options{States: states, Steps: 100})
			if err != nil || (s.Method == MethodDownSets) != exact || exact && (!s.Exact || s.Value != want) || s.Bound > want {
				t.Errorf("Minimize(%d blocks of %d in series, States %d) = %v, bound %v, exact %v by %s, %v, want %v", c.blocks, c.width, states, s.Value, s.Bound, s.Exact, s.Method, err, want)
			}
		}
	}
}
