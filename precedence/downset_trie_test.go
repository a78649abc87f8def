package precedence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
)

// Works that are no multiples of one unit: a completion is the sum of the works rounded once, and
// on time if that is the deadline. In units of 2^-60 the works are whole numbers.
func TestDownsetsWithFractions(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 10))
		n := 8
		work, units, penalties := make([]float64, n), make([]int64, n), make([]Penalty, n)
		for j := range n {
			work[j] = float64(1+r.IntN(4)) / 10
			units[j] = int64(math.Ldexp(work[j], 60))
			penalties[j] = Tardy{float64(r.IntN(3*n)) / 10, 1 + float64(j%3)}
		}
		arcs := orders.Random(r, n, []float64{0, 0.1}[seed%2])
		g, err := NewGraph(n, arcs)
		must(t, err)
		p, err := newProblem("test", "penalties", g, work, penalties, Sum)
		must(t, err)
		cost := func(j int, end int64) int64 { return int64(penalties[j].At(math.Ldexp(float64(end), -60))) }
		want, _ := orders.Least(n, arcs, units, cost, false)
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
		arcs := orders.Random(r, n, []float64{0.1, 0.3, 0.6}[r.IntN(3)])
		before, width := orders.Ancestors(n, arcs), orders.Antichain(n, arcs, func(int) int { return 1 })
		p, _ := randomProblem(t, r, n, arcs)
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
