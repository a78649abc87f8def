package flow

import (
	"cmp"
	"math"
	"slices"
)

// postpone notes that f has changes that take effect at the next multiple.
func (n *Network) postpone(f int32) {
	if w := &n.waits[f]; !w.listed {
		w.listed = true
		n.waiting = append(n.waiting, f)
	}
}

// multiple returns the first multiple of the interval that is not before now.
func (n *Network) multiple() float64 {
	if !(n.asked <= n.now && n.now <= n.tick) {
		n.asked, n.tick = n.now, n.nextMultiple()
	}
	return n.tick
}

// nextMultiple finds it.
func (n *Network) nextMultiple() float64 {
	k := math.Ceil(n.now / n.interval)
	if k >= 1<<52 {
		return n.now // multiples are as dense as float64 here
	}
	for float64(k*n.interval) < n.now {
		k++
	}
	for k > 0 && float64((k-1)*n.interval) >= n.now {
		k--
	}
	return float64(k * n.interval)
}

// unsettled reports whether something waits for a solution.
func (n *Network) unsettled() bool { return n.stale || len(n.waiting) > 0 }

// settle lets changes take effect, if this is an instant at which they do.
func (n *Network) settle() {
	if !n.unsettled() || n.interval > 0 && n.multiple() != n.now {
		return
	}
	if len(n.waiting) > n.racks {
		for l := range n.level { // once for each, not for each flow
			n.refresh(int32(l))
			n.arrive(int32(l))
		}
	}
	for _, f := range n.waiting {
		w := &n.waits[f]
		w.listed = false
		if w.weight > 0 {
			n.weigh(f, w.weight, w.unit)
			w.weight = 0
		}
		n.publish(f)
	}
	n.waiting = n.waiting[:0]
	if n.stale {
		n.solve()
		n.stale = false
	}
}

// publish moves what waits at f into its queue.
func (n *Network) publish(f int32) {
	s := &n.flows[f]
	q := &n.waits[f].queue
	if q.head == none {
		return
	}
	grows := s.class != none && s.queue.open && s.queue.head == s.queue.tail
	bytes := n.pieces[q.head].bytes
	n.splice(&s.queue, q)
	switch {
	case s.class == none:
		n.join(f)
	case grows:
		n.extend(f, bytes)
	}
}

// Next returns the next instant, not before Now, at which a mark or the end of a queue is reached or, in interval
// mode, changes take effect; +Inf if there is none. Advance(refs, Next()) reaches it bit for bit.
// Cost O(C/64), after a change the solution's.
func (n *Network) Next() float64 {
	n.settle()
	if n.moved {
		n.arrivals()
		n.moved, n.ownSoonest = false, least(n.first)
		n.soonest = lesser(n.ownSoonest, least(n.early))
	}
	t := n.soonest
	if n.unsettled() {
		t = min(t, n.multiple())
	}
	return t
}

// Advance lets time pass to t, normally t <= Next(), and appends to dst the refs of the marks reached. Marks of one
// instant come by class in the order of (src, dst, ports, unit), in a class by position on its clock, then handle, in a flow
// first in, first out. A later t is reached by way of every Next before it, an earlier t than Now is taken as Now.
// Changes are made by the caller after it, at t.
func (n *Network) Advance(dst []int32, t float64) []int32 {
	at := n.Next()
	for ; at < t; at = n.Next() {
		n.now = at
		dst = n.fire(dst)
	}
	if t > n.now && t < inf {
		n.now = t
	}
	if at > n.now {
		return dst
	}
	return n.fire(dst)
}

// fire passes all tags that are due now.
func (n *Network) fire(dst []int32) []int32 {
	n.fired = n.fired[:0]
	for b, t := range n.first {
		if n.ownSoonest > n.now {
			break
		}
		if t > n.now {
			continue
		}
		for c := b << 6; c < b<<6+64; c++ {
			if n.due[c] <= n.now {
				n.fired = append(n.fired, int32(c))
			}
		}
	}
	for b, t := range n.early {
		if t > n.now {
			continue
		}
		for i, t := range n.arrival[b<<3 : b<<3+8] {
			if t <= n.now {
				n.reach(int32(b<<3 + i))
			}
		}
	}
	if len(n.fired) > 1 {
		slices.SortFunc(n.fired, func(a, b int32) int {
			p, q := &n.classes[a], &n.classes[b]
			return cmp.Or(cmp.Compare(p.src, q.src), cmp.Compare(p.dst, q.dst), cmp.Compare(p.ends.out, q.ends.out), cmp.Compare(p.ends.in, q.ends.in), cmp.Compare(n.paces[a].unit, n.paces[b].unit))
		})
	}
	for _, c := range n.fired {
		dst = n.pass(dst, c)
	}
	return dst
}

// reach notes the classes that ride on link l, the nearest of which are due now.
func (n *Network) reach(l int32) {
	// What is further than this is not reached, by whatever rounding; the division is for the others.
	far := float64(float64(n.level[l]*(n.now-n.solved[l]+float64(n.now*0x1p-50))) * (1 + 0x1p-40))
	rides, reading := n.rides[l], n.reading[l]
	if n.beyond[l].since(reading) > far {
		n.fired = append(n.fired, rides[n.nearest[l]].class)
		return
	}
	for i := range rides {
		if !(rides[i].at.since(reading) > far) && n.passes(l, int32(i)) <= n.now {
			n.fired = append(n.fired, rides[i].class)
		}
	}
}

// pass passes all tags of class c that are due now.
func (n *Network) pass(dst []int32, c int32) []int32 {
	k, p := &n.classes[c], &n.paces[c]
	for {
		top := k.heap[0]
		s := &n.flows[top.flow]
		if k.kind == instant && k.src != k.dst {
			bytes := n.pieces[s.queue.head].bytes
			n.sent[p.out] = n.sent[p.out].add(bytes)
			n.sent[p.in] = n.sent[p.in].add(bytes)
		}
		ref, marked := n.shift(&s.queue)
		if marked {
			dst = append(dst, ref)
		}
		if s.queue.head != none {
			k.heap[0].at = top.at.add(n.pieces[s.queue.head].bytes / float64(s.weight))
			n.down(k.heap, 0)
		} else {
			k.heap = n.drop(k.heap, 0)
			n.part(top.flow, top.at)
			if len(k.heap) == 0 {
				return dst
			}
		}
		// The anchor stays: what rounding of the time added to or took from this step, the next one evens out.
		n.step(c, k.heap[0].at.sub(top.at))
		if n.dueOf(c) > n.now {
			return dst
		}
	}
}
