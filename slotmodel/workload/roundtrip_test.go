package workload_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// amount draws numbers for a file: good ones for the most part.
var amount = rapid.OneOf(
	rapid.Float64Range(0, math.MaxFloat64),
	rapid.Map(rapid.Uint64(), math.Float64frombits),
	rapid.Map(rapid.IntRange(-3, 1<<30), func(i int) float64 { return float64(i) }),
)

// A jobWriter is a writer of either format.
type jobWriter[T any] interface {
	Write(T) error
	Flush() error
}

// written writes up to most jobs and returns those that the writer took: each drawn with the submit time of the last one, or with
// any. What it refuses it must refuse with an InputError of fn about the job.
func written[T any](t *rapid.T, most int, w jobWriter[T], fn string, draw func(submit float64) T) []T {
	var jobs []T
	last := 0.0
	for i := range rapid.IntRange(0, most).Draw(t, "jobs") {
		submit := last
		if rapid.Bool().Draw(t, "later") {
			submit = amount.Draw(t, "submit")
		}
		job := draw(submit)
		err := w.Write(job)
		var ie *schedmath.InputError
		switch {
		case err == nil:
			jobs, last = append(jobs, job), submit
		case !errors.As(err, &ie) || ie.Func != fn || ie.Arg != "job":
			t.Fatalf("Write(job %d = %+v) = error %v, want none or an InputError", i, job, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return jobs
}

// readBack fails unless the jobs that are read are those written.
func readBack[T any](t interface{ Fatalf(string, ...any) }, want []T, jobs iter.Seq2[T, error]) {
	var got []T
	for job, err := range jobs {
		if err != nil {
			t.Fatalf("reading job %d back: %v", len(got), err)
		}
		got = append(got, job)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("-written +read\n%s", d)
	}
}

// whatever reads any bytes: the reader ends without a panic, faults only with its own errors, and what it accepts comes back
// from the writer as the same jobs.
func whatever[T any](t *testing.T, text []byte, read func(io.Reader) iter.Seq2[T, error], w func(io.Writer) jobWriter[T]) {
	var jobs []T
	for job, err := range read(io.LimitReader(bytes.NewReader(text), 1<<20)) {
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
	out := w(&again)
	for _, job := range jobs {
		if err := out.Write(job); err != nil {
			t.Fatalf("Write(%+v), a job read from %q: %v", job, text, err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	readBack(t, jobs, read(&again))
}
