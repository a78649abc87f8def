package slotmodel_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// A node of speed 2 is slow by 4 from 3 s until 7 s: by hand.
func TestSlowByHand(t *testing.T) {
	c := one(1, 0)
	c.Nodes[0].Speed = 2
	c.Nodes[0].Slow = []slotmodel.Slowdown{{From: 3, Until: 7, Factor: 4}, {From: 7, Until: 8, Factor: 2}, {From: 20, Until: math.Inf(1), Factor: 8}}
	var seen []string
	look := func(v *slotmodel.View, a *slotmodel.Actions) {
		if x := v.Newest(0, mapK); x != none {
			seen = append(seen, fmt.Sprintf("%v: slow %v, done %v, left %v", v.Now(), v.Slowdown(0), v.Attempt(x).Progress, v.WorkLeft(0, mapK)))
		}
		if v.Now() < 6 {
			a.Wake(max(1, 2*v.Now()))
		}
		fifo.Decide(v, a)
	}
	var log []string
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 16)}}, decide(look), slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.NodeSlow || e.Type == slotmodel.Ended {
			log = append(log, fmt.Sprintf("%v %v %v", e.Time, e.Type, e.Value))
		}
	}})
	// 2 a second until 3 s, a half until 7 s, 1 until 8 s: 6 + 2 + 1 of 16; 7 more take 3.5 s.
	if want := []string{"3 node-slow 4", "7 node-slow 2", "8 node-slow 1", "11.5 ended 11.5"}; !slices.Equal(log, want) || res.Jobs[0].Finish != 11.5 || res.Totals.Work != 16 {
		t.Errorf("log %q, finish %v, work %v, want %q, 11.5 and 16", log, res.Jobs[0].Finish, res.Totals.Work, want)
	}
	want := []string{"1: slow 1, done 0.125, left 14", "2: slow 1, done 0.25, left 12", "3: slow 4, done 0.375, left 10", "4: slow 4, done 0.40625, left 9.5", "6: slow 4, done 0.46875, left 8.5",
		"7: slow 2, done 0.5, left 8", "8: slow 1, done 0.5625, left 7"}
	if !slices.Equal(seen, want) {
		t.Errorf("a policy sees %q, want %q", seen, want)
	}
}

// Half speed while both slots are held: by hand.
func TestSpeedByHand(t *testing.T) {
	c := one(2, 1)
	var loads []string
	c.Speed = func(l slotmodel.Load) float64 {
		loads = append(loads, fmt.Sprint(l))
		return 1 / float64(max(1, l.Running[mapK]))
	}
	var log []string
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 10), Reduces: tasks(1, 3), Slowstart: 1}, {Arrival: 2, Maps: tasks(1, 4)}}
	res := mustRun(t, c, jobs, fifo, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Ended {
			log = append(log, fmt.Sprintf("%v: job %v computed for %v", e.Time, e.Job, e.Value))
		}
	}})
	// Job 0 has 8 left at 2 s, 4 at 10 s, when job 1 is done.
	if want := []string{"10: job 1 computed for 8", "14: job 0 computed for 14", "17: job 0 computed for 3"}; !slices.Equal(log, want) || res.Totals.Work != 17 {
		t.Errorf("log %q, work %v, want %q and 17", log, res.Totals.Work, want)
	}
	if want := []string{"{1 [1 1] [1 0] 1}", "{2 [2 1] [2 0] 2}", "{1 [1 1] [1 0] 1}", "{1 [1 1] [0 1] 1}"}; !slices.Equal(loads, want) {
		t.Errorf("Speed is asked for %q, want %q", loads, want)
	}
}

func TestSpeedOutOfRange(t *testing.T) {
	for _, speed := range []float64{0, -1, math.NaN(), math.Inf(1), 0x1p51, 0x1p-51} {
		c := one(1, 0)
		c.Speed = func(slotmodel.Load) float64 { return speed }
		refused(t, &input{*c, []slotmodel.JobSpec{{Maps: tasks(1, 1)}}, fifo, slotmodel.Options{}}, "cluster", -1, "Speed")
	}
}
