package estimate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/estimate"
)

// BenchmarkTrainer is one sample from Next to Finished among n waiting jobs: Next, Started,
// Finished, and when the job is done Size, Remove and the Add of another.
func BenchmarkTrainer(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			tr, err := estimate.NewTrainer[int](n, estimate.TrainerOptions{})
			must(b, err)
			tasks := make([]int, 1<<12)
			for i := range tasks {
				tasks[i] = 1 + rng.IntN(10000)
			}
			next := 0
			add := func() {
				must(b, tr.Add(next, tasks[next%len(tasks)]))
				next++
			}
			for range n {
				add()
			}
			b.ReportAllocs()
			for b.Loop() {
				key, ok := tr.Next()
				if !ok {
					b.Fatal("no job")
				}
				number, err := tr.Started(key)
				must(b, err)
				must(b, tr.Finished(key, number, 7))
				if size, ok := tr.Size(key); ok {
					if !(size > 0) || !tr.Remove(key) {
						b.Fatal(size)
					}
					add()
				}
			}
		})
	}
}

func BenchmarkFitKS(b *testing.B) {
	for _, n := range []int{20, 100, 1000} {
		b.Run(fmt.Sprintf("n=%d/replications=999", n), func(b *testing.B) {
			xs := draw(estimate.LogNormal{Sigma: 1}, n, rand.NewPCG(1, uint64(n)))
			src := rand.NewPCG(2, 1)
			for b.Loop() {
				if _, d, p, err := estimate.FitKS(xs, 999, src); err != nil || !(d > 0 && p > 0) {
					b.Fatal(d, p, err)
				}
			}
		})
	}
}
