package flow

import "slices"

// Next returns the next instant, not before the present one, at which a mark or the end of a queue
// is reached; +Inf if there is none. Advance(refs, Next()) reaches it bit for bit. Cost O(1), after
// a change that of filling.
func (n *Network) Next() float64 {
	n.settle()
	n.pace()
	if len(n.due) == 0 {
		return inf
	}
	return max(n.now, n.due[0].at.hi)
}

// pace lets the clocks of classes run at the x that fill found, from now on.
func (n *Network) pace() {
	for _, c := range n.moved {
		k := &n.classes[c]
		k.at, k.from, k.rate = n.clock(c), n.now, k.x
		n.retime(c)
	}
	n.moved = n.moved[:0]
}

// Advance lets time pass to t, normally t <= Next(), and appends to dst the refs of the marks
// reached. Marks of one instant come by class in the order of its links, number by number; in a
// class by position on its clock, then by handle; in a flow first in, first out. A later t is
// reached by way of every Next before it, an earlier one is taken as the present. Changes are made
// by the caller after it, at t.
func (n *Network) Advance(dst []int32, t float64) []int32 {
	at := n.Next()
	for ; at < t; at = n.Next() {
		n.now = at
		dst = n.fire(dst)
	}
	if t > n.now && t < inf {
		n.now = t
	}
	return n.fire(dst)
}

// fire passes all tags that are due now.
func (n *Network) fire(dst []int32) []int32 {
	n.fired = n.fired[:0]
	for len(n.due) > 0 && n.due[0].at.hi <= n.now {
		c := n.due[0].id
		n.fired = append(n.fired, c)
		n.due.set(0, entry{clock{hi: inf}, c}, n.place)
	}
	slices.SortFunc(n.fired, n.byPath)
	for _, c := range n.fired {
		dst = n.pass(dst, c)
	}
	return dst
}

// pass passes all tags of class c that are due now. The clock is not set to them: what rounding of
// the time added to or took from this step, the next one evens out.
func (n *Network) pass(dst []int32, c int32) []int32 {
	k := &n.classes[c]
	for len(k.heap) > 0 && n.nextOf(c) <= n.now {
		tag := k.heap[0]
		s := &n.flows[tag.id]
		if k.rate == inf {
			k.at = tag.at
		}
		ref, marked := n.shift(&s.queue)
		if marked {
			dst = append(dst, ref)
		}
		if s.queue.empty() {
			n.leave(Flow(tag.id), tag.at)
			continue
		}
		tag.at = tag.at.add(n.pieces[s.queue.head].bytes / s.weight)
		k.heap.set(0, tag, n.position)
		n.retime(c)
	}
	return dst
}
