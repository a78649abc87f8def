package schedtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel"
)

// A scenario is a cluster and its jobs.
type scenario struct {
	cluster slotmodel.Cluster
	jobs    []slotmodel.JobSpec
}

// drawScenario draws a cluster that can run each of the jobs: node 0 has slots of both kinds, is
// never lost and has the memory of the largest task. Where nodes fail it has that beside reduces in
// all of its slots: they may wait for a map that was lost, and could hold what it needs.
func drawScenario(r *rapid.T, o PolicyOptions) *scenario {
	const largest = 2 // memory of a task
	c := new(scenario)
	up := 0 // map slots of the nodes that are never lost
	for i := range rapid.IntRange(1, 3).Draw(r, "nodes") {
		n := slotmodel.NodeSpec{
			Maps:    rapid.IntRange(max(0, 1-i), 2).Draw(r, "map slots"),
			Reduces: rapid.IntRange(max(0, 1-i), 2).Draw(r, "reduce slots"),
			Speed:   []float64{1, 2, .7}[rapid.IntRange(0, 2).Draw(r, "speed")],
		}
		if o.Memory {
			n.Memory = float64(rapid.IntRange(largest, 4).Draw(r, "memory of the node"))
			if o.Failures && i == 0 {
				n.Memory += largest * float64(n.Reduces)
			}
		}
		if o.Failures && i > 0 && rapid.Bool().Draw(r, "fails") {
			from := eighths(r, "from")
			n.Down = []slotmodel.Outage{{From: from, Until: from + 1 + eighths(r, "for")}}
		} else {
			up += n.Maps
		}
		c.cluster.Nodes = append(c.cluster.Nodes, n)
	}
	for i := range rapid.IntRange(1, 6).Draw(r, "jobs") {
		s := slotmodel.JobSpec{Slowstart: 1}
		// Different for each job: a 64th apart, where all else is in eighths.
		s.Arrival = eighths(r, "arrival") + float64(i)/64
		s.Maps = slotmodel.Phase{Tasks: rapid.IntRange(1, 4).Draw(r, "maps"), Work: .125 + eighths(r, "work of a map") + float64(i)/64}
		if o.Users {
			s.User = rapid.IntRange(0, 2).Draw(r, "user")
		}
		if o.Rigid && rapid.IntRange(0, 3).Draw(r, "rigid") == 0 {
			s.Rigid, s.Maps.Tasks = true, min(s.Maps.Tasks, up)
		} else if !o.MapsOnly {
			s.Reduces = slotmodel.Phase{Tasks: rapid.IntRange(0, 2).Draw(r, "reduces")}
			if s.Reduces.Tasks > 0 {
				s.Reduces.Work = .125 + eighths(r, "work of a reduce") + float64(i)/64
			}
		}
		if o.Memory && !s.Rigid {
			s.Maps.Memory, s.Reduces.Memory = float64(rapid.IntRange(0, largest).Draw(r, "memory of a map")), float64(rapid.IntRange(0, largest).Draw(r, "memory of a reduce"))
		}
		if o.Datasets && !s.Rigid {
			s.Dataset = rapid.IntRange(0, 2).Draw(r, "dataset")
		}
		c.jobs = append(c.jobs, s)
	}
	return c
}

// eighths draws multiples of 1/8, of which sums are exact.
func eighths(r *rapid.T, what string) float64 {
	return float64(rapid.IntRange(0, 40).Draw(r, what)) / 8
}

// permuted is the case with its jobs listed in another order, and that order.
func (c *scenario) permuted(r *rapid.T) (other *scenario, order []int) {
	for j := range c.jobs {
		order = append(order, j)
	}
	order = rapid.Permutation(order).Draw(r, "order")
	other = &scenario{cluster: c.cluster}
	for _, j := range order {
		other.jobs = append(other.jobs, c.jobs[j])
	}
	return other, order
}

// GoString is the scenario in words, a line for each node and job.
func (c *scenario) GoString() string {
	var b strings.Builder
	for i, n := range c.cluster.Nodes {
		fmt.Fprintf(&b, "node %d: %d map slots, %d reduce slots, speed %v", i, n.Maps, n.Reduces, n.Speed)
		if n.Memory > 0 {
			fmt.Fprintf(&b, ", memory %v", n.Memory)
		}
		for _, d := range n.Down {
			fmt.Fprintf(&b, ", down from %v s to %v s", d.From, d.Until)
		}
		b.WriteByte('\n')
	}
	for i := range c.jobs {
		s := &c.jobs[i]
		fmt.Fprintf(&b, "job %d of user %d: arrives at %v s, %d maps of %v s", i, s.User, s.Arrival, s.Maps.Tasks, s.Maps.Work)
		if s.Rigid {
			b.WriteString(" that start together")
		}
		if s.Reduces.Tasks > 0 {
			fmt.Fprintf(&b, ", %d reduces of %v s", s.Reduces.Tasks, s.Reduces.Work)
		}
		if s.Dataset > 0 {
			fmt.Fprintf(&b, ", dataset %d", s.Dataset)
		}
		if s.Maps.Memory > 0 || s.Reduces.Memory > 0 {
			fmt.Fprintf(&b, ", memory %v and %v", s.Maps.Memory, s.Reduces.Memory)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
