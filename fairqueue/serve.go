package fairqueue

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
)

// Next returns the flow to serve, an active leaf: at each level of the tree the one of the least
// start tag. It moves the virtual time to these tags and charges nothing. Call Start or Charge
// before the next Next, or the same flow comes again. ok is false if no flow waits, or skip and
// limits pass over all that do.
//
// A flow for which skip returns true is passed over: it keeps its start tag, and credit up to
// Options.Lag. nil passes over nobody. skip is asked of active leaves, also of some behind the one
// returned, and must not change q. The flow returned is the last for which skip returned false, so
// a skip can keep what it found there. It is asked of every flow that it passes over; a bound on
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
			in.virtual = later(in.virtual, n.start())
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

// Order appends to dst the active leaves that limits let be served, in the order in which Next
// would name them, were each skipped in turn: children by start tag, each child's leaves together.
// It changes nothing. It is not the order of successive services, which each move a tag.
func (q *Queue[K]) Order(dst []K) []K {
	if len(q.nodes) == 0 {
		return dst
	}
	return q.order(dst, root)
}

// order appends the leaves that can be served at or below node i.
func (q *Queue[K]) order(dst []K, i int32) []K {
	in := q.nodes[i].inner
	if in == nil || in.waiting.Len() == 0 {
		if i == root {
			return dst
		}
		return append(dst, q.nodes[i].key)
	}
	for _, k := range q.sorted(&in.waiting) {
		dst = q.order(dst, k)
	}
	return dst
}

// sorted returns the nodes of a heap by their service.
func (q *Queue[K]) sorted(h *heap.Heap) []int32 {
	ids := make([]int32, h.Len())
	for k := range ids {
		ids[k] = h.ID(int32(k))
	}
	slices.SortFunc(ids, q.compare)
	return ids
}
