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

// meddler acts when it should only look.
type meddler struct {
	decide
	act func(a *slotmodel.Actions, e slotmodel.Event)
	a   *slotmodel.Actions
}

func (m *meddler) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	m.a = a
	m.decide(v, a)
}

func (m *meddler) Observe(_ *slotmodel.View, e slotmodel.Event) {
	if m.a != nil {
		m.act(m.a, e)
	}
}

// Outside of Decide nothing is allowed, whether a task has just started, within Decide, or ended.
func TestActionsOutsideOfDecide(t *testing.T) {
	for name, act := range map[string]func(*slotmodel.Actions, slotmodel.Event) bool{
		"Start(":      func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.Start(e.Job, mapK, 0) },
		"StartTask(":  func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.StartTask(1, 0) },
		"StartGang(":  func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.StartGang(e.Job, []slotmodel.Node{0}) },
		"Kill(":       func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.Kill(e.Attempt) },
		"Suspend(":    func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.Suspend(e.Attempt) },
		"Resume(":     func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.Resume(e.Attempt) },
		"Wake(1e+06)": func(a *slotmodel.Actions, e slotmodel.Event) bool { return a.Wake(1e6) },
	} {
		for _, on := range []slotmodel.EventType{slotmodel.Started, slotmodel.Ended} {
			done := false
			run := func(p slotmodel.Policy, o slotmodel.Options) {
				res, err := slotmodel.Run(one(2, 0), []slotmodel.JobSpec{{Maps: tasks(5, 1)}}, p, o)
				var e *slotmodel.ActionError
				if done || res == nil || !errors.As(err, &e) || !strings.HasPrefix(e.Action, name) || !strings.Contains(e.Reason, "outside of Decide") {
					t.Errorf("%s on event %v: it was done: %v; Run = %v, %v, want an ActionError", name, on, done, res, err)
				}
			}
			meddled := false
			m := &meddler{decide: func(v *slotmodel.View, a *slotmodel.Actions) {
				if meddled {
					t.Errorf("%s on event %v: Decide is called again after it", name, on)
				}
				fifo(v, a)
			}, act: func(a *slotmodel.Actions, e slotmodel.Event) {
				if e.Type == on {
					meddled = true
					done = act(a, e) || done
				}
			}}
			run(m, slotmodel.Options{})
			var kept *slotmodel.Actions
			keeps := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
				kept = a
				fifo(v, a)
			})
			run(keeps, slotmodel.Options{Log: func(e slotmodel.Event) {
				if e.Type == on {
					done = act(kept, e) || done
				}
			}})
		}
	}
}
