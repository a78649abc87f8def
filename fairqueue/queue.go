package fairqueue

import (
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// Queue is start-time fair queueing over flows, or over a tree of flows: it says which flow to
// serve next and keeps account of what each has cost.
//
// A flow joins inactive. While it is active it waits with a start tag, and the one of the least tag
// is next; ties go by the order of joining. When it becomes active, its start tag is the virtual
// time or its last finish tag, whichever is greater. The virtual time never goes back while
// something waits or is in flight; after that all flows are level. A node with children is active
// while one of them is, and a charge of a leaf is one of all nodes above it, each by its own
// weight.
//
// The zero value is an empty Queue of zero Options. A key that holds a value that is not comparable
// panics, as in a map.
type Queue[K comparable] struct {
	options Options
	lag     fixed
	joined  uint64 // number of times that a flow has joined
	rounds  uint64 // number of rounds of all nodes so far
	size    int    // flows that have joined and not left
	nodes   []node[K]
	pos     []int32     // of each node in a heap of its parent
	free    []int32     // unused elements of nodes
	index   map[K]int32 // the last node of each key
	places  *places     // nil: all servers may serve all flows
	lost    []heap.Heap // children that left, of nodes that were idle afterwards

	epoch, issued uint32 // halves of the last Service
	started       uint64 // number of times that a service has started
	open          map[Service]service
}

// root is the index of the node above all flows. It has no key.
const root = 0

// node is a flow, or a node of the tree.
type node[K comparable] struct {
	key    K
	parent int32
	waits  bool       // something waits here or below
	left   bool       // left and remembered
	bound  bool       // only some servers may serve it
	inner  *inner     // nil: never had children, and no owner
	in     *heap.Heap // waiting or away of its parent, or waiting of places; nil: in none
	weight float64
	limit  int    // most services in flight; 0: no limit
	flying int    // services in flight here and below
	round  uint64 // the round of its parent that floor, finish and quota are of; in a later one they are 0
	floor  fixed  // its start tag is at least this: the virtual time at some start, less Lag, and what ended since
	finish fixed  // finish tag; below the floor until the next charge
	since  uint64 // services that had started when the virtual time raised the floor
	open   fixed  // what the services in flight were charged
	quota  fixed  // cost per weight that Elsewhere may still add before the next service
	joined uint64
}

// inner is what a node knows of its children.
type inner struct {
	waiting  heap.Heap // children that wait and may be served, limits considered, by start tag
	away     heap.Heap // children that left, with nothing in flight, by start tag: the first may be gone
	owner    bool      // children that left are not remembered
	children int       // joined ones
	wanting  int       // children that wait
	flying   int       // services in flight at or below them
	virtual  fixed     // virtual time among the children
	round    uint64    // a new one whenever the virtual time starts from 0 again, of no other node
}

func (n *node[K]) leaf() bool { return n.inner == nil || n.inner.children == 0 }

// full reports whether a node is at its limit.
func (n *node[K]) full() bool { return n.limit > 0 && n.flying >= n.limit }

// Join adds a flow, inactive. A flow that left and is remembered takes its last finish tag back, but
// not its place among ties, and the new weight.
//
// A flow is what shares are for: a tenant, not a request. A new flow starts level with the others,
// so who joins one for each request is served before all who have had service; let who may join
// many flows join them under one node of its own.
//
// Errors: a key that has joined, is not equal to itself, as NaN is, or has services in flight under
// another parent; a weight outside [2^-60, 2^60].
func (q *Queue[K]) Join(key K, weight float64) error {
	return q.join("fairqueue.Queue.Join", root, key, weight)
}

// JoinUnder adds a flow as a child of another, inactive. The parent shares among its children what
// it gets among its own siblings.
//
// Errors: those of Join; a parent that has not joined, is an active leaf, or has servers of its
// own.
func (q *Queue[K]) JoinUnder(parent, key K, weight float64) error {
	const fn = "fairqueue.Queue.JoinUnder"
	p, err := q.find(fn, "parent", parent, false)
	switch {
	case err != nil:
		return err
	case q.nodes[p].leaf() && q.nodes[p].waits:
		return input.Bad(fn, "parent", -1, "%v is active on its own", parent)
	case q.nodes[p].bound:
		return input.Bad(fn, "parent", -1, "only some servers may serve %v", parent)
	}
	return q.join(fn, p, key, weight)
}

func (q *Queue[K]) join(fn string, parent int32, key K, weight float64) error {
	i, known := q.known(key)
	switch {
	case key != key:
		return input.Bad(fn, "key", -1, "not equal to itself, as NaN is: no key")
	case known && !q.nodes[i].left:
		return input.Bad(fn, "key", -1, "%v has joined already", key)
	case known && q.nodes[i].flying > 0 && q.nodes[i].parent != parent:
		return input.Bad(fn, "key", -1, "%v has services in flight under another parent", key)
	case !validWeight(weight):
		return input.Bad(fn, "weight", -1, badWeight)
	}
	q.plant()
	q.nest(parent).children++
	if !known {
		i = q.add(node[K]{key: key, parent: parent, weight: weight})
	} else {
		q.nodes[i].left = false
		q.reweigh(i, weight)
		if q.nodes[i].parent != parent {
			q.move(i, parent)
		}
	}
	q.joined++
	q.nodes[i].joined = q.joined
	q.size++
	q.reap(parent)
	return nil
}

// move takes node i, which is in no heap, to another parent. There it is as far behind the virtual
// time as it was, and never ahead.
func (q *Queue[K]) move(i, parent int32) {
	n := &q.nodes[i]
	q.refresh(n.parent)
	debt := n.start().sub(q.nodes[n.parent].inner.virtual)
	q.refresh(parent)
	p := q.nodes[parent].inner
	if p.idle() {
		debt = fixed{}
	}
	n.parent, n.round, n.floor, n.finish, n.quota = parent, p.round, p.virtual, p.virtual.add(debt), fixed{}
}

// plant makes the root.
func (q *Queue[K]) plant() {
	if q.index == nil {
		q.index, q.open = make(map[K]int32), make(map[Service]service)
		q.nodes, q.pos = append(q.nodes, node[K]{}), append(q.pos, 0)
		q.nest(root)
	}
}

// nest lets node i have children.
func (q *Queue[K]) nest(i int32) *inner {
	n := &q.nodes[i]
	if n.inner == nil {
		q.rounds++
		n.inner = &inner{round: q.rounds}
	}
	return n.inner
}

// add stores a node of a new key.
func (q *Queue[K]) add(n node[K]) (i int32) {
	if k := len(q.free); k > 0 {
		i = q.free[k-1]
		q.free = q.free[:k-1]
		q.nodes[i] = n
	} else {
		i = int32(len(q.nodes))
		q.nodes, q.pos = append(q.nodes, n), append(q.pos, 0)
	}
	q.index[n.key] = i
	return i
}

// Leave removes a flow. It returns false, and changes nothing, if the key has not joined, has
// children, or services of such that left are in flight. Its own services go on. Until they have
// ended, and unless Options.Forget until the virtual time passes its last finish tag, the flow is
// remembered.
func (q *Queue[K]) Leave(key K) bool {
	i, err := q.find("fairqueue.Queue.Leave", "key", key, false)
	if err != nil || !q.barren(i) {
		return false
	}
	n := &q.nodes[i]
	n.left = true
	q.nodes[n.parent].inner.children--
	q.size--
	q.unseat(i)
	q.deactivate(i)
	q.reap(n.parent)
	return true
}

// known returns the node of a key that has joined, or left and is remembered.
func (q *Queue[K]) known(key K) (int32, bool) {
	i, ok := q.index[key]
	return i, ok && !q.gone(i)
}

// gone reports whether node i left, nothing of it is in flight, and it is not ahead of the virtual
// time, or not to be remembered. Once gone it is no flow, and only its memory is yet to be freed.
func (q *Queue[K]) gone(i int32) bool {
	n := &q.nodes[i]
	if !n.left || n.flying > 0 {
		return false
	}
	p := q.nodes[n.parent].inner
	if p == nil || p.round != n.round || p.owner || q.options.Forget {
		return true // after a time at which all siblings were level, maybe below another parent's node
	}
	start := n.start()
	return start.cmp(&p.virtual) <= 0
}

// reap frees the memory of two nodes that are gone, of the lost or among the children of node i.
// When no flow is left at all, it frees everything.
func (q *Queue[K]) reap(i int32) {
	if in := q.nodes[root].inner; in.children == 0 && in.idle() && len(q.nodes) > keep {
		q.nodes, q.pos, q.free, q.index, q.lost, q.places = nil, nil, nil, nil, nil, nil
		return
	}
	for range 2 {
		h := &q.nodes[i].inner.away
		if k := len(q.lost) - 1; k >= 0 {
			h = &q.lost[k]
			last := int32(h.Len() - 1)
			q.drop(h.ID(last))
			h.Remove(last, q.pos, (*ties[K])(q))
			if last == 0 {
				q.lost[k] = heap.Heap{}
				q.lost = q.lost[:k]
			}
		} else if h.Len() > 0 && q.gone(h.ID(0)) {
			q.drop(h.Pop(q.pos, (*ties[K])(q)).ID)
		}
	}
}

// keep is the number of nodes whose memory a queue without flows keeps.
const keep = 1024

// drop frees a node that is in no heap, and its key unless that has joined again.
func (q *Queue[K]) drop(i int32) {
	if key := q.nodes[i].key; q.index[key] == i {
		delete(q.index, key)
	}
	q.nodes[i] = node[K]{}
	q.free = append(q.free, i)
}

// find returns the node of a key that is joined, or if away also of one that left and is
// remembered.
func (q *Queue[K]) find(fn, arg string, key K, away bool) (int32, error) {
	if i, ok := q.known(key); ok && (away || !q.nodes[i].left) {
		return i, nil
	}
	return 0, input.Bad(fn, arg, -1, "%v has not joined", key)
}

// Set lets a flow join as Join does, or gives one that has joined another weight as SetWeight does.
// Where nothing changes it allocates nothing. A known flow stays where it is in the tree, also one
// that left and is remembered. Errors: those of Join, but that the key has joined; a parent of the
// remembered flow that is active on its own or has servers of its own.
func (q *Queue[K]) Set(key K, weight float64) error {
	return q.set("fairqueue.Queue.Set", key, weight)
}

func (q *Queue[K]) set(fn string, key K, weight float64) error {
	i, known := q.known(key)
	switch {
	case !known:
		return q.join(fn, root, key, weight)
	case !validWeight(weight):
		return input.Bad(fn, "weight", -1, badWeight)
	case q.nodes[i].left:
		p := q.nodes[i].parent
		if p != root && q.nodes[p].leaf() && (q.nodes[p].waits || q.nodes[p].bound) {
			return input.Bad(fn, "key", -1, "its parent %v is active on its own, or has servers of its own", q.nodes[p].key)
		}
		return q.join(fn, p, key, weight)
	case weight != q.nodes[i].weight:
		q.reweigh(i, weight)
	}
	return nil
}

// Has reports whether a flow has joined, and has not left.
func (q *Queue[K]) Has(key K) bool {
	i, ok := q.index[key]
	return ok && !q.nodes[i].left
}

// Len returns the number of flows that have joined, inner nodes of the tree included.
func (q *Queue[K]) Len() int { return q.size }

// InFlight returns the number of services in flight of a flow and of all below it, also if it has
// left; 0 for an unknown key.
func (q *Queue[K]) InFlight(key K) int {
	if i, ok := q.known(key); ok {
		return q.nodes[i].flying
	}
	return 0
}

// SetWeight changes a flow's weight. What is charged from now on counts by the new weight, and so
// does what services in flight were charged. Errors: a key that has not joined; a weight outside
// [2^-60, 2^60].
func (q *Queue[K]) SetWeight(key K, weight float64) error {
	const fn = "fairqueue.Queue.SetWeight"
	i, err := q.find(fn, "key", key, false)
	switch {
	case err != nil:
		return err
	case !validWeight(weight):
		return input.Bad(fn, "weight", -1, badWeight)
	}
	q.reweigh(i, weight)
	return nil
}

// reweigh gives node i another weight, by which what is in flight is charged anew.
func (q *Queue[K]) reweigh(i int32, weight float64) {
	n := &q.nodes[i]
	n.finish = n.finish.sub(n.open.over(n.weight)).add(n.open.over(weight))
	n.weight = weight
	q.place(i)
}

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

// SetOwner makes a flow an owner, such as a tenant whose builds are flows that never return, or no
// owner any more. Flows under an owner are forgotten as they leave with nothing in flight. What
// they used stands in the owner's own tag, so that no owner gains over others by it; under one
// owner, who leaves and comes back as new does. To tell by Elsewhere of a key that is not here,
// let it join and leave.
//
// Errors: a key that has not joined, has children, or has services in flight of such that left.
func (q *Queue[K]) SetOwner(key K, owner bool) error {
	const fn = "fairqueue.Queue.SetOwner"
	i, err := q.find(fn, "key", key, false)
	switch {
	case err != nil:
		return err
	case !q.barren(i):
		return input.Bad(fn, "key", -1, "%v has children, or services in flight of such that left", key)
	}
	q.nest(i).owner = owner
	return nil
}

// barren reports whether node i has no children, nor services in flight of such that left.
func (q *Queue[K]) barren(i int32) bool {
	in := q.nodes[i].inner
	return in == nil || in.children == 0 && in.flying == 0
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
