package workload_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestWriterLines(t *testing.T) {
	var b bytes.Buffer
	w := workload.NewSWIMWriter(&b)
	for _, j := range []workload.SWIMJob{
		jobA,
		withPaths(jobB, "/in", "", ""),
		withPaths(jobB, "", "/out", ""),
		withPaths(jobB, "", "", "x"),
		{ID: "j", Submit: 18.25, Gap: math.Copysign(0, -1), MapInput: 1e20, Shuffle: 1e21, Output: 5e-7},
	} {
		if err := w.Write(j); err != nil {
			t.Fatalf("Write(%v) = error %v", j, err)
		}
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes written before Flush, want 0: the buffer holds more", b.Len())
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := lineA + "\n" + lineB + "\t/in\n" + lineB + "\t\t/out\n" + lineB + "\t\t\tx\n" +
		"j\t18.25\t0\t100000000000000000000\t1e+21\t0.0000005\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// What Write takes, Read returns, and what Write refuses leaves no trace in the file.
func TestRoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.StringMatching(`[a-z/.]{0,20}`))
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		want := written(t, 40, workload.NewSWIMWriter(&b), "workload.SWIMWriter.Write", func(submit float64) workload.SWIMJob {
			return workload.SWIMJob{ID: rapid.OneOf(text, rapid.Just("job")).Draw(t, "id"), Submit: submit, Gap: amount.Draw(t, "gap"),
				MapInput: amount.Draw(t, "in"), Shuffle: amount.Draw(t, "shuffle"), Output: amount.Draw(t, "out"),
				InputPath: text.Draw(t, "in path"), OutputPath: text.Draw(t, "out path"), Extra: text.Draw(t, "extra")}
		})
		readBack(t, want, workload.NewSWIMReader(&b).All())
	})
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
		w := workload.NewSWIMWriter(&b)
		if err := w.Write(jobA); err != nil {
			t.Fatal(err)
		}
		var ie *schedmath.InputError
		if err := w.Write(c.job); !errors.As(err, &ie) || ie.Reason != c.reason || ie.Arg != "job" || ie.Index != -1 {
			t.Errorf("Write of a job with %s: error %v", c.reason, err)
		}
		if err := errors.Join(w.Write(jobB), w.Flush()); err != nil || b.String() != lineA+"\n"+lineB+"\n" {
			t.Errorf("after a job with %s: error %v, text %q, want the two good jobs", c.reason, err, b.String())
		}
	}
}

func TestWriterToNothing(t *testing.T) {
	for name, w := range map[string]*workload.SWIMWriter{"nil writer": workload.NewSWIMWriter(nil), "zero value": {}, "nil": nil} {
		for _, err := range []error{w.Write(jobA), w.Flush()} {
			var ie *schedmath.InputError
			if !errors.As(err, &ie) || ie.Func != "workload.NewSWIMWriter" || ie.Arg != "w" {
				t.Errorf("%s: error %v, want an InputError about w", name, err)
			}
		}
	}
	full := errors.New("no space left")
	w := workload.NewSWIMWriter(failing{full})
	if err := w.Write(jobA); err != nil {
		t.Errorf("Write into the buffer = error %v, want none yet", err)
	}
	for range 2 {
		if err := w.Flush(); !errors.Is(err, full) || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("Flush() = error %v, want %v", err, full)
		}
	}
	if err := w.Write(jobB); !errors.Is(err, full) {
		t.Errorf("Write after a failed Flush = error %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
