package hfsp_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A reduce that is killed lets a map run again whose output was lost; the decision that kills
// it starts that map, too.
func TestKillStartsMaps(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 1)}
	c.Nodes[1].Down = []slotmodel.Outage{{From: 2, Until: 100}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 2, Work: 1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 20}, Slowstart: 1},
		{Arrival: 3, Reduces: slotmodel.Phase{Tasks: 1, Work: 4}},
	}
	o := known()
	o.Preempt = policy.PreemptKill
	got := policytest.SlotEvents(t, c, jobs, o)
	want := "0 started 0@0, 0 started 0@1, 1 started 0@0, 3 killed 0@0, 3 started 1@0, 3 started 0@0, 7 started 0@0, | 27 7"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Under HFSP no slot is free after a decision while a job could use it, whatever is killed or
// suspended in that decision, and no phase loses more attempts than it has tasks. Reduces are long
// and nodes fail often, so that some are killed whose maps then have to run again.
func TestWorkConserving(t *testing.T) {
	idle, again := 0, 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			n.Maps++
			if at := 1 + policytest.DrawWork(t, "first"); i > 0 {
				n.Down = nil
				for ; at < 60; at += 4 + policytest.DrawWork(t, "next") {
					n.Down = append(n.Down, slotmodel.Outage{From: at, Until: at + 3})
				}
			}
		}
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			s := &jobs[i]
			s.Arrival *= 4
			s.Maps.Work /= 4
			if !s.Rigid {
				s.Maps.Works = nil
				s.Reduces = slotmodel.Phase{Tasks: rapid.IntRange(0, 3).Draw(t, "reduces"), Work: 8 * policytest.DrawWork(t, "long")}
			}
		}
		o := &hfsp.Policy{
			Samples:    rapid.IntRange(1, 3).Draw(t, "samples"),
			NoTraining: rapid.IntRange(0, 2).Draw(t, "training") > 0,
			Preempt:    []policy.Preemption{policy.PreemptWait, policy.PreemptSuspend, policy.PreemptKill, policy.PreemptKill}[rapid.IntRange(0, 3).Draw(t, "preempt")],
			NoCaps:     rapid.Bool().Draw(t, "no caps"),
		}
		if rapid.Bool().Draw(t, "known") {
			o.Size = hfsp.TrueSize
		}
		check := func(v *slotmodel.View) {
			for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
				if free := v.FreeSlots(k); free > 0 {
					idle++
					if j, waits := policytest.Idles(v, k, false, false); waits {
						t.Fatalf("%+v: at %v s %d %v slots stay free while %d tasks of job %d wait", o, v.Now(), free, k, v.Count(j, k).Pending(), j)
					}
				}
			}
		}
		var last slotmodel.Event
		lost := map[[2]int32]int{} // attempts of a phase
		res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: o, Check: check}, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.OutputLost && last.Type == slotmodel.Killed && last.Job == e.Job && last.Kind == slotmodel.Reduce {
				again++
			}
			if last = e; e.Type == slotmodel.Killed || e.Type == slotmodel.Suspends {
				lost[[2]int32{int32(e.Job), int32(e.Kind)}]++
			}
		}})
		if err != nil {
			t.Fatalf("Run under %+v failed: %v", o, err)
		}
		for j, r := range res.Jobs {
			maps, reduces := lost[[2]int32{int32(j), 0}], lost[[2]int32{int32(j), 1}]
			if r.Outcome == slotmodel.Finished && (maps > jobs[j].Maps.Tasks || reduces > jobs[j].Reduces.Tasks) { // else its end may have killed some
				t.Fatalf("%+v: job %d of %d maps and %d reduces lost %d and %d attempts", o, j, jobs[j].Maps.Tasks, jobs[j].Reduces.Tasks, maps, reduces)
			}
		}
	}
	rapid.Check(t, property)
	idle, again = 0, 0
	policytest.Counted(t, 6000, property)
	if idle < 1000 || again < 20 {
		t.Errorf("slots were free %d times, maps ran again %d times since a reduce was killed, want 1000 and 20: the workloads test nothing", idle, again)
	}
}
