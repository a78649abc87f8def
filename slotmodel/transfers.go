package slotmodel

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// The mark of a flow is an attempt, whose own transfer ends there, or a cohort of reduces.
func attemptRef(a Attempt) int32 { return int32(a) << 1 }
func cohortRef(c int32) int32    { return c<<1 | 1 }

// flowsDue handles one mark that is reached now, and reports whether it may have changed anything.
func (e *engine) flowsDue() bool {
	n := &e.net
	if n.done == len(n.reached) {
		n.reached, n.done = n.reached[:0], 0
		if n.flows.Next() > e.now {
			return false
		}
		n.reached = n.flows.Advance(n.reached, e.now)
		return true
	}
	ref := n.reached[n.done]
	n.done++
	if ref&1 == 1 {
		e.cohortReached(ref >> 1)
		return true
	}
	a := Attempt(ref >> 1)
	x := &e.attempts[a]
	if x.job == None || x.flow < 0 {
		return true
	}
	n.flows.Close(x.flow)
	x.flow = -1
	e.moved(a, x.bytes)
	if x.stage == Fetching {
		e.compute(a)
	} else {
		e.finish(a)
	}
	return true
}

// moved counts bytes that an attempt's own transfer has moved.
func (e *engine) moved(a Attempt, bytes float64) {
	x := &e.attempts[a]
	t := e.acct.bytes(x.job, x.across)
	if x.stage == Fetching {
		t.Read += bytes
	} else {
		t.Output += bytes
	}
}

// layLinks makes the network of a run. Its links are the egress of each rack, the ingress of each rack and, if any NIC has a
// limit, the way into and the way out of each node.
func (e *engine) layLinks(c *Cluster) {
	egress, ingress := make([]float64, e.racks), make([]float64, e.racks)
	for r, s := range c.Racks {
		egress[r], ingress[r] = s.Egress, s.Ingress
	}
	nics := make([]float64, len(e.nodes))
	for i := range e.nodes {
		nics[i] = e.nodes[i].nic
		e.net.byNode = e.net.byNode || nics[i] < never
	}
	e.net.on, e.net.flows = true, flow.New()
	e.net.flows.Links(egress...)
	e.net.flows.Links(ingress...)
	if e.net.byNode {
		e.net.flows.Links(nics...)
		e.net.flows.Links(nics...)
	}
}

// rackLinks returns the links of racks that lie between two racks, None twice within a rack.
func (e *engine) rackLinks(from, to int32) (egress, ingress int) {
	if from == to {
		return None, None
	}
	return int(from), e.racks + int(to)
}

// nicOut returns the link by which a node sends, nicIn the one by which it receives; None when its NIC has no limit.
func (e *engine) nicOut(n Node) int {
	if e.nodes[n].nic == never {
		return None
	}
	return 2*e.racks + len(e.nodes) + int(n)
}

func (e *engine) nicIn(n Node) int {
	if e.nodes[n].nic == never {
		return None
	}
	return 2*e.racks + int(n)
}

// transfer begins an attempt's own transfer from a rack to a rack, past the links out and in of NICs, or None. It reports false if the transfer
// takes no time, and is over.
func (e *engine) transfer(a Attempt, from, to int32, out, in int, bytes float64) bool {
	x := &e.attempts[a]
	x.across, x.bytes = from != to, bytes
	if bytes == 0 || from == to && out == None && in == None {
		e.moved(a, bytes)
		return false
	}
	egress, ingress := e.rackLinks(from, to)
	x.flow = e.net.flows.Open(1, 0, egress, ingress, out, in)
	e.net.flows.Send(x.flow, bytes)
	e.net.flows.Mark(x.flow, attemptRef(a))
	return true
}

// read begins the transfer of a map's block, after which the map computes.
func (e *engine) read(a Attempt) {
	x := &e.attempts[a]
	x.stage = Fetching
	s := &e.jobs[x.job]
	seconds := 0.0
	if s.spec.Replicas != nil {
		from := e.source(s, x.task, x.node)
		switch {
		case from == x.node || from == None:
			e.acct.totals.LocalMaps++
		case e.nodes[from].rack == e.nodes[x.node].rack:
			e.acct.totals.RackMaps++
			seconds = e.cluster.Network.RackRead
		default:
			e.acct.totals.RemoteMaps++
			seconds = e.cluster.Network.RemoteRead
		}
		if e.net.on && from != x.node && from != None {
			out := None
			if e.nodes[from].up {
				out = e.nicOut(from)
			}
			if e.transfer(a, e.nodes[from].rack, e.nodes[x.node].rack, out, e.nicIn(x.node), s.spec.Input/float64(s.spec.Maps.Tasks)) {
				return
			}
			seconds = 0
		}
	}
	e.fetchFor(a, seconds)
}

// fetchFor begins a read of fixed time, after which the attempt computes.
func (e *engine) fetchFor(a Attempt, seconds float64) {
	if seconds > 0 {
		e.after(a, seconds)
	} else {
		e.compute(a)
	}
}

// write sends the output of a task of the last phase to another rack, after which the attempt ends.
func (e *engine) write(a Attempt) {
	x := &e.attempts[a]
	x.stage = Writing
	s := &e.jobs[x.job]
	if x.kind == Map && s.phase[Reduce].Tasks > 0 {
		e.finish(a)
		return
	}
	if !e.net.on {
		if e.cluster.Network.Write > 0 {
			e.after(a, e.cluster.Network.Write)
		} else {
			e.finish(a)
		}
		return
	}
	from := e.nodes[x.node].rack
	to := from
	if e.racks > 1 {
		to = (from + 1 + (int32(x.task)-s.phase[x.kind].first)%int32(e.racks-1)) % int32(e.racks)
	}
	bytes := s.spec.Output / float64(s.phase[x.kind].Tasks)
	if from == to || !e.transfer(a, from, to, e.nicOut(x.node), None, bytes) {
		e.finish(a)
	}
}

// stopTransfer breaks off the transfer of an attempt that dies.
func (e *engine) stopTransfer(a Attempt) {
	x := &e.attempts[a]
	if x.flow >= 0 {
		sent := max(0, x.bytes-e.net.flows.Close(x.flow))
		x.flow = -1
		e.moved(a, sent)
		e.acct.totals.Lost += sent
	}
	if x.kind == Reduce && x.stage == Fetching {
		e.leaveShuffle(a)
	}
}

// linkLoad returns the fractions of a rack's links in use.
func (e *engine) linkLoad(r Rack) (egress, ingress float64) {
	if !e.net.on || e.cluster.Racks == nil {
		return 0, 0
	}
	out, in := e.net.flows.Rate(int(r)), e.net.flows.Rate(e.racks+int(r))
	return fraction(out, e.cluster.Racks[r].Egress), fraction(in, e.cluster.Racks[r].Ingress)
}

// linkBytes returns the bytes that have passed a rack's links.
func (e *engine) linkBytes(r Rack) (egress, ingress float64) {
	if !e.net.on {
		return 0, 0
	}
	return e.net.flows.Sent(int(r)), e.net.flows.Sent(e.racks + int(r))
}

func fraction(rate, capacity float64) float64 {
	if !(capacity > 0) || math.IsInf(capacity, 1) {
		return 0
	}
	return min(1, rate/capacity)
}
