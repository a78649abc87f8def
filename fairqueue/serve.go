package fairqueue

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
)

// Next returns the flow to serve, an active leaf: at each level of the tree the one of the least
// start tag. It moves the virtual time to these tags and charges nothing: without a Start or Charge
// the same flow comes again. ok is false if no flow waits, or skip and limits pass over all that
// do.
//
// A flow for which skip returns true is passed over and keeps its start tag, and credit up to
// Options.Lag; nil passes over nobody. skip must not change q. It is asked of active leaves, also
// of some behind the one returned, which is the last for which it returned false. A bound on
// services in flight costs less by SetLimit.
func (q *Queue[K]) Next(skip func(K) bool) (key K, ok bool) {
	if q.places == nil {
		return q.next(skip, nil, nil)
	}
	return q.next(skip, &q.places.waiting, nil)
}

// next is Next among the flows that all servers may serve and those of a heap of others: nodes, or
// seats if there are any.
func (q *Queue[K]) next(skip func(K) bool, others *heap.Heap, seats []seat) (key K, ok bool) {
	if len(q.nodes) == 0 {
		return key, false
	}
	best, i := int32(root), int32(root)
	q.scan(&q.nodes[root].inner.waiting, 0, nil, skip, &best, &i)
	if others != nil {
		q.scan(others, 0, seats, skip, &best, &i)
	}
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

// scan looks for the best node, and the leaf to serve at or below it, of those that skip does not
// pass over, from element pos of a heap of nodes or seats downwards. It leaves out elements after
// the best.
func (q *Queue[K]) scan(h *heap.Heap, pos int32, seats []seat, skip func(K) bool, best, leaf *int32) {
	if int(pos) >= h.Len() {
		return
	}
	i := h.ID(pos)
	if seats != nil {
		i = seats[i].node
	}
	if *best != root && q.compare(i, *best) > 0 {
		return
	}
	if l := q.search(i, skip); l != root {
		*best, *leaf = i, l
		return
	}
	for p, to := h.Children(pos); p < to; p++ {
		q.scan(h, p, seats, skip, best, leaf)
	}
}

// search returns the leaf to serve at or below node i, of those that skip does not pass over, or
// root.
func (q *Queue[K]) search(i int32, skip func(K) bool) int32 {
	in := q.nodes[i].inner
	if in == nil || in.waiting.Len() == 0 {
		if skip != nil && skip(q.nodes[i].key) {
			return root
		}
		return i
	}
	best, leaf := int32(root), int32(root)
	q.scan(&in.waiting, 0, nil, skip, &best, &leaf)
	return leaf
}

// Order appends to dst the active leaves that limits let be served, in the order in which Next
// would name them, were each skipped in turn: children by start tag, each child's leaves together.
// It changes nothing. It is not the order of successive services, which each move a tag.
func (q *Queue[K]) Order(dst []K) []K {
	if len(q.nodes) == 0 {
		return dst
	}
	return q.order(dst, q.waiting(root))
}

// OrderAt appends to dst the flows that a server may serve, in the order in which NextAt would
// return them, each charged nothing and skipped in turn; at a server that no flow names, below 0
// for example, the flows that any server may serve.
func (q *Queue[K]) OrderAt(dst []K, server int) []K {
	if len(q.nodes) == 0 {
		return dst
	}
	nodes := ids(nil, &q.nodes[root].inner.waiting)
	if p := q.places; p != nil && p.at[server] != nil {
		for _, s := range ids(nil, &p.at[server].waiting) {
			nodes = append(nodes, p.seats[s].node)
		}
	}
	return q.order(dst, nodes)
}

// order appends the leaves that can be served at or below siblings.
func (q *Queue[K]) order(dst []K, nodes []int32) []K {
	slices.SortFunc(nodes, q.compare)
	for _, k := range nodes {
		if in := q.nodes[k].inner; in == nil || in.waiting.Len() == 0 {
			dst = append(dst, q.nodes[k].key)
		} else {
			dst = q.order(dst, q.waiting(k))
		}
	}
	return dst
}

// waiting returns the children of node i that can be served.
func (q *Queue[K]) waiting(i int32) []int32 {
	nodes := ids(nil, &q.nodes[i].inner.waiting)
	if i == root && q.places != nil {
		nodes = ids(nodes, &q.places.waiting)
	}
	return nodes
}

// ids appends what a heap holds.
func ids(dst []int32, h *heap.Heap) []int32 {
	for k := range int32(h.Len()) {
		dst = append(dst, h.ID(k))
	}
	return dst
}
