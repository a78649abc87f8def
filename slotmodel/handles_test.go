package slotmodel_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Every lookup answers handles out of range with None, zeros and false.
func TestHandlesOutOfRange(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 2}, {Maps: 2, Reduces: 2, Rack: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(4, 5), Reduces: tasks(2, 1), Replicas: []int32{0, 1, 0, 1}, Copies: 1},
		{User: 1, Maps: tasks(2, 5)},
	}
	checked := false
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			checked = true
			a.Start(0, mapK, 0)
			if j, n := v.NextRunnableOf(0, 1, mapK), v.NextFreeIn(mapK, 0, 1); j != none || n != none {
				t.Errorf("NextRunnableOf(0) after a job of user 1 = %d, NextFreeIn(0) after a node of rack 1 = %d, want None", j, n)
			}
			for _, x := range []int32{-2, -1, 2, 1000, math.MaxInt32, math.MaxInt32 - 1, math.MinInt32, math.MinInt32 + 1} {
				lookOut(t, v, x)
			}
		}
		fifo(v, a)
	})
	within(t, "Run", func() { mustRun(t, c, jobs, p, slotmodel.Options{}) })
	if !checked {
		t.Fatal("Decide was not called at 0")
	}
}

// lookOut asks everything about handle x, which names nothing: there are 2 of everything but
// tasks (8) and attempts (1).
func lookOut(t *testing.T, v *slotmodel.View, x int32) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("handle %d: panic: %v", x, p)
		}
	}()
	j, n, r, u, a := slotmodel.Job(x), slotmodel.Node(x), slotmodel.Rack(x), slotmodel.User(x), slotmodel.Attempt(x)
	is := func(name string, ok bool, got any) {
		if !ok {
			t.Errorf("View.%s with handle %d = %v", name, x, got)
		}
	}
	is("Entitlement", v.Entitlement(u) == 0, v.Entitlement(u))
	is("Up", !v.Up(n), v.Up(n))
	is("Free", v.Free(mapK, n) == 0, v.Free(mapK, n))
	is("Fits(node)", !v.Fits(0, mapK, n), v.Fits(0, mapK, n))
	is("Fits(job)", !v.Fits(j, mapK, 0), v.Fits(j, mapK, 0))
	all, left := v.Memory(n)
	is("Memory", all == 0 && left == 0, left)
	is("UserMemory", v.UserMemory(u) == 0, v.UserMemory(u))
	is("RackOf", v.RackOf(n) == none, v.RackOf(n))
	is("Speed", v.Speed(n) == 0, v.Speed(n))
	is("Slowdown", v.Slowdown(n) == 0, v.Slowdown(n))
	is("Spec", v.Spec(j) == nil, v.Spec(j))
	is("Present", !v.Present(j), v.Present(j))
	is("Runnable", !v.Runnable(j, mapK), v.Runnable(j, mapK))
	is("Count", v.Count(j, mapK) == slotmodel.Counts{}, v.Count(j, mapK))
	is("UserRunning", v.UserRunning(u, mapK) == 0, v.UserRunning(u, mapK))
	is("UserJobs", v.UserJobs(u) == 0, v.UserJobs(u))
	is("Task(job)", v.Task(j, mapK, 0) == none, v.Task(j, mapK, 0))
	is("Started(job)", v.Started(j, mapK, 0) == 0, v.Started(j, mapK, 0))
	is("Started(rack)", v.Started(0, mapK, r) == 0, v.Started(0, mapK, r))
	is("WorkLeft", v.WorkLeft(j, mapK) == 0, v.WorkLeft(j, mapK))
	is("NextActiveOf(user)", v.NextActiveOf(u, none) == none, v.NextActiveOf(u, none))
	if x < 0 || x > 7 {
		is("Task", v.Task(0, mapK, int(x)) == none, v.Task(0, mapK, int(x)))
		i, _, _ := v.Index(slotmodel.Task(x))
		is("Index", i == none, i)
	}
	is("NextPending(job)", v.NextPending(j, mapK, none) == none, v.NextPending(j, mapK, none))
	is("Local(job)", v.Local(j, 0) == none, v.Local(j, 0))
	is("Local(node)", v.Local(0, n) == none, v.Local(0, n))
	is("LocalRack(job)", v.LocalRack(j, 0) == none, v.LocalRack(j, 0))
	is("LocalRack(rack)", v.LocalRack(0, r) == none, v.LocalRack(0, r))
	is("Newest", v.Newest(j, mapK) == none, v.Newest(j, mapK))
	is("Older", v.Older(a) == none, v.Older(a))
	is("Attempt", v.Attempt(a).Job == none, v.Attempt(a))
	is("CanSuspend", !v.CanSuspend(a), v.CanSuspend(a))
	is("Output(job)", v.Output(j, 0) == 0, v.Output(j, 0))
	is("Output(rack)", v.Output(0, r) == 0, v.Output(0, r))
	e, i := v.LinkBytes(r)
	is("LinkBytes", e == 0 && i == 0, [2]float64{e, i})
	e, i = v.LinkCapacity(r)
	is("LinkCapacity", e == 0 && i == 0, [2]float64{e, i})
	is("NextFreeIn(rack)", v.NextFreeIn(mapK, r, none) == none, v.NextFreeIn(mapK, r, none))
	is("NextRunnableOf(user)", v.NextRunnableOf(u, none, mapK) == none, v.NextRunnableOf(u, none, mapK))
	if x == none { // where a walk starts
		return
	}
	is("NextFree", v.NextFree(mapK, n) == none, v.NextFree(mapK, n))
	is("NextFreeIn(node)", v.NextFreeIn(mapK, 0, n) == none, v.NextFreeIn(mapK, 0, n))
	is("NextActive", v.NextActive(j) == none, v.NextActive(j))
	is("NextActiveOf(job)", v.NextActiveOf(0, j) == none, v.NextActiveOf(0, j))
	is("NextRunnable", v.NextRunnable(j, mapK) == none, v.NextRunnable(j, mapK))
	is("NextRunnableOf(job)", v.NextRunnableOf(0, j, mapK) == none, v.NextRunnableOf(0, j, mapK))
	if x > 10 || x < 0 {
		is("NextPending(task)", v.NextPending(0, mapK, slotmodel.Task(x)) == none, v.NextPending(0, mapK, slotmodel.Task(x)))
	}
}

// Every lookup answers a kind that does not exist with None, zeros and false, and Start refuses it.
func TestKindsOutOfRange(t *testing.T) {
	for _, k := range []slotmodel.Kind{2, 3, 254, 255} {
		p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			a.Start(0, mapK, 0)
			a.Start(0, reduce, 0)
			is := func(name string, ok bool) {
				if !ok {
					t.Errorf("View.%s answers kind %d", name, k)
				}
			}
			is("Slots", v.Slots(k) == 0)
			is("FreeSlots", v.FreeSlots(k) == 0)
			is("Free", v.Free(k, 0) == 0)
			is("NextFree", v.NextFree(k, none) == none)
			is("NextFreeIn", v.NextFreeIn(k, 0, none) == none)
			is("NextRunnable", v.NextRunnable(none, k) == none)
			is("NextRunnableOf", v.NextRunnableOf(0, none, k) == none)
			is("Runnable", !v.Runnable(0, k))
			is("Count", v.Count(0, k) == slotmodel.Counts{})
			is("UserRunning", v.UserRunning(0, k) == 0)
			is("Task", v.Task(0, k, 0) == none)
			is("NextPending", v.NextPending(0, k, none) == none)
			is("Newest", v.Newest(0, k) == none)
			is("Fits", !v.Fits(0, k, 0))
			is("Started", v.Started(0, k, 0) == 0)
			is("WorkLeft", v.WorkLeft(0, k) == 0)
			if a.Start(0, k, 0) {
				t.Errorf("Start of kind %d is allowed", k)
			}
		})
		_, err := slotmodel.Run(one(3, 3), []slotmodel.JobSpec{{Maps: tasks(3, 1), Reduces: tasks(3, 1)}}, p, slotmodel.Options{})
		var fault *slotmodel.ActionError
		if !errors.As(err, &fault) || fault.Reason != "no such kind" {
			t.Errorf("Start of kind %d: %v, want an ActionError for the kind", k, err)
		}
	}
}

// An attempt that is over is not one; neither is one when the policy has been refused.
func TestAttemptsThatAreOver(t *testing.T) {
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		x := v.Newest(0, mapK)
		if v.Now() == 0 {
			a.Start(0, mapK, 0)
			x = v.Newest(0, mapK)
			a.Kill(x)
		}
		if i := v.Attempt(0); i.Job != none || i.Task != none || i.Node != none || v.CanSuspend(0) || v.Older(0) != none || x == none {
			t.Errorf("after Kill(0): Attempt(0) = %+v, x %d", i, x)
		}
		a.Start(0, mapK, 0)
		a.Start(0, mapK, 7)
		if v.FreeSlots(mapK) != 0 || v.Free(mapK, 0) != 0 || v.NextFree(mapK, none) != none || v.NextFreeIn(mapK, 0, none) != none ||
			v.NextRunnable(none, mapK) != none || v.NextRunnableOf(0, none, mapK) != none || v.Runnable(0, mapK) || v.Attempt(0).Job != none {
			t.Error("after an action that was not allowed the view shows a free slot, a runnable job or an attempt")
		}
	})
	if _, err := slotmodel.Run(one(3, 0), []slotmodel.JobSpec{{Maps: tasks(3, 1)}}, p, slotmodel.Options{}); err == nil {
		t.Error("Start on node 7 of 1: no error")
	}
}
