package slotmodel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// The log of a small run, by hand: time, type, job, task, node and value; -1 is what a type does not
// set.
func TestLog(t *testing.T) {
	var b strings.Builder
	c := one(1, 1)
	c.Network.Shuffle = 0.5
	c.Nodes[0].Down = []slotmodel.Outage{{From: 5, Until: 6}}
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 2), Slowstart: 1}, {Arrival: 7}}, fifo, slotmodel.Options{
		Log: func(e slotmodel.Event) { fmt.Fprintln(&b, e.Time, e.Type, e.Job, e.Task, e.Node, e.Value) }})
	want := `0 arrived 0 -1 -1 0
0 ready 0 -1 -1 0
0 started 0 0 0 0
1 ended 0 0 0 1
1 ready 0 -1 -1 0
1 maps-ended 0 -1 -1 0
1 started 0 1 0 0
1.5 computes 0 1 0 0
3.5 ended 0 1 0 2
3.5 job-ended 0 -1 -1 1
5 node-down -1 -1 0 0
6 node-up -1 -1 0 0
7 arrived 1 -1 -1 0
7 maps-ended 1 -1 -1 0
7 job-ended 1 -1 -1 1
`
	if b.String() != want || res.Events != int64(strings.Count(want, "\n")) {
		t.Errorf("log of %d events\n%s\nwant\n%s", res.Events, b.String(), want)
	}
}
