package slotmodel_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Capacity counts what the nodes that are up could run if they held nothing
// else, Room what a node has room for now, both by the arithmetic by which
// tasks start; AtRest tells when nothing that runs ends by itself.
func TestCapacityAndRoom(t *testing.T) {
	c := &slotmodel.Cluster{ResumeCost: 1, Nodes: []slotmodel.NodeSpec{
		{Maps: 2, Slots: 1, Memory: .3}, {Maps: 9, Memory: .7, Down: []slotmodel.Outage{{From: 2, Until: 4}}}, {Slots: 2}, {Reduces: 3, Memory: 5},
	}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 1, Work: 1, Memory: .1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 1, Memory: 4}},
		{Maps: tasks(3, 3)},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 1, Memory: 7.1}, Reduces: tasks(1, 1)},
	}
	type counts struct {
		capacity [3]int // of job 0's maps and reduces, job 1's maps
		room     [4]int // for job 0's maps, by node
		rest     bool
	}
	p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
		is := func(want counts) {
			t.Helper()
			got := counts{rest: v.AtRest()}
			for i, x := range [...]struct {
				j slotmodel.Job
				k slotmodel.Kind
			}{{0, mapK}, {0, reduce}, {1, mapK}} {
				got.capacity[i] = v.Capacity(x.j, x.k)
			}
			for n := range got.room {
				got.room[n] = v.Room(0, mapK, slotmodel.Node(n))
			}
			if got != want {
				t.Errorf("at %v: %+v, want %+v", v.Now(), got, want)
			}
		}
		switch v.Now() {
		case 0: // three times .1 is more than .3, seven times .1 more than .7
			is(counts{[3]int{2 + 6 + 2, 2 + 1, 3 + 9 + 2}, [4]int{2, 6, 2, 0}, true})
			a.Start(0, reduce, 3) // it waits for its map
			is(counts{[3]int{10, 3, 14}, [4]int{2, 6, 2, 0}, true})
			a.Start(0, mapK, 0)
			is(counts{[3]int{10, 3, 14}, [4]int{1, 6, 2, 0}, false}) // .1 + 2 x .1 is more than .3
			a.Wake(2)
		case 2: // the reduce, which has begun, ends; node 1 is lost
			is(counts{[3]int{4, 3, 5}, [4]int{2, 0, 2, 0}, true})
			a.Start(1, mapK, 2)
			is(counts{[3]int{4, 3, 5}, [4]int{2, 0, 1, 0}, false})
			a.Wake(3)
		case 3:
			a.Suspend(v.Newest(1, mapK))
			is(counts{[3]int{4, 3, 5}, [4]int{2, 0, 2, 0}, true})
			a.Resume(v.Newest(1, mapK))
			is(counts{[3]int{4, 3, 5}, [4]int{2, 0, 1, 0}, false})
		case 4:
			is(counts{[3]int{10, 3, 14}, [4]int{2, 6, 1, 0}, false})
		}
		if v.Now() >= 4 {
			fifo(v, a)
		}
	})
	v := new(slotmodel.View)
	if v.Capacity(0, mapK) != 0 || v.Room(0, mapK, 0) != 0 || !v.AtRest() {
		t.Errorf("without a run: Capacity %d, Room %d, AtRest %v, want 0, 0 and true", v.Capacity(0, mapK), v.Room(0, mapK, 0), v.AtRest())
	}
	mustRun(t, c, jobs, p, slotmodel.Options{})
}

// A reduce that would wait for maps which fit no node that is up does not start: it would hold its
// slot and memory for ever.
func TestReduceOfMapsThatFitNowhere(t *testing.T) {
	large := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1, Work: 1, Memory: 3}, Reduces: tasks(2, 1)}
	for _, c := range []struct {
		nodes []slotmodel.NodeSpec
		want  float64 // when the reduces may start; +Inf: never
	}{
		{[]slotmodel.NodeSpec{{Slots: 2, Memory: 2}, {Reduces: 1}}, math.Inf(1)},
		{[]slotmodel.NodeSpec{{Reduces: 1}}, math.Inf(1)},
		{[]slotmodel.NodeSpec{{Slots: 2, Memory: 2}, {Reduces: 1}, {Maps: 1, Memory: 3, Down: []slotmodel.Outage{{From: 1, Until: 8}}}}, 8},
		{[]slotmodel.NodeSpec{{Slots: 2, Memory: 2}, {Reduces: 1, Memory: 9}, {Maps: 1, Down: []slotmodel.Outage{{From: 1, Until: 8}}}}, 8},
	} {
		at := math.Inf(1)
		p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			if v.Now() >= 2 && room(v, 0, reduce) != none {
				at = min(at, v.Now())
			}
			if v.Now() >= 8 {
				fifo(v, a)
			}
			if v.Now() < 2 {
				a.Wake(2)
			}
		})
		mustRun(t, &slotmodel.Cluster{Nodes: c.nodes}, []slotmodel.JobSpec{large}, p, slotmodel.Options{Until: 20})
		if at != c.want {
			t.Errorf("on %+v the reduces may start at %v, want %v", c.nodes, at, c.want)
		}
	}
}

// A rigid job is stuck when attempts that wait for ever hold what it needs, and not by the fault of
// a policy that starts whatever it can.
func TestRigidBehindWaiting(t *testing.T) {
	early := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1, Work: 1, Memory: 3}, Reduces: slotmodel.Phase{Tasks: 1, Work: 1}}
	for _, x := range []struct {
		rigid  slotmodel.Phase
		reason string
	}{
		{slotmodel.Phase{Tasks: 2, Work: 1}, "attempts that wait for ever hold slots or memory"},
		{slotmodel.Phase{Tasks: 1, Work: 1}, ""},
	} {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Slots: 2, Memory: 1}, {Maps: 1, Memory: 3, Down: []slotmodel.Outage{{From: 1, Until: math.Inf(1)}}}}}
		jobs := []slotmodel.JobSpec{early, {Arrival: 2, Maps: x.rigid, Rigid: true}}
		p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			if v.Now() == 0 {
				a.Start(0, reduce, 0)
			} else {
				fifo(v, a)
			}
			if v.Now() < 1.5 {
				a.Wake(1.5)
			}
		})
		want := slotmodel.Finished
		if x.reason != "" {
			want = slotmodel.Stuck
		}
		res := mustRun(t, c, jobs, p, slotmodel.Options{})
		if r := res.Jobs[1]; r.Outcome != want || !strings.Contains(r.Reason, x.reason) || res.Jobs[0].Outcome != slotmodel.Stuck {
			t.Errorf("rigid %+v: %+v, want %v with %q; job 0 %v", x.rigid, r, want, x.reason, res.Jobs[0].Outcome)
		}
	}
}

// Room is the greatest number of attempts whose memory, by one product, is no more than there is.
func TestRoomOfDecimals(t *testing.T) {
	const most = 300
	for _, bytes := range []float64{.1, .3, .7, 7.1, 1. / 3, 1e-9 / 7, 3} {
		c := &slotmodel.Cluster{}
		for i := range 2 * most {
			memory := float64(i/2+1) * bytes
			if i%2 == 1 {
				memory = math.Nextafter(memory, 0)
			}
			c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: most, Memory: memory})
		}
		p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
			for n, s := range c.Nodes {
				want := 0
				for want < most && float64(want+1)*bytes <= s.Memory {
					want++
				}
				if got := v.Room(0, mapK, slotmodel.Node(n)); got != want {
					t.Errorf("%v bytes each on %v: Room = %d, want %d", bytes, s.Memory, got, want)
				}
			}
			fifo(v, a)
		})
		mustRun(t, c, []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Memory: bytes}}}, p, slotmodel.Options{})
	}
}

// A policy that leaves a rigid job for which there is just enough room is at fault.
func TestRigidLeft(t *testing.T) {
	_, err := slotmodel.Run(one(2, 0), []slotmodel.JobSpec{{Maps: tasks(2, 1), Rigid: true}}, decide(func(*slotmodel.View, *slotmodel.Actions) {}), slotmodel.Options{})
	var deadlock *slotmodel.DeadlockError
	if !errors.As(err, &deadlock) {
		t.Errorf("Run = %v, want a DeadlockError", err)
	}
}
