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
	p, err := q.needParent(fn, parent)
	if err != nil {
		return err
	}
	return q.join(fn, p, key, weight)
}

// needParent returns the node of a key that may have children.
func (q *Queue[K]) needParent(fn string, parent K) (int32, error) {
	p, err := q.find(fn, "parent", parent, false)
	if err == nil && q.nodes[p].leaf() && q.nodes[p].active {
		err = input.Bad(fn, "parent", -1, "%v is active on its own", parent)
	}
	return p, err
}

// hang makes node i, which is in no heap, a child of parent. Under a new parent it is as far behind
// the virtual time as it was under the old one, and never ahead.
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

// Move puts a flow, with all that is below it, directly under the root. See MoveUnder.
// Errors: a key that has not joined.
func (q *Queue[K]) Move(key K) error { return q.move("fairqueue.Queue.Move", root, key) }

// MoveUnder puts a flow, with all that is below it, under another parent. What is active stays
// active, and nodes above both places stay as they are. The flow is as far behind the virtual time
// among its new siblings as it was among the old ones, in cost for each unit of weight, and at best
// level with it.
//
// Errors: a key or a parent that has not joined; a parent that is an active leaf, or is the flow
// itself or below it.
func (q *Queue[K]) MoveUnder(parent, key K) error {
	const fn = "fairqueue.Queue.MoveUnder"
	p, err := q.needParent(fn, parent)
	if err != nil {
		return err
	}
	return q.move(fn, p, key)
}

func (q *Queue[K]) move(fn string, parent int32, key K) error {
	i, err := q.find(fn, "key", key, false)
	if err != nil {
		return err
	}
	for above := parent; above != root; above = q.nodes[above].parent {
		if above == i {
			return input.Bad(fn, "parent", -1, "it is %v or below it", key)
		}
	}
	n := &q.nodes[i]
	old := n.parent
	if old == parent {
		return nil
	}
	q.refresh(old)
	q.nodes[old].inner.children--
	if !n.active {
		q.hang(i, parent)
		return nil
	}
	// The nodes above the new place become active before those above the old one become idle, so
	// that nodes above both places are active throughout.
	q.activate(parent)
	q.pull(&q.nodes[old].inner.waiting, i)
	q.hang(i, parent)
	q.push(&q.nodes[parent].inner.waiting, i)
	q.rest(old)
	return nil
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
	// Siblings are the active siblings in the order of service: the first Place are ahead of the
	// node.
	Siblings []Sibling[K]
}

// Sibling is an active sibling of a node.
type Sibling[K comparable] struct {
	Key   K
	Ahead float64 // the node's start tag less the sibling's; negative: it is behind
}

// Why appends to dst the levels that lead from the root to a flow, which explain its place: the
// flow is next if it is active and Place is 0 at every level. Otherwise the first level with
// another Place decided. dst is unchanged on error.
//
// Errors: a key that has not joined.
func (q *Queue[K]) Why(dst []Level[K], key K) ([]Level[K], error) {
	i, err := q.find("fairqueue.Queue.Why", "key", key, false)
	if err != nil {
		return dst, err
	}
	from := len(dst)
	for ; i != root; i = q.nodes[i].parent {
		dst = append(dst, q.level(i))
	}
	slices.Reverse(dst[from:])
	return dst, nil
}

func (q *Queue[K]) level(i int32) Level[K] {
	n := &q.nodes[i]
	p := q.nodes[n.parent].inner
	l := Level[K]{Key: n.key, Active: n.active, Virtual: p.virtual.Float(), Start: n.start().Float(), Finish: n.finish.Float()}
	var order []int32
	for k := range int32(p.waiting.Len()) {
		if s := p.waiting.ID(k); s != i {
			order = append(order, s)
		}
	}
	slices.SortFunc(order, q.compare)
	for _, s := range order {
		if q.compare(s, i) < 0 {
			l.Place++
		}
		l.Siblings = append(l.Siblings, Sibling[K]{Key: q.nodes[s].key, Ahead: n.start().Sub(q.nodes[s].start()).Float()})
	}
	return l
}
