package workload_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// Whatever the bytes, the reader ends without a panic, faults only with its own errors, and what it accepts comes back from
// the writer as the same jobs.
func FuzzSWIMReader(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n\r\n", lineA, lineA + "\n" + lineB + "\n", lineA + "\r\n" + lineB + "\r\n\r\n",
		lineA + "\t/in\t\t\n", lineA + "\t/in\t/out\tx\n" + lineB + "\t\t\tx\n", lineB + "\n" + lineA + "\n", lineA + "\n\n" + lineB,
		zipped(lineA + "\n" + lineB + "\n"), zipped(lineA + "\n")[:20], zipped(zipped(lineA)), "\x1f\x8b", "\x1f",
		"j\t-0\t.5\t1e3\t1E-3\t1.\n", "j\t1e308\t1e309\tNaN\tInf\t0x1p4\n", "j\t1\t2\t-3\t4\t5\n", "\ufeffj\t1\t2\t3\t4\t5\n",
		"j\t1\t2\t3\t4\t5\r\r\n", "\t\t\t\t\t", "j\t1\t2\t3\t4\t5\t6\t7\t8\t9", "j\t1\t2\t3\t4\t99999999999999999999999999\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, trace []byte) {
		var jobs []workload.SWIMJob
		r := workload.NewSWIMReader(io.LimitReader(bytes.NewReader(trace), 1<<20))
		for job, err := range r.All() {
			if err == nil {
				jobs = append(jobs, job)
				continue
			}
			var pe *workload.ParseError
			if !errors.As(err, &pe) || pe.Line < 1 || pe.Column < 0 || !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("error %#v, want a *ParseError with a line", err)
			}
		}
		var again bytes.Buffer
		w := workload.NewSWIMWriter(&again)
		for _, job := range jobs {
			if err := w.Write(job); err != nil {
				t.Fatalf("Write(%+v), a job read from %q: %v", job, trace, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		var back []workload.SWIMJob
		for job, err := range workload.NewSWIMReader(&again).All() {
			if err != nil {
				t.Fatalf("reading back the jobs of %q: %v", trace, err)
			}
			back = append(back, job)
		}
		if !slices.Equal(jobs, back) {
			t.Fatalf("jobs of %q:\nread      %+v\nread back %+v", trace, jobs, back)
		}
	})
}
