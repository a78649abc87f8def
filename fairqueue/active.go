package fairqueue

import "github.com/schedmath/schedmath/internal/input"

// SetActive says whether a flow has something waiting, however many servers there are and whatever
// of it is in flight. Errors: a key that has not joined or has children.
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
	case active && !n.waits:
		q.activate(i)
	case !active && n.waits:
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
	q.queue(i)
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
	q.queue(i)
}

// deactivate makes node i wait no longer, and the nodes above it below which nothing else does.
func (q *Queue[K]) deactivate(i int32) {
	parent := q.nodes[i].parent
	for k := i; k != root; k = q.nodes[k].parent {
		n := &q.nodes[k]
		n.waits = false
		p := q.nodes[n.parent].inner
		if p.wanting--; p.wanting > 0 {
			break
		}
	}
	q.queue(i)
	q.rest(parent)
}

// queue puts node i, and those above it, into the heaps of their parents, or takes them out, as
// they can be served or not.
func (q *Queue[K]) queue(i int32) {
	for i != root {
		n := &q.nodes[i]
		h := &q.nodes[n.parent].inner.waiting
		can := n.waits && !n.full() && (n.leaf() || n.inner.waiting.Len() > 0)
		switch {
		case can && !n.queued:
			q.push(h, i)
		case !can && n.queued:
			q.pull(h, i)
		}
		n.queued = can
		i = n.parent
	}
}

// idle reports whether nothing waits or is in flight below node i.
func (q *Queue[K]) idle(i int32) bool {
	in := q.nodes[i].inner
	return in.flying == 0 && in.wanting == 0
}

// rest makes the children of node i level if it has become idle, and so at the nodes above it: the
// virtual time starts from 0 again, and children that left are forgotten.
func (q *Queue[K]) rest(i int32) {
	for ; q.idle(i); i = q.nodes[i].parent {
		in := q.nodes[i].inner
		in.virtual = fixed{}
		in.round++
		for in.away.Len() > 0 {
			q.drop(in.away.Pop(q.pos, (*ties[K])(q)).ID)
		}
		if i == root {
			return
		}
	}
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
