package fairqueue

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// SetActive says whether a flow has something to serve. When the last flow becomes inactive, the
// virtual time moves up to the greatest finish tag so far. So a caller with one server makes a flow
// inactive when its last service ends, not when that service starts; otherwise flows that become
// active during the service start level with this flow's next request instead of before it.
//
// Errors: a key that has not joined or has children.
func (q *Queue[K]) SetActive(key K, active bool) error {
	const fn = "fairqueue.Queue.SetActive"
	i, err := q.find(fn, "key", key, false)
	if err != nil {
		return err
	}
	n := &q.nodes[i]
	switch {
	case !n.leaf():
		return input.Bad(fn, "key", -1, "%v has children, which make it active", key)
	case active && !n.active:
		q.activate(i)
	case !active && n.active:
		q.deactivate(i)
	}
	return nil
}

// activate lets node i wait, and the nodes above it, as far as they do not yet.
func (q *Queue[K]) activate(i int32) {
	for i != root && !q.nodes[i].active {
		n := &q.nodes[i]
		q.refresh(n.parent)
		p := q.nodes[n.parent].inner
		n.active, n.floor = true, p.virtual
		q.push(&p.waiting, i)
		i = n.parent
	}
}

// deactivate takes node i out of those that wait, and the nodes above it that have no other child
// to serve.
func (q *Queue[K]) deactivate(i int32) {
	for i != root {
		n := &q.nodes[i]
		p := q.nodes[n.parent].inner
		q.pull(&p.waiting, i)
		if n.active, i = false, n.parent; p.waiting.Len() > 0 {
			return
		}
		q.refresh(i)
	}
}

// refresh brings the virtual time among the children of node i up to date, where the start tag
// served last does not set it.
func (q *Queue[K]) refresh(i int32) {
	in := q.nodes[i].inner
	switch {
	case in.waiting.Len() == 0:
		q.pass(in, in.greatest)
	case q.options.Return == ToLeast:
		q.pass(in, q.nodes[in.waiting.ID(0)].start())
	}
}

// pass moves a virtual time on, and forgets the children that left whose last finish it has
// reached.
func (q *Queue[K]) pass(in *inner, to dd.T) {
	in.virtual = later(in.virtual, to)
	for in.away.Len() > 0 && q.nodes[in.away.ID(0)].start().Cmp(in.virtual) <= 0 {
		q.drop(in.away.Pop(q.pos, (*ties[K])(q)).ID)
	}
}

// Next returns the flow to serve, an active leaf: at each level of the tree the one of the least
// start tag. It moves the virtual time to these tags and charges nothing. Call Charge before the
// next Next, or the same flow comes again. ok is false if no flow waits, or skip passes over all
// that do.
//
// A flow for which skip returns true keeps its start tag; nil passes over nobody. skip is asked of
// active leaves, also of some behind the one returned, and must not change q. A flow that stays
// blocked for long is better inactive.
func (q *Queue[K]) Next(skip func(K) bool) (key K, ok bool) {
	if len(q.nodes) == 0 {
		return key, false
	}
	i := q.search(root, skip)
	if i == root {
		return key, false
	}
	key = q.nodes[i].key
	for i != root {
		n := &q.nodes[i]
		if i = n.parent; q.options.Return == ToLeast {
			q.refresh(i)
		} else {
			q.pass(q.nodes[i].inner, n.start())
		}
	}
	return key, true
}

// search returns the leaf to serve at or below node i, of those that skip does not pass over, or
// root.
func (q *Queue[K]) search(i int32, skip func(K) bool) int32 {
	in := q.nodes[i].inner
	if in == nil || in.waiting.Len() == 0 {
		if i == root || skip != nil && skip(q.nodes[i].key) {
			return root
		}
		return i
	}
	best, leaf := int32(root), int32(root)
	q.scan(&in.waiting, 0, skip, &best, &leaf)
	return leaf
}

// scan looks for the best node, and the leaf to serve there, from element pos of a heap downwards.
// It leaves out elements after the best.
func (q *Queue[K]) scan(h *heap.Heap, pos int32, skip func(K) bool, best, leaf *int32) {
	if int(pos) >= h.Len() || *best != root && q.compare(h.ID(pos), *best) > 0 {
		return
	}
	i := h.ID(pos)
	if l := q.search(i, skip); l != root {
		*best, *leaf = i, l
		return
	}
	for p, to := h.Children(pos); p < to; p++ {
		q.scan(h, p, skip, best, leaf)
	}
}

// Charge adds a cost to a flow and to all nodes above it: what a service that starts now costs, or
// is expected to. An inactive flow is charged from the start tag that it last had. A service may be
// charged in parts.
//
// Errors: a key that is neither joined nor remembered, or has children; a cost out of range.
func (q *Queue[K]) Charge(key K, cost float64) error {
	const fn = "fairqueue.Queue.Charge"
	i, err := q.find(fn, "key", key, true)
	switch {
	case err != nil:
		return err
	case !q.nodes[i].leaf():
		return input.Bad(fn, "key", -1, "%v has children, which are charged", key)
	case !validCost(cost):
		return input.Bad(fn, "cost", -1, badCost)
	}
	q.adjust(i, cost, true)
	return nil
}

// Settle corrects what a flow, and all nodes above it, were charged: difference is what a service
// cost less what Charge was told. The start tag of an active flow falls no further than the virtual
// time at which the flow became active. With the key of a node that has children, Settle settles
// for a child that is no longer remembered.
//
// Errors: a key that is neither joined nor remembered; a difference outside [-2^200, 2^200].
func (q *Queue[K]) Settle(key K, difference float64) error {
	const fn = "fairqueue.Queue.Settle"
	i, err := q.find(fn, "key", key, true)
	switch {
	case err != nil:
		return err
	case !(difference >= -maxCost && difference <= maxCost):
		return input.Bad(fn, "difference", -1, "want a number in [-2^200, 2^200]")
	}
	q.adjust(i, difference, false)
	return nil
}

// adjust moves the finish tags of node i and of those above it: from the start of a new service, or
// as they stand.
func (q *Queue[K]) adjust(i int32, cost float64, service bool) {
	for i != root {
		n := &q.nodes[i]
		if service {
			n.finish = n.start()
		}
		n.finish = n.finish.Add(dd.Of(cost).Div(n.weight))
		above := n.parent
		p := q.nodes[above].inner
		p.greatest = later(p.greatest, n.finish)
		if n.active {
			q.fix(&p.waiting, i)
		} else if n.left {
			q.fix(&p.away, i)
			q.pass(p, p.virtual)
		}
		i = above
	}
}
