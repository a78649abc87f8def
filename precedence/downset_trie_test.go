package precedence

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// ancestors returns the transitive closure of at most 64 jobs by its definition: the set of the
// ancestors of each.
func ancestors(n int, arcs [][2]int) []uint64 {
	before := make([]uint64, n)
	for range n {
		for _, a := range arcs {
			before[a[1]] |= before[a[0]] | 1<<a[0]
		}
	}
	return before
}

// leastSum runs the programme over sets of jobs in a map, forwards and in whole numbers.
func leastSum(p *problem, before []uint64) (least int64, downsets int) {
	n := len(p.work)
	now := map[uint64]int64{0: 0}
	downsets = 1
	for range n {
		next := map[uint64]int64{}
		for set, sum := range now {
			end := int64(0)
			for s := set; s != 0; s &= s - 1 {
				end += int64(p.work[bits.TrailingZeros64(s)])
			}
			for j := range n {
				if set>>j&1 == 1 || before[j]&^set != 0 {
					continue
				}
				v := sum + int64(wholePenalty(p, j, float64(end+int64(p.work[j]))))
				if old, ok := next[set|1<<j]; !ok || v < old {
					next[set|1<<j] = v
				}
			}
		}
		now = next
		downsets += len(now)
	}
	return now[1<<n-1], downsets
}

// shapeOf returns the arcs of one of several kinds of graph, and how many jobs it has.
func shapeOf(r *rand.Rand, kind int) (n int, arcs [][2]int) {
	switch kind {
	case 0: // a grid: each job after those above it and to its left
		for i := range 5 {
			for j := range 5 {
				if i > 0 {
					arcs = append(arcs, [2]int{5*i - 5 + j, 5*i + j})
				}
				if j > 0 {
					arcs = append(arcs, [2]int{5*i + j - 1, 5*i + j})
				}
			}
		}
		return 25, arcs
	case 1: // layers
		n = 24
		for j := 4; j < n; j++ {
			for i := j/4*4 - 4; i < j/4*4; i++ {
				if r.IntN(2) == 0 {
					arcs = append(arcs, [2]int{i, j})
				}
			}
		}
		return n, arcs
	case 2: // an in-tree
		n = 18
		for i := range n - 1 {
			arcs = append(arcs, [2]int{i, i + 1 + r.IntN(min(4, n-1-i))})
		}
		return n, arcs
	case 3: // intervals of time
		n = 20
		begin, end := make([]int, n), make([]int, n)
		for j := range n {
			begin[j] = r.IntN(60)
			end[j] = begin[j] + r.IntN(20)
		}
		for i := range n {
			for j := range n {
				if end[i] < begin[j] {
					arcs = append(arcs, [2]int{i, j})
				}
			}
		}
		return n, arcs
	}
	n = 12 + r.IntN(8)
	return n, RandomArcs(r, n, []float64{0.1, 0.2, 0.5}[r.IntN(3)])
}

// Shapes too large to enumerate all orders of. The limit is met exactly.
func TestTrieAgainstSets(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 8))
		n, arcs := shapeOf(r, int(seed%6))
		p := randomProblem(t, r, n, arcs)
		want, downsets := leastSum(p, ancestors(n, arcs))
		chains, ok := p.cover(downsets)
		order, fits := p.trie(chains, downsets)
		if v := p.evaluate(order); !ok || !fits || v != float64(want) || Verify(p.g, order) != nil {
			t.Errorf("seed %d, %d jobs, arcs %v: trie = %v, %v, want %v", seed, n, arcs, v, order, want)
		}
		if _, ok := p.trie(chains, downsets-1); ok {
			t.Errorf("seed %d, %d jobs, arcs %v: trie with a limit of %d, one less than its down-sets, succeeds", seed, n, arcs, downsets-1)
		}
	}
}

// Works that are no multiples of one unit: completion times round so that deadlines met on paper
// are met. The same works and deadlines ten times as long are whole numbers.
func TestDownsetsWithFractions(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 10))
		n := 12
		work, tenfold := make([]float64, n), make([]float64, n)
		penalties, wholePenalties := make([]Penalty, n), make([]Penalty, n)
		for j := range n {
			w, d := float64(1+r.IntN(4)), float64(r.IntN(3*n))
			work[j], tenfold[j] = w/10, w
			penalties[j], wholePenalties[j] = Tardy{d / 10, 1 + float64(j%3)}, Tardy{d, 1 + float64(j%3)}
		}
		arcs := RandomArcs(r, n, []float64{0, 0.1}[seed%2])
		g, err := NewGraph(n, arcs)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newProblem("test", "penalties", g, work, penalties, Sum)
		if err != nil {
			t.Fatal(err)
		}
		q, err := newProblem("test", "penalties", g, tenfold, wholePenalties, Sum)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := leastSum(q, ancestors(n, arcs))
		order, ok := p.downsets(1 << n)
		if v := p.evaluate(order); !ok || v != float64(want) {
			t.Errorf("seed %d: down-sets %v of %v, want %d", seed, v, order, want)
		}
	}
}

// As few chains as the largest set of jobs without precedence has, which is found among all sets.
func TestCoverIsLeast(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 9))
		n := 1 + r.IntN(11)
		arcs := RandomArcs(r, n, []float64{0.1, 0.3, 0.6}[r.IntN(3)])
		before := ancestors(n, arcs)
		width := 0
	sets:
		for set := range uint64(1) << n {
			for j := range n {
				if set>>j&1 == 1 && before[j]&set != 0 {
					continue sets
				}
			}
			width = max(width, bits.OnesCount64(set))
		}
		p := randomProblem(t, r, n, arcs)
		chains, ok := p.cover(1 << n)
		if !ok || len(chains) != width || !slices.IsSortedFunc(chains, func(a, b []int32) int { return len(a) - len(b) }) {
			t.Fatalf("seed %d: cover(%d jobs, %v) = %v, %v, want %d chains, the shortest first", seed, n, arcs, chains, ok, width)
		}
		var all []int32
		for _, c := range chains {
			for i := 1; i < len(c); i++ {
				if before[c[i]]>>c[i-1]&1 == 0 {
					t.Fatalf("seed %d: cover(%d jobs, %v) = %v: %d does not precede %d", seed, n, arcs, chains, c[i-1], c[i])
				}
			}
			all = append(all, c...)
		}
		slices.Sort(all)
		if len(all) != n || len(slices.Compact(all)) != n {
			t.Fatalf("seed %d: cover(%d jobs, %v) = %v, want each job once", seed, n, arcs, chains)
		}
		if _, ok := p.cover(1<<width - 1); ok {
			t.Fatalf("seed %d: cover(%d jobs, %v) succeeds with a limit of %d", seed, n, arcs, 1<<width-1)
		}
	}
}
