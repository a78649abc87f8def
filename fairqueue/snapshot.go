package fairqueue

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

const snapshotVersion = 1 // grows with every change of what a Snapshot means

// Snapshot is the state of a Queue as plain data, fit for JSON if K is. Tags are multiples of
// 2^-176 in words of 64 bits, the lowest first.
//
// Epoch is the upper half of every Service that the restored queue issues. Set one that was not
// used before: then services that were begun after the snapshot are refused, and those that it
// holds stay in flight.
type Snapshot[K comparable] struct {
	Version  int               `json:"version"`
	Epoch    uint32            `json:"epoch"`
	Issued   uint32            `json:"issued,omitzero"` // lower half of the last Service
	Options  Options           `json:"options"`
	Virtual  [6]uint64         `json:"virtual,omitzero"`   // virtual time directly under the root
	Flows    []SnapshotFlow[K] `json:"flows,omitempty"`    // in the order of joining
	Services []SnapshotService `json:"services,omitempty"` // in flight, in the order of Start
	Servers  []SnapshotServer  `json:"servers,omitempty"`  // that alone may serve a flow, by Flow, then Server
}

// SnapshotFlow is one flow of a Snapshot.
type SnapshotFlow[K comparable] struct {
	Key     K         `json:"key"`
	Parent  int       `json:"parent"` // index in Flows, of a flow before this; -1: directly under the root
	Weight  float64   `json:"weight"`
	Limit   int       `json:"limit,omitzero"`
	Active  bool      `json:"active,omitzero"`  // of a leaf: something waits
	Left    bool      `json:"left,omitzero"`    // left and remembered
	Owner   bool      `json:"owner,omitzero"`   // flows under it are forgotten as they leave
	Floor   [6]uint64 `json:"floor,omitzero"`   // tag that its start tag does not fall below
	Since   int       `json:"since,omitzero"`   // number of Services that had started when the virtual time raised Floor
	Finish  [6]uint64 `json:"finish,omitzero"`  // finish tag
	Quota   [6]uint64 `json:"quota,omitzero"`   // cost per weight that Elsewhere may still add
	Virtual [6]uint64 `json:"virtual,omitzero"` // virtual time among its children
}

// SnapshotService is one service in flight of a Snapshot.
type SnapshotService struct {
	ID      Service   `json:"id"`
	Flow    int       `json:"flow"`             // index in Flows
	Charged [6]uint64 `json:"charged,omitzero"` // what it was charged so far
}

// SnapshotServer is one of the servers that may serve a flow of a Snapshot.
type SnapshotServer struct {
	Flow   int `json:"flow"` // index in Flows
	Server int `json:"server"`
}

// Snapshot returns the state. It shares nothing with q.
func (q *Queue[K]) Snapshot() Snapshot[K] {
	s := Snapshot[K]{Version: snapshotVersion, Epoch: q.epoch, Issued: q.issued, Options: q.options}
	if len(q.nodes) == 0 {
		return s
	}
	s.Virtual = q.nodes[root].inner.virtual
	order := make([]int32, 0, len(q.index))
	for i := range int32(len(q.nodes)) {
		if q.nodes[i].joined > 0 && !q.gone(i) { // neither the root nor free
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(q.nodes[a].joined, q.nodes[b].joined) })
	s.Flows = make([]SnapshotFlow[K], 0, len(order))
	flying := q.inOrder()
	before := func(started uint64) int {
		k, _ := slices.BinarySearchFunc(flying, started, func(s Service, n uint64) int { return cmp.Compare(q.open[s].started, n+1) })
		return k
	}
	place := make([]int, len(q.nodes))
	place[root] = -1
	for k, i := range order {
		place[i] = k
	}
	for k, i := range order {
		q.current(i)
		n := &q.nodes[i]
		f := SnapshotFlow[K]{Key: n.key, Parent: place[n.parent], Weight: n.weight, Limit: n.limit, Active: n.waits && n.leaf(), Left: n.left,
			Floor: n.floor, Since: before(n.since), Finish: n.finish, Quota: n.quota}
		if n.inner != nil {
			f.Virtual, f.Owner = n.inner.virtual, n.inner.owner
		}
		s.Flows = append(s.Flows, f)
		if n.bound {
			for _, x := range q.places.of[i] {
				s.Servers = append(s.Servers, SnapshotServer{k, q.places.seats[x].server})
			}
		}
	}
	for _, id := range flying {
		v := q.open[id]
		s.Services = append(s.Services, SnapshotService{id, place[v.node], v.charged})
	}
	return s
}

// Restore returns a queue in the state of s, which gives the same answers as the one that s was
// taken from. s is not kept. Errors: an unknown version, or what no queue could have produced.
func Restore[K comparable](s Snapshot[K]) (*Queue[K], error) {
	const fn = "fairqueue.Restore"
	q, err := New[K](s.Options)
	switch {
	case s.Version != snapshotVersion:
		return nil, input.Bad(fn, "s", -1, "Version is %d, want %d", s.Version, snapshotVersion)
	case err != nil || !moderate(s.Virtual):
		return nil, input.Bad(fn, "s", -1, "Options or Virtual: out of range")
	}
	q.plant()
	q.index = make(map[K]int32, len(s.Flows))
	q.nodes, q.pos = slices.Grow(q.nodes, len(s.Flows)), slices.Grow(q.pos, len(s.Flows))
	q.epoch, q.issued = s.Epoch, s.Issued
	q.nodes[root].inner.virtual = s.Virtual
	for i, f := range s.Flows {
		if r := q.take(i, f, len(s.Services)); r != "" {
			return nil, input.Bad(fn, "s", -1, "Flows[%d]: %s", i, r)
		}
	}
	for i, v := range s.Services {
		if r := q.takeService(v); r != "" {
			return nil, input.Bad(fn, "s", -1, "Services[%d]: %s", i, r)
		}
	}
	for i, v := range s.Servers {
		if i > 0 && (cmp.Or(cmp.Compare(s.Servers[i-1].Flow, v.Flow), cmp.Compare(s.Servers[i-1].Server, v.Server)) >= 0) ||
			v.Flow < 0 || v.Flow >= len(s.Flows) || v.Server < 0 {
			return nil, input.Bad(fn, "s", -1, "Servers[%d]: out of range, or out of order", i)
		}
		if n := &q.nodes[v.Flow+1]; n.parent != root || !n.leaf() || n.left {
			return nil, input.Bad(fn, "s", -1, "Servers[%d]: a flow with children, not directly below the root, or that left", i)
		}
		q.bind(int32(v.Flow+1), []int{v.Server})
	}
	for i, f := range s.Flows {
		for k := int32(i + 1); f.Active && k != root && !q.nodes[k].waits; k = q.nodes[k].parent {
			q.nodes[k].waits = true
			q.nodes[q.nodes[k].parent].inner.wanting++
		}
	}
	for i := int32(len(s.Flows)); i > root; i-- { // from the leaves up
		q.put(i)
	}
	for i := range q.nodes {
		if q.nodes[i].inner != nil {
			q.level(int32(i))
		}
	}
	if t := q.Snapshot(); t.Virtual != s.Virtual || !slices.Equal(t.Flows, s.Flows) {
		return nil, input.Bad(fn, "s", -1, "tags above 0 among idle siblings, an active flow with children, or one that left and is not ahead")
	}
	return q, nil
}

// take adds flow i of a snapshot, inactive, or says what is wrong with it by itself.
func (q *Queue[K]) take(i int, f SnapshotFlow[K], services int) string {
	_, twice := q.index[f.Key]
	switch {
	case twice || f.Key != f.Key:
		return "Key is there twice, or not equal to itself"
	case f.Parent < -1 || f.Parent >= i || q.nodes[f.Parent+1].left:
		return "Parent: want -1 or the index of a flow before it that has not left"
	case f.Active && f.Left:
		return "Active after it has left"
	case !validWeight(f.Weight) || f.Limit < 0:
		return "Weight or Limit: out of range"
	case f.Since < 0 || f.Since > services:
		return "Since: want 0 up to the number of Services"
	case !moderate(f.Floor) || !moderate(f.Finish) || !moderate(f.Quota) || !moderate(f.Virtual):
		return "Floor, Finish, Quota or Virtual: out of range"
	}
	q.joined++
	n := node[K]{key: f.Key, parent: int32(f.Parent + 1), joined: q.joined, weight: f.Weight, limit: f.Limit, left: f.Left,
		floor: f.Floor, since: uint64(f.Since), finish: f.Finish, quota: f.Quota}
	p := q.nest(n.parent)
	n.round = p.round
	if !f.Left {
		p.children++
		q.size++
	}
	if k := q.add(n); f.Owner || f.Virtual != [6]uint64{} {
		in := q.nest(k)
		in.virtual, in.owner = f.Virtual, f.Owner
	}
	return ""
}

// takeService adds a service of a snapshot, or says what is wrong with it.
func (q *Queue[K]) takeService(v SnapshotService) string {
	_, twice := q.open[v.ID]
	least, most, charged := fixedOf(minCost), fixedOf(maxCost), fixed(v.Charged)
	switch {
	case twice || v.ID == 0:
		return "ID is 0, or there twice"
	case v.Flow < 0 || v.Flow >= len(q.nodes)-1:
		return "Flow: want an index of Flows"
	case charged != fixed{} && charged.cmp(&least) < 0 || charged.cmp(&most) > 0:
		return "Charged: want 0 or a number in [2^-60, 2^60]"
	}
	q.started++
	q.open[v.ID] = service{int32(v.Flow + 1), v.Charged, q.started}
	for k := int32(v.Flow + 1); k != root; k = q.nodes[k].parent {
		n := &q.nodes[k]
		n.flying++
		q.nodes[n.parent].inner.flying++
		n.open = n.open.add(v.Charged)
	}
	return ""
}

// moderate reports whether a tag leaves room for all that a queue can be charged.
func moderate(f fixed) bool { return f[5] < 1<<48 }
