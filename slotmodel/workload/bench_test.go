package workload_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// benchTrace is n jobs of a synthetic day, or of several one after the other.
func benchTrace(b *testing.B, n int) []joblog.SWIMJob {
	day := synthetic(b, 1)
	jobs := make([]joblog.SWIMJob, n)
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
				if jobs, err := joblog.ReadSWIM(bytes.NewReader(file)); err != nil || len(jobs) != n {
					b.Fatal(len(jobs), err)
				}
			}
		})
	}
}

// anySize takes traces of any number of tasks.
var anySize = workload.ExplodeOptions{MaxTasks: 1<<29 - 1}

// BenchmarkExplode makes tasks of a trace.
func BenchmarkExplode(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			jobs := benchTrace(b, n)
			dst := make([]slotmodel.JobSpec, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				if specs, err := workload.Explode(dst, jobs, anySize); err != nil || len(specs) != n {
					b.Fatal(len(specs), err)
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
