package policytest

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/slotmodel"
)

// Nodes returns n nodes in racks of a given size, each with as many slots for maps and reduces.
func Nodes(n, rack, maps, reduces int) []slotmodel.NodeSpec {
	all := make([]slotmodel.NodeSpec, n)
	for i := range all {
		all[i] = slotmodel.NodeSpec{Rack: i / rack, Maps: maps, Reduces: reduces}
	}
	return all
}

// Maps returns a job of n maps, each of the given work.
func Maps(arrival float64, n int, work float64) slotmodel.JobSpec {
	return slotmodel.JobSpec{Arrival: arrival, Maps: slotmodel.Phase{Tasks: n, Work: work}}
}

// CheckOften checks a property 2,000 times: most of what is drawn is small.
func CheckOften(t testing.TB, property func(t *rapid.T)) {
	t.Helper()
	for range 20 {
		rapid.Check(t, property)
	}
}

// Counted is drawn.Counted.
var Counted = drawn.Counted

// DrawWork draws multiples of 1/8, whose sums are exact.
func DrawWork(t *rapid.T, name string) float64 {
	return float64(rapid.IntRange(0, 80).Draw(t, name)) / 8
}

// DrawPhase draws a phase of at most the given number of tasks, equal or each with a work of its
// own.
func DrawPhase(t *rapid.T, name string, most int) slotmodel.Phase {
	p := slotmodel.Phase{Tasks: rapid.IntRange(0, most).Draw(t, name)}
	if rapid.Bool().Draw(t, name+" skewed") {
		p.Works = make([]float64, p.Tasks)
		for i := range p.Works {
			p.Works[i] = DrawWork(t, name+" work")
		}
	} else {
		p.Work = DrawWork(t, name+" work")
	}
	return p
}

// DrawCluster draws a small cluster; node 0 has slots of both kinds and is never lost.
func DrawCluster(t *rapid.T) *slotmodel.Cluster {
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
			from := DrawWork(t, "from")
			n.Down = []slotmodel.Outage{{From: from, Until: from + 1 + DrawWork(t, "until")}}
		}
		c.Nodes = append(c.Nodes, n)
	}
	c.Network = slotmodel.Network{RackRead: .25, RemoteRead: .5, Shuffle: .5, Write: .25}
	return c
}

// DrawJobs draws up to 12 jobs: rigid ones, some with blocks, some that end before their tasks do,
// some that come after another job.
func DrawJobs(t *rapid.T, nodes int) []slotmodel.JobSpec {
	jobs := make([]slotmodel.JobSpec, rapid.IntRange(1, 12).Draw(t, "jobs"))
	for i := range jobs {
		s := &jobs[i]
		s.User = rapid.IntRange(0, 3).Draw(t, "user")
		s.Arrival = DrawWork(t, "arrival")
		s.Maps = DrawPhase(t, "maps of job", 8)
		if s.Rigid = rapid.IntRange(0, 4).Draw(t, "rigid") == 0; !s.Rigid {
			s.Reduces = DrawPhase(t, "reduces of job", 4)
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
			s.Walltime = 1 + DrawWork(t, "walltime")
		case 1:
			s.Cancel = 1 + DrawWork(t, "cancel")
		case 2:
			s.Crash = 1 + DrawWork(t, "crash")
		}
		if s.After = max(0, rapid.IntRange(-12, i).Draw(t, "after")); s.After > 0 {
			s.Arrival, s.Think = 0, float64(rapid.IntRange(0, 3).Draw(t, "think"))
		}
	}
	return jobs
}

// Blocked returns a cluster of 40 nodes in 4 racks, and n jobs of 5 users whose maps have blocks
// with two copies, at a load of about 0.8.
func Blocked(seed uint64, n int) (*slotmodel.Cluster, []slotmodel.JobSpec) {
	r := rand.New(rand.NewPCG(seed, 3))
	c := &slotmodel.Cluster{Nodes: Nodes(40, 10, 2, 1)}
	c.Network = slotmodel.Network{RackRead: 1, RemoteRead: 3}
	jobs := make([]slotmodel.JobSpec, n)
	at := 0.0
	for i := range jobs {
		at += 3 * r.ExpFloat64()
		j := Maps(at, 1+r.IntN(20), 5+20*r.Float64())
		j.User = r.IntN(5)
		j.Reduces = slotmodel.Phase{Tasks: r.IntN(4), Work: 10}
		j.Slowstart = .5
		j.Deadline = at + float64(20+37*i%200)
		j.Copies = 2
		for range 2 * j.Maps.Tasks {
			j.Replicas = append(j.Replicas, int32(r.IntN(len(c.Nodes))))
		}
		jobs[i] = j
	}
	return c, jobs
}
