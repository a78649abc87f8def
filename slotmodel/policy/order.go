package policy

import (
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// Places in an order that are none.
const (
	absent = -1 // of what is not in it
	before = -2 // of a walk before its first step
)

// order keeps things, numbered from 0, in the ascending order of a key, those of equal keys by number. It is walked from the
// front without being changed: the first step costs O(1), the first m steps O(m log m).
type order struct {
	heap  heap.Heap
	ties  heap.Ties // orders things of equal keys; nil: by number. When it changes for one thing, set has to be called
	at    []int32   // the place of each thing in the heap, or absent; orders of different things may share it
	front heap.Heap // places in the heap that come next in the walk: children of those passed
	spare []int32   // places within front, which nobody asks for
	last  int32     // place in the heap passed last, its children not yet in front; or before, or absent
}

// numbers lets the lower number go first.
type numbers struct{}

// Before reports whether a comes before b.
func (numbers) Before(a, b int32) bool { return a < b }

// by returns what breaks ties.
func (o *order) by() heap.Ties {
	if o.ties != nil {
		return o.ties
	}
	return numbers{}
}

// Before orders places in the heap by what is there.
func (o *order) Before(a, b int32) bool {
	a, b = o.heap.ID(a), o.heap.ID(b)
	if o.ties != nil {
		return o.ties.Before(a, b)
	}
	return a < b
}

// places returns what at is at first, for n things.
func places(n int) []int32 {
	at := make([]int32, n)
	for i := range at {
		at[i] = absent
	}
	return at
}

// set puts a thing in with a key, or gives it a new one.
func (o *order) set(id int32, key float64) {
	if i := o.at[id]; i == absent {
		o.heap.Push(heap.Entry{Key: key, ID: id}, o.at, o.by())
	} else if o.heap.Key(i) != key || o.ties != nil {
		o.heap.Fix(i, key, o.at, o.by())
	}
}

// remove takes a thing out, if it is there.
func (o *order) remove(id int32) {
	if i := o.at[id]; i != absent {
		o.heap.Remove(i, o.at, o.by())
		o.at[id] = absent
	}
}

// precedes reports whether thing a comes before thing b; what is absent comes last.
func (o *order) precedes(a, b int32) bool {
	if a == absent || b == absent || o.at[a] == absent || o.at[b] == absent {
		return a != absent && o.at[a] != absent && (b == absent || o.at[b] == absent)
	}
	x, y := o.heap.Key(o.at[a]), o.heap.Key(o.at[b])
	return x < y || x == y && o.by().Before(a, b)
}

// clear takes all things out.
func (o *order) clear() {
	for i := range int32(o.heap.Len()) {
		o.at[o.heap.ID(i)] = absent
	}
	o.heap.Clear()
}

// begin starts a walk. Once the order has changed, next must not be called before begin.
func (o *order) begin() {
	o.front.Clear()
	o.last = before
}

// next returns the next thing of the walk, or absent.
func (o *order) next() int32 {
	switch {
	case o.last == before:
		if o.heap.Len() == 0 {
			return absent
		}
		o.last = 0
		return o.heap.ID(0)
	case o.last != absent:
		for len(o.spare) < o.heap.Len() {
			o.spare = append(o.spare, 0)
		}
		first := heap.Arity*o.last + 1
		for c := first; c < min(first+heap.Arity, int32(o.heap.Len())); c++ {
			o.front.Push(heap.Entry{Key: o.heap.Key(c), ID: c}, o.spare, o)
		}
	}
	o.last = absent
	if o.front.Len() > 0 {
		o.last = o.front.ID(0)
		o.front.Remove(0, o.spare, o)
		return o.heap.ID(o.last)
	}
	return absent
}

// turns numbers the jobs of a run in the order in which they arrive.
type turns struct {
	run *slotmodel.View // only to know it again
	of  []int32         // the turn of each job, or absent
	job []slotmodel.Job // the job of each turn
}

// newTurns returns the turns of a run in which no job has arrived.
func newTurns(v *slotmodel.View) turns {
	return turns{v, places(v.Jobs()), make([]slotmodel.Job, 0, v.Jobs())}
}

// unknown reports whether a job has no turn yet.
func (t *turns) unknown(j slotmodel.Job) bool { return t.of[j] == absent }

// take gives a job that has none the next turn.
func (t *turns) take(j slotmodel.Job) {
	t.of[j] = int32(len(t.job))
	t.job = append(t.job, j)
}
