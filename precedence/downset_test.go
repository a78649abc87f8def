package precedence

import (
	"fmt"
	"math"
	"math/rand/v2"
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

func arcsOf(r *rand.Rand, n int, density float64) [][2]int {
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

// exhaust returns the least sum over all linear extensions by enumeration, in whole numbers (all inputs are), and their number of
// down-sets.
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

// Both forms of the programme, the local search and the bound against enumeration.
func TestSumsAgainstEnumeration(t *testing.T) {
	found, tight := 0, 0
	const cases = 600
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(7)
		p := randomProblem(t, r, n, arcsOf(r, n, []float64{0, 0.1, 0.4}[r.IntN(3)]))
		want, states := exhaust(p)
		name := fmt.Sprintf("seed %d: work %v, arcs %v, penalties %v", seed, p.work, p.g.succ, p.cost)
		c := p.partition()
		order, ok := p.dense(c, c.vectors(1<<20), states)
		if v := p.evaluate(order); !ok || v != float64(want) || Verify(p.g, order) != nil {
			t.Fatalf("%s: dense = %v, %v, want %v", name, v, order, want)
		}
		if _, ok := p.dense(c, c.vectors(1<<20), states-1); ok {
			t.Fatalf("%s: dense with a limit of %d, one less than its down-sets, succeeds", name, states-1)
		}
		for _, wide := range []int{64, 0} {
			order, ok := p.levels(c, states, wide)
			if v := p.evaluate(order); !ok || v != float64(want) || Verify(p.g, order) != nil {
				t.Fatalf("%s: levels with %d bits = %v, %v, want %v", name, wide, v, order, want)
			}
		}
		if _, ok := p.levels(c, states-1, 64); ok {
			t.Fatalf("%s: levels with a limit of %d, one less than its down-sets, succeeds", name, states-1)
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
	if found < cases*95/100 || tight < cases*60/100 {
		t.Errorf("search found %d of %d optima, %d of %d bounds are tight", found, cases, tight, 2*cases)
	}
}

// Blocks in series: the sum is that of the blocks one after the other. Keys need a layout of their own at each level.
func TestLevelsOfBlocksInSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const width, blocks = 6, 40
	n := width * blocks
	work, penalties := make([]float64, n), make([]Penalty, n)
	for j := range n {
		work[j] = float64(r.IntN(9))
	}
	var arcs [][2]int
	want, begin := 0.0, 0.0
	for b := range blocks {
		var w []float64
		var here []Penalty
		for i := range width {
			j := b*width + i
			d, x := begin+float64(r.IntN(30)), float64(r.IntN(6))
			penalties[j] = Tardiness{d, x}
			here = append(here, Tardiness{d - begin, x})
			w = append(w, work[j])
			for k := range width {
				if b > 0 {
					arcs = append(arcs, [2]int{(b-1)*width + k, j})
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
	s, err := Minimize(g, work, Objective{Sum, penalties}, Options{})
	if err != nil || !s.Exact || s.Value != want || s.Method != "down-sets" {
		t.Errorf("Minimize(%d blocks of %d in series) = %v exact %v by %s, %v, want %v", blocks, width, s.Value, s.Exact, s.Method, err, want)
	}
	p, _ := newProblem("test", "penalties", g, work, penalties, Sum)
	// One state per set within a block and one for the blocks done: the limit is met exactly.
	states := blocks*(1<<width-1) + 1
	for _, wide := range []int{64, 0} {
		order, ok := p.levels(p.partition(), states, wide)
		if v := p.evaluate(order); !ok || v != want {
			t.Errorf("levels with %d bits and a limit of %d = %v, %v, want %v", wide, states, v, ok, want)
		}
		if _, ok := p.levels(p.partition(), states-1, wide); ok {
			t.Errorf("levels with %d bits and a limit of %d succeeds", wide, states-1)
		}
	}
}

// Works that are no multiples of one unit: dense and levels round alike, so that deadlines met on paper are met.
func TestDownsetsWithFractions(t *testing.T) {
	n := 12
	work, penalties := make([]float64, n), make([]Penalty, n)
	for j := range n {
		work[j] = float64(j%4+1) / 10
		penalties[j] = Tardiness{float64(j) / 10, 1 + float64(j%3)}
	}
	p, err := newProblem("test", "penalties", nil, work, penalties, Sum)
	if err != nil {
		t.Fatal(err)
	}
	c := p.partition()
	order, _ := p.dense(c, c.vectors(1<<20), 1<<20)
	a := p.evaluate(order)
	order, ok := p.levels(c, 1<<20, 64)
	if b := p.evaluate(order); !ok || a != b {
		t.Errorf("dense %v, levels %v", a, b)
	}
}

// The array, which jumps over vectors that are no down-sets, and the tables agree on graphs too large to enumerate.
func TestDenseEqualsLevels(t *testing.T) {
	compared := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := 14 + r.IntN(10)
		p := randomProblem(t, r, n, arcsOf(r, n, []float64{0.08, 0.15, 0.4}[r.IntN(3)]))
		if seed%3 == 0 {
			for j := range p.work {
				p.work[j] += r.Float64()
			}
			p.total, _ = sumWork("test", p.work)
		}
		c := p.partition()
		m := c.vectors(1 << 20)
		if m > 1<<20 {
			continue
		}
		a, ok1 := p.dense(c, m, m)
		b, ok2 := p.levels(c, m, 64)
		if v, w := p.evaluate(a), p.evaluate(b); !ok1 || !ok2 || math.Abs(v-w) > 1e-12*math.Abs(w) { // sums of fractions round
			t.Errorf("seed %d: dense = %v, %v, levels = %v, %v", seed, v, a, w, b)
		}
		compared++
	}
	if compared < 40 {
		t.Errorf("compared %d", compared)
	}
}
