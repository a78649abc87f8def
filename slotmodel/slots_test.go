package slotmodel_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Reduces that wait for maps hold at most a fraction of the shared slots, so that maps get through;
// those of the nodes' own do not count, and reduces whose maps have ended do not either.
func TestEarlyReduces(t *testing.T) {
	for _, c := range []struct {
		fraction float64
		nodes    []slotmodel.NodeSpec
		early    int
	}{
		{0, []slotmodel.NodeSpec{{Slots: 2}, {Slots: 2}}, 2},
		{0, []slotmodel.NodeSpec{{Slots: 3}}, 1},
		{0, []slotmodel.NodeSpec{{Slots: 1}}, 0},
		{.75, []slotmodel.NodeSpec{{Slots: 2}, {Slots: 2}}, 3},
		{.29, []slotmodel.NodeSpec{{Slots: 100}}, 29},
		{math.SmallestNonzeroFloat64, []slotmodel.NodeSpec{{Slots: 50}}, 0},
		{math.SmallestNonzeroFloat64, []slotmodel.NodeSpec{{Slots: 3, Reduces: 2}, {Slots: 1, Reduces: 1}}, 3},
		{.5, []slotmodel.NodeSpec{{Slots: 3, Reduces: 1}, {Slots: 1, Reduces: 1}}, 4},
		{1, []slotmodel.NodeSpec{{Maps: 1, Slots: 2}}, 2},
	} {
		cluster := &slotmodel.Cluster{Nodes: c.nodes, EarlyReduces: c.fraction}
		early := -1
		p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			for n := room(v, 0, reduce); n != none; n = room(v, 0, reduce) {
				a.Start(0, reduce, n)
			}
			if early < 0 {
				early = int(v.Count(0, reduce).Running)
			}
			fifo(v, a)
		})
		jobs := []slotmodel.JobSpec{{Maps: tasks(5, 1), Reduces: tasks(200, 1)}, {Reduces: tasks(3, 1)}}
		res := mustRun(t, cluster, jobs, p, slotmodel.Options{})
		if early != c.early || res.Jobs[0].Outcome != slotmodel.Finished {
			t.Errorf("EarlyReduces %v on %+v: %d reduces started early, want %d; job 0 %v", c.fraction, c.nodes, early, c.early, res.Jobs[0].Outcome)
		}
	}
}

// Memory is held from the start of an attempt to its end, through suspension; sums that cancel
// leave nothing behind.
func TestMemory(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 20, Memory: 1}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 10, Work: 1, Memory: .1}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 4, Work: 5, Memory: .3125}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 1, Work: 5, Memory: 1}},
	}
	p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
		is := func(first, second float64, fits ...bool) {
			t.Helper()
			all, left := v.Memory(0)
			if v.UserMemory(0) != first || v.UserMemory(1) != second || all != 1 || math.Abs(left-(1-first-second)) > 1e-15 {
				t.Errorf("at %v: users hold %v and %v, %v of %v left, want %v and %v", v.Now(), v.UserMemory(0), v.UserMemory(1), left, all, first, second)
			}
			for j, want := range fits {
				if got := v.Fits(slotmodel.Job(j), mapK, 0); got != want {
					t.Errorf("at %v: Fits(%d) = %v", v.Now(), j, got)
				}
			}
		}
		switch v.Now() {
		case 0:
			for range 10 {
				a.Start(0, mapK, 0)
			}
			is(1, 0, false, false, false)
		case 1:
			is(0, 0, false, true, true)
			for range 3 {
				a.Start(1, mapK, 0)
			}
			is(0, .9375, false, false, false)
			a.Wake(2)
			a.Wake(3)
		case 2:
			a.Suspend(v.Newest(1, mapK))
			is(0, .9375, false, false, false)
		case 3:
			a.Kill(v.Newest(1, mapK))
			is(0, .625, false, true, false)
			a.Start(1, mapK, 0)
			a.Start(2, mapK, 0)
		}
	})
	_, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
	if err == nil || !strings.Contains(err.Error(), "at 3 s") || !strings.Contains(err.Error(), "the node has not the memory") {
		t.Errorf("Run = %v, want that the last start has not the memory", err)
	}
}

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
