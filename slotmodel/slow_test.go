package slotmodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// A suspended attempt is not touched by a slowdown, a killed one has lost what it did at both
// paces, and transfers take as long as ever.
func TestSlowAndPreempted(t *testing.T) {
	c := one(2, 0)
	c.ResumeCost = 1
	c.Network.RemoteRead = 2
	c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: 1})
	c.Nodes[0].Slow = []slotmodel.Slowdown{{From: 1, Until: 9, Factor: 2}}
	act := func(v *slotmodel.View, a *slotmodel.Actions) {
		switch x := v.Newest(0, mapK); v.Now() {
		case 0:
			a.Start(0, mapK, 0)
			a.Start(1, mapK, 0)
			for _, at := range []float64{3, 5, 7} {
				a.Wake(at)
			}
		case 3:
			a.Suspend(x) // 1 + 1 done
		case 5:
			a.Resume(x) // works from 6 s
		case 7:
			if x != none {
				a.Kill(x) // another half
			} else {
				a.Start(0, mapK, 0)
			}
		}
	}
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 5)}, {Maps: tasks(1, 3), Replicas: []int32{1}, Copies: 1}}
	res := mustRun(t, c, jobs, decide(act), slotmodel.Options{})
	// Job 0 starts over at 7 s, when a decision follows the kill, and has done 1 of 5 at 9 s. Job 1
	// reads until 2 s and then has 3 to do at half speed.
	if got := res.Jobs[0]; got.Wasted != 2.5 || got.Finish != 13 {
		t.Errorf("job 0 wasted %v and finished at %v, want 2.5 and 13", got.Wasted, got.Finish)
	}
	if got := res.Jobs[1].Finish; got != 8 || res.Totals.Overhead != 1 {
		t.Errorf("job 1 finished at %v, overhead %v, want 8 and 1", got, res.Totals.Overhead)
	}
}

// A node that is slow all the time is a slower node, event by event but for the slowdown itself.
func TestSlowAllTheTime(t *testing.T) {
	f := naiveFamily{shared: true, memory: true, blocks: true, faults: true, ends: true, kills: true, halts: true, until: true}
	for seed := range uint64(300) {
		x := f.draw(rand.New(rand.NewPCG(seed, 79)))
		play := func(c *slotmodel.Cluster) []slotmodel.Event {
			var log []slotmodel.Event
			mustRun(t, c, x.jobs, &firstFit{script: x.script}, slotmodel.Options{Until: x.until, Log: func(e slotmodel.Event) {
				if e.Type != slotmodel.NodeSlow {
					log = append(log, e)
				}
			}})
			return log
		}
		slow, slower := x.cluster, x.cluster
		slow.Nodes, slower.Nodes = slices.Clone(slow.Nodes), slices.Clone(slower.Nodes)
		for i := range slow.Nodes {
			slow.Nodes[i].Slow = []slotmodel.Slowdown{{Until: math.Inf(1), Factor: 4}}
			slower.Nodes[i].Speed /= 4
		}
		if got, want := play(&slow), play(&slower); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d events on slow nodes differ from %d on slower ones", seed, len(got), len(want))
		}
	}
}
