package workload_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// anySize takes traces of any number of tasks.
var anySize = workload.ExplodeOptions{MaxTasks: 1<<29 - 1}

// BenchmarkReadJobs reads a job file; MB/s are of the bytes read.
func BenchmarkReadJobs(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			specs := explode(b, benchTrace(b, n), anySize)
			var file bytes.Buffer
			if err := workload.WriteJobs(&file, specs); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if jobs, err := readJobs(bytes.NewReader(file.Bytes())); err != nil || len(jobs) != n {
					b.Fatal(len(jobs), err)
				}
			}
		})
	}
}

func BenchmarkWriteJobs(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			specs := explode(b, benchTrace(b, n), anySize)
			b.ReportAllocs()
			for b.Loop() {
				if err := workload.WriteJobs(io.Discard, specs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

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
