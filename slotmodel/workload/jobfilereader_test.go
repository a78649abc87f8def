package workload_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
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
	if _, err := workload.ReadJobs(nil); !errors.As(err, &ie) || ie.Func != "workload.ReadJobs" || ie.Arg != "r" {
		t.Errorf("ReadJobs(nil) = error %v", err)
	}
}
