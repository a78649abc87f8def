package workload_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// An unknown request is the longest of the queue in the log, jobs that never ran included, or else of
// the log; where nobody said any it stays unknown.
func TestFromLogRequests(t *testing.T) {
	const head = "JobID|User|Partition|Submit|Start|End|AllocCPUS|Timelimit\n"
	const log = head + "1|a|short|0|0|9|1|00:01:00\n2|a|short|1|1|9|1|00:05:00\n3|a|short|2|2|9|1|\n4|a|batch|3|3|9|1|UNLIMITED\n" +
		"5|a|gpu|4|4|9|1|00:02:00\n6|a|gpu|5|5|9|1|Partition_Limit\n7|a|short|6|Unknown|Unknown|1|00:08:00\n"
	for _, c := range []struct {
		text     string
		requests bool
		want     []float64
	}{
		{log, true, []float64{60, 300, 480, 480, 120, 120}},
		{log, false, []float64{60, 300, 0, 0, 120, 0}},
		{head + "1|a|short|0|0|9|1|UNLIMITED\n", true, []float64{0}},
		{"user,submit,tasks,run,requested\na,0,1,5,70\na,0,1,5,\nb,0,1,90,50\n", true, []float64{70, 70, 50}},
		{"1 0 5 60 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n2 0 5 60 4 -1 -1 4 -1 -1 1 5 2 -1 2 -1 -1 -1\n", true, []float64{120, 120}},
	} {
		read, err := joblog.ReadJobs(strings.NewReader(c.text), joblog.ReadOptions{})
		expect.Must(t, err)
		jobs, err := workload.FromLog(nil, read, workload.FromLogOptions{Requests: c.requests})
		expect.Must(t, err)
		var got []float64
		for _, j := range jobs {
			got = append(got, j.Requested)
		}
		if !cmp.Equal(got, c.want) {
			t.Errorf("requests of %q, Requests %v: %v, want %v", c.text, c.requests, got, c.want)
		}
	}
}

// FromLog appends, and takes no part of a log that has no jobs to replay.
func TestFromLogAppends(t *testing.T) {
	before := []slotmodel.JobSpec{{Arrival: 7}}
	log := joblog.Log{Format: joblog.Table, Jobs: []joblog.Job{{Submit: 100, Run: math.NaN()}, {Submit: 30, Run: 2, Processors: 3, Requested: math.NaN(), Deadline: math.NaN()}, {Submit: 20, Run: 1, Team: "x", Deadline: 25, Weight: 2}}}
	got, err := workload.FromLog(before, log, workload.FromLogOptions{})
	want := []slotmodel.JobSpec{{Arrival: 7}, {Arrival: 10, User: 0, Maps: slotmodel.Phase{Tasks: 3, Work: 2}, Slowstart: workload.Slowstart},
		{Arrival: 0, User: 1, Maps: slotmodel.Phase{Work: 1}, Slowstart: workload.Slowstart, Deadline: 5, Priority: 2}}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("FromLog: error %v, -want +got\n%s", err, cmp.Diff(want, got))
	}
	if got := workload.Replayed([]int{9}, log, workload.FromLogOptions{}); !cmp.Equal(got, []int{9, 1, 2}) {
		t.Errorf("Replayed = %v, want 9, 1, 2", got)
	}
}
