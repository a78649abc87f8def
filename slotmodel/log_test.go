package slotmodel_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
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

// hashCase draws a workload of whole numbers on a cluster with a network, losses and limits, and a
// policy that does everything.
func hashCase(seed uint64, fluid bool) (*slotmodel.Cluster, []slotmodel.JobSpec, slotmodel.Policy) {
	r := rand.New(rand.NewPCG(seed, 99))
	c := &slotmodel.Cluster{ResumeCost: 1, Network: slotmodel.Network{Fluid: fluid, RackRead: 1, RemoteRead: 3, Shuffle: 2, Write: 1}}
	for n := range 24 {
		s := slotmodel.NodeSpec{Rack: n / 6, Maps: 1, Reduces: 1, Slots: 1, Memory: 4}
		if n%5 == 0 {
			s.Down = []slotmodel.Outage{{From: float64(20 + 7*n), Until: float64(60 + 9*n)}}
		}
		if n%7 == 0 {
			s.NIC = 300
		}
		c.Nodes = append(c.Nodes, s)
	}
	for i := range 4 {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: float64(700 + 100*i), Ingress: 900})
	}
	jobs := make([]slotmodel.JobSpec, 120)
	for i := range jobs {
		s := slotmodel.JobSpec{User: r.IntN(5), Arrival: float64(r.IntN(400)), Maps: tasks(1+r.IntN(30), 0), Reduces: tasks(r.IntN(5), float64(3+r.IntN(17))), Slowstart: 0.5}
		for range s.Maps.Tasks {
			s.Maps.Works = append(s.Maps.Works, float64(1+r.IntN(23)))
			s.Replicas = append(s.Replicas, int32(r.IntN(24)), int32(r.IntN(24)))
		}
		s.Copies = 2
		s.Input, s.Shuffle, s.Output = float64(1000*s.Maps.Tasks), float64(r.IntN(9)*1700), float64(r.IntN(5)*1300)
		s.Maps.Memory, s.Reduces.Memory = 1, 2
		switch r.IntN(12) {
		case 0:
			s.Walltime = float64(20 + r.IntN(50))
		case 1:
			s.Cancel = float64(r.IntN(500))
		case 2:
			s.Rigid, s.Reduces, s.Maps = true, slotmodel.Phase{}, slotmodel.Phase{Tasks: s.Maps.Tasks, Work: 7, Memory: 1}
		}
		jobs[i] = s
	}
	return c, jobs, &chaos{r: rand.New(rand.NewPCG(seed, 100)), calm: 300, beat: 4}
}

// The pins document equality between platforms: they were computed on amd64, and hold with
// GOAMD64=v3, where the compiler may fuse a product and a sum into one rounding, and with
// GOARCH=386, where an int has 32 bits. Inputs are whole numbers drawn by package math/rand/v2, so
// that nothing but the engine takes part; times become fractions by the shares of links. A change
// of the order or of the fields of events changes them.
const (
	pinTimed = 0xdba208bac3bf1114
	pinFluid = 0x56072e942a9a02dc
)

// The log is pinned, whatever GOMAXPROCS, who listens, and what ran before.
func TestHashPinned(t *testing.T) {
	for fluid, want := range map[bool]uint64{false: pinTimed, true: pinFluid} {
		run := func(procs int, o slotmodel.Options) *slotmodel.Result {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			c, jobs, p := hashCase(1, fluid)
			return mustRun(t, c, jobs, p, o)
		}
		n := int64(0)
		got := run(1, slotmodel.Options{Hash: true, Log: func(slotmodel.Event) { n++ }})
		if got.Hash != want || n != got.Events {
			t.Errorf("fluid %v, GOMAXPROCS 1: hash %#x of %d events, %d logged, want %#x", fluid, got.Hash, got.Events, n, want)
		}
		if again := run(2, slotmodel.Options{Hash: true}); again.Hash != want {
			t.Errorf("fluid %v, GOMAXPROCS 2: hash %#x, want %#x", fluid, again.Hash, want)
		}
		if without := run(2, slotmodel.Options{}); without.Hash != 0 || without.Events != n {
			t.Errorf("fluid %v, without Hash: %#x of %d events, want 0 of %d", fluid, without.Hash, without.Events, n)
		}
	}
}
