package fairqueue

import (
	"cmp"

	"github.com/schedmath/schedmath/internal/heap"
)

// The loops of this file climb from a flow to the root, one loop an operation. Each changes a node
// and what its parent counts, puts the node where it then belongs among its siblings, and goes on
// above.

// activate lets leaf i wait, and the nodes above it, as far as they do not yet.
func (q *Queue[K]) activate(i int32) {
	for k := i; k != root; k = q.nodes[k].parent {
		n := &q.nodes[k]
		if !n.waits {
			q.refresh(n.parent)
			q.current(k)
			p := q.nodes[n.parent].inner
			p.wanting++
			n.waits = true
			q.raise(n, p.virtual)
		}
		q.put(k)
	}
}

// deactivate makes leaf i wait no longer, and the nodes above it below which nothing else does.
func (q *Queue[K]) deactivate(i int32) {
	for k, up := i, int32(root); k != root; k = up {
		n := &q.nodes[k]
		up = n.parent
		p := q.nodes[up].inner
		if n.waits && (k == i || n.inner.wanting == 0) {
			n.waits = false
			p.wanting--
		}
		q.put(k)
		q.level(up)
	}
}

// charge moves the finish tags of leaf i, and of the nodes above it, from the start of a new
// service, not further behind than Lag. The service is over at once, or in flight from now on.
func (q *Queue[K]) charge(i int32, cost fixed, over bool) {
	for k := i; k != root; k = q.nodes[k].parent {
		n := &q.nodes[k]
		p := q.nodes[n.parent].inner
		if !over {
			n.flying++
			p.flying++
			n.open = n.open.add(cost)
		}
		if !p.idle() {
			q.current(k)
			share := cost.over(n.weight)
			q.raise(n, q.behind(p))
			n.finish = n.start().add(share)
			if over {
				n.floor = n.floor.add(share)
			}
			if q.options.Least > 0 {
				n.quota = share.over(q.options.Least).sub(share)
			}
		}
		q.put(k)
	}
}

// recharge charges a service in flight another cost in place of what it was charged; over: it ends
// with that.
func (q *Queue[K]) recharge(v service, cost fixed, over bool) {
	for k, up := v.node, int32(root); k != root; k = up {
		n := &q.nodes[k]
		up = n.parent
		p := q.nodes[up].inner
		share := cost.over(n.weight)
		n.finish = n.finish.add(share).sub(v.charged.over(n.weight))
		n.open = n.open.sub(v.charged)
		if over {
			n.flying--
			p.flying--
			if v.started > n.since {
				n.floor = n.floor.add(share)
			}
		} else {
			n.open = n.open.add(cost)
		}
		q.put(k)
		q.level(up)
	}
}

// elsewhere moves the tags of leaf i, and of the nodes above it, by what another replica served.
func (q *Queue[K]) elsewhere(i int32, cost fixed) {
	for k := i; k != root; k = q.nodes[k].parent {
		n := &q.nodes[k]
		p := q.nodes[n.parent].inner
		if p.idle() {
			continue
		}
		q.current(k)
		share := cost.over(n.weight)
		if q.options.Least > 0 {
			if n.quota.cmp(&share) < 0 {
				share = n.quota
			}
			n.quota = n.quota.sub(share)
		}
		if n.waits {
			q.raise(n, q.behind(p))
			n.finish, n.floor = n.start(), n.floor.add(share)
		}
		n.finish = n.finish.add(share)
		q.put(k)
	}
}

// place puts node i, whose tags or limit have changed, and those above it where they belong.
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
		if n.bound {
			to = &q.places.waiting
		}
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
	if n.bound {
		q.seat(i, to != nil)
	}
}

// level makes the children of node i level if nothing waits or is in flight below it: the virtual
// time starts from 0 again, and those that left are lost.
func (q *Queue[K]) level(i int32) {
	in := q.nodes[i].inner
	if !in.idle() {
		return
	}
	in.virtual = fixed{}
	q.rounds++
	in.round = q.rounds
	if in.away.Len() > 0 {
		q.lost = append(q.lost, in.away)
		in.away = heap.Heap{}
	}
}

// idle reports whether nothing waits or is in flight below a node.
func (in *inner) idle() bool { return in.flying == 0 && in.wanting == 0 }

// current voids the tags of node i if they are of an earlier round.
func (q *Queue[K]) current(i int32) {
	n := &q.nodes[i]
	if round := q.nodes[n.parent].inner.round; n.round != round {
		n.round, n.floor, n.finish, n.quota = round, fixed{}, fixed{}, fixed{}
	}
}

// behind returns the least start tag that Lag allows among the children of a node.
func (q *Queue[K]) behind(in *inner) fixed { return in.virtual.sub(q.lag) }

// raise lifts the floor of a node to a tag. What services that have started by now give back then
// counts down to the floor alone.
func (q *Queue[K]) raise(n *node[K], to fixed) {
	if n.floor.cmp(&to) < 0 {
		n.floor, n.since = to, q.started
	}
}

// refresh brings the virtual time among the children of node i up to date, where the start tag
// served last does not set it.
func (q *Queue[K]) refresh(i int32) {
	if q.options.Return != ToLeast {
		return
	}
	in := q.nodes[i].inner
	least := int32(root)
	if in.waiting.Len() > 0 {
		least = in.waiting.ID(0)
	}
	if i == root && q.places != nil && q.places.waiting.Len() > 0 {
		if k := q.places.waiting.ID(0); least == root || q.compare(k, least) < 0 {
			least = k
		}
	}
	if least != root {
		in.virtual = later(in.virtual, q.nodes[least].start())
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
