package knn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/spatial/kdtree"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/knn"
)

// cloud returns n points of dim normal coordinates, row-major.
func cloud(n, dim int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n*dim)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func filled(t tester, points []float64, dim int, o knn.Options) *knn.Estimator {
	t.Helper()
	e, err := knn.New(dim, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(points); i += dim {
		x := points[i : i+dim]
		if err := e.Add(x, x[0]*x[0]+float64(i%7)); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// The cases of the speed limits.
var cases = []struct{ n, k int }{{1e4, 50}, {1e4, 1585}, {1e5, 50}, {1e5, 10000}}

// BenchmarkPredictAll is 1,000 queries in 3 dimensions, and beside them gonum's k-d tree with the
// same weights.
func BenchmarkPredictAll(b *testing.B) {
	const dim = 3
	for _, c := range cases {
		points, queries := cloud(c.n, dim, 1), cloud(1000, dim, 2)
		b.Run(fmt.Sprintf("n=%d/k=%d", c.n, c.k), func(b *testing.B) {
			e := filled(b, points, dim, knn.Options{K: knn.Fixed(c.k), Scaling: knn.Unscaled})
			q := mat.NewDense(1000, dim, queries)
			dst, err := e.PredictAll(nil, q)
			must(b, err)
			for b.Loop() {
				if dst, err = e.PredictAll(dst[:0], q); err != nil || dst[0].Neighbours != c.k-1 {
					b.Fatal(dst[0], err)
				}
			}
		})
		b.Run(fmt.Sprintf("n=%d/k=%d/gonum", c.n, c.k), func(b *testing.B) {
			if testing.Short() && c.k > 1000 {
				b.Skip("long")
			}
			p := make(gonum.Points, c.n)
			for i := range p {
				p[i] = points[i*dim : (i+1)*dim]
			}
			t := gonum.New(p, false)
			for b.Loop() {
				for i := range 1000 {
					keep := gonum.NewNKeeper(c.k)
					t.NearestSet(keep, gonum.Point(queries[i*dim:(i+1)*dim]))
					r2, sum, total := 0.0, 0.0, 0.0
					for _, h := range keep.Heap {
						r2 = max(r2, h.Dist)
					}
					for _, h := range keep.Heap {
						sum += (r2 - h.Dist) * h.Comparable.(gonum.Point)[0]
						total += r2 - h.Dist
					}
					if !(total > 0) || sum != sum {
						b.Fatal(total)
					}
				}
			}
		})
	}
}

// BenchmarkGather is the rule that chooses the method: one query by each, k being a fourth of,
// equal to, and four times the fraction 2^-dim of n at which the tree is given up.
func BenchmarkGather(b *testing.B) {
	for _, dim := range []int{1, 3, 6} {
		for _, n := range []int{256, 1e4} {
			points, queries := cloud(n, dim, 1), cloud(100, dim, 2)
			e := filled(b, points, dim, knn.Options{Scaling: knn.Unscaled})
			e.Gather(queries[:dim], 1, -1, true) // builds the tree
			for _, k := range []int{n >> dim / 4, n >> dim, n >> dim * 4} {
				if k < 1 || k > n {
					continue
				}
				for _, method := range []string{"all", "tree"} {
					b.Run(fmt.Sprintf("dim=%d/n=%d/k=%d/%s", dim, n, k, method), func(b *testing.B) {
						i := 0
						for b.Loop() {
							e.Once(queries[i:i+dim], k, method == "tree")
							i = (i + dim) % len(queries)
						}
					})
				}
			}
		}
	}
}

// BenchmarkPredict is one query in 3 dimensions with the default options: with nothing added since
// the last, and with one observation added.
func BenchmarkPredict(b *testing.B) {
	const dim = 3
	for _, n := range []int{1e3, 1e4, 1e5} {
		points, queries := cloud(n, dim, 1), cloud(1000, dim, 2)
		for _, add := range []bool{false, true} {
			b.Run(fmt.Sprintf("n=%d/add=%t", n, add), func(b *testing.B) {
				e := filled(b, points, dim, knn.Options{Window: n})
				_, err := e.PredictAll(nil, mat.NewDense(1000, dim, queries))
				must(b, err)
				i := 0
				for b.Loop() {
					x := queries[i : i+dim]
					if add {
						must(b, e.Add(x, 1))
					}
					if p, err := e.Predict(x); err != nil || p.Neighbours < 2 {
						b.Fatal(p, err)
					}
					i = (i + dim) % len(queries)
				}
			})
		}
	}
}

func BenchmarkLeaveOneOut(b *testing.B) {
	e := filled(b, cloud(1e4, 3, 1), 3, knn.Options{})
	var residuals []float64
	for b.Loop() {
		var err error
		if residuals, err = e.LeaveOneOut(residuals[:0]); err != nil || len(residuals) != 1e4 {
			b.Fatal(len(residuals), err)
		}
	}
}
