package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// starts runs a policy and lists the starts, "TIME:JOB KIND@NODE", and how each job ended.
func starts(t *testing.T, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy) string {
	t.Helper()
	var b strings.Builder
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Started {
			fmt.Fprintf(&b, "%v:%d%c@%d ", e.Time, e.Job, e.Kind.String()[0], e.Node)
		}
	}})
	if err != nil {
		t.Fatalf("Run(%T) failed: %v", p, err)
	}
	b.WriteString("|")
	for _, j := range res.Jobs {
		fmt.Fprintf(&b, " %v", j.Finish)
		if j.Outcome != slotmodel.Finished {
			fmt.Fprintf(&b, " %v", j.Outcome)
		}
	}
	return b.String()
}

// nodes returns n nodes in racks of a given size.
func nodes(n, rack, maps, reduces int) []slotmodel.NodeSpec {
	all := make([]slotmodel.NodeSpec, n)
	for i := range all {
		all[i] = slotmodel.NodeSpec{Rack: i / rack, Maps: maps, Reduces: reduces}
	}
	return all
}

// maps is a job of n maps.
func maps(arrival float64, n int, work float64) slotmodel.JobSpec {
	return slotmodel.JobSpec{Arrival: arrival, Maps: slotmodel.Phase{Tasks: n, Work: work}}
}

// spy is a Ranker that has each of its walks checked.
type spy struct {
	policy.Ranker
	check func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job)
	walk  []slotmodel.Job
}

func (s *spy) Begin(v *slotmodel.View, k slotmodel.Kind) {
	s.walk = s.walk[:0]
	s.Ranker.Begin(v, k)
	for j := s.Ranker.Next(v); j != slotmodel.None; j = s.Ranker.Next(v) {
		s.walk = append(s.walk, j)
	}
	if again := s.Ranker.Next(v); again != slotmodel.None {
		s.walk = append(s.walk, again) // an end that is none is an error in whatever order
	}
	s.check(v, k, s.walk)
	s.Ranker.Begin(v, k)
}

func (s *spy) BeginRun(v *slotmodel.View) { begin(s.Ranker, v) }

func (s *spy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if o, ok := s.Ranker.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// after is a policy that has the state after its last decision of each instant checked: one that has killed is followed by another.
type after struct {
	slotmodel.Policy
	before func(v *slotmodel.View, a *slotmodel.Actions) // nil: nothing
	check  func(v *slotmodel.View)
	every  bool // all decisions are checked
	killed bool // by the decision under way
}

func (p *after) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.killed = false
	if p.before != nil {
		p.before(v, a)
	}
	p.Policy.Decide(v, a)
	if p.every || !p.killed {
		p.check(v)
	}
}

func (p *after) BeginRun(v *slotmodel.View) { begin(p.Policy, v) }

func (p *after) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.killed = p.killed || e.Type == slotmodel.Killed
	if o, ok := p.Policy.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// begin tells a policy or a part of one that a run begins.
func begin(x any, v *slotmodel.View) {
	if b, ok := x.(slotmodel.Beginner); ok {
		b.BeginRun(v)
	}
}

// runnable lists the jobs with a task to start, in the order of arrival.
func runnable(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job {
	var all []slotmodel.Job
	for j := v.NextRunnable(k, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(k, j) {
		all = append(all, j)
	}
	return all
}

// wide returns how many slots a job needs at once.
func wide(s *slotmodel.JobSpec) int {
	if s.Rigid {
		return max(1, s.Maps.Tasks)
	}
	return 1
}

// checkOften checks a property 2,000 times: most of what is drawn is small.
func checkOften(t *testing.T, property func(t *rapid.T)) {
	t.Helper()
	for range 20 {
		rapid.Check(t, property)
	}
}

// counted plays a property on the cases of n fixed seeds, so that what is counted over them is the same on every run.
func counted(n int, property func(t *rapid.T)) {
	cases := rapid.Custom(func(t *rapid.T) bool {
		property(t)
		return true
	})
	for seed := range n {
		cases.Example(seed)
	}
}

// drawWork draws multiples of 1/8, whose sums are exact.
func drawWork(t *rapid.T, name string) float64 {
	return float64(rapid.IntRange(0, 80).Draw(t, name)) / 8
}

// drawPhase draws up to most tasks.
func drawPhase(t *rapid.T, name string, most int) slotmodel.Phase {
	p := slotmodel.Phase{Tasks: rapid.IntRange(0, most).Draw(t, name)}
	if rapid.Bool().Draw(t, name+" skewed") {
		p.Works = make([]float64, p.Tasks)
		for i := range p.Works {
			p.Works[i] = drawWork(t, name+" work")
		}
	} else {
		p.Work = drawWork(t, name+" work")
	}
	return p
}

// drawCluster draws a small cluster; node 0 has slots of both kinds and is never lost.
func drawCluster(t *rapid.T) *slotmodel.Cluster {
	c := &slotmodel.Cluster{}
	for i := range rapid.IntRange(1, 6).Draw(t, "nodes") {
		n := slotmodel.NodeSpec{
			Rack:    rapid.IntRange(0, 2).Draw(t, "rack"),
			Maps:    rapid.IntRange(0, 3).Draw(t, "maps"),
			Reduces: rapid.IntRange(0, 2).Draw(t, "reduces"),
			Speed:   []float64{1, 2, .5}[rapid.IntRange(0, 2).Draw(t, "speed")],
		}
		if i == 0 {
			n.Maps, n.Reduces = n.Maps+1, n.Reduces+1
		} else if rapid.IntRange(0, 3).Draw(t, "fails") == 0 {
			from := drawWork(t, "from")
			n.Down = []slotmodel.Outage{{From: from, Until: from + 1 + drawWork(t, "until")}}
		}
		c.Nodes = append(c.Nodes, n)
	}
	c.Network = slotmodel.Network{RackRead: .25, RemoteRead: .5, Shuffle: .5, Write: .25}
	return c
}

// drawJobs draws jobs of all sorts.
func drawJobs(t *rapid.T, nodes int) []slotmodel.JobSpec {
	jobs := make([]slotmodel.JobSpec, rapid.IntRange(1, 12).Draw(t, "jobs"))
	for i := range jobs {
		s := &jobs[i]
		s.User = rapid.IntRange(0, 3).Draw(t, "user")
		s.Arrival = drawWork(t, "arrival")
		s.Maps = drawPhase(t, "maps of job", 8)
		if s.Rigid = rapid.IntRange(0, 4).Draw(t, "rigid") == 0; !s.Rigid {
			s.Reduces = drawPhase(t, "reduces of job", 4)
		}
		s.Slowstart = float64(rapid.IntRange(0, 4).Draw(t, "slowstart")) / 4
		if rapid.Bool().Draw(t, "blocks") {
			s.Copies = 2
			s.Replicas = make([]int32, 2*s.Maps.Tasks)
			for r := range s.Replicas {
				s.Replicas[r] = int32(rapid.IntRange(-1, nodes-1).Draw(t, "replica"))
			}
		}
		switch rapid.IntRange(0, 9).Draw(t, "fate") {
		case 0:
			s.Walltime = 1 + drawWork(t, "walltime")
		case 1:
			s.Cancel = 1 + drawWork(t, "cancel")
		case 2:
			s.Crash = 1 + drawWork(t, "crash")
		}
		if s.After = max(0, rapid.IntRange(-12, i).Draw(t, "after")); s.After > 0 {
			s.Arrival, s.Think = 0, float64(rapid.IntRange(0, 3).Draw(t, "think"))
		}
	}
	return jobs
}

// byArrival lists the jobs that have arrived, in this order.
func byArrival(v *slotmodel.View) []slotmodel.Job {
	var all []slotmodel.Job
	for j := v.Arrived(0); j != slotmodel.None; j = v.Arrived(len(all)) {
		all = append(all, j)
	}
	return all
}
