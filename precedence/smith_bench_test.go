package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// values are whole numbers from 1 to most.
func values(r *rand.Rand, n int, most int64) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = float64(1 + r.Int64N(most))
	}
	return v
}

func relabel(r *rand.Rand, n int, arcs [][2]int) [][2]int {
	label := r.Perm(n)
	for k, a := range arcs {
		arcs[k] = [2]int{label[a[0]], label[a[1]]}
	}
	return arcs
}

func mustGraph(b testing.TB, n int, arcs [][2]int) *precedence.Graph {
	b.Helper()
	g, err := precedence.NewGraph(n, arcs)
	must(b, err)
	return g
}

func benchSmith(b *testing.B, g *precedence.Graph, n int, method precedence.Method) {
	r := rand.New(rand.NewPCG(9, 9))
	work, weight := values(r, n, 1000), values(r, n, 1000)
	for b.Loop() {
		s, err := precedence.Smith(g, work, weight)
		if err != nil || len(s.Order) != n || s.Method != method {
			b.Fatalf("Smith: %d jobs, method %v, %v, want %d by %v", len(s.Order), s.Method, err, n, method)
		}
	}
}

func BenchmarkSmithChains(b *testing.B) {
	for _, length := range []int{2, 10, 1000} {
		for _, n := range []int{1e4, 1e6} {
			var arcs [][2]int
			for j := 1; j < n; j++ {
				if j%length != 0 {
					arcs = append(arcs, [2]int{j - 1, j})
				}
			}
			b.Run(fmt.Sprintf("inorder/length=%d/n=%d", length, n), func(b *testing.B) {
				benchSmith(b, chainsOf(b, n, length), n, precedence.MethodSmith)
			})
			b.Run(fmt.Sprintf("shuffled/length=%d/n=%d", length, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(4, 4))
				benchSmith(b, mustGraph(b, n, relabel(r, n, arcs)), n, precedence.MethodSmith)
			})
		}
	}
}

// seriesParallelArcs builds a reduced series-parallel order of n jobs with about 2 n arcs: in
// series the jobs without successors on the left meet those without predecessors on the right, and
// one side is kept narrow.
func seriesParallelArcs(r *rand.Rand, n int) [][2]int {
	var arcs [][2]int
	var build func(lo, hi int, series bool) (sources, sinks []int)
	build = func(lo, hi int, series bool) (sources, sinks []int) {
		if hi-lo == 1 {
			return []int{lo}, []int{lo}
		}
		mid := lo + 1 + r.IntN(hi-lo-1)
		if series {
			mid = lo + (hi-lo+1)/2
		}
		s1, t1 := build(lo, mid, !series)
		s2, t2 := build(mid, hi, !series)
		if !series {
			return append(s1, s2...), append(t1, t2...)
		}
		if len(t1)*len(s2) > 4*(len(t1)+len(s2)) { // too many arcs: side by side
			return append(s1, s2...), append(t1, t2...)
		}
		for _, i := range t1 {
			for _, j := range s2 {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		return s1, t2
	}
	build(0, n, true)
	return relabel(r, n, arcs)
}

func BenchmarkSmithSeriesParallel(b *testing.B) {
	for _, n := range []int{1e4, 1e5} {
		r := rand.New(rand.NewPCG(6, 6))
		g := mustGraph(b, n, seriesParallelArcs(r, n))
		b.Run(fmt.Sprintf("n=%d/arcs=%d", n, g.Arcs()), func(b *testing.B) { benchSmith(b, g, n, precedence.MethodSmith) })
	}
}
