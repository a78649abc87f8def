package fairqueue

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/tree"
)

const snapshotVersion = 1 // grows with every change of what a Snapshot means

// Snapshot is the state of a Queue as plain data, fit for JSON if K is. Pairs of float64 are
// unevaluated sums, larger part first.
type Snapshot[K comparable] struct {
	Version  int               `json:"version"`
	Return   Return            `json:"return"`
	Forget   bool              `json:"forget,omitempty"`
	Virtual  [2]float64        `json:"virtual"`         // virtual time directly under the root
	Greatest [2]float64        `json:"greatest"`        // finish tag there so far
	Flows    []SnapshotFlow[K] `json:"flows,omitempty"` // in the order of joining
}

// SnapshotFlow is one flow of a Snapshot.
type SnapshotFlow[K comparable] struct {
	Key      K          `json:"key"`
	Parent   int        `json:"parent"` // index in Flows; -1: directly under the root
	Weight   float64    `json:"weight"`
	Active   bool       `json:"active,omitempty"` // of a leaf
	Left     bool       `json:"left,omitempty"`   // left and remembered
	Floor    [2]float64 `json:"floor"`            // virtual time when it became active
	Finish   [2]float64 `json:"finish"`           // finish tag
	Virtual  [2]float64 `json:"virtual"`          // virtual time among its children
	Greatest [2]float64 `json:"greatest"`         // finish tag among them so far
}

func pair(x dd.T) [2]float64   { return [2]float64{x.Hi, x.Lo} }
func unpair(x [2]float64) dd.T { return dd.T{Hi: x[0], Lo: x[1]} }

// sound reports whether p is a normalised pair of moderate size.
func sound(p [2]float64) bool { return math.Abs(p[0]) <= maxTag && p[0]+p[1] == p[0] }

// times reports whether a node can have this virtual time and greatest finish tag of its children.
func times(virtual, greatest [2]float64) bool {
	return sound(virtual) && sound(greatest) && virtual[0] >= 0 && unpair(virtual).Cmp(unpair(greatest)) <= 0
}

// Snapshot returns the state. It shares nothing with q.
func (q *Queue[K]) Snapshot() Snapshot[K] {
	s := Snapshot[K]{Version: snapshotVersion, Return: q.options.Return, Forget: q.options.Forget}
	if len(q.nodes) == 0 {
		return s
	}
	s.Virtual, s.Greatest = pair(q.nodes[root].inner.virtual), pair(q.nodes[root].inner.greatest)
	order := slices.SortedFunc(maps.Values(q.index), func(a, b int32) int { return cmp.Compare(q.nodes[a].joined, q.nodes[b].joined) })
	place := make([]int, len(q.nodes))
	place[root] = -1
	for k, i := range order {
		place[i] = k
	}
	for _, i := range order {
		n := &q.nodes[i]
		f := SnapshotFlow[K]{Key: n.key, Parent: place[n.parent], Weight: n.weight, Active: n.active && n.leaf(), Left: n.left,
			Floor: pair(n.floor), Finish: pair(n.finish)}
		if n.inner != nil {
			f.Virtual, f.Greatest = pair(n.inner.virtual), pair(n.inner.greatest)
		}
		s.Flows = append(s.Flows, f)
	}
	return s
}

// Restore returns a queue in the state of s, which gives the same answers as the one that s was
// taken from. s is not kept. Errors: an unknown version, or what no queue could have produced.
func Restore[K comparable](s Snapshot[K]) (*Queue[K], error) {
	if s.Version != snapshotVersion {
		return nil, input.Bad("fairqueue.Restore", "s", -1, "Version is %d, want %d", s.Version, snapshotVersion)
	}
	q, err := New[K](Options{s.Return, s.Forget})
	if err != nil || !times(s.Virtual, s.Greatest) {
		return nil, input.Bad("fairqueue.Restore", "s", -1, "Return: want one that is known; Virtual: in [0, Greatest]")
	}
	parents := make([]int, len(s.Flows))
	for i := range s.Flows {
		parents[i] = s.Flows[i].Parent
	}
	t, bad, reason := tree.New(len(parents), parents)
	if reason != "" {
		return nil, flowError(bad, "Parent "+reason)
	}
	q.plant()
	q.nodes[root].inner = &inner{virtual: unpair(s.Virtual), greatest: unpair(s.Greatest)}
	for i, f := range s.Flows {
		r := f.fault(&s)
		if _, twice := q.index[f.Key]; twice {
			r = "a Key for the second time"
		}
		if r != "" {
			return nil, flowError(i, r)
		}
		n := node[K]{key: f.Key, parent: int32(f.Parent + 1), joined: uint64(i + 1), weight: f.Weight,
			left: f.Left, floor: unpair(f.Floor), finish: unpair(f.Finish)}
		if len(t.Children(i)) > 0 || f.Virtual != [2]float64{} || f.Greatest != [2]float64{} {
			n.inner = &inner{virtual: unpair(f.Virtual), greatest: unpair(f.Greatest)}
		}
		q.add(n)
	}
	q.joined = uint64(len(s.Flows))
	for i, f := range s.Flows {
		p := q.nodes[f.Parent+1].inner
		if f.Left {
			q.push(&p.away, int32(i+1))
		} else {
			p.children++
		}
	}
	for i, f := range s.Flows {
		if f.Active && !q.nodes[i+1].leaf() {
			return nil, flowError(i, "Active with children")
		}
		for k := int32(i + 1); f.Active && k != root && !q.nodes[k].active; k = q.nodes[k].parent {
			q.nodes[k].active = true
			q.push(&q.nodes[q.nodes[k].parent].inner.waiting, k)
		}
	}
	return q, nil
}

func flowError(i int, reason string) error {
	return input.Bad("fairqueue.Restore", "s", -1, "Flows[%d]: %s", i, reason)
}

// fault says what is wrong with a flow by itself, or "".
func (f *SnapshotFlow[K]) fault(s *Snapshot[K]) string {
	above := SnapshotFlow[K]{Virtual: s.Virtual, Greatest: s.Greatest}
	if f.Parent >= 0 {
		above = s.Flows[f.Parent]
	}
	switch {
	case f.Key != f.Key:
		return "Key is not equal to itself"
	case above.Left:
		return "its Parent has left"
	case !validWeight(f.Weight):
		return "Weight: " + badWeight
	case f.Active && f.Left:
		return "Active after it has left"
	case !sound(f.Floor) || f.Floor[0] < 0 || !sound(f.Finish) || !times(f.Virtual, f.Greatest):
		return "Floor, Finish, Virtual or Greatest: want normalised pairs; Floor: at least 0; Virtual: in [0, Greatest]"
	case unpair(f.Floor).Cmp(unpair(above.Virtual)) > 0 || unpair(f.Finish).Cmp(unpair(above.Greatest)) > 0:
		return "Floor is above Virtual, or Finish above Greatest, of its Parent"
	case f.Left && (s.Forget || unpair(f.Finish).Cmp(unpair(above.Virtual)) <= 0):
		return "left, but not to be remembered"
	}
	return ""
}
