package shufflewatcher_test

import (
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
		{"none", heavy, shufflewatcher.Chooser{}, "0:0m@0 1:1m@0 1:1m@1 11:1m@0 11:1m@1 11:1r@1 11:1r@0 | 0 31"},
		{"3 s", heavy, shufflewatcher.Chooser{Patience: 3}, "0:0m@0 1:1m@0 4:1m@1 11:1m@0 17:1m@1 17:1r@1 17:1r@0 | 0 37"},
		{"11 s", heavy, shufflewatcher.Chooser{Patience: 11}, "0:0m@0 1:1m@0 11:1m@0 21:1m@0 31:1m@0 31:1r@0 42:1r@1 | 0 52"},
		{"100 s", heavy, shufflewatcher.Chooser{Patience: 100}, "0:0m@0 1:1m@0 11:1m@0 21:1m@0 31:1m@0 31:1r@0 51:1r@0 | 0 61"},
		{"no preferred racks", heavy, shufflewatcher.Chooser{Patience: 100, NoSAMP: true, NoSARP: true}, "0:0m@0 1:1m@0 1:1m@1 11:1m@0 11:1m@1 11:1r@1 11:1r@0 | 0 31"},
		{"light", light, shufflewatcher.Chooser{Patience: 100}, "0:0m@0 1:1m@0 1:1m@1 11:1m@0 11:1m@1 11:1r@1 11:1r@0 | 0 31"},
		{"light, remote maps", remote, shufflewatcher.Chooser{Patience: 100}, "0:0m@0 1:1m@0 11:1m@0 21:1m@0 31:1m@0 31:1r@0 31:1r@1 | 0 51"},
	} {
		// An earlier job of the type, of one map and no work, shows the ratio.
		first := x.job
		first.Arrival, first.Maps, first.Reduces, first.Replicas, first.Copies = 0, slotmodel.Phase{Tasks: 1}, slotmodel.Phase{}, nil, 0
		x.job.Arrival = 1
		x.s.TypeOf = func(slotmodel.Job) int { return 0 }
		if got := policytest.Starts(t, c, []slotmodel.JobSpec{first, x.job}, &policy.PerUser{Chooser: &x.s}); got != x.want {
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

// The report counts the reduces of heavy jobs in racks where the quota is not yet met.
func TestReportQuotas(t *testing.T) {
	c, jobs := figure5()
	jobs[1].User = 0
	watcher := new(shufflewatcher.Chooser)
	for _, want := range []int{4, 2} { // then with a job of as much shuffle as input
		allFinish(t, c, jobs, &policy.PerUser{Chooser: watcher})
		if r := watcher.Report(); r.Reduces != want || r.Met != want {
			t.Errorf("%d of %d reduces with quotas meet them, want %d", r.Met, r.Reduces, want)
		}
		jobs[0].Shuffle = jobs[0].Input
	}
}
