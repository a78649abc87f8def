package slotmodel_test

import (
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// A job comes after the end of another, however that one ended, and its sojourn time counts from
// its arrival.
func TestAfter(t *testing.T) {
	first := slotmodel.JobSpec{Maps: tasks(1, 10)}
	limit := first
	limit.Walltime = 4
	crash := first
	crash.Crash = 6
	cancel := first
	cancel.Cancel = 7
	for _, c := range []struct {
		name    string
		jobs    []slotmodel.JobSpec
		arrival []float64
		finish  []float64
	}{
		{"finished", []slotmodel.JobSpec{first, {After: 1, Think: 5, Maps: tasks(1, 2)}}, []float64{0, 15}, []float64{10, 17}},
		{"at its walltime", []slotmodel.JobSpec{limit, {After: 1, Think: 5, Maps: tasks(1, 2)}}, []float64{0, 9}, []float64{4, 11}},
		{"failed", []slotmodel.JobSpec{crash, {After: 1, Think: 5, Maps: tasks(1, 2)}}, []float64{0, 11}, []float64{6, 13}},
		{"cancelled", []slotmodel.JobSpec{cancel, {After: 1, Think: 5, Maps: tasks(1, 2)}}, []float64{0, 12}, []float64{7, 14}},
		{"an Arrival after the release", []slotmodel.JobSpec{first, {After: 1, Arrival: 30, Maps: tasks(1, 2)}}, []float64{0, 30}, []float64{10, 32}},
		{"a chain against the order of the jobs", []slotmodel.JobSpec{{After: 2, Maps: tasks(1, 1)}, {After: 3, Maps: tasks(1, 2)}, first}, []float64{12, 10, 0}, []float64{13, 12, 10}},
		{"cancelled before its arrival", []slotmodel.JobSpec{first, {After: 1, Cancel: 3, Maps: tasks(1, 2)}}, []float64{0, 10}, []float64{10, 10}},
		// At 10 jobs 1 and 2 arrive. Job 2 has no tasks, so job 0 arrives at 10 too, behind job 1
		// although its index is lower.
		{"in one instant", []slotmodel.JobSpec{{After: 3, Maps: tasks(1, 1)}, {Arrival: 10, Maps: tasks(1, 2)}, {After: 4}, first}, []float64{10, 10, 10, 0}, []float64{13, 12, 10, 10}},
	} {
		res := mustRun(t, one(1, 0), c.jobs, fifo, slotmodel.Options{})
		for j, r := range res.Jobs {
			s, ok := r.Sojourn()
			if r.Arrival != c.arrival[j] || r.Finish != c.finish[j] || !ok || s != c.finish[j]-c.arrival[j] {
				t.Errorf("%s: job %d arrives at %v, ends at %v, sojourn %v, want %v and %v", c.name, j, r.Arrival, r.Finish, s, c.arrival[j], c.finish[j])
			}
		}
	}
}

// A job whose After never ends is stuck with it; one whose After has not ended when the run stops
// has not arrived.
func TestAfterNoEnd(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Reduces: tasks(1, 10)}, {After: 1, Maps: tasks(1, 2)}, {After: 2, Maps: tasks(1, 2)}, {Maps: tasks(1, 20)}, {After: 4}}
	res := mustRun(t, one(1, 0), jobs, fifo, slotmodel.Options{})
	for j, want := range []slotmodel.Outcome{slotmodel.Stuck, slotmodel.Stuck, slotmodel.Stuck, slotmodel.Finished, slotmodel.Finished} {
		if r := res.Jobs[j]; r.Outcome != want || (j == 1 || j == 2) && (r.Arrival != -1 || !strings.Contains(r.Reason, "after which it comes")) {
			t.Errorf("job %d: %+v, want %v", j, r, want)
		}
	}
	res = mustRun(t, one(1, 0), jobs, fifo, slotmodel.Options{Until: 15})
	if r := res.Jobs[4]; r.Outcome != slotmodel.Unended || r.Arrival != -1 {
		t.Errorf("job 4 of a run until 15 s: %+v, want it unended, without an arrival", r)
	}
}
