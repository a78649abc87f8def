package workload_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/workload"
)

// benchTrace is n jobs of a synthetic day, or of several one after the other.
func benchTrace(b *testing.B, n int) []workload.SWIMJob {
	day := synthetic(b, 1)
	jobs := make([]workload.SWIMJob, n)
	for i := range jobs {
		jobs[i] = day[i%len(day)]
		jobs[i].ID = fmt.Sprint("job", i)
		jobs[i].Submit += float64(i / len(day) * 86409)
	}
	return jobs
}

var benchSizes = []int{1_000, 24_442, 1_000_000}

func BenchmarkReadSWIM(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			file := swimFile(benchTrace(b, n))
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if jobs, err := workload.ReadSWIM(bytes.NewReader(file)); err != nil || len(jobs) != n {
					b.Fatal(len(jobs), err)
				}
			}
		})
	}
}

func BenchmarkSizes(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			jobs, dst := benchTrace(b, n), make([]float64, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				if got, err := workload.Sizes(dst, jobs, 4, 0.9); err != nil || len(got) != n {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

func BenchmarkEstimates(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			sizes, dst := make([]float64, n), make([]float64, 0, n)
			for i := range sizes {
				sizes[i] = 1
			}
			src := rand.NewPCG(1, 2)
			b.ReportAllocs()
			for b.Loop() {
				if got, err := workload.Estimates(dst, sizes, 0, 0.5, src); err != nil || len(got) != n {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

func BenchmarkSyntheticFB2010(b *testing.B) {
	b.Run("n=24442", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if jobs, err := workload.SyntheticFB2010(rand.NewPCG(1, 2)); err != nil || len(jobs) != 24442 {
				b.Fatal(len(jobs), err)
			}
		}
	})
}
