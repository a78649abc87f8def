package fairqueue

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// JoinUnder adds a flow as a child of another, inactive. The parent shares among its children what
// it gets among its own siblings.
//
// Errors: those of Join; a parent that has not joined, or is an active leaf.
func (q *Queue[K]) JoinUnder(parent, key K, weight float64) error {
	const fn = "fairqueue.Queue.JoinUnder"
	p, err := q.find(fn, "parent", parent, false)
	switch {
	case err != nil:
		return err
	case q.nodes[p].leaf() && q.nodes[p].active:
		return input.Bad(fn, "parent", -1, "%v is active on its own", parent)
	}
	return q.join(fn, p, key, weight)
}

// hang makes node i, which is in no heap, a child of parent. One that left another parent is as far
// behind the virtual time as it was there, and never ahead.
func (q *Queue[K]) hang(i, parent int32) {
	n, p := &q.nodes[i], &q.nodes[parent]
	if p.inner == nil {
		p.inner = new(inner)
	}
	if old := &q.nodes[n.parent]; n.parent != parent {
		q.refresh(parent)
		debt := later(dd.T{}, n.start().Sub(old.inner.virtual))
		n.parent, n.floor, n.finish = parent, p.inner.virtual, p.inner.virtual.Add(debt)
		if n.finish.Hi > maxTag {
			n.finish = dd.Of(maxTag)
		}
	}
	p.inner.greatest = later(p.inner.greatest, n.finish)
	p.inner.children++
}

// compare orders siblings by their service.
func (q *Queue[K]) compare(a, b int32) int {
	x, y := &q.nodes[a], &q.nodes[b]
	return cmp.Or(x.start().Cmp(y.start()), cmp.Compare(x.joined, y.joined))
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

// Level is one step of the way from the root to a flow: a node among its siblings.
type Level[K comparable] struct {
	Key     K
	Active  bool
	Virtual float64 // the virtual time among the siblings
	Start   float64 // tag at which its next service starts, or would if it were active
	Finish  float64 // tag at which its last service ended
	Place   int     // number of active siblings that are served before it
}

// Why appends to dst the levels that lead from the root to a flow, which explain its place: the
// flow is next if it is active and Place is 0 at every level. Otherwise the first level with
// another Place decided. Errors: a key that has not joined.
func (q *Queue[K]) Why(dst []Level[K], key K) ([]Level[K], error) {
	i, err := q.find("fairqueue.Queue.Why", "key", key, false)
	if err != nil {
		return dst, err
	}
	from := len(dst)
	for ; i != root; i = q.nodes[i].parent {
		n := &q.nodes[i]
		p := q.nodes[n.parent].inner
		l := Level[K]{Key: n.key, Active: n.active, Virtual: p.virtual.Float(), Start: n.start().Float(), Finish: n.finish.Float()}
		for k := range int32(p.waiting.Len()) {
			if q.compare(p.waiting.ID(k), i) < 0 {
				l.Place++
			}
		}
		dst = append(dst, l)
	}
	slices.Reverse(dst[from:])
	return dst, nil
}
