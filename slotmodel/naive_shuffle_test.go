package slotmodel_test

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// naiveMark is how much of a flow a reduce waits for.
type naiveMark struct {
	flow *naiveFlow
	at   float64
}

// naiveColumn is where a job's shuffle arrives.
type naiveColumn struct{ job, rack, node int }

func (n *naive) fetches(x *naiveAttempt, j int) bool {
	return !x.over && x.job == j && x.stage == fetching && n.kind(x) == slotmodel.Reduce
}

// flowing reports whether a job's shuffle moves as flows.
func (n *naive) flowing(j int) bool {
	return n.cluster.Network.Fluid && n.jobs[j].Shuffle > 0 && n.jobs[j].Maps.Tasks > 0
}

func (n *naive) shuffleTime() float64 {
	if n.cluster.Network.Fluid {
		return 0
	}
	return n.cluster.Network.Shuffle
}

// pair is what a map sends to a reduce.
func (n *naive) pair(j int) float64 {
	return n.jobs[j].Shuffle / (float64(n.jobs[j].Maps.Tasks) * float64(n.jobs[j].Reduces.Tasks))
}

func (n *naive) column(x *naiveAttempt) naiveColumn {
	for i := range n.up {
		if !math.IsInf(n.nic(i), 1) {
			return naiveColumn{x.job, n.rack(x.node), x.node}
		}
	}
	return naiveColumn{x.job, n.rack(x.node), -1}
}

// shuffleFlow is the flow that brings an attempt what lies on a node. Where NICs have limits, what
// lies on its own node comes from rack -1, past no link.
func (n *naive) shuffleFlow(x *naiveAttempt, from int) *naiveFlow {
	src, node := n.rack(from), -1
	for i := range n.up {
		if !math.IsInf(n.nic(i), 1) {
			node = x.node
		}
	}
	if from == node {
		src = -1
	}
	for _, f := range n.flows {
		if f.kind == 's' && f.job == x.job && f.src == src && f.dst == n.rack(x.node) && f.node == node {
			return f
		}
	}
	f := &naiveFlow{kind: 's', job: x.job, src: src, dst: n.rack(x.node), out: -1, in: node, node: node}
	n.flows = append(n.flows, f)
	return f
}

// carries reports whether a flow brings data to an attempt that shuffles.
func (n *naive) carries(f *naiveFlow, x *naiveAttempt) bool {
	return f.kind == 's' && n.fetches(x, f.job) && n.rack(x.node) == f.dst && (f.node < 0 || f.node == x.node)
}

// ask lets the reduces that the policy has just started ask for what there is.
func (n *naive) ask() {
	for _, x := range n.attempts {
		if x.asked || !n.fetches(x, x.job) || !n.flowing(x.job) {
			continue
		}
		x.asked = true
		for _, t := range n.state[x.job].tasks {
			if t.kind == slotmodel.Map && t.state == 'd' && !t.gone {
				n.shuffleFlow(x, t.ran).asked += n.pair(x.job)
			}
		}
		for _, y := range n.attempts {
			if n.fetches(y, x.job) && y.began == n.now {
				n.mark(y)
			}
		}
	}
}

// publish adds what a map has for each reduce that fetches. After the last map they know what they
// wait for: all that is on its way. One that runs again has what was owed, and its whole output for
// those that have started since.
func (n *naive) publish(j int, t *naiveTask) {
	if !n.flowing(j) {
		return
	}
	seen := map[naiveColumn]bool{}
	for i, x := range n.attempts {
		if !n.fetches(x, j) {
			continue
		}
		f := n.shuffleFlow(x, t.ran)
		if !t.again || i >= t.lost {
			f.asked += n.pair(j)
		}
		if c := n.column(x); !seen[c] {
			seen[c] = true
			f.asked += t.owed[c]
		}
	}
	t.again, t.owed = false, nil
	for _, x := range n.attempts {
		if n.fetches(x, j) {
			n.mark(x)
		}
	}
}

// owe takes what is queued from maps that are lost out of the flows: all maps of a rack have a
// like part in what is queued. What maps lost at different times owe to a column is spread evenly
// over all that run again.
func (n *naive) owe(j int) {
	owed := map[naiveColumn]float64{}
	tasks := n.state[j].tasks[:n.jobs[j].Maps.Tasks]
	for _, f := range n.flows {
		if f.kind != 's' || f.job != j || f.src < 0 {
			continue
		}
		lost, all := 0.0, 0.0
		for _, t := range tasks {
			if t.state == 'd' && n.rack(t.ran) == f.src && t.ran != f.node {
				all++
				if t.gone {
					lost++
				}
			}
		}
		if lost > 0 {
			bytes := (f.asked - f.sent) * lost / all
			f.asked = max(f.sent, f.asked-bytes)
			owed[naiveColumn{j, f.dst, f.node}] += bytes
		}
	}
	again := 0.0
	for i := range tasks {
		t := &tasks[i]
		if t.again || t.gone {
			again++
		}
		for c, bytes := range t.owed {
			owed[c] += bytes
		}
		for k, x := range n.attempts {
			if t.again && k >= t.lost && n.fetches(x, j) {
				owed[n.column(x)] += n.pair(j)
			}
		}
	}
	for i := range tasks {
		if t := &tasks[i]; t.again || t.gone {
			t.lost, t.owed = len(n.attempts), map[naiveColumn]float64{}
			for c, bytes := range owed {
				t.owed[c] = bytes / again
			}
		}
	}
}

// mark lets a reduce wait for all that is on its way.
func (n *naive) mark(x *naiveAttempt) {
	x.marks = x.marks[:0]
	for _, f := range n.flows {
		if n.carries(f, x) {
			x.marks = append(x.marks, naiveMark{f, f.asked})
		}
	}
}

// has reports whether a reduce has all it waited for.
func (n *naive) has(x *naiveAttempt) bool {
	for _, m := range x.marks {
		if m.flow.sent < m.at {
			return false
		}
	}
	return true
}

// close ends flows that nobody waits for.
func (n *naive) close() {
	wanted := map[naiveColumn]bool{}
	for _, x := range n.attempts {
		if x.asked && n.fetches(x, x.job) {
			wanted[n.column(x)] = true
		}
	}
	n.flows = slices.DeleteFunc(n.flows, func(f *naiveFlow) bool {
		c := naiveColumn{f.job, f.dst, f.node}
		return f.kind == 's' && !wanted[c]
	})
	for j := range n.state {
		for i := range n.state[j].tasks {
			for c := range n.state[j].tasks[i].owed {
				if !wanted[c] {
					delete(n.state[j].tasks[i].owed, c)
				}
			}
		}
	}
}
