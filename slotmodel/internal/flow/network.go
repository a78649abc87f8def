package flow

import "math"

// A Flow is a handle of an open flow, valid from Open to Close and reused later.
type Flow int32

const (
	none    = -1 // ends a list or a path
	maxHops = 5  // most links of a flow
)

var inf = math.Inf(1)

// A stream is an open flow. It is active while its queue is not empty.
type stream struct {
	class  int32
	weight float64
	queue  queue
}

// A Network holds links, open flows and the time. Make one with New.
type Network struct {
	now float64

	links []link
	used  []int32 // links that active classes pass
	turns heap    // scratch of fill: links by share
	turn  []int32 // per link: its index in turns

	classes []class
	slots   map[path]int32 // classes that open flows belong to
	free    []int32        // slots of classes to be used again
	due     heap           // active classes by their next event
	place   []int32        // per class: its index in due
	stale   bool           // flows, weights or capacities have changed since links were filled
	fills   int64          // how often they were filled
	moved   []int32        // classes to which that gave another x than their clocks run at
	fired   []int32        // scratch of fire

	flows     []stream
	freeFlows []Flow
	position  []int32 // per flow: its index in its class's heap
	pieces    []piece
	freePiece int32
}

// New returns a network at time 0 with links of these capacities, numbered from 0, and no flow
// open. A capacity is in bytes per second, >= 0; 0 or +Inf is no limit. Arguments are not checked,
// here and in all methods.
func New(capacity ...float64) *Network {
	n := &Network{slots: map[path]int32{}, freePiece: none}
	n.Links(capacity...)
	return n
}

// Open returns a new flow of a weight >= 1 over these links, at most five and all different, in any
// order; a negative number stands for no link. Nothing is queued. Cost O(1).
func (n *Network) Open(weight int, links ...int) Flow {
	c := n.take(pathOf(links))
	s := stream{class: c, weight: float64(weight), queue: emptyQueue}
	if k := len(n.freeFlows); k > 0 {
		f := n.freeFlows[k-1]
		n.freeFlows = n.freeFlows[:k-1]
		n.flows[f] = s
		return f
	}
	n.flows, n.position = append(n.flows, s), append(n.position, none)
	return Flow(len(n.flows) - 1)
}

// Close ends f with all that it has queued and its marks. It returns the bytes that were not sent.
// Cost O(log n).
func (n *Network) Close(f Flow) float64 {
	left := n.Pending(f)
	s := &n.flows[f]
	if !s.queue.empty() {
		n.leave(f, n.clock(s.class))
		n.clear(&s.queue)
	}
	n.drop(s.class)
	n.freeFlows = append(n.freeFlows, f)
	return left
}

// Send queues bytes behind what f still has to send; it does nothing unless bytes > 0. Cost O(log
// n).
func (n *Network) Send(f Flow, bytes float64) {
	if !(bytes > 0) {
		return
	}
	s := &n.flows[f]
	idle, grows := s.queue.empty(), s.queue.open && s.queue.head == s.queue.tail
	n.push(&s.queue, bytes)
	switch {
	case idle:
		n.join(f)
	case grows:
		h, i := n.classes[s.class].heap, n.position[f]
		h[i].at = h[i].at.add(bytes / s.weight)
		h.down(int(i), n.position)
		if i == 0 {
			n.retime(s.class)
		}
	}
}

// Mark has ref reported by Advance once all bytes queued at f so far have been sent. It returns
// false, and nothing will be reported, if nothing is queued. A ref may be used more than once. Cost
// O(1).
func (n *Network) Mark(f Flow, ref int32) bool {
	s := &n.flows[f]
	if s.queue.empty() {
		return false
	}
	n.mark(&s.queue, ref)
	return true
}

// Weigh gives f another weight from now on. Queued bytes and marks stay. Cost O(log n).
func (n *Network) Weigh(f Flow, weight int) {
	if s, w := &n.flows[f], float64(weight); s.weight != w {
		n.change(f, func() { s.weight = w })
	}
}

// Lose lets a fraction (in [0, 1]) of what f still has queued vanish, evenly over the queue, so
// that marks move towards the head; a mark that is left with nothing before it is reported by the
// next Advance. It returns the bytes lost. Cost O(log n + marks).
func (n *Network) Lose(f Flow, fraction float64) float64 {
	q := &n.flows[f].queue
	if !(fraction > 0) || q.empty() {
		return 0
	}
	before := n.Pending(f)
	n.change(f, func() {
		if fraction >= 1 && !q.marked() {
			n.clear(q)
		} else {
			n.thin(q, min(fraction, 1))
		}
	})
	return max(0, before-n.Pending(f))
}

// change takes f, if it is active, out of its class, lets edit change it, and has it join again.
func (n *Network) change(f Flow, edit func()) {
	s := &n.flows[f]
	if !s.queue.empty() {
		n.pieces[s.queue.head].bytes = n.headLeft(f)
		n.leave(f, n.clock(s.class))
	}
	edit()
	if !s.queue.empty() {
		n.join(f)
	}
}

// Pending returns the bytes f has queued now. Cost O(1).
func (n *Network) Pending(f Flow) float64 {
	s := &n.flows[f]
	if s.queue.empty() {
		return 0
	}
	return max(0, s.queue.rest.add(n.headLeft(f)).value())
}

// headLeft returns the bytes until the next position of f, which is active.
func (n *Network) headLeft(f Flow) float64 {
	s := &n.flows[f]
	tag := n.classes[s.class].heap[n.position[f]].at
	return max(0, times(tag.since(n.clock(s.class)), s.weight))
}
