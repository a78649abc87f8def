package slotmodel

import "github.com/schedmath/schedmath/slotmodel/internal/flow"

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
	e.stageOver(a)
	return true
}

// moved counts bytes that an attempt's own transfer has moved.
func (e *engine) moved(a Attempt, bytes float64) {
	x := &e.attempts[a]
	t := e.acct.bytes(x.job, x.across)
	if x.stage == fetching {
		t.Read += bytes
	} else {
		t.Output += bytes
	}
}

// layLinks makes the network of a run. Its links are the egress of each rack, the ingress of each
// rack and, if any NIC has a limit, the way into and the way out of each node.
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
	e.net.on, e.net.flows, e.net.pairs = true, flow.New(), map[[2]int32]int{}
	e.net.flows.Links(egress...)
	e.net.flows.Links(ingress...)
	if e.net.byNode {
		e.net.flows.Links(nics...)
		e.net.flows.Links(nics...)
	}
}

// rackLinks returns the links that lie between two racks, None within a rack: those of the racks
// and, if pairs of racks have a limit, that of the pair, which is made when it is asked for first.
func (e *engine) rackLinks(from, to int32) (egress, ingress, pair int) {
	if from == to {
		return None, None, None
	}
	egress, ingress, pair = int(from), e.racks+int(to), None
	if limit := e.cluster.Network.Pair; limit > 0 && limit < never {
		known := false
		if pair, known = e.net.pairs[[2]int32{from, to}]; !known {
			pair = e.net.flows.Links(limit)
			e.net.pairs[[2]int32{from, to}] = pair
		}
	}
	return egress, ingress, pair
}

// nicOut returns the link by which a node sends, nicIn the one by which it receives; None when its
// NIC has no limit.
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

// transfer begins an attempt's own transfer from a rack to a rack, past the links out and in of
// NICs, or None. The stage is over with it.
func (e *engine) transfer(a Attempt, from, to int32, out, in int, bytes float64) {
	x := &e.attempts[a]
	x.across, x.bytes = from != to, bytes
	if bytes == 0 || from == to && out == None && in == None {
		e.moved(a, bytes)
		e.stageOver(a)
		return
	}
	egress, ingress, pair := e.rackLinks(from, to)
	x.flow = e.net.flows.Open(1, egress, ingress, out, in, pair)
	e.net.flows.Send(x.flow, bytes)
	e.net.flows.Mark(x.flow, attemptRef(a))
}

// read begins the transfer of a map's block, after which the map computes.
func (e *engine) read(a Attempt) {
	x := &e.attempts[a]
	x.stage = fetching
	s := &e.jobs[x.job]
	from, seconds := x.node, 0.0
	if s.spec.Replicas != nil {
		from = e.source(s, x.task, x.node)
		switch {
		case from == x.node:
			e.acct.totals.LocalMaps++
		case e.nodes[from].rack == e.nodes[x.node].rack:
			e.acct.totals.RackMaps++
			seconds = e.cluster.Network.RackRead
		default:
			e.acct.totals.RemoteMaps++
			seconds = e.cluster.Network.RemoteRead
		}
	}
	if from == x.node || !e.net.on {
		e.after(a, seconds)
		return
	}
	out := None
	if e.nodes[from].up {
		out = e.nicOut(from)
	}
	e.transfer(a, e.nodes[from].rack, e.nodes[x.node].rack, out, e.nicIn(x.node), s.spec.Input/float64(s.spec.Maps.Tasks))
}

// write sends the output of a task of the last phase to another rack, after which the attempt ends.
func (e *engine) write(a Attempt) {
	x := &e.attempts[a]
	x.stage = writing
	s := &e.jobs[x.job]
	p := &s.phase[x.kind]
	switch {
	case x.kind == Map && s.phase[Reduce].Tasks > 0 || e.net.on && e.racks == 1:
		e.after(a, 0)
	case e.net.on:
		from := e.nodes[x.node].rack
		to := (from + 1 + (int32(x.task)-p.first)%int32(e.racks-1)) % int32(e.racks)
		e.transfer(a, from, to, e.nicOut(x.node), None, s.spec.Output/float64(p.Tasks))
	default:
		e.after(a, e.cluster.Network.Write)
	}
}

// stopTransfer breaks off the transfer of an attempt that dies.
func (e *engine) stopTransfer(a Attempt) {
	x := &e.attempts[a]
	if x.flow >= 0 {
		sent := max(0, x.bytes-e.net.flows.Close(x.flow))
		x.flow = -1
		e.moved(a, sent)
	}
	if x.kind == Reduce && x.stage == fetching {
		e.leaveShuffle(a)
	}
}
