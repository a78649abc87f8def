package precedence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
)

// randomProblem returns a sum of penalties of all kinds, whole numbers.
func randomProblem(t *testing.T, r *rand.Rand, n int, arcs [][2]int) (*problem, []Penalty) {
	t.Helper()
	g, err := NewGraph(n, arcs)
	must(t, err)
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
	must(t, err)
	return p, penalties
}

// callers hides a penalty's type.
type callers struct{ p Penalty }

func (c callers) At(t float64) float64 { return c.p.At(t) }

// leastSum is the least sum by definition, and the number of down-sets.
func leastSum(work []float64, arcs [][2]int, penalties []Penalty) (least int64, downsets int) {
	whole := make([]int64, len(work))
	for j, w := range work {
		whole[j] = int64(w)
	}
	cost := func(j int, end int64) int64 { return int64(penalties[j].At(float64(end))) }
	return orders.Least(len(work), arcs, whole, cost, false)
}

// The programme over down-sets against all sets, on graphs too large to enumerate all orders of
// too; the local search and the bound where graphs are small.
func TestSumsAgainstSets(t *testing.T) {
	large := map[string]int{"grid": 25, "layers": 24, "inforest": 14, "intervals": 20, "dag": 18, "dense": 20}
	found, tight, small := 0, 0, 0
	for seed := range uint64(1060) {
		r := rand.New(rand.NewPCG(seed, 3))
		kind := orders.Kinds[seed%uint64(len(orders.Kinds))]
		n := 1 + r.IntN(7)
		if seed >= 1000 {
			n = max(n, large[kind])
		}
		arcs := orders.Draw(r, kind, n)
		p, penalties := randomProblem(t, r, n, arcs)
		want, states := leastSum(p.work, arcs, penalties)
		name := fmt.Sprintf("seed %d: %s, work %v, arcs %v, penalties %v", seed, kind, p.work, arcs, p.cost)
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
		if n > 7 {
			continue
		}
		small++
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
		must(t, p.userError(v))
	}
	if found < small*95/100 || tight < small*60/100 {
		t.Errorf("search found %d of %d optima, %d of %d bounds are tight", found, small, tight, 2*small)
	}
}

// Works, deadlines and weights of any size and no common unit: the bound stays below the optimum,
// which is known to a rounding.
func TestBoundWithFractions(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := 3 + r.IntN(8)
		p, _ := randomProblem(t, r, n, orders.Random(r, n, 0.2))
		scale := math.Exp(40 * (r.Float64() - 0.5))
		for j := range p.work {
			p.work[j] = (p.work[j] + r.Float64()) * scale
			if c := &p.cost[j]; c.kind != kindUser && c.kind != kindSLA {
				c.weight *= r.ExpFloat64()
				c.deadline = (c.deadline + r.Float64()) * scale
			}
		}
		p.total = sumOf(p.work)
		best, ok := p.downsets(1 << n)
		order := p.g.Topological(nil)
		least, size := p.evaluate(best), penaltiesOf(p, best)
		if b := p.lagrange(order, p.evaluate(order), 3000); !ok || b > least+1e-14*size {
			t.Errorf("seed %d: bound %v, optimum %v", seed, b, least)
		}
	}
}

// penaltiesOf returns the sum of the penalties' absolute values.
func penaltiesOf(p *problem, order []int) (size float64) {
	t := 0.0
	for _, j := range order {
		t += p.work[j]
		size += math.Abs(p.cost[j].at(t))
	}
	return size
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
		must(t, err)
		value, size := p.evaluate(order), penaltiesOf(p, order)
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
			least, _ := leastSum(w, nil, here)
			want += float64(least)
			for _, x := range w {
				begin += x
			}
		}
		g, err := NewGraph(n, arcs)
		must(t, err)
		for states, exact := range map[int]bool{c.blocks*(1<<c.width-1) + 1: true, c.blocks * (1<<c.width - 1): false} {
			s, err := Minimize(g, work, Objective{Sum, penalties}, Options{States: states, Steps: 100})
			if err != nil || (s.Method == MethodDownSets) != exact || exact && (!s.Exact || s.Value != want) || s.Bound > want {
				t.Errorf("Minimize(%d blocks of %d in series, States %d) = %v, bound %v, exact %v by %s, %v, want %v", c.blocks, c.width, states, s.Value, s.Bound, s.Exact, s.Method, err, want)
			}
		}
	}
}
