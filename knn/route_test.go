package knn_test

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/knn"
)

func BenchmarkRoutes(b *testing.B) {
	for _, dim := range []int{1, 3, 6} {
		for _, n := range []int{100, 1000, 10000, 100000} {
			points, queries := cloud(n, dim, 1), cloud(100, dim, 2)
			e := filled(b, points, dim, knn.Options{Scaling: knn.Unscaled})
			for _, share := range []int{100, 20, 10, 5, 3, 2} {
				for _, tree := range []bool{false, true} {
					b.Run(fmt.Sprintf("d=%d/n=%d/k=n:%d/tree=%t", dim, n, share, tree), func(b *testing.B) {
						e.Gather(queries[:dim], 1, -1, true)
						for b.Loop() {
							for i := 0; i < len(queries); i += dim {
								e.Once(queries[i:i+dim], n/share, tree)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*100*n), "ns/point")
					})
				}
			}
		}
	}
}
