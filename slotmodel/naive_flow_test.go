package slotmodel_test

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/oracle/maxmin"
	"github.com/schedmath/schedmath/slotmodel"
)

// naiveFlow is data that moves: a job's shuffle between two racks, or to one node whose NIC has a
// limit; a block; an output.
type naiveFlow struct {
	kind     byte // s shuffle, r read, o output
	job      int
	src, dst int           // racks
	out, in  int           // nodes by whose NICs it leaves and comes; -1: none
	node     int           // where a shuffle goes; -1: to all of the rack
	x        *naiveAttempt // that reads or writes
	asked    float64       // bytes, in order
	sent     float64       // of them
}

func unlimited(x float64) float64 {
	if x == 0 {
		return math.Inf(1)
	}
	return x
}

func (n *naive) rack(node int) int { return n.cluster.Nodes[node].Rack }

func (n *naive) racks() int {
	racks := len(n.cluster.Racks)
	for _, s := range n.cluster.Nodes {
		racks = max(racks, s.Rack+1)
	}
	return racks
}

func (n *naive) nic(node int) float64 { return unlimited(n.cluster.Nodes[node].NIC) }

func (n *naive) readFlow(x *naiveAttempt, from int) {
	f := &naiveFlow{kind: 'r', job: x.job, src: n.rack(from), dst: n.rack(x.node), out: from, in: x.node, node: -1, x: x}
	if !n.up[from] {
		f.out = -1
	}
	f.asked = n.jobs[x.job].Input / float64(n.jobs[x.job].Maps.Tasks)
	x.until = math.Inf(1)
	if f.asked == 0 || f.src == f.dst && math.IsInf(n.nic(x.node), 1) && (f.out < 0 || math.IsInf(n.nic(from), 1)) {
		n.move(f, f.asked)
		n.compute(x)
		return
	}
	n.flows = append(n.flows, f)
}

// write reports whether an attempt has output to write.
func (n *naive) write(x *naiveAttempt) bool {
	if !n.cluster.Network.Fluid {
		n.at(x, n.now+n.cluster.Network.Write)
		return true
	}
	s, racks := &n.jobs[x.job], n.racks()
	tasks, turn := s.Maps.Tasks, x.task
	if s.Reduces.Tasks > 0 {
		tasks, turn = s.Reduces.Tasks, x.task-s.Maps.Tasks
	}
	if racks == 1 {
		return false
	}
	at := n.rack(x.node)
	f := &naiveFlow{kind: 'o', job: x.job, src: at, dst: (at + 1 + turn%(racks-1)) % racks, out: x.node, in: -1, node: -1, x: x}
	f.asked = s.Output / float64(tasks)
	x.until = math.Inf(1)
	n.flows = append(n.flows, f)
	return true
}

// nextMark returns the amount at which something happens to a flow.
func (n *naive) nextMark(f *naiveFlow) float64 {
	next := f.asked
	for _, x := range n.attempts {
		for _, m := range x.marks {
			if n.fetches(x, f.job) && m.flow == f && m.at > f.sent {
				next = min(next, m.at)
			}
		}
	}
	return next
}

func (n *naive) move(f *naiveFlow, to float64) {
	if to == f.sent {
		return
	}
	counts := []*slotmodel.Bytes{&n.state[f.job].res.CrossRack, &n.res.Totals.CrossRack}
	if f.src < 0 || f.src == f.dst {
		counts = []*slotmodel.Bytes{&n.state[f.job].res.InRack}
	}
	for _, b := range counts {
		*map[byte]*float64{'s': &b.Shuffle, 'r': &b.Read, 'o': &b.Output}[f.kind] += to - f.sent
	}
	if f.src >= 0 && f.src != f.dst {
		n.row.Egress[f.src] += (to - f.sent) / n.period
		n.row.Ingress[f.dst] += (to - f.sent) / n.period
	}
	f.sent = to
}

// fluidPass moves data for a while.
func (n *naive) fluidPass(dt float64) {
	rates := n.rates()
	for i, f := range n.flows {
		if rates[i] > 0 && dt > 0 {
			n.move(f, min(f.sent+float64(rates[i]*dt), n.nextMark(f)))
		}
	}
}

func (n *naive) flowEvents(add func(t float64, class, known int, do func())) {
	if !n.cluster.Network.Fluid {
		return
	}
	rates := n.rates()
	for i, f := range n.flows {
		if f.asked > f.sent {
			to := n.nextMark(f)
			add(n.now+(to-f.sent)/rates[i], naiveFlown, i, func() { n.move(f, to) })
		} else if f.x != nil && !f.x.over {
			add(n.now, naiveFlown, i, func() {
				x := f.x
				f.x = nil
				if x.stage == writing {
					n.finish(x)
				} else {
					n.compute(x)
				}
			})
		}
	}
	for i, x := range n.attempts {
		if x.asked && n.fetches(x, x.job) && n.mapsOver(x.job) && n.has(x) {
			add(n.now, naiveFlown, i, func() { n.compute(x) })
		}
	}
}

// leaving is how much a job's shuffle may send from a rack for all its outputs there to leave
// their nodes in the same time.
func (n *naive) leaving(j, rack int) float64 {
	outputs, all := make([]float64, len(n.up)), 0.0
	for _, t := range n.state[j].tasks {
		if t.kind == slotmodel.Map && t.state == 'd' && !t.gone && n.rack(t.ran) == rack {
			outputs[t.ran]++
			all++
		}
	}
	longest := 0.0
	for i := range outputs {
		longest = max(longest, outputs[i]/n.nic(i))
	}
	if longest == 0 {
		return math.Inf(1)
	}
	return all / longest
}

// rates are max-min fair over the links that limit.
func (n *naive) rates() []float64 {
	flows := make([]maxmin.Flow, len(n.flows))
	for i, f := range n.flows {
		if f.asked == f.sent {
			continue
		}
		if flows[i].Weight = 1; f.kind == 's' {
			flows[i].Weight = 0
			for _, x := range n.attempts {
				if n.carries(f, x) {
					flows[i].Weight++
				}
			}
		}
	}
	var capacity []float64
	link := func(room float64, has func(f *naiveFlow) bool) {
		if math.IsInf(room, 1) {
			return
		}
		for i, f := range n.flows {
			if has(f) {
				flows[i].Links = append(flows[i].Links, len(capacity))
			}
		}
		capacity = append(capacity, room)
	}
	for r, s := range n.cluster.Racks {
		link(unlimited(s.Egress), func(f *naiveFlow) bool { return f.src == r && f.dst != r })
		link(unlimited(s.Ingress), func(f *naiveFlow) bool { return f.dst == r && f.src != r && f.src >= 0 })
	}
	for pair := range n.racks() * n.racks() {
		from, to := pair/n.racks(), pair%n.racks()
		link(unlimited(n.cluster.Network.Pair), func(f *naiveFlow) bool { return from != to && f.src == from && f.dst == to })
	}
	for i := range n.up {
		link(n.nic(i), func(f *naiveFlow) bool { return f.in == i && f.src >= 0 })
		link(n.nic(i), func(f *naiveFlow) bool { return f.out == i })
	}
	for j := range n.state {
		for r := range n.racks() {
			if n.flowing(j) && !n.state[j].ended {
				link(n.leaving(j, r), func(f *naiveFlow) bool { return f.kind == 's' && f.job == j && f.src == r })
			}
		}
	}
	return maxmin.Rates(nil, capacity, flows)
}

// cut breaks off what an attempt that dies moves itself.
func (n *naive) cut(x *naiveAttempt) {
	n.flows = slices.DeleteFunc(n.flows, func(f *naiveFlow) bool { return f.x == x })
}
