package fairqueue

import (
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// SetActive says whether a flow has something waiting, however many servers there are and whatever
// of it is in flight. Errors: a key that has not joined or has children.
func (q *Queue[K]) SetActive(key K, active bool) error {
	const fn = "fairqueue.Queue.SetActive"
	i, err := q.find(fn, "key", key, false)
	if err != nil {
		return err
	}
	switch {
	case !q.nodes[i].leaf():
		return input.Bad(fn, "key", -1, "%v has children, which make it active", key)
	case active:
		q.activate(i)
	default:
		q.deactivate(i)
	}
	return nil
}

// SetLimit sets the most services that a flow, or all below a node, may have in flight; 0: no
// limit. At its limit a flow is passed over without being asked for: it keeps its start tag, and
// credit up to Options.Lag. More may be in flight already. Errors: a key that has not joined; a
// limit below 0.
func (q *Queue[K]) SetLimit(key K, services int) error {
	const fn = "fairqueue.Queue.SetLimit"
	i, err := q.find(fn, "key", key, false)
	switch {
	case err != nil:
		return err
	case services < 0:
		return input.Bad(fn, "services", -1, "%d, want at least 0", services)
	}
	q.nodes[i].limit = services
	q.place(i)
	return nil
}

// activate lets node i wait, and the nodes above it, as far as they do not yet.
func (q *Queue[K]) activate(i int32) {
	for k := i; k != root && !q.nodes[k].waits; k = q.nodes[k].parent {
		n := &q.nodes[k]
		q.refresh(n.parent)
		q.current(k)
		p := q.nodes[n.parent].inner
		p.wanting++
		n.waits = true
		q.raise(n, p.virtual)
	}
	q.place(i)
}

// deactivate makes node i wait no longer, and the nodes above it below which nothing else does.
func (q *Queue[K]) deactivate(i int32) {
	for k := i; k != root && q.nodes[k].waits; k = q.nodes[k].parent {
		n := &q.nodes[k]
		n.waits = false
		p := q.nodes[n.parent].inner
		if p.wanting--; p.wanting > 0 {
			break
		}
	}
	q.place(i)
	q.settle(q.nodes[i].parent)
}

// place puts node i, whose tags or state have changed, and those above it where they belong.
func (q *Queue[K]) place(i int32) {
	for ; i != root; i = q.nodes[i].parent {
		q.put(i)
	}
}

// put puts node i where it belongs as the nodes below it stand: among the siblings that can be
// served, among those that left, or in neither heap.
func (q *Queue[K]) put(i int32) {
	n := &q.nodes[i]
	p := q.nodes[n.parent].inner
	var to *heap.Heap
	switch {
	case n.left && n.flying == 0:
		to = &p.away
	case n.waits && !n.full() && (n.leaf() || n.inner.waiting.Len() > 0):
		to = &p.waiting
	}
	if n.in != nil && n.in != to {
		n.in.Remove(q.pos[i], q.pos, (*ties[K])(q))
	}
	if to != nil {
		q.current(i)
		start := n.start()
		if n.in == to {
			to.Fix(q.pos[i], start.float(), q.pos, (*ties[K])(q))
		} else {
			to.Push(heap.Entry{Key: start.float(), ID: i}, q.pos, (*ties[K])(q))
		}
	}
	n.in = to
}

// idle reports whether nothing waits or is in flight below a node.
func (in *inner) idle() bool { return in.flying == 0 && in.wanting == 0 }

// settle makes the children of node i level if it has become idle, and so at the nodes above it.
func (q *Queue[K]) settle(i int32) {
	for q.level(i) && i != root {
		i = q.nodes[i].parent
	}
}

// level forgets the children of node i that left and are not ahead. If the node is idle, its
// children are level: the virtual time starts from 0 again.
func (q *Queue[K]) level(i int32) (idle bool) {
	in := q.nodes[i].inner
	if idle = in.idle(); idle {
		in.virtual = fixed{}
		in.round++
	}
	q.forget(in)
	return idle
}

// current voids the tags of node i if they are of an earlier round.
func (q *Queue[K]) current(i int32) {
	n := &q.nodes[i]
	if round := q.nodes[n.parent].inner.round; n.round != round {
		n.round, n.floor, n.finish, n.quota = round, fixed{}, fixed{}, fixed{}
	}
}

// raise lifts the floor of a node to a tag. What services that have started by now give back then
// counts down to the floor alone.
func (q *Queue[K]) raise(n *node[K], to fixed) {
	if n.floor.cmp(&to) < 0 {
		n.floor, n.since = to, q.started
	}
}
