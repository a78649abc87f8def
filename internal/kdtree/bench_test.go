package kdtree_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/spatial/kdtree"

	"github.com/schedmath/schedmath/internal/kdtree"
)

func cloud(n, dim int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n*dim)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1e4, 1e5} {
		points := cloud(n, 3, 1)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				kdtree.New(points, 3)
			}
		})
		b.Run(fmt.Sprintf("n=%d/gonum", n), func(b *testing.B) {
			for b.Loop() {
				gonum.New(rows(points, 3), false)
			}
		})
	}
}

func rows(points []float64, dim int) gonum.Points {
	p := make(gonum.Points, len(points)/dim)
	for i := range p {
		p[i] = points[i*dim : (i+1)*dim]
	}
	return p
}

var queryCases = []struct{ n, k int }{{1e4, 50}, {1e5, 1}, {1e5, 20}, {1e5, 50}, {1e4, 1585}, {1e5, 10000}}

// BenchmarkNearest is 1,000 queries.
func BenchmarkNearest(b *testing.B) {
	for _, c := range queryCases {
		points, queries := cloud(c.n, 3, 1), cloud(1000, 3, 2)
		b.Run(fmt.Sprintf("n=%d/k=%d", c.n, c.k), func(b *testing.B) {
			t := kdtree.New(points, 3)
			b.ReportAllocs()
			var dst []kdtree.Neighbour
			for b.Loop() {
				for q := 0; q < len(queries); q += 3 {
					dst = t.Nearest(dst[:0], queries[q:q+3], c.k, -1)
					if len(dst) != c.k {
						b.Fatal(len(dst))
					}
				}
			}
		})
	}
}

// BenchmarkNearestGonum is the same with gonum's tree.
func BenchmarkNearestGonum(b *testing.B) {
	for _, c := range queryCases {
		if testing.Short() && c.k > 100 {
			continue // seconds each
		}
		points, queries := cloud(c.n, 3, 1), cloud(1000, 3, 2)
		b.Run(fmt.Sprintf("n=%d/k=%d", c.n, c.k), func(b *testing.B) {
			t := gonum.New(rows(points, 3), false)
			for b.Loop() {
				for q := 0; q < len(queries); q += 3 {
					keep := gonum.NewNKeeper(c.k)
					t.NearestSet(keep, gonum.Point(queries[q:q+3]))
					if keep.Len() != c.k {
						b.Fatal(keep.Len())
					}
				}
			}
		})
	}
}
