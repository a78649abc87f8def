package joblog_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/joblog"
)

// used is CPU-hours by account, and how many jobs there are.
func used(t *testing.T, text string) (map[string]float64, joblog.Log) {
	t.Helper()
	sum := map[string]float64{}
	log, err := joblog.EachSpan(strings.NewReader(text), func(s joblog.Span) bool {
		if !math.IsInf(s.Start, 1) {
			sum[s.Team] += s.Amount * (s.End - s.Start - s.Suspended) / 3600
		}
		return true
	}, joblog.ReadOptions{})
	expect.Must(t, err)
	for team, x := range sum {
		sum[team] = math.Round(1e4*x) / 1e4
	}
	return sum, log
}

func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(golden.Trace(t, "data/slurm/"+name))
	expect.Must(t, err)
	return string(text)
}

// What accounts used, as the README of the recordings has it: less what was suspended, where the log
// tells of it, and with the earlier runs of requeued jobs where -D was given.
func TestUseOfLog(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"sacct-docs.txt":            {"physics": 6.8581, "chemistry": 7.4719, "biology": 4.3458},
		"sacct-long-X.txt":          {"physics": 6.7714, "chemistry": 7.4719, "biology": 4.3458}, // Suspended: .0867 less
		"sacct-docs-duplicates.txt": {"physics": 6.8839, "chemistry": 7.4719, "biology": 4.3458}, // 7 + 4*14 + 2*15 s more
		"sacct.json.gz":             {"physics": 6.7972, "chemistry": 7.4719, "biology": 4.3458}, // both
	} {
		got, log := used(t, recorded(t, "sacct-end/"+name))
		if !cmp.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if log.Format != joblog.Sacct {
			t.Errorf("%s is %v", name, log.Format)
		}
	}
}

// All columns of sacct, -o ALL, are read, but for the job whose name holds the separator: number 142's.
func TestAllColumnsOfLog(t *testing.T) {
	every, err := joblog.ReadJobs(strings.NewReader(recorded(t, "sacct-mid/sacct-ALL.txt")), joblog.ReadOptions{})
	expect.Must(t, err)
	some, err := joblog.ReadJobs(strings.NewReader(recorded(t, "sacct-mid/sacct-jobname.txt")), joblog.ReadOptions{})
	expect.Must(t, err)
	if len(every.Jobs) != 168 || len(every.Jobs) != len(some.Jobs) || len(every.LeftOut) != 1 || every.LeftOut[0].First != 142 {
		t.Fatalf("%d jobs, of the same with fewer columns %d, left out %+v, want 168 each and line 142", len(every.Jobs), len(some.Jobs), every.LeftOut)
	}
	for i, j := range every.Jobs {
		if x := some.Jobs[i]; j.ID != x.ID || j.Start != x.Start || j.End != x.End {
			t.Errorf("job %d is %+v, with fewer columns %+v", i, j, x)
		}
	}
}

// ElapsedRaw tells of suspension as Suspended does; a job that runs still has none.
func TestSuspended(t *testing.T) {
	const header = "JobID|Submit|Start|End|AllocCPUS|"
	for text, want := range map[string][2]float64{ // Suspended, Run
		header + "Suspended\n1|0|10|110|4|00:01:05\n":               {65, 35},
		header + "ElapsedRaw\n1|0|10|110|4|33\n":                    {67, 33},
		header + "ElapsedRaw\n1|0|10|110|4|133\n":                   {0, 100},
		header + "Suspended|ElapsedRaw\n1|0|10|110|4|00:00:00|33\n": {0, 100},
		header + "Suspended\n1|0|10|110|4|1-00:00:00\n":             {100, 0},
		header + "Suspended\n1|0|10|Unknown|4|00:01:05\n":           {0, math.NaN()},
	} {
		log, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{})
		expect.Must(t, err)
		j := log.Jobs[0]
		s, _ := j.Span()
		if got := [2]float64{j.Suspended, j.Run}; !cmp.Equal(got[0], want[0]) || got[1] != want[1] && !math.IsNaN(want[1]) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		if want[0] > 0 && s.Suspended != want[0] {
			t.Errorf("%q: span %+v", text, s)
		}
	}
}

// The jobs of sacct --json are those of sacct -P.
func TestSacctJSONLog(t *testing.T) {
	read := func(name string) map[string]joblog.Job {
		log, err := joblog.ReadJobs(strings.NewReader(recorded(t, "sacct-end/"+name)), joblog.ReadOptions{})
		expect.Must(t, err)
		list := map[string]joblog.Job{}
		for _, j := range log.Jobs {
			j.Suspended, j.Run = 0, 0 // which the table does not know
			list[fmt.Sprint(j.ID, " ", j.Submit, " ", j.Start)] = j
		}
		return list
	}
	want := read("sacct-docs-duplicates.txt")
	if d := cmp.Diff(want, read("sacct.json.gz"), cmpopts.EquateNaNs()); d != "" || len(want) != 470 {
		t.Errorf("%d jobs of the table, in JSON they differ: %s", len(want), d)
	}
	// Later versions of Slurm say whether a number is set, and have lists of states.
	const later = `{"meta": {}, "jobs": [{"job_id": 7, "account": "a", "user": "u", "partition": "p", "array": {"job_id": 0, "task_id": {"set": false, "infinite": false, "number": 0}, "task": ""},
		"het": {"job_id": 0, "job_offset": {"set": false, "infinite": false, "number": 0}},
		"time": {"submission": 100, "eligible": 110, "start": 120, "end": 150, "elapsed": 20, "limit": {"set": true, "infinite": false, "number": 2}},
		"state": {"current": ["FAILED", "REQUEUED"]}, "tres": {"requested": [{"type": "cpu", "name": "", "count": 4}, {"type": "gres", "name": "gpu", "count": 2}], "allocated": [{"type": "cpu", "name": "", "count": 4}, {"type": "gres", "name": "gpu", "count": 2}]}},
		{"job_id": 9, "array": {"job_id": 9, "task": "3-5", "task_id": {"set": false}}, "time": {"submission": 100, "eligible": 110, "start": 0, "end": 0, "limit": {"set": true, "infinite": true, "number": 0}},
		"state": {"current": ["PENDING"]}, "tres": {"requested": [{"type": "mem", "name": "", "count": 3}, {"type": "gres", "name": "gpu", "count": 1}], "allocated": []}}]}`
	log, err := joblog.ReadJobs(strings.NewReader(later), joblog.ReadOptions{Resource: "gpu"})
	expect.Must(t, err)
	a, b := log.Jobs[0], log.Jobs[1]
	if a.ID != "7" || a.User != "u" || a.Submit != 110 || a.Start != 120 || a.End != 150 || a.Run != 20 || a.Requested != 120 || a.Amount != 2 || a.State != joblog.Failed {
		t.Errorf("%+v", a)
	}
	if b.ID != "9_[3-5]" || b.Array != 3 || !math.IsInf(b.Start, 1) || !math.IsInf(b.End, 1) || !math.IsNaN(b.Requested) || b.Amount != 3 {
		t.Errorf("%+v", b)
	}
	log, err = joblog.ReadJobs(strings.NewReader(`{"jobs": [{"job_id": 1, "time": {"submission": 1, "start": 5, "end": 2}, "tres": {"allocated": [{"type": "cpu", "count": 1}]}},
		{"job_id": 2, "time": {"submission": 1, "start": 5, "end": 9}, "tres": {"allocated": [{"type": "cpu", "count": 1}]}}]}`), joblog.ReadOptions{})
	if err != nil || len(log.Jobs) != 1 || len(log.LeftOut) != 1 {
		t.Errorf("%+v, error %v", log, err)
	}
}

// Output of Slurm that is not read is named, with the command that is wanted.
func TestOtherSlurmLog(t *testing.T) {
	for name, want := range map[string]string{
		"t05/squeue-r.txt": "squeue or sinfo", "t05/squeue.txt": "squeue or sinfo", "t05/squeue-start.txt": "squeue or sinfo", "t05/sinfo-N.txt": "squeue or sinfo", "t05/sinfo.txt": "squeue or sinfo",
		"t05/squeue.json.gz": "squeue --json", "sacct-end/sacct-l.txt": "sacct -l", "sacct-end/sacct-noheader.txt": "sacct -n", "sacct-end/sacct-comma.txt": "--delimiter",
		"sacct-end/sacct-plain.txt": "without -P", "sacct-end/sacct-P-default.txt": "no column Submit or Eligible",
	} {
		_, err := joblog.EachSpan(strings.NewReader(recorded(t, name)), func(joblog.Span) bool { return true }, joblog.ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "sacct") {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// A resource that Slurm does not allocate, though jobs ask for it, is told from one that nobody has.
func TestNotAllocatedLog(t *testing.T) {
	text := recorded(t, "sacct-end/sacct-docs.txt")
	_, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{Resource: "memory"})
	if err == nil || !strings.Contains(err.Error(), "AllocTRES has no mem, ReqTRES has") {
		t.Errorf("memory: error %v", err)
	}
	for _, resource := range []string{"cpu", "gpu", "node", "billing", "license/x"} {
		if _, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{Resource: resource}); err != nil {
			t.Errorf("%s: error %v", resource, err)
		}
	}
}
