package flow

import "math"

// A Link is what a rack can send to and receive from other racks, bytes per second. 0 is taken as +Inf: no limit.
type Link struct{ Egress, Ingress float64 }

// A Flow is a handle of an open flow, valid from Open to Close and reused later.
type Flow int32

// none ends a list and says that a flow is in no class.
const none = -1

var (
	inf     = math.Inf(1)
	infBits = math.Float64bits(inf)
)

// A stream is an open flow.
type stream struct {
	src, dst int32
	class    int32 // none: not active
	pos      int32 // place in the class's heap
	weight   int64
	unit     float64
	queue    queue // empty unless active
}

// A wait is what takes effect at the next multiple in interval mode.
type wait struct {
	queue  queue
	weight int64 // 0: unchanged
	unit   float64
	listed bool // in Network.waiting
}

// A Network holds racks, open flows and the time. Make one with New.
type Network struct {
	racks    int
	interval float64
	now      float64

	flows     []stream
	waits     []wait // of each flow
	endsOf    []ends // of each flow, if there are ports
	freeFlows []int32
	pieces    []piece
	freePiece int32
	waiting   []int32 // flows with something in wait, in the order of their first change
	stale     bool    // rates have to be solved before time passes, or at the next multiple

	board
	gates
	links
	roads
	ranks
}

// New returns a network at time 0 with no flow open. Capacities are bytes per second, >= 0, 0 for no limit; interval
// is in seconds, >= 0, 0 for exact. The arguments are the caller's to check. Cost O(R^2) time and memory.
func New(racks []Link, interval float64) *Network {
	n := &Network{racks: len(racks), interval: interval, freePiece: none}
	n.board.init(len(racks))
	n.links.init(racks)
	n.roads.init(len(racks))
	n.ranks.init(len(racks))
	return n
}

// Now returns the time up to which the network has advanced, in seconds.
func (n *Network) Now() float64 { return n.now }

// Open returns a new flow from rack src to rack dst with weight >= 1 and at most unit bytes per second for each unit
// of its weight; unit 0 or +Inf is no limit. Nothing is queued. Cost O(1).
func (n *Network) Open(src, dst, weight int, unit float64) Flow {
	f := n.take(src, dst, weight, unit)
	if len(n.ports) > 0 {
		n.endsOf[f] = nowhere
	}
	return f
}

// OpenAt is Open without a unit, but the flow also passes up to two ports of Ports, one of rack src by which it leaves and another of rack
// dst by which it enters, -1 for none, and shares them with all others that do; also one with src == dst does. Cost O(1).
func (n *Network) OpenAt(src, dst, out, in, weight int) Flow {
	f := n.take(src, dst, weight, inf)
	n.endsOf[f] = ends{int32(out), int32(in)}
	n.tally(n.endsOf[f], 1)
	return f
}

// take returns a new flow.
func (n *Network) take(src, dst, weight int, unit float64) Flow {
	s := stream{src: int32(src), dst: int32(dst), class: none, weight: int64(weight), unit: n.limit(src, dst, unit), queue: empty}
	if k := len(n.freeFlows); k > 0 {
		f := n.freeFlows[k-1]
		n.freeFlows = n.freeFlows[:k-1]
		n.flows[f] = s
		return Flow(f)
	}
	n.flows, n.waits = append(n.flows, s), append(n.waits, wait{queue: empty})
	if len(n.ports) > 0 {
		n.endsOf = append(n.endsOf, nowhere)
	}
	return Flow(len(n.flows) - 1)
}

// Close ends f: what it had queued is gone and its marks with it. It returns the bytes that were not sent.
// Cost O(log n).
func (n *Network) Close(f Flow) float64 {
	left := n.Pending(f)
	s := &n.flows[f]
	if s.class != none {
		n.leave(int32(f))
	}
	n.clear(&s.queue)
	if n.interval > 0 {
		w := &n.waits[f]
		n.clear(&w.queue)
		w.weight = 0
	}
	if len(n.ports) > 0 {
		n.tally(n.endsOf[f], -1)
	}
	n.freeFlows = append(n.freeFlows, int32(f))
	return left
}

// Send queues bytes behind what f still has to send; it does nothing unless bytes > 0. In interval mode the bytes
// start to flow at the next multiple. Cost O(log n).
func (n *Network) Send(f Flow, bytes float64) {
	if !(bytes > 0) {
		return
	}
	s := &n.flows[f]
	switch {
	case n.interval > 0:
		n.push(&n.waits[f].queue, bytes)
		n.postpone(int32(f))
	case s.class == none:
		n.push(&s.queue, bytes)
		n.join(int32(f))
	default:
		grows := s.queue.open && s.queue.head == s.queue.tail
		n.push(&s.queue, bytes)
		if grows {
			n.extend(int32(f), bytes)
		}
	}
}

// Mark has ref reported by Advance once all bytes queued at f so far have been sent. It returns false, and nothing
// will be reported, if nothing is queued. A ref may be used more than once. Cost O(1).
func (n *Network) Mark(f Flow, ref int32) bool {
	s := &n.flows[f]
	switch {
	case n.interval > 0 && n.waits[f].queue.head != none:
		n.mark(&n.waits[f].queue, ref)
	case s.queue.head != none:
		n.mark(&s.queue, ref)
	default:
		return false
	}
	return true
}

// Weigh gives f another weight and unit from now on, in interval mode from the next multiple on; a flow with ports has no unit.
// Queued bytes and marks stay. Cost O(log n).
func (n *Network) Weigh(f Flow, weight int, unit float64) {
	s := &n.flows[f]
	unit = n.limit(int(s.src), int(s.dst), unit)
	if len(n.ports) > 0 && !n.endsOf[f].empty() {
		unit = inf
	}
	if n.interval > 0 {
		w := &n.waits[f]
		if w.weight = 0; s.class != none {
			w.weight, w.unit = int64(weight), unit
			n.postpone(int32(f))
			return
		}
	}
	n.weigh(int32(f), int64(weight), unit)
}

// weigh does it now.
func (n *Network) weigh(f int32, weight int64, unit float64) {
	s := &n.flows[f]
	moves := len(n.ports) > 0 && s.class != none && n.classes[s.class].ends != n.passed(f)
	if s.weight == weight && s.unit == unit && !moves {
		return
	}
	if s.class == none {
		s.weight, s.unit = weight, unit
		return
	}
	if s.unit == unit && !moves {
		n.reweigh(f, weight)
		return
	}
	n.pieces[s.queue.head].bytes = n.headLeft(f)
	n.leave(f)
	s.weight, s.unit = weight, unit
	n.join(f)
}

// Lose lets that fraction (in [0, 1]) of what f still has queued vanish, evenly over the queue, so that marks move
// towards the head; a mark that is left with nothing before it is reported by the next Advance, or at the next multiple
// if it waits for that. It returns the bytes lost. Also in interval mode they are gone at once. Cost O(log n + marks).
func (n *Network) Lose(f Flow, fraction float64) float64 {
	if !(fraction > 0) {
		return 0
	}
	fraction = min(fraction, 1)
	before := n.Pending(f)
	s := &n.flows[f]
	switch {
	case s.class == none:
	case fraction == 1 && !s.queue.marked():
		n.leave(int32(f))
		n.clear(&s.queue)
	default:
		p := &n.pieces[s.queue.head]
		p.bytes = n.headLeft(int32(f))
		p.bytes -= float64(p.bytes * fraction)
		n.retag(int32(f), p.bytes, n.clock(s.class))
		n.thin(&s.queue, fraction)
	}
	switch q := &n.waits[f].queue; {
	case q.head == none:
	case fraction == 1 && !q.marked():
		n.clear(q)
	default:
		p := &n.pieces[q.head]
		p.bytes -= float64(p.bytes * fraction)
		n.thin(q, fraction)
	}
	return before - n.Pending(f)
}

// Pending returns the bytes f has queued now, in interval mode also those which do not flow yet. Cost O(1).
func (n *Network) Pending(f Flow) float64 {
	s := &n.flows[f]
	sum := 0.0
	if s.class != none {
		sum = n.headLeft(int32(f)) + s.queue.rest.value()
	}
	if n.interval == 0 {
		return sum
	}
	if q := &n.waits[f].queue; q.head != none {
		sum += n.pieces[q.head].bytes + q.rest.value()
	}
	return sum
}
