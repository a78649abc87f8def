package knn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

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

func filled(t rapid.TB, points []float64, dim int, o knn.Options) *knn.Estimator {
	t.Helper()
	e, err := knn.New(dim, o)
	must(t, err)
	for i := 0; i < len(points); i += dim {
		x := points[i : i+dim]
		must(t, e.Add(x, x[0]*x[0]+float64(i%7)))
	}
	return e
}

// The cases of the speed limits.
var cases = []struct{ n, k int }{{1e4, 50}, {1e4, 1585}, {1e5, 50}, {1e5, 10000}}

// BenchmarkPredictAll is 1,000 queries in 3 dimensions.
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
	}
}
