package joblog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The header of a log in SWF dates its second 0: times are since 1970 then, and a replay keeps those
// of the log.
func TestDatesOfSWF(t *testing.T) {
	for _, c := range []struct {
		header string
		begin  float64 // s since 1970; 0: unknown
		offset int     // of the zone, s; -1: none
	}{
		{"; UnixStartTime: 843480031\n; TimeZone: 7200\n", 843480031, 7200},
		{";UnixStartTime:\t843480031\n", 843480031, -1},
		{";  UnixStartTime :  843480031\n; TimeZone : 7200\n", 843480031, 7200},
		{"; TimeZone: -18000\n", 0, -18000},
		{"; UnixStartTime: 0\n; TimeZone: 1e9\n", 0, -1},
		{"; UnixStartTime: -5\n; TimeZoneString: Nowhere/City\n", 0, -1},
		{"; UnixStartTime: tomorrow\n; TimeZoneString: Nowhere/City\n; TimeZone: 60\n", 0, 60},
	} {
		text := c.header + "1 10 5 60 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n; UnixStartTime: 7\n2 20 -1 60 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n"
		log, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{})
		expect.Must(t, err)
		if j := log.Jobs[0]; j.Submit != c.begin+10 || j.Start != c.begin+15 || j.End != c.begin+75 || log.Jobs[1].Submit != c.begin+20 {
			t.Errorf("%q: a job waits from %v and runs from %v to %v, the next from %v, want them %v later", c.header, j.Submit, j.Start, j.End, log.Jobs[1].Submit, c.begin)
		}
		if known := !log.Begin.IsZero(); known != (c.begin > 0) || known && float64(log.Begin.Unix()) != c.begin {
			t.Errorf("%q: second 0 is %v, want %v", c.header, log.Begin, c.begin)
		}
		offset := -1
		if log.Zone != nil {
			_, offset = time.Unix(843480031, 0).In(log.Zone).Zone()
		}
		if offset != c.offset {
			t.Errorf("%q: the zone is %v, want one %d s off", c.header, log.Zone, c.offset)
		}
		jobs, err := workload.FromLog(nil, log, workload.FromLogOptions{})
		if err != nil || jobs[0].Arrival != 10 || jobs[1].Arrival != 20 {
			t.Errorf("%q: arrivals at %v and %v, error %v, want 10 and 20", c.header, jobs[0].Arrival, jobs[1].Arrival, err)
		}
	}
	if _, err := time.LoadLocation("Europe/Stockholm"); err != nil {
		t.Skip(err)
	}
	log, err := joblog.ReadJobs(strings.NewReader("; TimeZone: 3600\n; TimeZoneString: Europe/Stockholm\n1 10 5 60 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n"), joblog.ReadOptions{})
	if err != nil || log.Zone.String() != "Europe/Stockholm" {
		t.Errorf("the zone is %v, error %v", log.Zone, err)
	}
}

// With a zone a table may have dates without one.
func TestDatesOfTables(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	const text = "user,submit,tasks,run\na,2026-03-01 08:00:00,1,1\na,2026-03-01T08:00:10,1,1\na,2026-03-01T07:00:20Z,1,1\na,2026-03-01 08:00:30.5,1,1\n"
	log, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{Zone: zone, Strict: true})
	expect.Must(t, err)
	for i, want := range []float64{0, 10, 20, 30.5} {
		if got := log.Jobs[i].Submit; got != 1772348400+want {
			t.Errorf("job %d comes at %v, want %v", i, got, 1772348400+want)
		}
	}
	if _, err := joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "-zone") {
		t.Errorf("without a zone: error %v", err)
	}
}

// An error about a header has the columns found and the least that is wanted; a resource that a format
// has no word for is refused.
func TestHeaderErrors(t *testing.T) {
	const swf = "1 10 5 60 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n"
	for _, c := range []struct {
		text, resource string
		want           []string
	}{
		{"user,submit,duration\na,0,1\n", "", []string{"no columns tasks and run, but", `"user, submit, duration", perhaps rename duration to run: `, "user,submit,tasks,run"}},
		{"id,Owner,Submit Time,cpus,runtime,start_time,ncpus\n1,a,0,1,1,1,1\n", "", []string{"no columns user, submit, tasks and run, but", "perhaps rename Owner to user, Submit Time to submit, cpus to tasks, runtime to run, start_time to start: "}},
		{"user,submit,tasks,runtime" + strings.Repeat(",duration", 100) + "\n", "", []string{"no column run, but", "rename runtime to run: "}},
		{"owner,colour\n1,2\n", "", []string{"file is no table"}},
		{"JobID|User|Start|End|State\n", "", []string{"Submit or Eligible", `"JobID, User, Start, End, State"`, "JobID,Submit,Start,End,AllocCPUS,ReqCPUS"}},
		{"user,submit," + strings.Repeat("x", 1000) + "\n", "", []string{`xxx..."`}},
		{swf, "gpu", []string{`"gpu"`, "SWF has processors alone"}},
		{"; x\n" + swf, "memory", []string{`"memory"`}},
		{"user,submit,tasks,run\na,0,1,1\n", "gpu", []string{`"gpu"`, "table has processors alone"}},
	} {
		_, err := joblog.ReadJobs(strings.NewReader(c.text), joblog.ReadOptions{Resource: c.resource})
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 600 {
				t.Errorf("%.60q of %s: error %v, want %q in it", c.text, c.resource, err, want)
			}
		}
	}
	if _, err := joblog.ReadJobs(strings.NewReader(swf), joblog.ReadOptions{Resource: "cpu"}); err != nil {
		t.Error(err)
	}
}
