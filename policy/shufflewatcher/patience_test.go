package shufflewatcher_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// A job waits for its racks for as long as Patience from the first time on, and anew after a
// preferred task; a light job takes local maps and any place for reduces.
func TestPatience(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 1), Network: slotmodel.Network{Fluid: true}}
	heavy := slotmodel.JobSpec{
		Maps: slotmodel.Phase{Tasks: 4, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 10},
		Input: 400, Shuffle: 800, Replicas: []int32{0, 1, 0, 1, 0, 1, 0, 1}, Copies: 2,
	}
	light, remote := heavy, heavy
	light.Shuffle = 40
	remote.Replicas, remote.Copies, remote.Shuffle = []int32{0, 0, 0, 0}, 1, 40
	for _, x := range []struct {
		name string
		job  slotmodel.JobSpec
		s    shufflewatcher.Chooser
		want string
	}{
		{"none", heavy, shufflewatcher.Chooser{}, "0:0m@0 0:0m@1 10:0m@0 10:0m@1 10:0r@1 10:0r@0 | 30"},
		{"3 s", heavy, shufflewatcher.Chooser{Patience: 3}, "0:0m@0 3:0m@1 10:0m@0 16:0m@1 16:0r@1 16:0r@0 | 36"},
		{"11 s", heavy, shufflewatcher.Chooser{Patience: 11}, "0:0m@0 10:0m@0 20:0m@0 30:0m@0 30:0r@0 41:0r@1 | 51"},
		{"100 s", heavy, shufflewatcher.Chooser{Patience: 100}, "0:0m@0 10:0m@0 20:0m@0 30:0m@0 30:0r@0 50:0r@0 | 60"},
		{"no preferred racks", heavy, shufflewatcher.Chooser{Patience: 100, NoSAMP: true, NoSARP: true}, "0:0m@0 0:0m@1 10:0m@0 10:0m@1 10:0r@1 10:0r@0 | 30"},
		{"light", light, shufflewatcher.Chooser{Patience: 100}, "0:0m@0 0:0m@1 10:0m@0 10:0m@1 10:0r@1 10:0r@0 | 30"},
		{"light, remote maps", remote, shufflewatcher.Chooser{Patience: 100}, "0:0m@0 10:0m@0 20:0m@0 30:0m@0 30:0r@0 30:0r@1 | 50"},
	} {
		x.s.TrueRatio = true
		if got := policytest.Starts(t, c, []slotmodel.JobSpec{x.job}, &policy.PerUser{Chooser: &x.s}); got != x.want {
			t.Errorf("%s: the starts are %q, want %q", x.name, got, x.want)
		}
	}
}

// Within leaves reduces no more than the free slots of a rack, if there are enough of them.
func TestWithin(t *testing.T) {
	c, jobs := figure5()
	c.Nodes[0].Maps, c.Nodes[1].Maps = 1, 0 // when the last map starts the others have ended, on node 0
	jobs = jobs[:1]
	for _, x := range []struct {
		within  bool
		reduces int
		want    []int
	}{{false, 3, []int{3, 0}}, {true, 3, []int{2, 1}}, {true, 1, []int{1, 0}}, {true, 6, []int{4, 2}}, {true, 9, []int{6, 3}}} {
		jobs[0].Reduces.Tasks = x.reduces
		s := &shufflewatcher.Chooser{Within: x.within}
		allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
		if _, quota := s.Plan(0); !slices.Equal(quota, x.want) {
			t.Errorf("Within %t, %d reduces: the quotas are %v, want %v", x.within, x.reduces, quota, x.want)
		}
	}
	c.Nodes[0].Reduces, c.Nodes[1].Reduces = 0, 0
	s := &shufflewatcher.Chooser{Within: true}
	if _, err := slotmodel.Run(c, jobs, &policy.PerUser{Chooser: s}, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, quota := s.Plan(0); !slices.Equal(quota, []int{9, 0}) {
		t.Errorf("without slots for reduces the quotas are %v, want those of the output", quota)
	}
}

// The report tells where the tasks of heavy jobs ran: what it says is kept in racks is what the
// model did not see cross them.
func TestReportPlaces(t *testing.T) {
	c, jobs := figure5()
	jobs[1].User = 0
	watcher := new(shufflewatcher.Chooser)
	allFinish(t, c, jobs, &policy.PerUser{Chooser: watcher})
	if r := watcher.Report(); r.Heavy != 2 || r.Concentration != 1 || r.Kept != 1 || r.Reduces != 4 || r.Met != 4 {
		t.Errorf("Figure 5: %+v, want 2 heavy jobs, each in one rack with all of its reduces", r)
	}
	plain := &shufflewatcher.Chooser{NoNASS: true}
	allFinish(t, c, jobs, &policy.PerUser{Chooser: plain})
	if r := plain.Report(); r.Heavy != 2 || r.Concentration != .5 || r.Kept != .5 || r.Reduces != 0 || r.Met != 0 {
		t.Errorf("Figure 5 by arrival: %+v, want 2 heavy jobs, each in both racks, and no quotas", r)
	}
	jobs[0].Shuffle = jobs[0].Input
	allFinish(t, c, jobs, &policy.PerUser{Chooser: watcher})
	if r := watcher.Report(); r.Heavy != 1 || r.Reduces != 2 {
		t.Errorf("with a job of as much shuffle as input: %+v, want 1 heavy job", r)
	}
	c, jobs = shuffled(3, 60)
	heavy := 0
	for i := range jobs {
		j := &jobs[i]
		j.Input, j.Shuffle = .5, 0
		if j.Reduces.Tasks > 0 && i%3 > 0 {
			heavy++
			j.Shuffle = 1
		}
	}
	for _, s := range []*shufflewatcher.Chooser{{}, {NoNASS: true}, {Patience: 20, TrueRatio: true}} {
		res := allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
		r := s.Report()
		if want := 1 - res.Totals.CrossRack.Shuffle/float64(heavy); r.Heavy != heavy || math.Abs(r.Kept-want) > 1e-9 {
			t.Errorf("%d heavy jobs kept %v of their shuffle in racks, want %d jobs and %v", r.Heavy, r.Kept, heavy, want)
		}
		if r.Concentration < .25 || r.Concentration > 1 || r.Met > r.Reduces || s.NoNASS != (r.Reduces == 0) {
			t.Errorf("the report is %+v, want a concentration in [.25, 1] and no more quotas met than reduces", r)
		}
	}
}

// Under the literal reading of section 3.3 and without preferred racks, NASS starts what fair
// sharing starts, if no user has two jobs and no slot serves both kinds. Under the other reading it
// does not.
func TestUnoccupied(t *testing.T) {
	type start struct {
		time float64
		task slotmodel.Task
		node slotmodel.Node
	}
	for seed := range uint64(4) {
		c, jobs := shuffled(seed, 40)
		for i := range jobs {
			jobs[i].User, jobs[i].Arrival = i, jobs[i].Arrival/4
		}
		run := func(chooser policy.Chooser) map[start]bool {
			all := map[start]bool{}
			log := func(e slotmodel.Event) {
				if e.Type == slotmodel.Started {
					all[start{e.Time, e.Task, e.Node}] = true
				}
			}
			if _, err := slotmodel.Run(c, jobs, &policy.PerUser{Chooser: chooser}, slotmodel.Options{Log: log}); err != nil {
				t.Fatal(err)
			}
			return all
		}
		fair := run(new(policy.Earliest))
		for _, literal := range []bool{true, false} {
			got := run(&shufflewatcher.Chooser{NoSAMP: true, NoSARP: true, Unoccupied: literal})
			if maps.Equal(got, fair) != literal {
				t.Errorf("seed %d: with Unoccupied %t the starts are those of fair sharing: %t", seed, literal, !literal)
			}
		}
	}
}
