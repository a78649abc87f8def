package slotmodel_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// Jobs and tasks of nothing, and everything at once.
func TestNothingAndEverythingAtOnce(t *testing.T) {
	many := make([]slotmodel.JobSpec, 50)
	for i := range many {
		many[i] = slotmodel.JobSpec{User: i % 3, Arrival: 5, Maps: tasks(4, 0), Reduces: tasks(2, 0), Slowstart: float64(i%3) / 2, Shuffle: float64(i%2) * 100}
	}
	for _, fluid := range []bool{false, true} {
		for name, c := range map[string]struct {
			jobs []slotmodel.JobSpec
			ends []float64 // of each job; nil: all at 5
		}{
			"no jobs":             {},
			"no tasks":            {[]slotmodel.JobSpec{{Arrival: 3}, {Arrival: 3}, {}}, []float64{3, 3, 0}},
			"reduces without map": {[]slotmodel.JobSpec{{Arrival: 1, Reduces: tasks(2, 4), Slowstart: 1, Shuffle: 100}}, []float64{5}},
			"maps of no work":     {[]slotmodel.JobSpec{{Arrival: 1, Maps: tasks(100, 0)}}, []float64{1}},
			"reduces of no work":  {[]slotmodel.JobSpec{{Arrival: 1, Maps: tasks(4, 2), Reduces: tasks(7, 0)}}, []float64{3}},
			"one of no work":      {[]slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 2, Works: []float64{0, 6}}}}, []float64{6}},
			"rigid of no work":    {[]slotmodel.JobSpec{{Maps: tasks(3, 0), Rigid: true}, {Maps: tasks(4, 2), Rigid: true}, {Maps: tasks(1, 1), Rigid: true}}, []float64{0, 3, 1}},
			"rigid of no tasks":   {[]slotmodel.JobSpec{{Rigid: true, Arrival: 2}}, []float64{2}},
			"cancelled at once":   {[]slotmodel.JobSpec{{Arrival: 4, Maps: tasks(1, 9), Cancel: 1}, {Arrival: 4, Maps: tasks(1, 9), Cancel: 4}}, []float64{4, 4}},
			"at its walltime":     {[]slotmodel.JobSpec{{Maps: tasks(1, 9), Walltime: 9, Cancel: 9, Crash: 9}}, []float64{9}},
			"many at once":        {many, nil},
		} {
			c2 := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: fluid}}
			for n := range 4 {
				c2.Nodes = append(c2.Nodes, slotmodel.NodeSpec{Rack: n % 2, Maps: 1, Reduces: 1, Down: []slotmodel.Outage{{From: 100, Until: 101}}})
			}
			within(t, name, func() {
				log, res, err := play(c2, c.jobs, fifo, slotmodel.Options{Period: 1})
				if err != nil || len(log.faults) > 0 {
					t.Errorf("%s, fluid %v: %v, %q", name, fluid, err, log.faults)
				}
				for j, r := range res.Jobs {
					want := 5.0
					if c.ends != nil {
						want = c.ends[j]
					}
					if r.Finish != want {
						t.Errorf("%s, fluid %v: job %d %+v, want ended at %v", name, fluid, j, r, want)
					}
				}
			})
		}
	}
}

// A map that ends, its node's loss, a walltime, an arrival and a heartbeat, all at 10 s: what
// ended counts, and is lost where it is needed; the job that ended at its walltime is finished; the
// arrival is seen in one decision with the rest.
func TestOneInstant(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 1, Down: []slotmodel.Outage{{From: 10, Until: 20}}}, {Maps: 2, Reduces: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(1, 10), Reduces: tasks(1, 1), Slowstart: 1},
		{Maps: tasks(1, 10), Walltime: 10},
		{Arrival: 10, Maps: tasks(1, 3)},
	}
	calls := 0
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 10 {
			if calls++; calls == 1 && (v.Up(0) || !v.Present(2) || v.Present(1) || v.Count(0, mapK).Pending() != 1) {
				t.Errorf("first decision at 10: node 0 up %v, job 2 present %v, job 1 present %v, job 0 %+v", v.Up(0), v.Present(2), v.Present(1), v.Count(0, mapK))
			}
		}
		fifo(v, a)
	})
	log, res, err := play(c, jobs, p, slotmodel.Options{})
	if err != nil || len(log.faults) > 0 {
		t.Fatalf("%v, %q", err, log.faults)
	}
	if calls != 1 || res.Jobs[0].Finish != 21 || res.Jobs[1].Outcome != slotmodel.Finished || res.Jobs[2].Finish != 13 || res.Totals.Reruns != 1 {
		t.Errorf("%d decisions at 10, %+v, %+v, want 1; job 0 at 21, job 1 finished, job 2 at 13, one rerun", calls, res.Jobs, res.Totals)
	}
}

// A period far below the spacing of times ends nevertheless: with an error, or by the work done.
func TestTinyHeartbeats(t *testing.T) {
	for _, period := range []float64{1e-9, 1e-300, math.SmallestNonzeroFloat64} {
		within(t, fmt.Sprint("a run with heartbeats of ", period), func() {
			res, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{Arrival: 1, Maps: tasks(1, 1e-7)}}, ticker{fifo, period}, slotmodel.Options{})
			if err == nil && res.Jobs[0].Outcome != slotmodel.Finished || err != nil && !errors.Is(err, schedmath.ErrInput) {
				t.Errorf("heartbeats of %v: %+v, %v, want the job finished or an InputError", period, res, err)
			}
		})
	}
}
