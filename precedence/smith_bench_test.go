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
	if err != nil {
		b.Fatal(err)
	}
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

func BenchmarkSmithIndependent(b *testing.B) {
	for _, n := range []int{1e4, 1e6} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { benchSmith(b, nil, n, precedence.MethodSmith) })
	}
}

func BenchmarkSmithChains(b *testing.B) {
	for _, length := range []int{2, 10, 1000} {
		for _, n := range []int{1e4, 1e6} {
			var arcs [][2]int
			lengths := make([]int, n/length)
			for k := range lengths {
				lengths[k] = length
			}
			for j := 1; j < n; j++ {
				if j%length != 0 {
					arcs = append(arcs, [2]int{j - 1, j})
				}
			}
			b.Run(fmt.Sprintf("inorder/length=%d/n=%d", length, n), func(b *testing.B) {
				g, err := precedence.Chains(lengths...)
				if err != nil {
					b.Fatal(err)
				}
				benchSmith(b, g, n, precedence.MethodSmith)
			})
			b.Run(fmt.Sprintf("shuffled/length=%d/n=%d", length, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(4, 4))
				benchSmith(b, mustGraph(b, n, relabel(r, n, arcs)), n, precedence.MethodSmith)
			})
		}
	}
}

func BenchmarkSmithForest(b *testing.B) {
	for _, n := range []int{1e4, 1e5, 1e6} {
		for _, in := range []bool{false, true} {
			r := rand.New(rand.NewPCG(5, 5))
			var arcs [][2]int
			for j := 1; j < n; j++ {
				a := [2]int{max(0, j-1-r.IntN(100)), j}
				if in {
					a = [2]int{n - 1 - j, n - 1 - a[0]}
				}
				arcs = append(arcs, a)
			}
			g := mustGraph(b, n, relabel(r, n, arcs))
			name, method := "out", precedence.MethodSmith
			if in {
				name, method = "in", precedence.MethodSmith
			}
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) { benchSmith(b, g, n, method) })
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
	for _, n := range []int{1e3, 1e4, 1e5} {
		r := rand.New(rand.NewPCG(6, 6))
		g := mustGraph(b, n, seriesParallelArcs(r, n))
		b.Run(fmt.Sprintf("n=%d/arcs=%d", n, g.Arcs()), func(b *testing.B) { benchSmith(b, g, n, precedence.MethodSmith) })
		b.Run(fmt.Sprintf("recognition/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if tree, ok := g.Decompose(); !ok || len(tree) != n-1 {
					b.Fatalf("Decompose() = %d composites, %v, want %d", len(tree), ok, n-1)
				}
			}
		})
	}
}

// generalFamilies are orders that are not series-parallel, by the number of jobs.
var generalFamilies = []struct {
	name string
	arcs func(r *rand.Rand, n int) [][2]int
}{
	{"sparse", func(r *rand.Rand, n int) (arcs [][2]int) {
		for range 2 * n {
			if i, j := r.IntN(n), r.IntN(n); i < j {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		return arcs
	}},
	{"dense", func(r *rand.Rand, n int) (arcs [][2]int) {
		for range 20 * n {
			if i, j := r.IntN(n), r.IntN(n); i < j {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		return arcs
	}},
	{"layers", func(r *rand.Rand, n int) (arcs [][2]int) {
		const width = 20
		for j := width; j < n; j++ {
			for range 3 {
				arcs = append(arcs, [2]int{j - j%width - width + r.IntN(width), j})
			}
		}
		return arcs
	}},
	{"wide", func(r *rand.Rand, n int) (arcs [][2]int) { // two layers
		for j := n / 2; j < n; j++ {
			for range 3 {
				arcs = append(arcs, [2]int{r.IntN(n / 2), j})
			}
		}
		return arcs
	}},
	{"near", func(r *rand.Rand, n int) (arcs [][2]int) { // predecessors not far away
		for j := 1; j < n; j++ {
			for range 2 {
				arcs = append(arcs, [2]int{max(0, j-1-r.IntN(30)), j})
			}
		}
		return arcs
	}},
	{"ladder", func(_ *rand.Rand, n int) (arcs [][2]int) {
		for j := 0; j+2 < n; j++ {
			arcs = append(arcs, [2]int{j, j + 2})
			if j%2 == 0 {
				arcs = append(arcs, [2]int{j, j + 3 - 2*(j/2%2)})
			}
		}
		return arcs
	}},
	{"grid", func(_ *rand.Rand, n int) (arcs [][2]int) {
		side := 1
		for side*side < n {
			side++
		}
		for j := range n {
			if j%side+1 < side && j+1 < n {
				arcs = append(arcs, [2]int{j, j + 1})
			}
			if j+side < n {
				arcs = append(arcs, [2]int{j, j + side})
			}
		}
		return arcs
	}},
	{"crossed chains", func(r *rand.Rand, n int) (arcs [][2]int) {
		const length = 50
		for j := 1; j < n; j++ {
			if j%length != 0 {
				arcs = append(arcs, [2]int{j - 1, j})
			}
			if i := r.IntN(j); i/length != j/length && i%length < j%length {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		return arcs
	}},
}

func BenchmarkSidneyBlocks(b *testing.B) {
	for _, f := range generalFamilies {
		for _, n := range []int{2000, 10000} {
			for _, most := range []int64{100, 1 << 40} {
				r := rand.New(rand.NewPCG(7, 7))
				g := mustGraph(b, n, relabel(r, n, f.arcs(r, n)))
				work, weight := values(r, n, most), values(r, n, most)
				b.Run(fmt.Sprintf("%s/most=%d/n=%d", f.name, most, n), func(b *testing.B) {
					blocks := 0
					for b.Loop() {
						d, err := precedence.SidneyBlocks(g, work, weight)
						if err != nil {
							b.Fatal(err)
						}
						blocks = len(d)
					}
					b.ReportMetric(float64(blocks), "blocks")
				})
			}
		}
	}
}

func BenchmarkSmithGeneral(b *testing.B) {
	for _, f := range generalFamilies {
		for _, n := range []int{2000, 10000} {
			r := rand.New(rand.NewPCG(7, 7))
			g := mustGraph(b, n, relabel(r, n, f.arcs(r, n)))
			work, weight := values(r, n, 100), values(r, n, 100)
			b.Run(fmt.Sprintf("%s/n=%d", f.name, n), func(b *testing.B) {
				var s precedence.Solution
				for b.Loop() {
					var err error
					if s, err = precedence.Smith(g, work, weight); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(s.Value/s.Bound, "value/bound")
			})
		}
	}
}

func BenchmarkReduce(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		r := rand.New(rand.NewPCG(8, 8))
		g := mustGraph(b, n, relabel(r, n, generalFamilies[1].arcs(r, n)))
		b.Run(fmt.Sprintf("n=%d/arcs=%d", n, g.Arcs()), func(b *testing.B) {
			for b.Loop() {
				if g.Reduce().Arcs() == 0 {
					b.Fatal("Reduce: no arc left")
				}
			}
		})
	}
}
