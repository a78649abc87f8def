package slotmodel_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// The log as text.
func TestLogWriter(t *testing.T) {
	var b bytes.Buffer
	w := slotmodel.NewLogWriter(&b)
	c := one(1, 1)
	c.Network.Shuffle = 0.5
	c.Nodes[0].Down = []slotmodel.Outage{{From: 5, Until: 6}}
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 2), Slowstart: 1}, {Arrival: 7}}, fifo, slotmodel.Options{Log: w.Log})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `time	type	job	kind	task	attempt	node	value
0	arrived	0	-	-	-	-	0
0	ready	0	map	-	-	-	0
0	started	0	map	0	0	0	0
1	ended	0	map	0	0	0	1
1	ready	0	reduce	-	-	-	0
1	maps-ended	0	-	-	-	-	0
1	started	0	reduce	1	0	0	0
1.5	computes	0	reduce	1	0	0	0
3.5	ended	0	reduce	1	0	0	2
3.5	job-ended	0	-	-	-	-	1
5	node-down	-	-	-	-	0	0
6	node-up	-	-	-	-	0	0
7	arrived	1	-	-	-	-	0
7	maps-ended	1	-	-	-	-	0
7	job-ended	1	-	-	-	-	1
`
	if b.String() != want {
		t.Errorf("log\n%s\nwant\n%s", b.String(), want)
	}
	if lines := int64(strings.Count(b.String(), "\n")); lines != res.Events+1 {
		t.Errorf("%d lines, %d events", lines, res.Events)
	}
	bad := slotmodel.NewLogWriter(failing{})
	for range 10000 {
		bad.Log(slotmodel.Event{})
	}
	if err := bad.Flush(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Flush to a closed pipe = %v, want %v", err, io.ErrClosedPipe)
	}
	e := slotmodel.Event{Job: 1, Task: 2, Attempt: 3, Node: 4, Type: slotmodel.Ended, Value: math.Pi}
	w = slotmodel.NewLogWriter(io.Discard)
	w.Log(e)
	if n := testing.AllocsPerRun(1000, func() { w.Log(e) }); n != 0 {
		t.Errorf("LogWriter.Log allocates %v times", n)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
