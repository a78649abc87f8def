package slotmodel_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Shared slots serve both kinds, and results count each of them once.
func TestSharedSlots(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Reduces: 1, Slots: 2}}}
	jobs := []slotmodel.JobSpec{{Maps: tasks(4, 8), Reduces: tasks(4, 4)}}
	free := func(v *slotmodel.View) [4]int {
		return [4]int{v.Free(mapK, 0), v.Free(reduce, 0), v.Slots(mapK), v.FreeSlots(reduce)}
	}
	p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
		is := func(want [4]int) {
			t.Helper()
			if got := free(v); got != want {
				t.Errorf("at %v: free maps, reduces, slots for maps, free for reduces %v, want %v", v.Now(), got, want)
			}
		}
		switch v.Now() {
		case 0:
			is([4]int{3, 3, 3, 3})
			a.Start(0, mapK, 0)
			is([4]int{2, 3, 3, 3})
			a.Start(0, mapK, 0)
			is([4]int{1, 2, 3, 2})
			a.Start(0, mapK, 0)
			is([4]int{0, 1, 3, 1})
			if v.NextFree(mapK, none) != none || v.NextFree(reduce, none) != 0 {
				t.Errorf("NextFree = %d and %d, want None and 0", v.NextFree(mapK, none), v.NextFree(reduce, none))
			}
			a.Start(0, reduce, 0)
			is([4]int{0, 0, 3, 0})
		case 8:
			is([4]int{3, 2, 3, 2})
			a.Start(0, mapK, 0)
			is([4]int{2, 2, 3, 2})
		case 16:
			is([4]int{3, 2, 3, 2})
			a.Start(0, reduce, 0)
			a.Start(0, reduce, 0)
			is([4]int{1, 0, 3, 0})
		case 20:
			a.Start(0, reduce, 0)
		}
	})
	res := mustRun(t, c, jobs, p, slotmodel.Options{Period: 8})
	if r := res.Series[0]; r.Running != [2]float64{3, 1} || r.Slots != [2]float64{1, 1} || r.Shared != 2 {
		t.Errorf("Series[0] = %+v, want 3 maps and 1 reduce on 1 + 1 + 2 slots", r)
	}
	if res.Jobs[0].Finish != 24 || res.Users[0].SlotSeconds != [2]float64{32, 32} {
		t.Errorf("finished at %v, slot-seconds %v, want 24 and 32 each", res.Jobs[0].Finish, res.Users[0].SlotSeconds)
	}
}

// TotalSlots counts each slot of the nodes that are up once, Slots the shared ones in both kinds.
func TestTotalSlots(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Reduces: 2, Slots: 4}, {Maps: 8, Slots: 16, Down: []slotmodel.Outage{{From: 1, Until: 2}}}}}
	mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 4)}}, decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		fifo.Decide(v, a)
		want := [3]int{31, 29, 22}
		if v.Now() == 1 {
			want = [3]int{7, 5, 6}
		}
		if got := [3]int{v.TotalSlots(), v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}; got != want {
			t.Errorf("at %v s TotalSlots and Slots of each kind are %v, want %v", v.Now(), got, want)
		}
	}), slotmodel.Options{})
}

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

// A rigid job that needs more memory at once than all nodes have is stuck, whatever the size of a
// byte.
func TestRigidBeyondMemory(t *testing.T) {
	for _, byte := range []float64{.125, 1, 1e9} {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3, Memory: 2 * byte}}}
		for maps, want := range map[int]slotmodel.Outcome{2: slotmodel.Finished, 3: slotmodel.Stuck} {
			job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: maps, Work: 1, Memory: byte}, Rigid: true}
			if res := mustRun(t, c, []slotmodel.JobSpec{job}, fifo, slotmodel.Options{}); res.Jobs[0].Outcome != want {
				t.Errorf("%d maps of %v bytes together on %v bytes: %+v, want %v", maps, byte, 2*byte, res.Jobs[0], want)
			}
		}
	}
}

// With EarlyReduces 1 reduces that wait for maps may hold all slots, which makes their job stuck;
// so may reduces on the memory of all nodes.
func TestReducesHoldAll(t *testing.T) {
	reducesFirst := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		for _, k := range []slotmodel.Kind{reduce, mapK} {
			for n := room(v, 0, k); n != none; n = room(v, 0, k) {
				a.Start(0, k, n)
			}
		}
	})
	heavy := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1, Work: 1, Memory: 3}, Reduces: slotmodel.Phase{Tasks: 2, Work: 1, Memory: 2}}
	for _, c := range []struct {
		c      *slotmodel.Cluster
		job    slotmodel.JobSpec
		reason string
	}{
		{&slotmodel.Cluster{EarlyReduces: 1, Nodes: []slotmodel.NodeSpec{{Slots: 2}}}, slotmodel.JobSpec{Maps: tasks(1, 1), Reduces: tasks(2, 1)}, "map slots are held"},
		{&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Reduces: 2, Memory: 4}}}, heavy, "not the memory"},
	} {
		res := mustRun(t, c.c, []slotmodel.JobSpec{c.job}, reducesFirst, slotmodel.Options{})
		if r := res.Jobs[0]; r.Outcome != slotmodel.Stuck || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("Run on %+v: %+v, want stuck with %q", c.c.Nodes, r, c.reason)
		}
		c.c.EarlyReduces = 0
		if res := mustRun(t, c.c, []slotmodel.JobSpec{c.job}, fifo, slotmodel.Options{}); res.Jobs[0].Outcome != slotmodel.Finished {
			t.Errorf("Run on %+v under fifo: %+v, want finished", c.c.Nodes, res.Jobs[0])
		}
	}
}

// A job with a task that fits no node that is up, even when empty, is stuck with that reason;
// others go on.
func TestTooLargeForAnyNode(t *testing.T) {
	phase := func(n int, memory float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: 1, Memory: memory} }
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Memory: 4}, {Reduces: 1, Memory: 9}, {Maps: 1, Memory: 7, Down: []slotmodel.Outage{{From: 0, Until: math.Inf(1)}}}}}
	for _, x := range []struct {
		job    slotmodel.JobSpec
		reason string
	}{
		{slotmodel.JobSpec{Maps: phase(1, 5)}, "a map holds 5 bytes of memory"},
		{slotmodel.JobSpec{Maps: phase(1, 1), Reduces: phase(1, 10)}, "a reduce holds 10 bytes of memory"},
		{slotmodel.JobSpec{Maps: phase(2, 3), Rigid: true}, "rigid, of 2 tasks, and 1 slots"},
		{slotmodel.JobSpec{Maps: phase(2, 2), Rigid: true}, ""},
		{slotmodel.JobSpec{Maps: phase(1, 4), Reduces: phase(1, 9)}, ""},
	} {
		for _, period := range []float64{0, 3} {
			res := mustRun(t, c, []slotmodel.JobSpec{x.job, {Arrival: 1, Maps: phase(3, 4)}}, ticker{fifo, period}, slotmodel.Options{})
			want := slotmodel.Finished
			if x.reason != "" {
				want = slotmodel.Stuck
			}
			if r := res.Jobs[0]; r.Outcome != want || !strings.Contains(r.Reason, x.reason) || res.Jobs[1].Outcome != slotmodel.Finished {
				t.Errorf("job %+v: %+v, the other %v, want %v, %q and finished", x.job, r, res.Jobs[1].Outcome, want, x.reason)
			}
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
