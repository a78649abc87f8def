package slotmodel_test

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Batsim's published example: 4 resources, first come, first served, the last job killed at its
// walltime.
func TestBatsimExample(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}, {Maps: 1}, {Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(4, 10), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 5), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 10), Walltime: 6, Rigid: true},
	}
	res := mustRun(t, c, jobs, strict, slotmodel.Options{})
	got := ""
	for _, j := range res.Jobs {
		got += fmt.Sprintf("%v-%v %v; ", j.Start, j.Finish, j.Outcome)
	}
	if want := "0-10 finished; 10-15 finished; 10-16 timed-out; "; got != want {
		t.Errorf("runs %s want %s", got, want)
	}
	if res.Totals.Work != 62 || res.Totals.Wasted != 12 || res.End != 16 {
		t.Errorf("Work %v, Wasted %v, End %v, want 62, 12 and 16", res.Totals.Work, res.Totals.Wasted, res.End)
	}
}
