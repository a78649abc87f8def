package slotmodel_test

import (
	"errors"
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

// killer kills the first attempt at 1 s, and asks in the event what work is left.
type killer struct {
	greedy slotmodel.Policy
	killed bool
	left   []float64
	newest slotmodel.Attempt
}

func (p *killer) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.greedy.Decide(v, a)
	if v.Now() == 1 && !p.killed {
		p.killed = a.Kill(v.Newest(0, mapK))
	}
	if v.Now() < 1 {
		a.Wake(1)
	}
}

func (p *killer) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Killed {
		p.left, p.newest = append(p.left, v.WorkLeft(0, mapK)), v.Newest(0, mapK)
	}
}

// TestWorkLeftInKill: in its own event a killed attempt is no longer one of its job's, and its task
// waits whole: 4 s, and 3 s of the other.
func TestWorkLeftInKill(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	p := &killer{greedy: fifo}
	mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(2, 4)}}, p, slotmodel.Options{})
	if len(p.left) != 1 || p.left[0] != 7 || p.newest == slotmodel.None {
		t.Errorf("WorkLeft within the event of a kill = %v, want [7]; the newest attempt is %v", p.left, p.newest)
	}
}
