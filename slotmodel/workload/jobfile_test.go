package workload_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const (
	jobHead = "submit\tuser\tdeadline\tpriority\tmaps\tmap_s\tmap_works\tmap_memory\treduces\treduce_s\treduce_works\treduce_memory\tslowstart\t" +
		"input\tshuffle\toutput\tcopies\treplicas\twalltime\trequested\tcrash\tcancel\trigid\tafter\tthink\tdataset\n"
	jobLineA = "0.5\t7\t900\t-2.5\t2\t20\t\t4096\t3\t0\t1,2.5,0\t8192\t0.75\t1073741824\t1e+21\t5\t2\t4,-1,0,3\t60\t50\t70\t80\t0\t2\t1.5\t3\n"
	jobLineB = "0.25\t0\t0\t+Inf\t0\t0\t\t0\t0\t0\t\t0\t0\t0\t0\t0.0000005\t0\t\t0\t0\t0\t0\t1\t0\t0\t0\n"
)

var (
	specA = slotmodel.JobSpec{User: 7, Arrival: 0.5, Deadline: 900, Priority: -2.5, Maps: slotmodel.Phase{Tasks: 2, Work: 20, Memory: 4096},
		Reduces: slotmodel.Phase{Tasks: 3, Works: []float64{1, 2.5, 0}, Memory: 8192}, Slowstart: 0.75, Input: 1 << 30, Shuffle: 1e21, Output: 5,
		Replicas: []int32{4, -1, 0, 3}, Copies: 2, Walltime: 60, Requested: 50, Crash: 70, Cancel: 80, After: 2, Think: 1.5, Dataset: 3}
	specB = slotmodel.JobSpec{Arrival: 0.25, Priority: math.Inf(1), Output: 5e-7, Rigid: true}
)

// readJobs is workload.ReadJobs for jobs of any number of tasks. Those of a SWIM trace are exploded.
func readJobs(r io.Reader) ([]slotmodel.JobSpec, error) {
	jobs, log, err := workload.ReadJobs(r, joblog.ReadOptions{MaxTasks: 1<<29 - 1})
	if err == nil && log.SWIM != nil {
		return workload.Explode(nil, log.SWIM, anySize)
	}
	if err == nil && log.Jobs != nil {
		return workload.FromLog(nil, log, workload.FromLogOptions{})
	}
	return jobs, err
}

func TestReadJobs(t *testing.T) {
	ab := []slotmodel.JobSpec{specA, specB}
	few := []slotmodel.JobSpec{{Arrival: 1, Maps: slotmodel.Phase{Tasks: 3, Work: 2}, Slowstart: 0.95}}
	trace := explode(t, []joblog.SWIMJob{jobA, jobB}, workload.ExplodeOptions{})
	for _, c := range []struct {
		name, text string
		want       []slotmodel.JobSpec
	}{
		{"header alone", jobHead, nil},
		{"header without line end", strings.TrimSuffix(jobHead, "\n"), nil},
		{"header and an empty line", jobHead + "\n", nil},
		{"plain", jobHead + jobLineA + jobLineB, ab},
		{"no line end at the end", jobHead + jobLineA + strings.TrimSuffix(jobLineB, "\n"), ab},
		{"CRLF", strings.ReplaceAll(jobHead+jobLineA+jobLineB+"\n\n", "\n", "\r\n"), ab},
		{"gzip", zipped(jobHead + jobLineA + jobLineB), ab},
		{"three columns", "submit\tmaps\tmap_s\n1\t3\t2", few},
		{"three columns in another order", "map_s\tmaps\tsubmit\n2\t3\t1\n", few},
		{"empty last field", "submit\tmaps\tmap_s\tmap_works\n1\t3\t2\t\n", few},
		{"works", "map_works\tsubmit\tmaps\tmap_s\n5e-1,.5,1\t1\t3\t2\n",
			[]slotmodel.JobSpec{{Arrival: 1, Maps: slotmodel.Phase{Tasks: 3, Work: 2, Works: []float64{0.5, 0.5, 1}}, Slowstart: 0.95}}},
		{"numbers", "submit\tmaps\tmap_s\tpriority\n-0\t000003\t2E0\t-Inf\n",
			[]slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 3, Work: 2}, Slowstart: 0.95, Priority: math.Inf(-1)}}},
		{"largest counts", "submit\tmaps\tmap_s\treduces\tuser\tslowstart\n0\t536870910\t0\t1\t1073741823\t1\n",
			[]slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1<<29 - 2}, Reduces: slotmodel.Phase{Tasks: 1}, User: 1<<30 - 1, Slowstart: 1}}},
		{"SWIM", lineA + "\n" + lineB + "\n", trace},
		{"SWIM with paths", lineA + "\tmaps\n" + lineB + "\t\tmap_s\n", trace},
		{"SWIM, CRLF, an id that is a column's name", "submit" + lineA[4:] + "\r\n" + lineB + "\r\n\r\n", trace},
		{"SWIM, gzip", zipped(lineA + "\n" + lineB), trace},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.DataErrReader(strings.NewReader(c.text))} {
			if got, err := readJobs(r); err != nil || !cmp.Equal(c.want, got) {
				t.Errorf("ReadJobs(%s) = error %v, -want +got\n%s", c.name, err, cmp.Diff(c.want, got))
			}
		}
		path := filepath.Join(t.TempDir(), "jobs.gz") // the name tells nothing
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.name == "largest counts" {
			continue
		}
		if got, err := workload.Load(path); err != nil || !cmp.Equal(c.want, got) {
			t.Errorf("Load(%s) = error %v, -want +got\n%s", c.name, err, cmp.Diff(c.want, got))
		}
	}
}

// A job file of 18 columns looks like no log.
func TestManyColumns(t *testing.T) {
	// 18 columns of a job file are numbers too, and a line of its own is at fault.
	head := "submit\tmaps\tmap_s\tuser\tdeadline\tpriority\tmap_memory\treduces\treduce_s\treduce_memory\tslowstart\tinput\tshuffle\toutput\tcopies\twalltime\tcrash\tcancel"
	_, err := readJobs(strings.NewReader(head + "\n-1" + strings.Repeat("\t0", 17)))
	if got := fmt.Sprint(err); got != `joblog: line 2, column 1: submit "-1" is negative` {
		t.Errorf("a job file of 18 columns: %q", got)
	}
}

func TestReadLog(t *testing.T) {
	jobs, err := workload.Load(golden.Trace(t, "data/swf/alea_hpc2n_sample.swf"))
	if err != nil {
		t.Fatal(err)
	}
	work := 0.0
	for _, j := range jobs {
		work += float64(j.Maps.Tasks) * j.Maps.Work
	}
	if len(jobs) != 3145 || work != 502634281 || jobs[3].Arrival != 179350 { // counted with awk
		t.Errorf("HPC2N: %d jobs, %v processor seconds, the fourth at %v, want 3145, 502634281, 179350", len(jobs), work, jobs[3].Arrival)
	}
}

// Each text has one defect; want is the whole message.
func TestBrokenJobFiles(t *testing.T) {
	const head = "submit\tmaps\tmap_s\tuser\tmap_works\tpriority\tcopies\treplicas\tslowstart\trigid\n"
	const good = "8\t2\t1\t1\t\t0\t1\t0,5\t.5\t0\n"
	line := func(fields string) string { return head + good + strings.ReplaceAll(fields, " ", "\t") + "\n" }
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "line 1, column 1: file is empty: " + smallest},
		{"empty line before the header", "\n" + head, `line 1, column 1: line is empty`},
		{"no header", good, `line 1, column 21: line has more than 9 fields`}, // read as a SWIM trace
		{"two byte order marks", "\ufeff\ufeff" + head, `line 1, column 1: column "\ufeffsubmit" is no column of a job file`},
		{"mistyped column", "submit\tmaps\tmap_s\tusr\n", `line 1, column 19: column "usr" is no column of a job file`},
		{"upper case", "Submit\tmaps\tmap_s\n", `line 1, column 1: column "Submit" is no column of a job file`},
		{"column twice", "submit\tmaps\tmap_s\tsubmit\n", `line 1, column 19: column "submit" is there twice`},
		{"column without name", "submit\t\tmaps\tmap_s\n", `line 1, column 8: column "" is no column of a job file`},
		{"tab behind the header", "submit\tmaps\tmap_s\t\n", `line 1, column 19: column "" is no column of a job file`},
		{"commas", "submit,maps,map_s\n1,2,3\n", `line 1, column 1: header has no columns user, tasks and run, but "submit, maps, map_s": ` + smallest},
		{"one number", "12\n", `line 1, column 1: file is no table, job file, SWIM trace or log in SWF, and not of sacct -P or kubectl: ` + smallest},
		{"half a SWIM line", "a\t0\t0\t1\n", `line 1, column 1: file is no table, job file, SWIM trace or log in SWF, and not of sacct -P or kubectl: ` + smallest},
		{"column missing", "submit\tmap_s\n", `line 1, column 13: header has no column "maps"`},
		{"too few fields", line("9 1 1 1  0 1 0 0"), `line 3, column 17: line ends after field 9 of 10`},
		{"too many fields", line("9 1 1 1  0 1 0 0 0 0"), `line 3, column 20: line has more than 10 fields`},
		{"comment before the header", "# jobs of May\n" + head + good, `line 1, column 1: line is a comment, which the format does not have`},
		{"comment", head + good + "# the second day\n", `line 3, column 1: line is a comment, which the format does not have`},
		{"blank line", head + " \n" + good, `line 2, column 1: line is blank`},
		{"header again", head + head, `line 2, column 1: submit "submit" is not a decimal number`},
		{"empty line before a job", head + "\n" + good, `line 2, column 1: line is empty`},
		{"empty number", line(" 1 1 1  0 1 0 0 0"), `line 3, column 1: submit "" is empty, want a number`},
		{"negative time", line("-9 1 1 1  0 1 0 0 0"), `line 3, column 1: submit "-9" is negative`},
		{"empty count", line("9  1 1  0 1 0 0 0"), `line 3, column 3: maps "" is empty, want a number`},
		{"half a task", line("9 1.5 1 1  0 1 0 0 0"), `line 3, column 3: maps "1.5" is no whole number`},
		{"negative count", line("9 -1 1 1  0 1 0 0 0"), `line 3, column 3: maps "-1" is less than 0`},
		{"plus in a count", line("9 +1 1 1  0 1 0 0 0"), `line 3, column 3: maps "+1" is no whole number`},
		{"too many tasks", line("9 536870912 1 1  0 1 0 0 0"), `line 3, column 3: maps "536870912" is more than 536870911`},
		{"user of another kind", line("9 1 1 ann  0 1 0 0 0"), `line 3, column 7: user "ann" is no whole number`},
		{"NaN", line("9 1 NaN 1  0 1 0 0 0"), `line 3, column 5: map_s "NaN" is not finite`},
		{"work that is none", line("9 2 1 1 1,x 0 1 0,0 0 0"), `line 3, column 11: map_works "x" is not a decimal number`},
		{"comma behind the works", line("9 1 1 1 1, 0 1 0 0 0"), `line 3, column 11: map_works "" is empty, want a number`},
		{"too few works", line("9 2 1 1 1 0 1 0,0 0 0"), `line 3, column 1: map_works has 1 numbers for 2 tasks`},
		{"priority NaN", line("9 1 1 1  nan 1 0 0 0"), `line 3, column 10: priority "nan" is not finite`},
		{"replica below -1", line("9 1 1 1  0 1 -2 0 0"), `line 3, column 14: replicas "-2" is less than -1`},
		{"replica beyond int32", line("9 1 1 1  0 1 2147483648 0 0"), `line 3, column 14: replicas "2147483648" is more than 2147483647`},
		{"too many replicas", line("9 1 1 1  0 1 1,2 0 0"), `line 3, column 1: replicas has 2 nodes for 1 copies of the blocks of 1 maps`},
		{"replicas without copies", line("9 1 1 1  0 0 1 0 0"), `line 3, column 1: replicas has 1 nodes for 0 copies of the blocks of 1 maps`},
		{"slowstart above 1", line("9 1 1 1  0 1 0 1.5 0"), `line 3, column 16: slowstart "1.5" is not within [0, 1]`},
		{"rigid above 1", line("9 1 1 1  0 1 0 0 2"), `line 3, column 18: rigid "2" is more than 1`},
		{"after job -1", "submit\tmaps\tmap_s\tafter\n9\t1\t1\t-1\n", `line 2, column 7: after "-1" is less than 0`},
		{"after half a job", "submit\tmaps\tmap_s\tafter\n9\t1\t1\t.5\n", `line 2, column 7: after ".5" is no whole number`},
		{"too long", head + strings.Repeat("x", mostBytes+1), `line 2, column 16777217: line is longer than 16777216 bytes`},
		{"header too long", strings.Repeat("x", mostBytes+1), `line 1, column 16777217: line is longer than 16777216 bytes`},
		{"SWIM, a negative number", lineA + "\njob1\t18\t9\t-5\t609\t697\n", `line 2, column 11: map input "-5" is negative`},
	} {
		for _, text := range []string{c.text, zipped(c.text)} {
			jobs, err := readJobs(strings.NewReader(text))
			var pe *joblog.ParseError
			if !errors.As(err, &pe) || !errors.Is(err, schedmath.ErrInput) || err.Error() != "joblog: "+c.want || jobs != nil {
				t.Errorf("ReadJobs(%s) = %v, error %q, want %q", c.name, jobs, err, c.want)
			}
		}
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := workload.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Load of a file that is not there = error %v, want os.ErrNotExist", err)
	}
	var pe *os.PathError
	if _, err := workload.Load(t.TempDir()); !errors.As(err, &pe) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Load of a folder = error %v, want an *os.PathError", err)
	}
	path := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(path, []byte("job0\t9\t9\t1e300\t0\t0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := workload.Load(path)
	want := &schedmath.InputError{Func: "workload.Explode", Arg: "jobs", Index: 0, Reason: tooMany("7.450580596923829e+291")}
	if d := cmp.Diff(error(want), err); d != "" {
		t.Errorf("Load of a trace that cannot be exploded: -want +got error\n%s", d)
	}
}

func TestLoadTrace(t *testing.T) {
	jobs, err := workload.Load(golden.Trace(t, fb2010))
	want := explode(t, traceFile(t, filepath.Base(fb2010)), workload.ExplodeOptions{})
	if err != nil || !cmp.Equal(jobs, want) {
		t.Errorf("Load(%s) = %d jobs, error %v, want the %d that ReadSWIM and Explode give", fb2010, len(jobs), err, len(want))
	}
}

func TestWriteJobs(t *testing.T) {
	var b bytes.Buffer
	if err := workload.WriteJobs(&b, []slotmodel.JobSpec{specA, specB}); err != nil || b.String() != jobHead+jobLineA+jobLineB {
		t.Errorf("WriteJobs: error %v, -want +got\n%s", err, cmp.Diff(jobHead+jobLineA+jobLineB, b.String()))
	}
	b.Reset()
	if err := workload.WriteJobs(&b, nil); err != nil || b.String() != jobHead {
		t.Errorf("WriteJobs of no jobs: error %v, text %q", err, b.String())
	}
	const amount = "want a number within [0, 1.6069380442589903e+60]" // 2^200
	for _, c := range []struct {
		edit   func(*slotmodel.JobSpec)
		reason string
	}{
		{func(j *slotmodel.JobSpec) { j.Arrival = math.NaN() }, "submit is NaN, " + amount},
		{func(j *slotmodel.JobSpec) { j.Deadline = -1 }, "deadline is -1, " + amount},
		{func(j *slotmodel.JobSpec) { j.User = -1 }, "user is -1, want a number within [0, 1.073741823e+09]"},
		{func(j *slotmodel.JobSpec) { j.Priority = math.NaN() }, "priority is NaN, want a number within [-Inf, +Inf]"},
		{func(j *slotmodel.JobSpec) { j.Maps.Tasks = -1 }, "maps is -1, want a number within [0, 5.36870911e+08]"},
		{func(j *slotmodel.JobSpec) { j.Reduces.Tasks = 1 << 29 }, "reduces is 5.36870912e+08, want a number within [0, 5.36870911e+08]"},
		{func(j *slotmodel.JobSpec) { j.Maps.Work = math.Inf(1) }, "map_s is +Inf, " + amount},
		{func(j *slotmodel.JobSpec) { j.Maps = slotmodel.Phase{Tasks: 2, Works: []float64{1, -2}} }, "map_works is -2, " + amount},
		{func(j *slotmodel.JobSpec) { j.Maps = slotmodel.Phase{Tasks: 2, Works: []float64{}} }, "map_works has 0 numbers for 2 tasks"},
		{func(j *slotmodel.JobSpec) { j.Reduces.Works = []float64{1} }, "reduce_works has 1 numbers for 0 tasks"},
		{func(j *slotmodel.JobSpec) { j.Maps.Memory = 0x1p201 }, "map_memory is 3.2138760885179806e+60, " + amount},
		{func(j *slotmodel.JobSpec) { j.Slowstart = 1.5 }, "slowstart is 1.5, want a number within [0, 1]"},
		{func(j *slotmodel.JobSpec) { j.Replicas = []int32{} }, "replicas has 0 nodes for 0 copies of the blocks of 0 maps"},
		{func(j *slotmodel.JobSpec) { j.Copies, j.Replicas = 1, []int32{1} }, "replicas has 1 nodes for 1 copies of the blocks of 0 maps"},
		{func(j *slotmodel.JobSpec) { j.Maps.Tasks, j.Copies, j.Replicas = 1, 1, []int32{-2} }, "replicas is -2, want a number within [-1, 2.147483647e+09]"},
		{func(j *slotmodel.JobSpec) {
			j.Maps = slotmodel.Phase{Tasks: 1 << 23, Works: slices.Repeat([]float64{1}, 1<<23)}
		}, "line of 16777283 bytes, want at most 16777216"},
	} {
		bad := specB
		c.edit(&bad)
		err := workload.WriteJobs(io.Discard, []slotmodel.JobSpec{specA, bad, specB})
		want := &schedmath.InputError{Func: "workload.WriteJobs", Arg: "jobs", Index: 1, Reason: c.reason}
		if d := cmp.Diff(error(want), err); d != "" {
			t.Errorf("WriteJobs of a bad job: -want +got error\n%s", d)
		}
	}
	full := errors.New("no space left")
	for _, n := range []int{1, 10_000} { // found at the end, and by a line
		if err := workload.WriteJobs(failing{full}, slices.Repeat([]slotmodel.JobSpec{specA}, n)); err != full {
			t.Errorf("WriteJobs of %d jobs to a full disk = error %v, want %v", n, err, full)
		}
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A few bytes that name more tasks than memory holds are refused; the option raises the limit.
func TestMaxTasks(t *testing.T) {
	for text, want := range map[string]string{
		"submit\tmaps\tmap_s\n0\t500000000\t1\n":            tooMany("500000000"),
		"submit\tmaps\tmap_s\treduces\n0\t16777216\t1\t1\n": tooMany("16777217"),
	} {
		if got, _, err := workload.ReadJobs(strings.NewReader(text), joblog.ReadOptions{}); err == nil || err.Error() != "joblog: line 2, column 1: "+want || got != nil {
			t.Errorf("ReadJobs(%q) = %v, error %v, want %q", text, got, err, want)
		}
		if got, _, err := workload.ReadJobs(strings.NewReader(text), joblog.ReadOptions{MaxTasks: 500_000_000}); err != nil || len(got) == 0 {
			t.Errorf("ReadJobs(%q) with a limit of 500 million = %v, error %v", text, got, err)
		}
	}
	wide := []joblog.SWIMJob{{ID: "a", Submit: 1, MapInput: 1 << 60}}
	if _, err := workload.Explode(nil, wide, workload.ExplodeOptions{}); err == nil || !strings.Contains(err.Error(), tooMany("8589934592")) {
		t.Errorf("Explode of 2^60 bytes: error %v", err)
	}
}

// A job file takes memory for its jobs, once, and for its text.
func TestMemory(t *testing.T) {
	text := "submit\tmaps\tmap_s\n" + strings.Repeat("0\t0\t0\n", 1<<20/6)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := workload.ReadJobs(strings.NewReader(text), joblog.ReadOptions{})
	runtime.ReadMemStats(&after)
	if got := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text)); err != nil || got > 60 {
		t.Errorf("reading 1 MiB of a job file allocates %.1f times its size, error %v; want at most 60", got, err)
	}
	for _, o := range []joblog.ReadOptions{{MaxJobs: 1000}, {MaxBytes: 6000}} {
		var pe *joblog.ParseError
		if _, _, err := workload.ReadJobs(strings.NewReader(text), o); !errors.As(err, &pe) || pe.Line < 990 || pe.Line > 1002 || !strings.Contains(pe.Reason, "more than MaxJobs = 1000") && !strings.Contains(pe.Reason, "longer than MaxBytes = 6000") {
			t.Errorf("a job file of %d bytes with %+v: %v", len(text), o, err)
		}
	}
}
