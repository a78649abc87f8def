package slotmodel_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Every action that is not allowed is an ActionError with time, policy, action and reason, does
// nothing, and ends the run.
func TestActionErrors(t *testing.T) {
	type act = func(v *slotmodel.View, a *slotmodel.Actions) bool
	// At 3 s: job 0 has a map that runs (attempt 0) on node 0, one suspended (attempt 1) on node 1
	// and one that waits; job 1 is rigid and waits; job 2 comes later; job 3 has ended; node 2 is
	// lost; node 3 is free and 4 full; 5 has reduce slots only.
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, Memory: 5}, {Maps: 1, Down: []slotmodel.Outage{{From: 1, Until: 50}}}, {Maps: 3, Memory: 3}, {Maps: 1}, {Reduces: 2}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 6, Work: 20, Memory: 1}, Reduces: tasks(2, 1), Slowstart: 1},
		{Maps: tasks(2, 5), Rigid: true},
		{Arrival: 30, Maps: tasks(1, 1)},
		{Maps: tasks(1, 1)},
		{Maps: tasks(1, 30)},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 1, Memory: 4}},
		{Maps: slotmodel.Phase{Tasks: 2, Work: 1, Memory: 2}, Rigid: true},
	}
	setUp := func(v *slotmodel.View, a *slotmodel.Actions) {
		switch v.Now() {
		case 0:
			a.StartTask(0, 0)
			a.StartTask(1, 1)
			a.Start(3, mapK, 3)
			a.Start(4, mapK, 4)
			a.Wake(2)
			a.Wake(3)
		case 2:
			a.Suspend(v.Older(v.Newest(0, mapK)))
			a.Suspend(v.Newest(0, mapK))
			a.StartTask(2, 1)
			a.Resume(v.Older(v.Older(v.Newest(0, mapK))))
		}
	}
	running := func(v *slotmodel.View) slotmodel.Attempt { return v.Newest(4, mapK) }
	suspended := func(v *slotmodel.View) slotmodel.Attempt {
		for x := v.Newest(0, mapK); x != none; x = v.Older(x) {
			if v.Attempt(x).Suspended {
				return x
			}
		}
		t.Fatal("nothing is suspended")
		return none
	}
	for _, c2 := range []struct {
		action, reason string
		do             act
	}{
		{"Start(-1, map, 3)", "job", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(none, mapK, 3) }},
		{"Start(7, map, 3)", "job", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(7, mapK, 3) }},
		{"Start(5, map, 3)", "memory", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(5, mapK, 3) }},
		{"StartTask(13, 3)", "memory", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(13, 3) }},
		{"StartGang(6, [3 3])", "memory", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(6, []slotmodel.Node{3, 3}) }},
		{"Start(0, map, -1)", "node", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, mapK, none) }},
		{"Start(0, map, 6)", "node", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, mapK, 6) }},
		{"Start(0, map, 2)", "lost", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, mapK, 2) }},
		{"Start(0, map, 4)", "free slot", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, mapK, 4) }},
		{"Start(0, map, 5)", "free slot", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, mapK, 5) }},
		{"Start(0, reduce, 3)", "free slot", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, reduce, 3) }},
		{"Start(0, reduce, 5)", "cannot start yet", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, reduce, 5) }},
		{"Start(0, ", "kind", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(0, 2, 3) }},
		{"Start(2, map, 3)", "not present", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(2, mapK, 3) }},
		{"Start(3, map, 3)", "not present", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(3, mapK, 3) }},
		{"Start(4, map, 3)", "waits", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(4, mapK, 3) }},
		{"Start(1, map, 3)", "rigid", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Start(1, mapK, 3) }},
		{"StartTask(-1, 3)", "task", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(none, 3) }},
		{"StartTask(16, 3)", "task", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(16, 3) }},
		{"StartTask(0, 3)", "wait", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(0, 3) }},
		{"StartTask(6, 5)", "cannot start yet", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(6, 5) }},
		{"StartTask(8, 3)", "rigid", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(8, 3) }},
		{"StartTask(10, 3)", "not present", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(10, 3) }},
		{"StartTask(3, 4)", "free slot", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartTask(3, 4) }},
		{"StartGang(1, [3])", "as many nodes", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(1, []slotmodel.Node{3}) }},
		{"StartGang(1, [])", "as many nodes", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(1, nil) }},
		{"StartGang(1, [3 3 3])", "as many nodes", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(1, []slotmodel.Node{3, 3, 3}) }},
		{"StartGang(1, [3 4])", "free slot", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(1, []slotmodel.Node{3, 4}) }},
		{"StartGang(1, [3 2])", "lost", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(1, []slotmodel.Node{3, 2}) }},
		{"StartGang(9, [3 3])", "job", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(9, []slotmodel.Node{3, 3}) }},
		{"StartGang(9, [])", "no such job", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.StartGang(9, nil) }},
		{"StartGang(0, [3 3 3 3 3 3])", "more often", func(v *slotmodel.View, a *slotmodel.Actions) bool {
			return a.StartGang(0, []slotmodel.Node{3, 3, 3, 3, 3, 3})
		}},
		{"Kill(-1)", "attempt", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Kill(none) }},
		{"Kill(99)", "attempt", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Kill(99) }},
		{"Suspend(99)", "attempt", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Suspend(99) }},
		{"Suspend(", "compute", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Suspend(suspended(v)) }},
		{"Resume(99)", "suspended", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Resume(99) }},
		{"Resume(", "suspended", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Resume(running(v)) }},
		{"Resume(", "free", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Resume(suspended(v)) }},
		{"Wake(3)", "later than now", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Wake(3) }},
		{"Wake(NaN)", "finite", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Wake(math.NaN()) }},
		{"Wake(+Inf)", "finite", func(v *slotmodel.View, a *slotmodel.Actions) bool { return a.Wake(math.Inf(1)) }},
	} {
		logged := 0
		after := -1
		p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			if after >= 0 {
				t.Errorf("%s: Decide is called again after it", c2.action)
			}
			setUp(v, a)
			if v.Now() != 3 {
				return
			}
			after = logged
			if c2.do(v, a) || logged != after {
				t.Errorf("%s returned true, or did something", c2.action)
			}
			// What follows is refused too, and the first reason stands.
			if a.Start(0, mapK, 3) || a.Wake(1e6) || a.Kill(0) || a.Suspend(0) || a.Resume(0) || a.StartTask(3, 3) || a.StartGang(1, []slotmodel.Node{3, 3}) || logged != after {
				t.Errorf("%s: an action after it was allowed", c2.action)
			}
		})
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(slotmodel.Event) { logged++ }})
		var e *slotmodel.ActionError
		if !errors.As(err, &e) || !errors.Is(err, slotmodel.ErrPolicy) || res == nil {
			t.Errorf("%s: Run = %v, %v, want an ActionError and a result", c2.action, res, err)
			continue
		}
		if e.Time != 3 || e.Policy != "slotmodel_test.decide" || !strings.HasPrefix(e.Action, c2.action) || !strings.Contains(e.Reason, c2.reason) {
			t.Errorf("%s: %+v, want Time 3, this action and a reason with %q", c2.action, *e, c2.reason)
		}
		if s := err.Error(); !strings.Contains(s, "3 s") || !strings.Contains(s, e.Action) || !strings.Contains(s, e.Reason) {
			t.Errorf("%s: error %q lacks time, action or reason", c2.action, s)
		}
	}
}

// Loops of policies end after an action that was not allowed.
func TestLoopsEndAfterFault(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2}}}
	for name, p := range map[string]decide{
		"for FreeSlots > 0": func(v *slotmodel.View, a *slotmodel.Actions) {
			for v.FreeSlots(mapK) > 0 {
				a.Start(0, mapK, 9)
			}
		},
		"for NextFree": func(v *slotmodel.View, a *slotmodel.Actions) {
			for n := v.NextFree(mapK, none); n != none; n = v.NextFree(mapK, none) {
				a.Start(7, mapK, n)
			}
		},
		"for NextRunnable": func(v *slotmodel.View, a *slotmodel.Actions) {
			for j := v.NextRunnable(none, mapK); j != none; j = v.NextRunnable(none, mapK) {
				a.Start(j, mapK, 9)
			}
		},
		"for Runnable": func(v *slotmodel.View, a *slotmodel.Actions) {
			for v.Runnable(0, mapK) {
				a.Start(0, mapK, 9)
			}
		},
		"for NextPending": func(v *slotmodel.View, a *slotmodel.Actions) {
			for x := v.NextPending(0, mapK, none); x != none; x = v.NextPending(0, mapK, none) {
				a.StartTask(x, 9)
			}
		},
		"for Local": func(v *slotmodel.View, a *slotmodel.Actions) {
			for x := v.Local(0, 0); x != none; x = v.Local(0, 0) {
				a.StartTask(x, 9)
			}
		},
		"for LocalRack": func(v *slotmodel.View, a *slotmodel.Actions) {
			for x := v.LocalRack(0, 0); x != none; x = v.LocalRack(0, 0) {
				a.StartTask(x, 9)
			}
		},
		"for Newest": func(v *slotmodel.View, a *slotmodel.Actions) {
			a.Start(0, mapK, 0)
			for x := v.Newest(0, mapK); x != none; x = v.Newest(0, mapK) {
				a.Resume(x)
			}
		},
	} {
		within(t, name, func() {
			_, err := slotmodel.Run(c, []slotmodel.JobSpec{{Maps: tasks(3, 1), Replicas: []int32{0, 0, 0}, Copies: 1}}, p, slotmodel.Options{})
			var e *slotmodel.ActionError
			if !errors.As(err, &e) {
				t.Errorf("%s: Run = %v, want an ActionError", name, err)
			}
		})
	}
}

// A policy that leaves tasks that could run is reported, with what waits.
func TestDeadlock(t *testing.T) {
	never := func(v *slotmodel.View, a *slotmodel.Actions) {}
	for name, c := range map[string]struct {
		p    slotmodel.Policy
		time float64
		job  slotmodel.Job
		kind slotmodel.Kind
		n    int
	}{
		"never starts":   {decide(never), 2, 0, mapK, 3},
		"heartbeats":     {ticker{decide(never), 1}, -1, 0, mapK, 3},
		"wakes for ever": {decide(func(v *slotmodel.View, a *slotmodel.Actions) { a.Wake(v.Now() + 1) }), -1, 0, mapK, 3},
		"no reduces": {decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			for j := v.NextRunnable(none, mapK); j != none && v.FreeSlots(mapK) > 0; j = v.NextRunnable(j, mapK) {
				a.Start(j, mapK, v.NextFree(mapK, none))
			}
		}), -1, 0, reduce, 2},
		"never resumes": {decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			if v.Now() == 0 {
				a.Start(0, mapK, 0)
				a.Wake(0.5)
			} else if x := v.Newest(0, mapK); v.CanSuspend(x) {
				a.Suspend(x)
			}
		}), -1, 0, mapK, 3},
	} {
		within(t, name, func() {
			res, err := slotmodel.Run(one(2, 1), []slotmodel.JobSpec{{Maps: tasks(3, 1), Reduces: tasks(2, 1), Slowstart: 1}, {Arrival: 2, Maps: tasks(1, 1)}}, c.p, slotmodel.Options{})
			var e *slotmodel.DeadlockError
			if !errors.As(err, &e) || !errors.Is(err, slotmodel.ErrPolicy) || res == nil {
				t.Errorf("%s: Run = %v, %v, want a DeadlockError and a result", name, res, err)
				return
			}
			if e.Job != c.job || e.Kind != c.kind || e.Tasks != c.n || e.Free < 1 || c.time >= 0 && e.Time != c.time || !strings.HasPrefix(e.Policy, "slotmodel_test.") {
				t.Errorf("%s: %+v, want job %d, kind %v, %d tasks", name, *e, c.job, c.kind, c.n)
			}
			if res.Jobs[0].Outcome != slotmodel.Unended || res.Jobs[0].Finish != -1 {
				t.Errorf("%s: job 0 %+v, want unended", name, res.Jobs[0])
			}
		})
	}
}

// Jobs that no policy could finish are Stuck, with the reason, and the others end.
func TestStuck(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		c      *slotmodel.Cluster
		job    slotmodel.JobSpec
		reason string
	}{
		"nodes lost":      {&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Reduces: 1, Down: []slotmodel.Outage{{From: 5, Until: inf}}}}}, slotmodel.JobSpec{Maps: tasks(1, 10)}, "slot"},
		"no map slots":    {one(0, 1), slotmodel.JobSpec{Maps: tasks(1, 10)}, "slot"},
		"no reduce slots": {one(1, 0), slotmodel.JobSpec{Maps: tasks(1, 10), Reduces: tasks(1, 1)}, "slot"},
		"too wide":        {one(3, 0), slotmodel.JobSpec{Maps: tasks(4, 10), Rigid: true}, "rigid"},
	} {
		for _, p := range []slotmodel.Policy{fifo, ticker{fifo, 3}} {
			within(t, name, func() {
				other := slotmodel.JobSpec{Maps: tasks(0, 1)}
				res, err := slotmodel.Run(c.c, []slotmodel.JobSpec{c.job, other}, p, slotmodel.Options{})
				if err != nil || res.Jobs[0].Outcome != slotmodel.Stuck || !strings.Contains(res.Jobs[0].Reason, c.reason) || res.Jobs[0].Finish != -1 {
					t.Errorf("%s, policy %T: job %+v, err %v, want stuck with a reason that names the %s", name, p, res.Jobs[0], err, c.reason)
				}
				if res.Jobs[1].Outcome != slotmodel.Finished {
					t.Errorf("%s, policy %T: the other job %+v", name, p, res.Jobs[1])
				}
			})
		}
	}
}

// Until stops a run at that time, what happens then included.
func TestUntil(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Maps: tasks(2, 4)}, {Arrival: 5, Maps: tasks(1, 4)}, {Arrival: 20, Maps: tasks(1, 1)}}
	for _, until := range []float64{1, 4, 6, 8, 12, 100} {
		log, res, err := play(one(1, 1), jobs, fifo, slotmodel.Options{Until: until, Period: 1})
		if err != nil || len(log.faults) > 0 || res.End != until {
			t.Errorf("Until %v: End %v, %v, %q", until, res.End, err, log.faults)
		}
		for j, want := range []float64{8, 12, 21} {
			if want > until {
				want = -1
			}
			if res.Jobs[j].Finish != want || (want < 0) != (res.Jobs[j].Outcome == slotmodel.Unended) {
				t.Errorf("Until %v: job %d %+v, want finished at %v", until, j, res.Jobs[j], want)
			}
		}
	}
}
