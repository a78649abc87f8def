package slotmodel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

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

// The text of a deadlock says who leaves what.
func TestDeadlockText(t *testing.T) {
	_, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{}, {Maps: tasks(3, 1)}}, decide(func(*slotmodel.View, *slotmodel.Actions) {}), slotmodel.Options{})
	var e *slotmodel.DeadlockError
	if !errors.As(err, &e) || e.Job != 1 {
		t.Fatalf("Run = %v, want a DeadlockError of job 1", err)
	}
	for _, part := range []string{"decide", "1 free map", "3 tasks", "job 1"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not mention %q", err, part)
		}
	}
}
