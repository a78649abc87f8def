package slotmodel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// beginner counts the jobs that it has seen in the present run.
type beginner struct {
	decide
	begun int
	seen  int
	log   []slotmodel.EventType
}

func (p *beginner) BeginRun(v *slotmodel.View) {
	p.begun++
	p.seen = 0
	p.log = p.log[:0]
	if v.Now() != 0 || v.NextActive(none) != none || v.FreeSlots(mapK) != 2 || v.Jobs() != 3 || v.Spec(2).Maps.Tasks != 1 {
		p.seen = 1000
	}
}

func (p *beginner) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.log = append(p.log, e.Type)
	if e.Type == slotmodel.Arrived {
		p.seen++
	}
}

// BeginRun is called once in a run, before the first event, with a view of the cluster; not when
// the arguments are refused.
func TestBeginRun(t *testing.T) {
	p := &beginner{decide: fifo}
	jobs := []slotmodel.JobSpec{{Maps: tasks(2, 1)}, {Maps: tasks(0, 0), Arrival: 3}, {Maps: tasks(1, 1)}}
	for run := 1; run <= 3; run++ {
		mustRun(t, one(2, 0), jobs, p, slotmodel.Options{})
		if p.begun != run || p.seen != 3 || p.log[0] != slotmodel.Arrived {
			t.Errorf("run %d: BeginRun called %d times, %d jobs seen since, first event %v; want 3 jobs", run, p.begun, p.seen, p.log[0])
		}
	}
	if _, err := slotmodel.Run(one(2, 0), jobs, p, slotmodel.Options{Period: -1}); err == nil || p.begun != 3 {
		t.Errorf("Run with Sample -1 = %v, BeginRun called %d times, want an error and 3", err, p.begun)
	}
}

// The decision after one that killed sees the consequences of the instant: the killed task waits,
// the slot is free, and a task without work that the first decision started has ended.
func TestDecideAfterKill(t *testing.T) {
	calls := 0
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			a.Start(0, mapK, 0)
			a.Wake(1)
			return
		}
		switch calls++; calls {
		case 1:
			a.Kill(v.Newest(0, mapK))
			a.Start(1, mapK, 0)
			if v.Heartbeat() != none || v.FreeSlots(mapK) != 0 {
				t.Errorf("after Kill and Start: %d free slots, want 0", v.FreeSlots(mapK))
			}
		case 2:
			if v.Now() != 1 || v.Present(1) || v.FreeSlots(mapK) != 1 || v.Count(0, mapK).Pending() != 1 {
				t.Errorf("second decision at %v: job 1 present %v, %d free, %+v", v.Now(), v.Present(1), v.FreeSlots(mapK), v.Count(0, mapK))
			}
			a.Start(0, mapK, 0)
		}
	})
	res := mustRun(t, one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, 5)}, {Maps: tasks(1, 0), Arrival: 1}}, p, slotmodel.Options{})
	if res.Jobs[0].Finish != 6 || res.Jobs[1].Finish != 1 || calls != 3 {
		t.Errorf("jobs %+v after %d decisions from 1 on, want the ends 6 and 1 and two decisions at 1, one at 6", res.Jobs, calls)
	}
}

// A policy that starts and kills for ever in one instant is refused.
func TestKillsForEver(t *testing.T) {
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		a.Start(0, mapK, 0)
		a.Kill(v.Newest(0, mapK))
	})
	within(t, "Run", func() {
		res, err := slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, 5)}}, p, slotmodel.Options{})
		var fault *slotmodel.ActionError
		if !errors.As(err, &fault) || !strings.Contains(fault.Action, "Kill") || fault.Time != 0 || res.Calls < 100_000 {
			t.Errorf("Run = %v after %d calls, want an ActionError of Kill at 0 after more than 100000", err, res.Calls)
		}
	})
}

// Node i of n beats at i/n of the period and then once in each; a lost node does not, nor does
// any while no job is there.
func TestHeartbeatTimes(t *testing.T) {
	c := grid(1, 4, 1, 0)
	c.Nodes[2].Down = []slotmodel.Outage{{From: 5, Until: 14}}
	got := map[string]bool{}
	p := ticker{decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if n := v.Heartbeat(); n != none {
			got[fmt.Sprintf("%d@%v", n, v.Now())] = true
			for j := v.NextRunnable(none, mapK); j != none && v.Free(mapK, n) > 0; j = v.NextRunnable(j, mapK) {
				a.Start(j, mapK, n)
			}
		}
		if v.Jobs() != 2 {
			t.Errorf("Jobs = %d, want 2", v.Jobs())
		}
	}), 4}
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 16)}, {Arrival: 100.5, Maps: tasks(1, 2)}}, p, slotmodel.Options{})
	for at := 0; at <= 103; at++ {
		n := at % 4
		want := at < 16 && !(n == 2 && at > 5 && at < 14) || at == 101 || at == 102
		if key := fmt.Sprintf("%d@%d", n, at); at != 16 && at != 103 && got[key] != want { // the end of a job comes first
			t.Errorf("node %d beats at %d: %v, want %v", n, at, got[key], want)
		}
	}
	if res.Jobs[0].Finish != 16 || res.Jobs[1].Start != 101 || res.Jobs[1].Finish != 103 {
		t.Errorf("%+v, want job 0 started with the beat at 0, job 1 with the beat at 101", res.Jobs)
	}
}

// Batsim's published example: 4 resources, first come, first served, the last job killed at its
// walltime.
func TestBatsimExample(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}, {Maps: 1}, {Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(4, 10), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 5), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 10), Walltime: 6, Rigid: true},
	}
	res := mustRun(t, c, jobs, strict, slotmodel.Options{})
	got := ""
	for _, j := range res.Jobs {
		got += fmt.Sprintf("%v-%v %v; ", j.Start, j.Finish, j.Outcome)
	}
	if want := "0-10 finished; 10-15 finished; 10-16 timed-out; "; got != want {
		t.Errorf("runs %s want %s", got, want)
	}
	if res.Totals.Work != 62 || res.Totals.Wasted != 12 || res.End != 16 {
		t.Errorf("Work %v, Wasted %v, End %v, want 62, 12 and 16", res.Totals.Work, res.Totals.Wasted, res.End)
	}
}
