package workload_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// benchRecords are n jobs of synthetic days, of 100 users and 5 queues.
func benchRecords(b *testing.B, n int) []workload.JobRecord {
	specs, _ := explode(b, benchTrace(b, n), workload.ExplodeOptions{Users: 100, Alpha: 1}, 1)
	records := make([]workload.JobRecord, n)
	for i, s := range specs {
		records[i] = workload.JobRecord{ID: fmt.Sprint("job", i), Submit: s.Arrival, User: fmt.Sprint("user", s.User), Queue: fmt.Sprint("queue", i%5),
			Maps: s.Maps.Tasks, Reduces: s.Reduces.Tasks, MapSeconds: s.Maps.Work, ReduceSeconds: s.Reduces.Work,
			Input: s.Input, Shuffle: s.Shuffle, Output: s.Output}
	}
	return records
}

// BenchmarkJobReader streams a job file; MB/s are of the bytes read.
func BenchmarkJobReader(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var file bytes.Buffer
			if err := workload.WriteJobs(&file, benchRecords(b, n)); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				jobs := 0
				for _, err := range workload.NewJobReader(bytes.NewReader(file.Bytes())).All() {
					if err != nil {
						b.Fatal(err)
					}
					jobs++
				}
				if jobs != n {
					b.Fatalf("%d jobs, want %d", jobs, n)
				}
			}
		})
	}
}

func BenchmarkWriteJobs(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			records := benchRecords(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if err := workload.WriteJobs(io.Discard, records); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSpecs(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			records := benchRecords(b, n)
			dst := make([]slotmodel.JobSpec, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				if specs, _, err := workload.Specs(dst, records); err != nil || len(specs) != n {
					b.Fatal(len(specs), err)
				}
			}
		})
	}
}

// BenchmarkExplode makes tasks of a trace; tasks/s are those described, not stored.
func BenchmarkExplode(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			jobs := benchTrace(b, n)
			dst := make([]slotmodel.JobSpec, 0, n)
			tasks := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				specs, x, err := workload.Explode(dst, jobs, workload.ExplodeOptions{Users: 100, Alpha: 1}, workload.Stream(1, workload.Weights, 0))
				if err != nil || len(specs) != n {
					b.Fatal(len(specs), err)
				}
				tasks += x.Maps + x.Reduces
			}
			b.ReportMetric(float64(tasks)/b.Elapsed().Seconds(), "tasks/s")
		})
	}
}

func BenchmarkPigMix(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if jobs, _, err := workload.LargePigMix().Jobs(n, 1, 0); err != nil || len(jobs) != n {
					b.Fatal(len(jobs), err)
				}
			}
		})
	}
}

func BenchmarkPlacer(b *testing.B) {
	const blocks = 10_000
	for _, n := range []int{36, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			nodes := make([]slotmodel.NodeSpec, n)
			for i := range nodes {
				nodes[i].Rack = i % 10
			}
			p, err := workload.NewPlacer(nodes)
			if err != nil {
				b.Fatal(err)
			}
			dst, src := make([]int32, 0, 3*blocks), workload.Stream(1, workload.Placement, 0)
			b.ReportAllocs()
			for b.Loop() {
				if at, err := p.Place(dst, blocks, 3, src); err != nil || len(at) != 3*blocks {
					b.Fatal(len(at), err)
				}
			}
		})
	}
}
