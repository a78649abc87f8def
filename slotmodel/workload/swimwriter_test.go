package workload_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestWriterLines(t *testing.T) {
	var b bytes.Buffer
	err := workload.WriteSWIM(&b, []workload.SWIMJob{
		jobA,
		withPaths(jobB, "/in", "", ""),
		withPaths(jobB, "", "/out", ""),
		withPaths(jobB, "", "", "x"),
		{ID: "j", Submit: 18.25, Gap: math.Copysign(0, -1), MapInput: 1e20, Shuffle: 1e21, Output: 5e-7},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := lineA + "\n" + lineB + "\t/in\n" + lineB + "\t\t/out\n" + lineB + "\t\t\tx\n" +
		"j\t18.25\t0\t100000000000000000000\t1e+21\t0.0000005\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestWriterRefuses(t *testing.T) {
	edit := func(f func(*workload.SWIMJob)) workload.SWIMJob {
		j := jobB
		f(&j)
		return j
	}
	for _, c := range []struct {
		job    workload.SWIMJob
		reason string
	}{
		{edit(func(j *workload.SWIMJob) { j.ID = "" }), "ID is empty"},
		{edit(func(j *workload.SWIMJob) { j.ID = "\ufeffx" }), "ID starts with a byte order mark"},
		{edit(func(j *workload.SWIMJob) { j.ID = "\x1f\x8b" }), "ID holds the control byte 0x1f"},
		{edit(func(j *workload.SWIMJob) { j.ID = "job\t1" }), "ID holds the control byte 0x09"},
		{edit(func(j *workload.SWIMJob) { j.InputPath = "a\nb" }), "InputPath holds the control byte 0x0a"},
		{edit(func(j *workload.SWIMJob) { j.OutputPath = "a\r" }), "OutputPath holds the control byte 0x0d"},
		{edit(func(j *workload.SWIMJob) { j.Extra = "\x7f" }), "Extra holds the control byte 0x7f"},
		{edit(func(j *workload.SWIMJob) { j.Submit = math.NaN() }), "Submit is NaN, want a finite number >= 0"},
		{edit(func(j *workload.SWIMJob) { j.Submit = 8 }), "Submit is 8, want at least the 9 of the job before"},
		{edit(func(j *workload.SWIMJob) { j.Gap = -1 }), "Gap is -1, want a finite number >= 0"},
		{edit(func(j *workload.SWIMJob) { j.MapInput = math.Inf(1) }), "MapInput is +Inf, want a finite number >= 0"},
		{edit(func(j *workload.SWIMJob) { j.Shuffle = -5e-324 }), "Shuffle is -5e-324, want a finite number >= 0"},
		{edit(func(j *workload.SWIMJob) { j.Output = math.Inf(-1) }), "Output is -Inf, want a finite number >= 0"},
		{edit(func(j *workload.SWIMJob) { j.Extra = strings.Repeat("x", workload.MaxLineBytes) }),
			"line of 16777240 bytes, want at most 16777216"},
	} {
		var b bytes.Buffer
		err := workload.WriteSWIM(&b, []workload.SWIMJob{jobA, c.job, jobB})
		want := &schedmath.InputError{Func: "workload.WriteSWIM", Arg: "jobs", Index: 1, Reason: c.reason}
		if d := cmp.Diff(error(want), err); d != "" {
			t.Errorf("WriteSWIM of a job with %s: -want +got error\n%s", c.reason, d)
		}
	}
}

func TestWriterToNothing(t *testing.T) {
	var ie *schedmath.InputError
	if err := workload.WriteSWIM(nil, []workload.SWIMJob{jobA}); !errors.As(err, &ie) || ie.Func != "workload.WriteSWIM" || ie.Arg != "w" {
		t.Errorf("WriteSWIM(nil) = error %v, want an InputError about w", err)
	}
	full := errors.New("no space left")
	for _, n := range []int{1, 10_000} { // found at the end, and by a line
		if err := workload.WriteSWIM(failing{full}, slices.Repeat([]workload.SWIMJob{jobA}, n)); err != full {
			t.Errorf("WriteSWIM of %d jobs to a full disk = error %v, want %v", n, err, full)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
