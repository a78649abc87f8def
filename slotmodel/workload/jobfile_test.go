package workload_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const (
	jobHead  = "id\tsubmit\tuser\tqueue\tdeadline\tmaps\treduces\tmap_s\treduce_s\tinput\tshuffle\toutput\n"
	jobLineA = "a\t0.5\tann\tlow\t0\t8\t1\t20\t30.25\t1073741824\t1e+21\t5\n"
	jobLineB = "b\t9\t\thigh\t900\t0\t0\t0\t0\t0\t0\t0.0000005\n"
)

var (
	recordA = workload.JobRecord{ID: "a", Submit: 0.5, User: "ann", Queue: "low", Maps: 8, Reduces: 1, MapSeconds: 20, ReduceSeconds: 30.25,
		Input: 1 << 30, Shuffle: 1e21, Output: 5}
	recordB = workload.JobRecord{ID: "b", Submit: 9, Queue: "high", Deadline: 900, Output: 5e-7}
)

func TestReadJobs(t *testing.T) {
	ab := []workload.JobRecord{recordA, recordB}
	few := []workload.JobRecord{{ID: "j", Submit: 1, Maps: 3, MapSeconds: 2}}
	for _, c := range []struct {
		name, text string
		want       []workload.JobRecord
	}{
		{"header alone", jobHead, nil},
		{"header without line end", strings.TrimSuffix(jobHead, "\n"), nil},
		{"header and an empty line", jobHead + "\n", nil},
		{"plain", jobHead + jobLineA + jobLineB, ab},
		{"no line end at the end", jobHead + jobLineA + strings.TrimSuffix(jobLineB, "\n"), ab},
		{"CRLF", strings.ReplaceAll(jobHead+jobLineA+jobLineB+"\n\n", "\n", "\r\n"), ab},
		{"gzip", zipped(jobHead + jobLineA + jobLineB), ab},
		{"four columns", "id\tsubmit\tmaps\tmap_s\nj\t1\t3\t2", few},
		{"four columns in another order", "map_s\tmaps\tid\tsubmit\n2\t3\tj\t1\n", few},
		{"all columns backwards", "output\tshuffle\tinput\treduce_s\tmap_s\treduces\tmaps\tdeadline\tqueue\tuser\tsubmit\tid\n" +
			"5\t1000000000000000000000\t1073741824\t30.25\t20\t1\t8\t0\tlow\tann\t0.5\ta\n", ab[:1]},
		{"empty last field", "id\tsubmit\tmaps\tmap_s\tuser\nj\t1\t3\t2\t\n", few},
		{"numbers", "id\tsubmit\tmaps\tmap_s\nj\t-0\t000003\t2E0\n", []workload.JobRecord{{ID: "j", Maps: 3, MapSeconds: 2}}},
		{"largest counts", "id\tsubmit\tmaps\tmap_s\treduces\nj\t0\t1073741823\t0\t1073741823\n",
			[]workload.JobRecord{{ID: "j", Maps: 1<<30 - 1, Reduces: 1<<30 - 1}}},
		{"equal times, the same user", "id\tsubmit\tmaps\tmap_s\tuser\nj\t1\t3\t2\tü 1\nk\t1\t3\t2\tü 1\n",
			[]workload.JobRecord{{ID: "j", Submit: 1, Maps: 3, MapSeconds: 2, User: "ü 1"}, {ID: "k", Submit: 1, Maps: 3, MapSeconds: 2, User: "ü 1"}}},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.DataErrReader(strings.NewReader(c.text))} {
			if got, err := workload.ReadJobs(r); err != nil || !cmp.Equal(c.want, got) {
				t.Errorf("ReadJobs(%s) = error %v, -want +got\n%s", c.name, err, cmp.Diff(c.want, got))
			}
		}
	}
}

// Each text has one defect; want is the whole message.
func TestBrokenJobFiles(t *testing.T) {
	line := func(fields string) string { return jobHead + jobLineA + strings.ReplaceAll(fields, " ", "\t") + "\n" }
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", `line 1, column 1: header is missing`},
		{"empty lines alone", "\n\n", `line 1, column 1: header is missing`},
		{"empty line before the header", "\n" + jobHead, `line 1, column 1: line is empty`},
		{"no header", jobLineA, `line 1, column 1: column "a" is no column of a job file`},
		{"byte order mark", "\ufeff" + jobHead, `line 1, column 1: column "\ufeffid" starts with a byte order mark`},
		{"mistyped column", "id\tsubmit\tmaps\tmap_s\tusr\n", `line 1, column 22: column "usr" is no column of a job file`},
		{"upper case", "ID\tsubmit\tmaps\tmap_s\n", `line 1, column 1: column "ID" is no column of a job file`},
		{"column twice", "id\tsubmit\tmaps\tmap_s\tid\n", `line 1, column 22: column "id" is there twice`},
		{"column without name", "id\tsubmit\t\tmaps\tmap_s\n", `line 1, column 11: column "" is no column of a job file`},
		{"first column without name", "\tsubmit\tid\tmaps\tmap_s\n", `line 1, column 1: column "" is empty`},
		{"tab behind the header", "id\tsubmit\tmaps\tmap_s\t\n", `line 1, column 22: column "" is no column of a job file`},
		{"commas", "id,submit,maps,map_s\n", `line 1, column 1: column "id,submit,maps,map_s" is no column of a job file`},
		{"column missing", "id\tsubmit\tmap_s\n", `line 1, column 16: header has no column "maps"`},
		{"too few fields", line("b 9 u q 0 1 1 1 1 0 0"), `line 3, column 22: line ends after field 11 of 12`},
		{"too many fields", line("b 9 u q 0 1 1 1 1 0 0 0 0"), `line 3, column 25: line has more than 12 fields`},
		{"header again", jobHead + jobHead, `line 2, column 4: submit "submit" is not a decimal number`},
		{"empty line before a job", jobHead + "\n" + jobLineA, `line 2, column 1: line is empty`},
		{"empty id", line(" 9 u q 0 1 1 1 1 0 0 0"), `line 3, column 1: id "" is empty`},
		{"control byte in the id", line("b\x01 9 u q 0 1 1 1 1 0 0 0"), `line 3, column 2: id "b\x01" holds the control byte 0x01`},
		{"control byte in the user", line("b 9 u\x7f q 0 1 1 1 1 0 0 0"), `line 3, column 6: user "u\x7f" holds the control byte 0x7f`},
		{"CR in the queue", line("b 9 u q\r 0 1 1 1 1 0 0 0"), `line 3, column 8: queue "q\r" holds the control byte 0x0d`},
		{"empty number", line("b  u q 0 1 1 1 1 0 0 0"), `line 3, column 3: submit "" is empty, want a number`},
		{"negative deadline", line("b 9 u q -1 1 1 1 1 0 0 0"), `line 3, column 9: deadline "-1" is negative`},
		{"empty count", line("b 9 u q 0  1 1 1 0 0 0"), `line 3, column 11: maps "" is empty, want a number`},
		{"half a task", line("b 9 u q 0 1.5 1 1 1 0 0 0"), `line 3, column 11: maps "1.5" is no whole number of tasks`},
		{"negative count", line("b 9 u q 0 1 -1 1 1 0 0 0"), `line 3, column 13: reduces "-1" is no whole number of tasks`},
		{"exponent in a count", line("b 9 u q 0 1e3 1 1 1 0 0 0"), `line 3, column 11: maps "1e3" is no whole number of tasks`},
		{"too many tasks", line("b 9 u q 0 1073741824 1 1 1 0 0 0"), `line 3, column 11: maps "1073741824" is more than 1073741823`},
		{"far too many tasks", line("b 9 u q 0 1 99999999999999999999 1 1 0 0 0"), `line 3, column 13: reduces "99999999999999999999" is more than 1073741823`},
		{"NaN", line("b 9 u q 0 1 1 NaN 1 0 0 0"), `line 3, column 15: map_s "NaN" is not finite`},
		{"unit", line("b 9 u q 0 1 1 1 5s 0 0 0"), `line 3, column 17: reduce_s "5s" is not a decimal number`},
		{"infinity", line("b 9 u q 0 1 1 1 1 Inf 0 0"), `line 3, column 19: input "Inf" is not finite`},
		{"overflow", line("b 9 u q 0 1 1 1 1 0 1e309 0"), `line 3, column 21: shuffle "1e309" is larger than any float64`},
		{"hexadecimal", line("b 9 u q 0 1 1 1 1 0 0 0x1"), `line 3, column 23: output "0x1" is not a decimal number`},
		{"time backwards", line("b 0.25 u q 0 1 1 1 1 0 0 0"), `line 3, column 3: submit "0.25" is before the 0.5 of line 2`},
		{"id again", line("a 9 u q 0 1 1 1 1 0 0 0"), `line 3, column 1: id "a" repeats that of line 2`},
		{"id again in the last column", "submit\tmaps\tmap_s\tid\n1\t2\t3\tx\n1\t2\t3\tx", `line 3, column 7: id "x" repeats that of line 2`},
		{"too long", jobHead + strings.Repeat("x", workload.MaxLineBytes+1), `line 2, column 16777217: line is longer than 16777216 bytes`},
		{"header too long", strings.Repeat("x", workload.MaxLineBytes+1), `line 1, column 16777217: line is longer than 16777216 bytes`},
	} {
		for _, text := range []string{c.text, zipped(c.text)} {
			jobs, err := workload.ReadJobs(strings.NewReader(text))
			var pe *workload.ParseError
			if !errors.As(err, &pe) || !errors.Is(err, schedmath.ErrInput) || err.Error() != "workload: "+c.want || jobs != nil {
				t.Errorf("ReadJobs(%s) = %v, error %q, want %q", c.name, jobs, err, c.want)
			}
		}
	}
}

func TestJobReaderGoesOn(t *testing.T) {
	r := workload.NewJobReader(strings.NewReader("id\tsubmit\tmaps\tmap_s\nj\t1\t2\t3\nbroken\n\n\nk\t0\t1\t1\nj\t2\t1\t1\n"))
	var got []string
	for job, err := range r.All() {
		var pe *workload.ParseError
		if errors.As(err, &pe) {
			got = append(got, fmt.Sprint("line ", pe.Line))
			continue
		}
		got = append(got, fmt.Sprint(job.ID, err))
	}
	if d := cmp.Diff([]string{"j<nil>", "line 3", "line 4", "line 6", "j<nil>"}, got); d != "" {
		t.Errorf("All(): -want +got\n%s", d)
	}
	for range 2 {
		if _, err := r.Read(); err != io.EOF {
			t.Errorf("Read() at the end = error %v, want io.EOF", err)
		}
	}
	r = workload.NewJobReader(strings.NewReader("nonsense\n" + jobHead + jobLineA))
	_, first := r.Read()
	n := 0
	for _, err := range r.All() {
		if n++; err != first || first == nil {
			t.Errorf("after a bad header: error %v, want %v again", err, first)
		}
	}
	if n != 1 {
		t.Errorf("after a bad header All() gives %d pairs, want 1", n)
	}
	r = workload.NewJobReader(strings.NewReader(jobHead + jobLineA + jobLineB))
	for range r.All() {
		break
	}
	if job, err := r.Read(); job != recordB || err != nil {
		t.Errorf("Read() after leaving All() = %v, %v, want %v", job, err, recordB)
	}
}

func TestJobStreamBreaks(t *testing.T) {
	whole := zipped(jobHead + strings.Repeat(jobLineA, 1000))
	for _, text := range []string{whole[:5], whole[:30], whole[:len(whole)-3]} {
		_, err := workload.ReadJobs(strings.NewReader(text))
		r := workload.NewJobReader(strings.NewReader(text))
		var last error
		for _, err := range r.All() {
			last = err
		}
		var pe *workload.ParseError
		if !errors.As(last, &pe) || pe.Column != 0 || !errors.Is(last, io.ErrUnexpectedEOF) || err == nil {
			t.Errorf("%d of %d bytes: error %v and %v, want a broken stream", len(text), len(whole), last, err)
		}
		if _, again := r.Read(); again != last {
			t.Errorf("%d of %d bytes: the next Read returns %v, want %v again", len(text), len(whole), again, last)
		}
	}
	bad := errors.New("disk on fire")
	for _, front := range []string{"", jobHead[:9], jobHead, jobHead + jobLineA[:3]} {
		if _, err := workload.ReadJobs(io.MultiReader(strings.NewReader(front), iotest.ErrReader(bad))); !errors.Is(err, bad) || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("a reader that fails after %d bytes: error %v, want %v and no ErrInput", len(front), err, bad)
		}
	}
	var ie *schedmath.InputError
	for name, r := range map[string]*workload.JobReader{"nil reader": workload.NewJobReader(nil), "zero value": {}, "nil": nil} {
		n := 0
		for _, err := range r.All() {
			if n++; !errors.As(err, &ie) || ie.Func != "workload.NewJobReader" {
				t.Errorf("%s: error %v, want an InputError", name, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: All() gives %d pairs, want 1", name, n)
		}
	}
	for name, w := range map[string]*workload.JobWriter{"nil writer": workload.NewJobWriter(nil), "zero value": {}, "nil": nil} {
		for _, err := range []error{w.Write(recordA), w.Flush()} {
			if !errors.As(err, &ie) || ie.Func != "workload.NewJobWriter" {
				t.Errorf("%s: error %v, want an InputError", name, err)
			}
		}
	}
	if _, err := workload.ReadJobs(nil); !errors.As(err, &ie) || ie.Func != "workload.ReadJobs" || ie.Arg != "r" {
		t.Errorf("ReadJobs(nil) = error %v", err)
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

// What Write takes, Read returns, and what Write refuses leaves no trace in the file.
func TestJobRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(
			rapid.Float64Range(0, math.MaxFloat64),
			rapid.Map(rapid.Uint64(), math.Float64frombits),
			rapid.Map(rapid.IntRange(-3, 1<<30), func(i int) float64 { return float64(i) }),
		)
		text := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.StringMatching(`[a-z/. ]{0,50}`))
		count := rapid.IntRange(-1, 1<<30)
		submit := 0.0
		var b bytes.Buffer
		w := workload.NewJobWriter(&b)
		var want []workload.JobRecord
		for i := range rapid.IntRange(0, 30).Draw(t, "jobs") {
			j := workload.JobRecord{ID: rapid.OneOf(text, rapid.Just("job")).Draw(t, "id"), Submit: submit, User: text.Draw(t, "user"), Queue: text.Draw(t, "queue"),
				Deadline: number.Draw(t, "deadline"), Maps: count.Draw(t, "maps"), Reduces: count.Draw(t, "reduces"), MapSeconds: number.Draw(t, "map_s"),
				ReduceSeconds: number.Draw(t, "reduce_s"), Input: number.Draw(t, "in"), Shuffle: number.Draw(t, "shuffle"), Output: number.Draw(t, "out")}
			if rapid.Bool().Draw(t, "later") {
				j.Submit = number.Draw(t, "submit")
			}
			err := w.Write(j)
			var ie *schedmath.InputError
			switch {
			case err == nil:
				want = append(want, j)
				submit = j.Submit
			case !errors.As(err, &ie):
				t.Fatalf("Write(job %d = %+v) = error %v, want none or an InputError", i, j, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		var got []workload.JobRecord
		for j, err := range workload.NewJobReader(&b).All() {
			if err != nil {
				t.Fatalf("reading %q back: %v", b.String(), err)
			}
			got = append(got, j)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("-written +read\n%s", d)
		}
	})
}

func TestSpecs(t *testing.T) {
	jobs := []workload.JobRecord{recordA, recordB, recordA, {ID: "c", Submit: 10, User: "bob", Queue: "low", Maps: 2}, {ID: "d", User: ""}}
	specs, names, err := workload.Specs([]slotmodel.JobSpec{{User: 9}}, jobs)
	if err != nil || len(specs) != 6 || specs[0].User != 9 {
		t.Fatalf("Specs = %d jobs, error %v", len(specs), err)
	}
	var users []int
	for _, s := range specs[1:] {
		users = append(users, s.User)
	}
	if d := cmp.Diff([]int{0, 1, 0, 2, 1}, users); d != "" {
		t.Errorf("users: -want +got\n%s", d)
	}
	if u, q := names.Users(), names.Queues(); !cmp.Equal(u, []string{"ann", "", "bob"}) || !cmp.Equal(q, []string{"low", "high", ""}) {
		t.Errorf("Users() = %q, Queues() = %q", u, q)
	}
	want := slotmodel.JobSpec{Arrival: 0.5, Maps: slotmodel.Phase{Tasks: 8, Work: 20}, Reduces: slotmodel.Phase{Tasks: 1, Work: 30.25},
		Slowstart: 0.95, Input: 1 << 30, Shuffle: 1e21, Output: 5}
	if d := cmp.Diff(want, specs[1]); d != "" {
		t.Errorf("job a: -want +got\n%s", d)
	}
	if specs[2].Deadline != 900 {
		t.Errorf("job b has the deadline %v, want 900", specs[2].Deadline)
	}
	var n workload.JobNames
	for i, j := range jobs {
		spec, queue, err := n.Spec(j)
		if err != nil || !cmp.Equal(spec, specs[i+1]) || n.Queues()[queue] != j.Queue || n.Users()[spec.User] != j.User {
			t.Errorf("Spec(%+v) = %+v, %d, %v", j, spec, queue, err)
		}
	}
	bad := workload.JobRecord{ID: "x", User: "new", Queue: "new", MapSeconds: math.NaN()}
	var ie *schedmath.InputError
	if _, _, err := n.Spec(bad); !errors.As(err, &ie) || ie.Func != "workload.JobNames.Spec" || ie.Arg != "job" || len(n.Users()) != 3 || len(n.Queues()) != 3 {
		t.Errorf("Spec(%+v) = error %v, names %q, %q", bad, err, n.Users(), n.Queues())
	}
	dst := []slotmodel.JobSpec{{User: 4}}
	got, names, err := workload.Specs(dst, []workload.JobRecord{recordA, bad})
	if !errors.As(err, &ie) || ie.Func != "workload.Specs" || ie.Arg != "jobs" || ie.Index != 1 || !cmp.Equal(got, dst) || names != nil {
		t.Errorf("Specs with a bad job = %v, %v, error %v", got, names, err)
	}
	var none *workload.JobNames
	if _, _, err := none.Spec(recordA); !errors.As(err, &ie) || ie.Arg != "n" || none.Users() != nil || none.Queues() != nil {
		t.Errorf("Spec of a nil JobNames: error %v", err)
	}
}

// An exploded trace comes back from a job file, user numbers and all; of unequal works the mean is left.
func TestRecordOf(t *testing.T) {
	want, _ := explode(t, synthetic(t, 3)[:3000], workload.ExplodeOptions{}, 1)
	records := make([]workload.JobRecord, len(want))
	for i, s := range want {
		var err error
		if records[i], err = workload.RecordOf(fmt.Sprint(i), "ann", "", s); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := workload.WriteJobs(&b, records); err != nil {
		t.Fatal(err)
	}
	back, err := workload.ReadJobs(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, names, err := workload.Specs(nil, back)
	if err != nil || !cmp.Equal(want, got) || !cmp.Equal(names.Users(), []string{"ann"}) {
		t.Errorf("an exploded trace through a job file: error %v, users %q, equal jobs: %t", err, names.Users(), cmp.Equal(want, got))
	}
	skewed := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 4, Works: []float64{1, 2, 3, 6}}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5}}
	if r, err := workload.RecordOf("x", "u", "q", skewed); err != nil || r != (workload.JobRecord{ID: "x", User: "u", Queue: "q", Maps: 4, MapSeconds: 3, Reduces: 2, ReduceSeconds: 5}) {
		t.Errorf("RecordOf(%+v) = %+v, error %v", skewed, r, err)
	}
	skewed.Maps.Works[2] = math.NaN()
	var ie *schedmath.InputError
	if r, err := workload.RecordOf("x", "u", "q", skewed); !errors.As(err, &ie) || ie.Func != "workload.RecordOf" || ie.Arg != "spec" || r != (workload.JobRecord{}) {
		t.Errorf("RecordOf with a work NaN = %+v, error %v", r, err)
	}
}

// Whatever the bytes, the reader ends without a panic, faults only with its own errors, and what it accepts comes back from
// the writer as the same jobs.
func FuzzJobReader(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n", jobHead, jobHead + jobLineA + jobLineB, strings.ReplaceAll(jobHead+jobLineA+"\n\n", "\n", "\r\n"), jobLineA,
		"id\tsubmit\tmaps\tmap_s\nj\t1\t3\t2\nk\t0\t1\t1\n\nl\t9\t9\t9", "map_s\tmaps\tid\tsubmit\n2\t3\tj\t1\n", "id\tid\n", "\tid", "\ufeff" + jobHead,
		zipped(jobHead + jobLineA), zipped(jobHead + jobLineA)[:40], zipped(zipped(jobHead)), "\x1f\x8b", jobHead + strings.Repeat("\t", 11),
		jobHead + strings.Repeat("\t", 12), "id\tsubmit\tmaps\tmap_s\tuser\nj\t-0\t1073741823\t.5\t \nj\t1e3\t1073741824\t1.\t\x00\n",
		"id\tsubmit\tmaps\tmap_s\nj\t1\t-1\t2\nj\t1\t99999999999999999999\t2\nj\tNaN\t1\t0x1\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		var jobs []workload.JobRecord
		r := workload.NewJobReader(io.LimitReader(bytes.NewReader(file), 1<<20))
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
		if err := workload.WriteJobs(&again, jobs); err != nil {
			t.Fatalf("WriteJobs of jobs read from %q: %v", file, err)
		}
		var back []workload.JobRecord
		for job, err := range workload.NewJobReader(&again).All() {
			if err != nil {
				t.Fatalf("reading back the jobs of %q: %v", file, err)
			}
			back = append(back, job)
		}
		if !cmp.Equal(jobs, back) {
			t.Fatalf("jobs of %q:\nread      %+v\nread back %+v", file, jobs, back)
		}
	})
}
