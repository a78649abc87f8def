package joblog_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const smallest = `a table of the two lines "user,submit,tasks,run" and "anna,0,4,60" is the smallest that is read`

func TestTable(t *testing.T) {
	job := func(user int, submit float64, tasks int, run float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{User: user, Arrival: submit, Maps: slotmodel.Phase{Tasks: tasks, Work: run}, Slowstart: workload.Slowstart}
	}
	full := job(0, 5, 4, 60)
	full.Maps.Memory, full.Deadline, full.Priority, full.Rigid, full.Requested = 8e9, 100, 2.5, true, 90
	plain := job(1, 0, 1, .5)
	plain.Priority = 1
	anna := played{Jobs: []slotmodel.JobSpec{job(0, 0, 4, 60)}, Users: []string{"anna"}}
	three := played{Jobs: []slotmodel.JobSpec{job(0, 0, 4, 60), job(1, 90, 1, 2), job(0, 30.25, 0, 0)}, Users: []string{"anna", "ben \"b\", jr"}}
	for name, c := range map[string]struct {
		text string
		want played
	}{
		"smallest":                 {"user,submit,tasks,run\nanna,0,4,60\n", anna},
		"no line end":              {"user,submit,tasks,run\nanna,0,4,60", anna},
		"Windows, byte order mark": {"\ufeffuser,submit,tasks,run\r\nanna,0,4,60\r\n", anna},
		"quotes, mark":             {"\ufeff\"User\",\"Submit\",\"Tasks\",\"Run\"\n\"anna\",\"0\",\"4\",\"60\"\n", anna},
		"tabs, another order":      {"RUN\tTasks\tcluster\tuser\tx\ty\tz\tsubmit\n60\t4\tmain\tanna\t\t\t\t1700000000\n", anna},
		"semicolons":               {"user; submit;\"tasks\";run;note\n\"anna\";0;4;60;a, b\n", anna},
		"blanks":                   {"user, submit, tasks, run\nanna, 17, 4 , 60\n\n", anna},
		"unknown":                  {"user,submit,tasks,run,queue,\nanna,0,4,60,never,\n", anna},
		"gzip":                     {zipped("user,submit,tasks,run\nanna,-5,4,60\n"), anna},
		"header alone":             {"user,submit,tasks,run\n", played{}},
		"dates":                    {"user,submit,tasks,run\nanna,2026-03-01T08:30:00Z,4,60\n\"ben \"\"b\"\", jr\",2026-03-01T10:31:30+02:00,1,2\nanna,2026-03-01T08:30:30.25Z,0,0\n", three},
		"seconds":                  {"user,submit,tasks,run\nanna,-1e2,4,60\n\"ben \"\"b\"\", jr\",-10,1,2\nanna,-69.75,0,0\n", three},
		"all columns": {"user,submit,tasks,run,id,memory,deadline,weight,rigid,requested\nanna,15,4,60,nightly,8e9,110,2.5,1,90\nben,10,1,.5,,,,,,\n",
			played{Jobs: []slotmodel.JobSpec{full, plain}, Users: []string{"anna", "ben"}, Names: []string{"nightly", ""}, Weighted: true}},
	} {
		c.want.Format, c.want.Counts.Jobs = joblog.Table, len(c.want.Jobs)
		if name == "dates" || name == "seconds" {
			c.want.Counts.None = 1
		}
		c.want.Origin = map[string]float64{"tabs, another order": 1700000000, "blanks": 17, "gzip": -5, "dates": 1772353800, "seconds": -100, "all columns": 10}[name]
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.DataErrReader(strings.NewReader(c.text))} {
			if got, err := read(r, joblog.ReadOptions{}); err != nil || !cmp.Equal(c.want, got) {
				t.Errorf("%s: ReadJobs = error %v, -want +got\n%s", name, err, cmp.Diff(c.want, got))
			}
		}
	}
}

// A table may be longer than the longest line.
func TestLongTable(t *testing.T) {
	const n = 20_000
	got, err := read(strings.NewReader("user,submit,tasks,run,x\n"+strings.Repeat("anna,0,1,60,"+strings.Repeat("x", 1000)+"\n", n)), joblog.ReadOptions{})
	if err != nil || len(got.Jobs) != n || len(got.Users) != 1 {
		t.Errorf("ReadJobs of %d jobs = %d jobs, error %v", n, len(got.Jobs), err)
	}
}

func TestTableFaults(t *testing.T) {
	const time = "is no time: want seconds, or RFC 3339 such as 2026-03-01T08:30:00Z, or with -zone 2026-03-01 08:30:00, and all of a table alike"
	head := "user,submit,tasks,run,id,memory,deadline,weight,rigid\nanna,0,4,60,,,,,\n"
	for text, want := range map[string]string{
		"user,submit,tasks\nanna,0,4\n":                                 "line 1, column 1: header has no column run, but \"user, submit, tasks\": " + smallest,
		"user,submit,tasks,run,User\n":                                  `line 1, column 23: column "user" is there twice`,
		"user,submit,tasks,run\nanna,0,4\n":                             "line 2, column 1: wrong number of fields: 3, the header has 4",
		"user,submit,tasks,run\n\n\nanna,0,\"4\"x,4\n":                  `line 4, column 10: extraneous or missing " in quoted-field`,
		"user,submit,tasks,run\nanna,0,4,\"60\n":                        `line 2, column 14: extraneous or missing " in quoted-field`,
		"user,submit,tasks,run\n\"anna\nb\",0,4,60\n":                   `line 2, column 1: user "anna\nb" holds the control byte 0x0a`,
		"user,submit,tasks,run\nanna,today,4,60\n":                      `line 2, column 6: submit "today" ` + time,
		"user,submit,tasks,run\na,0,1,1\na,2026-03-01T08:30:00Z,4,60\n": `line 3, column 3: submit "2026-03-01T08:30:00Z" ` + time,
		"user,submit,tasks,run\na,2026-03-01T08:30:00Z,1,1\na,7,4,60\n": `line 3, column 3: submit "7" ` + time,
		"user,submit,tasks,run\na,2026-03-01 08:30,1,1\n":               `line 2, column 3: submit "2026-03-01 08:30" ` + time,
		head + ",0,4,60,,,,,\n":                                         `line 3, column 1: user "" is empty`,
		head + "anna, ,4,60,,,,,\n":                                     `line 3, column 7: submit "" is empty`,
		head + "anna,1e61,4,60,,,,,\n":                                  `line 3, column 6: submit "1e61" ` + time,
		head + "anna,0,4.5,60,,,,,\n":                                   `line 3, column 8: tasks "4.5" is no whole number`,
		head + "anna,0,-1,60,,,,,\n":                                    `line 3, column 8: tasks "-1" is negative`,
		head + "anna,0,4,-60,,,,,\n":                                    `line 3, column 10: run "-60" is negative`,
		head + "anna,0,4,1h,,,,,\n":                                     `line 3, column 10: run "1h" is not a decimal number`,
		head + "anna,0,4,60,a\x01b,,,,\n":                               `line 3, column 13: id "a\x01b" holds the control byte 0x01`,
		head + "anna,0,4,60,,8GB,,,\n":                                  `line 3, column 14: memory "8GB" is not a decimal number`,
		head + "anna,7,4,60,,,7,,\n":                                    `line 3, column 15: deadline "7" is not after the submit time`,
		head + "anna,0,4,60,,,,0,\n":                                    `line 3, column 16: weight "0" is 0, want a number above 0`,
		head + "anna,0,4,60,,,,-1,\n":                                   `line 3, column 16: weight "-1" is negative`,
		head + "anna,0,4,60,,,,,yes\n":                                  `line 3, column 17: rigid "yes" is not a decimal number`,
		head + "anna,0,16777213,60,,,,,\n":                              `line 3, column 8: tasks "16777213" ` + tooMany("16777217"),
		head + strings.Repeat("x", 1<<25):                               "line 3, column 1: line is longer than 1048576 bytes, with all lines of a quoted field",
		head + `"` + strings.Repeat("x\n", 1<<24):                       "line 3, column 1: line is longer than 1048576 bytes, with all lines of a quoted field",
	} {
		got, err := read(strings.NewReader(text), joblog.ReadOptions{Strict: true})
		var pe *joblog.ParseError
		if !errors.As(err, &pe) || !errors.Is(err, schedmath.ErrInput) || err.Error() != "joblog: "+want || got.Jobs != nil {
			t.Errorf("ReadJobs(%.200q) = %v, error %q, want %q", text, got.Jobs, err, want)
		}
	}
	whole := zipped("user,submit,tasks,run\n" + strings.Repeat("anna,0,4,60\n", 10_000))
	if _, err := read(strings.NewReader(whole[:len(whole)-3]), joblog.ReadOptions{}); !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("a table that is cut off: error %v", err)
	}
	bad := errors.New("disk on fire")
	r := io.MultiReader(strings.NewReader("user,submit,tasks,run\nanna,0"), iotest.ErrReader(bad))
	if _, err := read(r, joblog.ReadOptions{}); !errors.Is(err, bad) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("a reader that fails: error %v, want %v and no ErrInput", err, bad)
	}
}

func tooMany(tasks string) string {
	return "brings the tasks of all jobs to " + tasks + ", more than MaxTasks = 16777216: a run takes 5 bytes for each, and some 400 for each that runs"
}

// A few bytes that name more tasks than memory holds are refused by every reader; the option raises
// the limit.
func TestMaxTasks(t *testing.T) {
	const swf = "1 0 -1 3600 4 -1 -1 16777216 7200 -1 1 5 2 -1 1 -1 -1 -1\n"
	for text, want := range map[string]string{
		swf + "2" + strings.Replace(swf[1:], "16777216", "1", 1): "line 2, column 1: " + tooMany("16777217"),
		"user,submit,tasks,run\nanna,0,16777217,1\n":             `line 2, column 8: tasks "16777217" ` + tooMany("16777217"),
	} {
		if got, err := read(strings.NewReader(text), joblog.ReadOptions{}); err == nil || err.Error() != "joblog: "+want || got.Jobs != nil {
			t.Errorf("ReadJobs(%q) = %v, error %v, want %q", text, got.Jobs, err, want)
		}
		if got, err := read(strings.NewReader(text), joblog.ReadOptions{MaxTasks: 500_000_000}); err != nil || len(got.Jobs) == 0 {
			t.Errorf("ReadJobs(%q) with a limit of 500 million = %v, error %v", text, got.Jobs, err)
		}
	}
}

// TestOtherFiles: a file that nothing here reads is refused with what to do about it.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"BZh91AY&SY\x01": "bzip2", "\xfd7zXZ\x00\x00": "xz", "(\xb5/\xfd\x04\x00": "zstd", "PK\x03\x04\x14": "zip",
		"user;submit;tasks;run\nanna;0;4;60,5\n": "want a point before the fraction",
	} {
		if _, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadJobs(%q) = %v, want %q", text, err, want)
		}
	}
	if _, err := joblog.ReadJobs(strings.NewReader(tinySacct), joblog.ReadOptions{Resource: "gpu"}); err == nil || !strings.Contains(err.Error(), "-o JobID,Submit,Start,End,AllocTRES,ReqTRES is the least that is read") {
		t.Errorf("GPUs of a log of CPUs: %v", err)
	}
	// Blanks before a list of JSON are JSON.
	for _, blanks := range []string{"", "\n", " \r\n\t", strings.Repeat("\n", 500)} {
		if log, err := joblog.ReadJobs(strings.NewReader(blanks+`{"kind":"List","items":[]}`), joblog.ReadOptions{}); err != nil || log.Format != joblog.Kubernetes {
			t.Errorf("a list behind %.20q: %v, %v", blanks, log.Format, err)
		}
	}
}

// TestOpenQuote: a quote that takes in the lines behind it is no fault of a single line, and one in the
// last line is.
func TestOpenQuote(t *testing.T) {
	const row = "anna,0,4,60\n"
	rows := strings.Repeat(row, 20)
	for text, want := range map[string]string{
		tinyTable + rows + `"` + row + rows:             `line 42, column 13: extraneous or missing " in quoted-field, of a record that begins on line 22`,
		tinyTable + rows + `"` + row + rows + `"` + row: `line 43, column 1: extraneous or missing " in quoted-field, of a record that begins on line 22`,
	} {
		log, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{Bad: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d jobs of 41, left out %v, error %v, want %q", len(log.Jobs), log.LeftOut, err, want)
		}
	}
	log, err := joblog.ReadJobs(strings.NewReader(tinyTable+rows+`"`+row), joblog.ReadOptions{Bad: 1})
	if err != nil || len(log.Jobs) != 20 || len(log.LeftOut) != 1 || log.LeftOut[0].First != 22 {
		t.Errorf("%d jobs, left out %v, %v, want 20 and line 22", len(log.Jobs), log.LeftOut, err)
	}
}
