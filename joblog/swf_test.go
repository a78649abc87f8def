package joblog_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// specsOf is the jobs that are replayed, those of a SWIM trace as well.
func specsOf(r io.Reader) ([]slotmodel.JobSpec, error) {
	p, err := read(r, joblog.ReadOptions{})
	if err == nil && p.SWIM != nil {
		return workload.Explode(nil, p.SWIM, workload.ExplodeOptions{})
	}
	return p.Jobs, err
}

// strictly is the jobs that are replayed of a file without any fault.
func strictly(r io.Reader) ([]slotmodel.JobSpec, error) {
	p, err := read(r, joblog.ReadOptions{Strict: true})
	return p.Jobs, err
}

// swfJob is a job in the Standard Workload Format: 18 numbers with blanks between them.
const swfJob = "  1 0 -1 3600 4 3598.5 -1 4 7200 -1 1 5 2 -1 1 -1 -1 -1"

// A log in the Standard Workload Format is read by ReadJobs and named by ReadSWIM.
func TestSWF(t *testing.T) {
	const want = "joblog: line 1, column 1: file looks like the Standard Workload Format (SWF), which ReadJobs reads"
	job := slotmodel.JobSpec{User: 5, Maps: slotmodel.Phase{Tasks: 4, Work: 3600}, Slowstart: workload.Slowstart, Requested: 7200, Rigid: true}
	later, wide := job, job
	later.Arrival, later.Maps.Work, later.User, later.Requested = 7.5, .25, 0, 0
	wide.Maps.Tasks = 6
	for name, c := range map[string]struct {
		text string
		want []slotmodel.JobSpec
	}{
		"header":        {"; Version: 2.2\n; Computer: Seth\n" + swfJob + "\n", []slotmodel.JobSpec{job}},
		"no header":     {swfJob + "\n" + swfJob + "\n", []slotmodel.JobSpec{job, job}},
		"tabs":          {strings.Join(strings.Fields(swfJob), "\t") + "\n", []slotmodel.JobSpec{job}},
		"more fields":   {swfJob + " node7 -1\n", []slotmodel.JobSpec{job}},
		"Windows, gzip": {zipped("; Version: 2.2\r\n" + swfJob + "\r\n"), []slotmodel.JobSpec{job}},
		"no jobs":       {"; Version: 2.2\n \n;\n", nil},
		"unknown":       {swfJob + "\n 2 7.5 0 .25 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n", []slotmodel.JobSpec{job, later}},
		"requested":     {"1 0 -1 3600 4 -1 -1 6 7200 -1 5 5 2 -1 1 -1 -1 -1\n", []slotmodel.JobSpec{wide}}, // cancelled after an hour
		// No run time, no processors, and the parts of a job that was checkpointed.
		"left out": {swfJob + "\n2 0 -1 -1 4 -1 -1 4 -1 -1 1 5 -1 -1 1 -1 -1 -1\n3 0 -1 9 -1 -1 -1 0 -1 -1 1 5 -1 -1 1 -1 -1 -1\n4 0 -1 9 4 -1 -1 4 -1 -1 2 5 -1 -1 1 -1 -1 -1\n" +
			"4 0 -1 9 4 -1 -1 4 -1 -1 3 5 -1 -1 1 -1 -1 -1\n4 0 -1 9 4 -1 -1 4 -1 -1 4 5 -1 -1 1 -1 -1 -1\n", []slotmodel.JobSpec{job}},
	} {
		if got, err := specsOf(strings.NewReader(c.text)); err != nil || !cmp.Equal(c.want, got) {
			t.Errorf("%s: ReadJobs = error %v, -want +got\n%s", name, err, cmp.Diff(c.want, got))
		}
		if _, err := joblog.ReadSWIM(strings.NewReader(c.text)); fmt.Sprint(err) != want {
			t.Errorf("%s: ReadSWIM = %v, want %q", name, err, want)
		}
	}
	for text, want := range map[string]string{
		"; Version: 2.2\n 1 2 3":                              "line 2, column 7: line ends after field 3 of 18",
		swfJob + "\n 2  x" + strings.Repeat(" 1", 16):         `line 2, column 5: submit time "x" is not a decimal number`,
		"1 -2" + strings.Repeat(" 1", 16):                     `line 1, column 3: submit time "-2" is not within [-1, 1.6069380442589903e+60]`,
		"1 0 0 -2" + strings.Repeat(" 1", 14):                 `line 1, column 7: run time "-2" is not within [-1, 1.6069380442589903e+60]`,
		"1 0 0 9 2.5" + strings.Repeat(" 1", 13):              `line 1, column 9: allocated processors "2.5" is no whole number`,
		"1 0 0 9 2 0 0 9e9" + strings.Repeat(" 1", 10):        `line 1, column 15: requested processors "9e9" is not within [-1, 5.36870911e+08]`,
		"1 0 0 9 2 0 0 9 0 0 7" + strings.Repeat(" 1", 7):     `line 1, column 21: status "7" is not within [-1, 5]`,
		"1 0 0 9 2 0 0 9 -2" + strings.Repeat(" 1", 9):        `line 1, column 17: requested time "-2" is not within [-1, 1.6069380442589903e+60]`,
		"1 0 0 9 2 0 0 9 0 -3" + strings.Repeat(" 1", 8):      `line 1, column 19: requested memory "-3" is not within [-1, 1.5692754338466702e+57]`,
		"1 0 0 9 2 0 0 9 0 0 1 NaN" + strings.Repeat(" 1", 6): `line 1, column 23: user "NaN" is not finite`,
	} {
		if jobs, err := strictly(strings.NewReader(text)); fmt.Sprint(err) != "joblog: "+want || jobs != nil || !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("ReadJobs of %q = %v, %v, want %q", text, jobs, err, want)
		}
	}
	// The processors of the machine are those of the header, if they can be.
	for header, want := range map[string]int{"; MaxProcs: 240": 240, ";MaxProcs:\t 9": 9, "; MaxProcs: 536870912": 0, "; MaxProcs: 0": 0, "; MaxProcs: many": 0, "; MaxNodes: 7": 7, "; MaxNodes: 7\n; MaxProcs: 28": 28, "; MaxProcs: 28\n; MaxNodes: 7": 28,
		"\ufeff; MaxProcs: 1152 (1024, 128)": 1152} {
		if log, err := read(strings.NewReader(header+"\n"+swfJob), joblog.ReadOptions{}); err != nil || log.MaxProcs != want {
			t.Errorf("a log with %q has %d processors, error %v, want %d", header, log.MaxProcs, err, want)
		}
	}
}

// What a log says besides the jobs is kept, and failed and cancelled jobs are counted, and left out
// if so asked.
func TestSWFJobs(t *testing.T) {
	const text = "1 0 -1 60 4 -1 512 4 120.5 2048 1 5 2 -1 3 -1 -1 -1\n" +
		"2 5 -1 60 4 -1 -1 4 120 -1 0 5 2 -1 3 -1 1 30.5\n" +
		"9 7 -1 60 4 -1 -1 4 120 -1 5 5 2 -1 -1 -1 -1 -1\n"
	for _, completed := range []bool{false, true} {
		want := 3
		if completed {
			want = 1
		}
		got, err := read(strings.NewReader(text), joblog.ReadOptions{}, workload.FromLogOptions{Completed: completed})
		if err != nil || len(got.Jobs) != want || got.Failed != 1 || got.Cancelled != 1 {
			t.Fatalf("Completed %t: %+v, %v, want %d jobs", completed, got, err, want)
		}
		if j := got.Jobs[0]; j.Requested != 120.5 || j.Maps.Memory != 2048*1024 || j.After != 0 || j.Think != 0 {
			t.Errorf("FromLog = %+v, want 120.5 s and 2 MiB", j)
		}
	}
	log, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{})
	if err != nil || len(log.Jobs) != 3 || log.Format != joblog.SWF {
		t.Fatal(log, err)
	}
	for i, want := range []joblog.Job{
		{ID: "1", Queue: "3", State: joblog.Completed, Preceding: -1, Think: math.NaN()}, {ID: "2", Queue: "3", State: joblog.Failed, Preceding: 1, Think: 30.5},
		{ID: "9", State: joblog.Cancelled, Preceding: -1, Think: math.NaN()},
	} {
		j := log.Jobs[i]
		j = joblog.Job{ID: j.ID, Queue: j.Queue, State: j.State, Preceding: j.Preceding, Think: j.Think}
		if !cmp.Equal(j, want, cmpopts.EquateNaNs()) {
			t.Errorf("job %d is %+v, want %+v", i, j, want)
		}
	}
}

// Ids may begin as comments do, as long as their lines can be read.
func TestIDsLikeComments(t *testing.T) {
	text := "#1\t18\t9\t970\t609\t697\n;2\t19\t9\t970\t609\t697\n//3\t20\t9\t970\t609\t697\n"
	if jobs, err := joblog.ReadSWIM(strings.NewReader(text)); err != nil || len(jobs) != 3 || jobs[1].ID != ";2" {
		t.Errorf("ReadSWIM(%q) = %v, %v, want three jobs", text, jobs, err)
	}
	if jobs, err := specsOf(strings.NewReader(";2\t19\t9\t970\t609\t697\n")); err != nil || len(jobs) != 1 { // no comment of a log
		t.Errorf("ReadJobs of a trace that begins with a semicolon = %v, %v, want one job", jobs, err)
	}
	for again, want := range map[string]string{
		"#1\t20\t9\t970\t609\t697": `joblog: line 4, column 1: job id "#1" repeats that of line 1`,
		"#4\t2\t9\t970\t609\t697":  `joblog: line 4, column 4: submit time "2" is before the 20 of line 3`,
	} {
		if _, err := joblog.ReadSWIM(strings.NewReader(text + again)); err == nil || err.Error() != want {
			t.Errorf("ReadSWIM with the line %q = %v, want %s", again, err, want)
		}
	}
}
