package fairqueue

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// Return says where a flow starts that becomes active.
type Return uint8

const (
	// ByVirtualTime is start-time fair queueing: at the virtual time, the greatest start tag served
	// so far.
	ByVirtualTime Return = iota
	// ToLeast is the virtual token counter: at the least start tag of the siblings that wait.
	ToLeast
)

var returns = []string{"virtual time", "least"}

// String returns "virtual time" or "least".
func (r Return) String() string { return enum.Name(r, "Return", returns...) }

// MarshalText returns what String does.
func (r Return) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Return) UnmarshalText(text []byte) error {
	return enum.Parse(r, "fairqueue.Return", text, returns...)
}

// Options of a Queue. The zero value is start-time fair queueing with memory.
type Options struct {
	Return Return
	// Forget makes a flow that left new when it comes back. Otherwise the queue remembers it until
	// the virtual time has passed its last finish, so that leaving and coming back gains nothing.
	Forget bool
}

// Queue is start-time fair queueing over flows, or over a tree of flows: it says which flow to
// serve next and keeps account of what each has cost.
//
// A flow joins inactive. While it is active it waits with a start tag; the one of the least tag is
// next, ties go by the order of joining. When it becomes active, its start tag is the virtual time
// or its last finish tag, whichever is greater. The tag stays until the flow is charged: a flow
// that is passed over does not lose its turn. The virtual time never goes back.
//
// In a tree a node with children is served through them: it is active while one of them is, and
// each charge of a leaf is a charge of all nodes above it, each by its own weight. A flow is a leaf
// while no flow is joined under it.
//
// Add what a service costs with Charge at its start, and the difference with Settle when the truth
// is known. As long as nothing is served and nobody becomes active in between, estimates settled
// late, in any order, end in the tags that charging the truth at once gives. A service that ends
// after its flow's weight has changed settles by the new weight. When all flows have become
// inactive on estimates that were too high, the virtual time stays as high as these, for all flows
// alike.
//
// A key of an interface type must hold a comparable value; otherwise methods panic, as a Go map
// does. The zero value is an empty Queue of zero Options.
type Queue[K comparable] struct {
	options Options
	joined  uint64 // number of times that a flow has joined
	nodes   []node[K]
	pos     []int32 // of each node in a heap of its parent
	free    []int32 // unused elements of nodes
	index   map[K]int32
}

// root is the index of the node above all flows. It has no key.
const root = 0

// node is a flow, or a node of the tree.
type node[K comparable] struct {
	key    K
	parent int32
	active bool // in waiting of its parent
	left   bool // left and remembered: in away of its parent
	joined uint64
	weight float64
	floor  dd.T   // virtual time of its parent when it became active
	finish dd.T   // finish tag; below the floor until the next charge
	inner  *inner // nil: never had children
}

// inner is what a node knows of its children.
type inner struct {
	waiting  heap.Heap // active children by start tag
	away     heap.Heap // children that left and are remembered, by start tag
	children int       // joined ones
	virtual  dd.T      // virtual time among the children
	greatest dd.T      // finish tag of any child so far
}

// start returns the tag at which the node's next service starts, or would if it were active.
func (n *node[K]) start() dd.T { return later(n.floor, n.finish) }

func (n *node[K]) leaf() bool { return n.inner == nil || n.inner.children == 0 }

func later(a, b dd.T) dd.T {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// ties orders nodes whose start tags have equal upper halves.
type ties[K comparable] Queue[K]

func (t *ties[K]) Before(a, b int32) bool {
	return (*Queue[K])(t).compare(a, b) < 0
}

func (q *Queue[K]) push(h *heap.Heap, i int32) {
	h.Push(heap.Entry{Key: q.nodes[i].start().Hi, ID: i}, q.pos, (*ties[K])(q))
}

func (q *Queue[K]) fix(h *heap.Heap, i int32) {
	h.Fix(q.pos[i], q.nodes[i].start().Hi, q.pos, (*ties[K])(q))
}

func (q *Queue[K]) pull(h *heap.Heap, i int32) { h.Remove(q.pos[i], q.pos, (*ties[K])(q)) }

// New returns an empty Queue. Errors: an unknown Return.
func New[K comparable](o Options) (*Queue[K], error) {
	if o.Return > ToLeast {
		return nil, input.Bad("fairqueue.New", "o", -1, "Return is %v, want ByVirtualTime or ToLeast", o.Return)
	}
	return &Queue[K]{options: o}, nil
}

// Join adds a flow, inactive. A flow that left and is remembered takes its last finish tag back,
// and the new weight.
//
// Errors: a key that has joined or is not equal to itself, as NaN is; a weight out of range.
func (q *Queue[K]) Join(key K, weight float64) error {
	return q.join("fairqueue.Queue.Join", root, key, weight)
}

func (q *Queue[K]) join(fn string, parent int32, key K, weight float64) error {
	i, known := q.index[key]
	switch {
	case key != key:
		return input.Bad(fn, "key", -1, badKey)
	case known && !q.nodes[i].left:
		return input.Bad(fn, "key", -1, "%v has joined already", key)
	case !validWeight(weight):
		return input.Bad(fn, "weight", -1, badWeight)
	}
	if !known {
		i = q.add(node[K]{key: key, parent: parent})
	} else {
		q.pull(&q.nodes[q.nodes[i].parent].inner.away, i)
		q.nodes[i].left = false
		q.refresh(q.nodes[i].parent)
	}
	q.joined++
	q.nodes[i].joined, q.nodes[i].weight = q.joined, weight
	q.hang(i, parent)
	return nil
}

// plant makes the root.
func (q *Queue[K]) plant() {
	if q.index == nil {
		q.index = make(map[K]int32)
		q.nodes, q.pos = append(q.nodes, node[K]{inner: new(inner)}), append(q.pos, 0)
	}
}

// add stores a node of a new key.
func (q *Queue[K]) add(n node[K]) (i int32) {
	q.plant()
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

// Leave removes a flow. It returns false, and changes nothing, if the key has not joined or has
// children. Unless Options.Forget, Charge and Settle know the key until the virtual time passes the
// flow's last finish tag; from then on its tags would be those of a new flow.
func (q *Queue[K]) Leave(key K) bool {
	i, err := q.find("fairqueue.Queue.Leave", "key", key, false)
	if err != nil || !q.nodes[i].leaf() {
		return false
	}
	n := &q.nodes[i]
	if n.active {
		q.deactivate(i)
	}
	if n.inner != nil {
		q.refresh(i) // drops all that left before: nobody waits under i
	}
	p := q.nodes[n.parent].inner
	p.children--
	if q.options.Forget || n.start().Cmp(p.virtual) <= 0 {
		q.drop(i)
		return true
	}
	n.left = true
	q.push(&p.away, i)
	return true
}

// drop forgets a node that is in no heap.
func (q *Queue[K]) drop(i int32) {
	delete(q.index, q.nodes[i].key)
	q.nodes[i] = node[K]{}
	q.free = append(q.free, i)
}

// find returns the node of a key that is joined, or if away also of one that left and is
// remembered.
func (q *Queue[K]) find(fn, arg string, key K, away bool) (int32, error) {
	if i, ok := q.index[key]; ok && (away || !q.nodes[i].left) {
		return i, nil
	}
	return 0, input.Bad(fn, arg, -1, "%v has not joined", key)
}

// SetWeight changes a flow's weight from its next charge on: its tags stay. Errors: a key that has
// not joined; a weight out of range.
func (q *Queue[K]) SetWeight(key K, weight float64) error {
	const fn = "fairqueue.Queue.SetWeight"
	i, err := q.find(fn, "key", key, false)
	switch {
	case err != nil:
		return err
	case !validWeight(weight):
		return input.Bad(fn, "weight", -1, badWeight)
	}
	q.nodes[i].weight = weight
	return nil
}

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
	n := &q.nodes[i]
	q.pull(&q.nodes[n.parent].inner.waiting, i)
	n.active = false
	q.rest(n.parent)
}

// rest makes node i idle if it has no child to serve, and then the nodes above it.
func (q *Queue[K]) rest(i int32) {
	if q.nodes[i].inner.waiting.Len() > 0 {
		return
	}
	q.refresh(i)
	if i != root {
		q.deactivate(i)
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
// leaves only, in no particular order, at most once a call, and must not change q. It may be asked
// of flows behind the one returned, so a flow that stays blocked for long is better inactive.
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
