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
			if err != nil {
				b.Fatal(err)
			}
			tasks := make([]int, 1<<12)
			for i := range tasks {
				tasks[i] = 1 + rng.IntN(10000)
			}
			next := 0
			add := func() {
				if err := tr.Add(next, tasks[next%len(tasks)]); err != nil {
					b.Fatal(err)
				}
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
				if err != nil {
					b.Fatal(err)
				}
				if err := tr.Finished(key, number, 7); err != nil {
					b.Fatal(err)
				}
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

func BenchmarkTrainerNext(b *testing.B) {
	tr, err := estimate.NewTrainer[int](100, estimate.TrainerOptions{Limit: 0.5})
	if err != nil {
		b.Fatal(err)
	}
	for key := range 100000 {
		if err := tr.Add(key, 1+key*7919%1000); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := tr.Next(); !ok {
			b.Fatal("no job")
		}
	}
}

func BenchmarkTrainerSnapshot(b *testing.B) {
	tr, err := estimate.NewTrainer[int](100, estimate.TrainerOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for key := range 100000 {
		if err := tr.Add(key, 1+key*7919%1000); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("n=100000", func(b *testing.B) {
		for b.Loop() {
			if _, err := estimate.RestoreTrainer(tr.Snapshot()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPhaseSize(b *testing.B) {
	for _, n := range []int{5, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			xs := draw(b, estimate.LogNormal{Sigma: 1}, n, rand.NewPCG(1, 1))
			b.ReportAllocs()
			for b.Loop() {
				if size, err := estimate.PhaseSize(xs, 100); err != nil || !(size > 0) {
					b.Fatal(size, err)
				}
			}
		})
	}
}

func BenchmarkFitLogNormal(b *testing.B) {
	xs := draw(b, estimate.LogNormal{Sigma: 1}, 10000, rand.NewPCG(1, 1))
	b.Run("n=10000", func(b *testing.B) {
		for b.Loop() {
			if l, err := estimate.FitLogNormal(xs); err != nil || !(l.Sigma > 0) {
				b.Fatal(l, err)
			}
		}
	})
}

func BenchmarkKS(b *testing.B) {
	l := estimate.LogNormal{Mu: 0.0976, Sigma: 0.411}
	for _, n := range []int{100, 1000, 10000, 100000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			xs := draw(b, l, n, rand.NewPCG(1, uint64(n)))
			for b.Loop() {
				if d, p, err := l.KS(xs); err != nil || !(d > 0 && p > 0) {
					b.Fatal(d, p, err)
				}
			}
		})
	}
	b.Run("rejected/n=10000", func(b *testing.B) { // the upper tail of p
		xs := draw(b, estimate.LogNormal{Mu: 0.15, Sigma: 0.411}, 10000, rand.NewPCG(1, 2))
		for b.Loop() {
			if d, p, err := l.KS(xs); err != nil || !(d > 0 && p < 1e-6) {
				b.Fatal(d, p, err)
			}
		}
	})
}

func BenchmarkFitKS(b *testing.B) {
	for _, n := range []int{20, 100, 1000} {
		b.Run(fmt.Sprintf("n=%d/replications=999", n), func(b *testing.B) {
			xs := draw(b, estimate.LogNormal{Sigma: 1}, n, rand.NewPCG(1, uint64(n)))
			src := rand.NewPCG(2, 1)
			for b.Loop() {
				if _, d, p, err := estimate.FitKS(xs, 999, src); err != nil || !(d > 0 && p > 0) {
					b.Fatal(d, p, err)
				}
			}
		})
	}
}
