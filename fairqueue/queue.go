package fairqueue

import (
	"cmp"

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

// compare orders siblings by their service.
func (q *Queue[K]) compare(a, b int32) int {
	x, y := &q.nodes[a], &q.nodes[b]
	return cmp.Or(x.start().Cmp(y.start()), cmp.Compare(x.joined, y.joined))
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
