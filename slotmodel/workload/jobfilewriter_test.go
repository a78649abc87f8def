package workload_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteJobs(t *testing.T) {
	var b bytes.Buffer
	if err := workload.WriteJobs(&b, []workload.JobRecord{recordA, recordB}); err != nil || b.String() != jobHead+jobLineA+jobLineB {
		t.Errorf("WriteJobs: error %v, text\n%s", err, b.String())
	}
	b.Reset()
	if err := workload.WriteJobs(&b, nil); err != nil || b.String() != jobHead {
		t.Errorf("WriteJobs of no jobs: error %v, text %q", err, b.String())
	}
	edit := func(f func(*workload.JobRecord)) workload.JobRecord {
		j := recordB
		f(&j)
		return j
	}
	type jr = workload.JobRecord
	for _, c := range []struct {
		job    workload.JobRecord
		reason string
	}{
		{edit(func(j *jr) { j.ID = "" }), "ID is empty"},
		{edit(func(j *jr) { j.ID = "\ufeffb" }), "ID starts with a byte order mark"},
		{edit(func(j *jr) { j.User = "a\tb" }), "User holds the control byte 0x09"},
		{edit(func(j *jr) { j.Queue = "a\nb" }), "Queue holds the control byte 0x0a"},
		{edit(func(j *jr) { j.Submit = 0.25 }), "Submit is 0.25, want at least the 0.5 of the job before"},
		{edit(func(j *jr) { j.Submit = math.NaN() }), "Submit is NaN, want a finite number >= 0"},
		{edit(func(j *jr) { j.Deadline = -1 }), "Deadline is -1, want a finite number >= 0"},
		{edit(func(j *jr) { j.Maps = -1 }), "Maps is -1, want 0 to 1073741823"},
		{edit(func(j *jr) { j.Reduces = 1 << 30 }), "Reduces is 1073741824, want 0 to 1073741823"},
		{edit(func(j *jr) { j.MapSeconds = math.Inf(1) }), "MapSeconds is +Inf, want a finite number >= 0"},
		{edit(func(j *jr) { j.ReduceSeconds = -1 }), "ReduceSeconds is -1, want a finite number >= 0"},
		{edit(func(j *jr) { j.Input = math.NaN() }), "Input is NaN, want a finite number >= 0"},
		{edit(func(j *jr) { j.Shuffle = -5e-324 }), "Shuffle is -5e-324, want a finite number >= 0"},
		{edit(func(j *jr) { j.Output = math.Inf(-1) }), "Output is -Inf, want a finite number >= 0"},
		{edit(func(j *jr) { j.User = strings.Repeat("x", workload.MaxLineBytes) }), "line of 16777251 bytes, want at most 16777216"},
	} {
		var b bytes.Buffer
		w := workload.NewJobWriter(&b)
		if err := w.Write(recordA); err != nil {
			t.Fatal(err)
		}
		var ie *schedmath.InputError
		if err := w.Write(c.job); !errors.As(err, &ie) || ie.Func != "workload.JobWriter.Write" || ie.Arg != "job" || ie.Reason != c.reason {
			t.Errorf("Write of a job with %s: error %v", c.reason, err)
		}
		if err := errors.Join(w.Write(recordB), w.Flush()); err != nil || b.String() != jobHead+jobLineA+jobLineB {
			t.Errorf("after a job with %s: error %v, text %q, want the two good jobs", c.reason, err, b.String())
		}
		if err := workload.WriteJobs(io.Discard, []workload.JobRecord{recordA, c.job}); !errors.As(err, &ie) || ie.Func != "workload.WriteJobs" || ie.Index != 1 || ie.Reason != c.reason {
			t.Errorf("WriteJobs with %s: error %v", c.reason, err)
		}
	}
}

func TestJobWriterToNothing(t *testing.T) {
	var ie *schedmath.InputError
	for name, w := range map[string]*workload.JobWriter{"nil writer": workload.NewJobWriter(nil), "zero value": {}, "nil": nil} {
		for _, err := range []error{w.Write(recordA), w.Flush()} {
			if !errors.As(err, &ie) || ie.Func != "workload.NewJobWriter" {
				t.Errorf("%s: error %v, want an InputError", name, err)
			}
		}
	}
	if err := workload.WriteJobs(nil, nil); !errors.As(err, &ie) || ie.Func != "workload.WriteJobs" || ie.Arg != "w" {
		t.Errorf("WriteJobs(nil, nil) = error %v", err)
	}
	for _, n := range []int{1, 10_000} { // found by Flush, and by a Write
		jobs := slices.Repeat([]workload.JobRecord{recordA}, n)
		if err := workload.WriteJobs(full{}, jobs); err != io.ErrShortWrite {
			t.Errorf("WriteJobs of %d jobs to a full disk = error %v, want %v", n, err, io.ErrShortWrite)
		}
	}
}

// What Write takes, Read returns, and what Write refuses leaves no trace in the file.
func TestJobRoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.StringMatching(`[a-z/. ]{0,50}`))
	count := rapid.IntRange(-1, 1<<30)
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		want := written(t, 30, workload.NewJobWriter(&b), "workload.JobWriter.Write", func(submit float64) workload.JobRecord {
			return workload.JobRecord{ID: rapid.OneOf(text, rapid.Just("job")).Draw(t, "id"), Submit: submit, User: text.Draw(t, "user"), Queue: text.Draw(t, "queue"),
				Deadline: amount.Draw(t, "deadline"), Maps: count.Draw(t, "maps"), Reduces: count.Draw(t, "reduces"), MapSeconds: amount.Draw(t, "map_s"),
				ReduceSeconds: amount.Draw(t, "reduce_s"), Input: amount.Draw(t, "in"), Shuffle: amount.Draw(t, "shuffle"), Output: amount.Draw(t, "out")}
		})
		readBack(t, want, workload.NewJobReader(&b).All())
	})
}
