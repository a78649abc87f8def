package fairqueue

import (
	"cmp"

	"github.com/schedmath/schedmath/internal/heap"
)

// Next returns the flow to serve, an active leaf: at each level of the tree the one of the least
// start tag. It moves the virtual time to these tags and charges nothing. Call Start or Charge
// before the next Next, or the same flow comes again. ok is false if no flow waits, or skip and
// limits pass over all that do.
//
// A flow for which skip returns true is passed over: it keeps its start tag, and credit up to
// Options.Lag. nil passes over nobody. skip is asked of active leaves, also of some behind the one
// returned, and must not change q. It is asked of every flow that it passes over; a bound on
// services in flight costs less by SetLimit.
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
		i = n.parent
		if in := q.nodes[i].inner; !in.idle() { // as a skip that changed q may have left it
			q.pass(in, n.start())
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

// refresh brings the virtual time among the children of node i up to date, where the start tag
// served last does not set it.
func (q *Queue[K]) refresh(i int32) {
	if in := q.nodes[i].inner; q.options.Return == ToLeast && in.waiting.Len() > 0 {
		q.pass(in, q.nodes[in.waiting.ID(0)].start())
	}
}

// pass moves a virtual time on.
func (q *Queue[K]) pass(in *inner, to fixed) {
	in.virtual = later(in.virtual, to)
	q.forget(in)
}

// forget drops the children that left and are not ahead of the virtual time.
func (q *Queue[K]) forget(in *inner) {
	for in.away.Len() > 0 {
		i := in.away.ID(0)
		q.current(i)
		if start := q.nodes[i].start(); start.cmp(&in.virtual) > 0 && !q.options.Forget {
			return
		}
		in.away.Pop(q.pos, (*ties[K])(q))
		q.drop(i)
	}
}

// start returns the tag at which the node's next service starts, or would if it were active and
// Lag had no limit.
func (n *node[K]) start() fixed { return later(n.floor, n.finish) }

func later(a, b fixed) fixed {
	if a.cmp(&b) < 0 {
		return b
	}
	return a
}

// compare orders siblings by their service.
func (q *Queue[K]) compare(a, b int32) int {
	x, y := &q.nodes[a], &q.nodes[b]
	s, t := x.start(), y.start()
	return cmp.Or(s.cmp(&t), cmp.Compare(x.joined, y.joined))
}

// ties orders nodes whose start tags are equal as float64.
type ties[K comparable] Queue[K]

func (t *ties[K]) Before(a, b int32) bool {
	return (*Queue[K])(t).compare(a, b) < 0
}
