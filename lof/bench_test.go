package lof_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/lof"
)

func BenchmarkScores1D(b *testing.B) {
	for _, n := range []int{84, 1e3, 1e4, 1e5} {
		rng := rand.New(rand.NewPCG(1, 2))
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 1650 + 20*rng.NormFloat64()
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			dst := make([]float64, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				got, err := lof.Scores1D(dst, xs, 20, lof.Options{})
				if err != nil || !(got[0] > 0) {
					b.Fatal(got[0], err)
				}
			}
		})
	}
}

func BenchmarkScores(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5} {
		rng := rand.New(rand.NewPCG(1, 2))
		points := mat.NewDense(n, 3, nil)
		for i := range n {
			for j := range 3 {
				points.Set(i, j, rng.NormFloat64())
			}
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			dst := make([]float64, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				got, err := lof.Scores(dst, points, 20, lof.Options{})
				if err != nil || !(got[0] > 0) {
					b.Fatal(got[0], err)
				}
			}
		})
	}
}
