package slotmodel_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// What keeps a job from ending is named although attempts of it wait, and also if the run had
// a time at which to stop.
func TestStuckReason(t *testing.T) {
	early := []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 1)}}
	for name, c := range map[string]struct {
		c    *slotmodel.Cluster
		jobs []slotmodel.JobSpec
		want string
	}{
		"a reduce waits, no map slot": {one(0, 1), early, "no map slot is up"},
		"the maps' node is gone": {&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{
			{Maps: 1, Down: []slotmodel.Outage{{From: 0.5, Until: math.Inf(1)}}}, {Reduces: 1}}}, early, "no map slot is up"},
		"no reduce slot": {one(1, 0), early, "no reduce slot is up"},
	} {
		for _, until := range []float64{0, 100} {
			res, err := slotmodel.Run(c.c, c.jobs, fifo, slotmodel.Options{Until: until})
			if err != nil || res.Jobs[0].Outcome != slotmodel.Stuck || res.Jobs[0].Reason != c.want || res.Jobs[0].Finish != -1 {
				t.Errorf("%s, until %v: %+v, %v, want stuck: %s", name, until, res.Jobs[0], err, c.want)
			}
			if until > 0 && res.End != until {
				t.Errorf("%s: End = %v, want %v", name, res.End, until)
			}
		}
	}
}

// A policy at fault is no fault of the job, and is reported before the run's last time too.
func TestDeadlockLeavesJobUnended(t *testing.T) {
	reducesOnly := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		for j := v.NextRunnable(none, reduce); j != none && v.FreeSlots(reduce) > 0; j = v.NextRunnable(j, reduce) {
			a.Start(j, reduce, v.NextFree(reduce, none))
		}
	})
	idle := decide(func(*slotmodel.View, *slotmodel.Actions) {})
	for name, p := range map[string]slotmodel.Policy{"reduces only": reducesOnly, "idle": idle} {
		for _, until := range []float64{0, 100} {
			res, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 1)}}, p, slotmodel.Options{Until: until})
			var e *slotmodel.DeadlockError
			if !errors.As(err, &e) || e.Job != 0 || e.Kind != mapK || res.Jobs[0].Outcome != slotmodel.Unended || res.Jobs[0].Reason != "" {
				t.Errorf("%s, until %v: %+v, %v, want a DeadlockError of a map and the job unended", name, until, res.Jobs[0], err)
			}
		}
	}
}

// A policy may wait on purpose for a long time.
func TestPatientPolicy(t *testing.T) {
	const begin = 3600
	late := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() >= begin {
			fifo(v, a)
		}
	})
	wakes := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if late(v, a); v.Now() < begin {
			a.Wake(v.Now() + 1)
		}
	})
	c := &slotmodel.Cluster{Nodes: make([]slotmodel.NodeSpec, 36)}
	for i := range c.Nodes {
		c.Nodes[i].Maps = 1
	}
	for name, x := range map[string]struct {
		c *slotmodel.Cluster
		p slotmodel.Policy
	}{"heartbeats of 36 nodes": {c, ticker{late, 3}}, "wakes every second": {one(1, 0), wakes}} {
		res, err := slotmodel.Run(x.c, []slotmodel.JobSpec{{Maps: tasks(1, 1)}}, x.p, slotmodel.Options{})
		if err != nil || res.Jobs[0].Outcome != slotmodel.Finished || !(res.Jobs[0].Start >= begin) {
			t.Errorf("%s: %+v, %v, want a job that starts at %v and ends", name, res.Jobs[0], err, begin)
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
			m := &meddler{decide: fifo, act: func(a *slotmodel.Actions, e slotmodel.Event) {
				if e.Type == on {
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

// What an attempt had fetched is lost when it dies at work.
func TestLostAfterFetching(t *testing.T) {
	c := fluidRacks(2, 10, 1, 1)
	c.Nodes[1].Down = []slotmodel.Outage{{From: 15, Until: 16}}
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Free(mapK, 0) > 0 && v.Runnable(0, mapK) {
			a.Start(0, mapK, 0)
		}
		if v.Free(reduce, 1) > 0 && v.Runnable(0, reduce) {
			a.Start(0, reduce, 1)
		}
	})
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 10), Shuffle: 100}}, p, slotmodel.Options{})
	if x := res.Totals; x.CrossRack.Shuffle != 200 || x.Lost != 100 || res.Jobs[0].Finish != 36 {
		t.Errorf("100 bytes from 1 to 11, node lost at 15, again from 16 to 26: %v shuffled, %v lost, finished at %v, want 200, 100 and 36", x.CrossRack.Shuffle, x.Lost, res.Jobs[0].Finish)
	}
	c = fluidRacks(2, 10, 1, 1)
	c.Nodes[1].Down = []slotmodel.Outage{{From: 12, Until: 13}}
	p = func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Free(mapK, 1) > 0 && v.Runnable(0, mapK) {
			a.Start(0, mapK, 1)
		}
	}
	res = mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 5), Input: 100, Replicas: []int32{0}, Copies: 1}}, p, slotmodel.Options{})
	if x := res.Totals; x.CrossRack.Read != 200 || x.Lost != 100 || res.Jobs[0].Finish != 28 {
		t.Errorf("a block of 100 bytes read until 10, node lost at 12, again from 13 to 23: %v read, %v lost, finished at %v, want 200, 100 and 28", x.CrossRack.Read, x.Lost, res.Jobs[0].Finish)
	}
}

// The clock of a run stands where the last thing happened, not where a job or an attempt that is
// over was expected to end.
func TestEndWithStuckJobs(t *testing.T) {
	gone := []slotmodel.Outage{{From: 3, Until: math.Inf(1)}}
	for name, c := range map[string]struct {
		node slotmodel.NodeSpec
		jobs []slotmodel.JobSpec
		want float64
	}{
		"a walltime of a job that has ended":     {slotmodel.NodeSpec{Maps: 1}, []slotmodel.JobSpec{{Maps: tasks(1, 1), Walltime: 1e6}, {Maps: tasks(1, 1), Reduces: tasks(1, 1)}}, 2},
		"a cancellation of a job that has ended": {slotmodel.NodeSpec{Maps: 1}, []slotmodel.JobSpec{{Maps: tasks(1, 1), Cancel: 1e6}, {Maps: tasks(1, 1), Reduces: tasks(1, 1)}}, 2},
		"an attempt that died":                   {slotmodel.NodeSpec{Maps: 1, Down: gone}, []slotmodel.JobSpec{{Maps: tasks(1, 100)}}, 3},
	} {
		last := len(c.jobs) - 1
		cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{c.node}}
		res := mustRun(t, cluster, c.jobs, fifo, slotmodel.Options{})
		if res.End != c.want || res.Jobs[last].Outcome != slotmodel.Stuck {
			t.Errorf("%s: End = %v, job %d %v, want %v and stuck", name, res.End, last, res.Jobs[last].Outcome, c.want)
		}
		if res = mustRun(t, cluster, c.jobs, fifo, slotmodel.Options{Until: 10}); res.Jobs[last].Outcome != slotmodel.Stuck {
			t.Errorf("%s, until 10: job %d is %v, want stuck", name, last, res.Jobs[last].Outcome)
		}
	}
}

// After a decision that killed there is one more in the same instant, and none when the attempt
// would have ended.
func TestCallAfterOwnKill(t *testing.T) {
	var called []float64
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		called = append(called, v.Now())
		switch v.Now() {
		case 0:
			a.Start(0, mapK, 0)
			a.Wake(1)
		case 1:
			if len(called) == 2 {
				a.Kill(v.Newest(0, mapK))
			}
		}
	})
	_, err := slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{Maps: tasks(2, 100)}}, p, slotmodel.Options{})
	var d *slotmodel.DeadlockError
	if !errors.As(err, &d) || d.Time != 1 || !slices.Equal(called, []float64{0, 1, 1}) {
		t.Errorf("Run = %v, Decide called at %v, want a DeadlockError at 1 s after calls at 0, 1 and 1", err, called)
	}
}

// Reduces that start together in one rack share the flow and have their data together, in whatever
// order the nodes were filled.
func TestReducesStartTogether(t *testing.T) {
	c := slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Rack: 0, Reduces: 1}, {Rack: 1, Maps: 1, Reduces: 1}, {Rack: 0, Reduces: 1}},
		Racks: []slotmodel.RackSpec{{Ingress: 1}, {}}, Network: slotmodel.Network{Fluid: true}}
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 0), Reduces: tasks(3, 0), Slowstart: 1, Shuffle: 30}}
	n := 0
	mustRun(t, &c, jobs, fifo, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type != slotmodel.Computes {
			return
		}
		if n++; e.Time != 20 {
			t.Errorf("the reduce on node %d has its 10 bytes at %v s, want 20: two share 1 byte/s", e.Node, e.Time)
		}
	}})
	if n != 2 {
		t.Errorf("%d reduces waited for data, want 2", n)
	}
}

// With heartbeats alone to come, and jobs that no slot is left for, a run ends as it does without.
func TestHeartbeatsOfStuckJobs(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 1)}, {Maps: tasks(1, 1)}}
	for _, until := range []float64{0, 100} {
		res := mustRun(t, one(1, 0), jobs, ticker{fifo, 3}, slotmodel.Options{Until: until})
		if res.Jobs[0].Outcome != slotmodel.Stuck || res.Jobs[0].Reason != "no reduce slot is up" || res.Calls > 10 || res.End != max(3, until) {
			t.Errorf("until %v: job 0 %+v, End = %v after %d calls, want stuck, and the end at %v", until, res.Jobs[0], res.End, res.Calls, max(3, until))
		}
	}
}

// After a fault outside of Decide there is no call of it.
func TestNoCallAfterFault(t *testing.T) {
	faulty, calls := false, 0
	m := &meddler{decide: func(v *slotmodel.View, a *slotmodel.Actions) {
		if faulty {
			calls++
		}
		fifo(v, a)
	}}
	m.act = func(a *slotmodel.Actions, e slotmodel.Event) {
		if e.Type == slotmodel.Ended {
			faulty = true
			a.Wake(100)
		}
	}
	if _, err := slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{Maps: tasks(2, 1)}}, m, slotmodel.Options{}); err == nil || calls != 0 {
		t.Errorf("%d calls of Decide after a fault (%v), want none and an error", calls, err)
	}
}

// What users are entitled to does not depend on how far apart their weights are.
func TestEntitledOfUnequalWeights(t *testing.T) {
	for _, w := range [][]float64{{0x1p-200, 1}, {1e-16, 1}, {1e-12, 1}, {1, 1e-17}, {1, 1}, {3, 1}, {0x1p200, 0x1p200}} {
		share := w[0] / 2 / (w[0]/2 + w[1]/2) // halves, lest the sum overflow
		for name, c := range map[string]struct{ arrival, work, want0, want1 float64 }{
			"one after the other": {5, 10.3, 5, 10.3},
			"together":            {0, 10, 5 * share, 5*(1-share) + 5},
		} {
			jobs := []slotmodel.JobSpec{{Maps: tasks(1, 5)}, {User: 1, Arrival: c.arrival, Maps: tasks(1, c.work)}}
			res := mustRun(t, one(2, 0), jobs, fifo, slotmodel.Options{Entitlements: w, Period: 1})
			a, b := res.Users[0].Entitled, res.Users[1].Entitled
			if !(math.Abs(a-c.want0) <= 1e-14*res.End) || !(math.Abs(b-c.want1) <= 1e-14*res.End) {
				t.Errorf("weights %v, %s: entitled to %v and %v s, want %v and %v", w, name, a, b, c.want0, c.want1)
			}
			for _, r := range res.Series {
				for u, x := range r.Users {
					if !(x.Entitled >= 0 && x.Entitled <= 1+1e-12) {
						t.Errorf("weights %v, %s: at %v user %d is entitled to %v of the cluster", w, name, r.Time, u, x.Entitled)
					}
				}
			}
		}
	}
}
