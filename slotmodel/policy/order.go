package policy

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// Special indices into the heap of an order.
const (
	absent     = -1 // the item is not in the order; or a walk has ended
	notStarted = -2 // a walk has not taken its first step
)

// order keeps items, numbered from 0, in the ascending order of a key. It can be walked from the front without being
// changed: the first step costs O(1), the first m steps O(m log m).
type order struct {
	heap  heap.Heap
	ties  heap.Ties // orders items of equal keys; nil: by number. When the answer changes for an item, set must be called for it
	at    []int32   // index of each item in the heap, or absent; orders of disjoint items may share it
	front heap.Heap // of a walk: indices in the heap whose parents have been passed
	spare []int32   // positions within front
	last  int32     // index in the heap that the walk passed last, its children not yet in front; or notStarted, or absent
}

// byNumber breaks ties by the number of the item.
type byNumber struct{}

// Before reports whether item a comes before item b.
func (byNumber) Before(a, b int32) bool { return a < b }

// tie returns what breaks ties.
func (o *order) tie() heap.Ties {
	if o.ties != nil {
		return o.ties
	}
	return byNumber{}
}

// Before orders indices in the heap by the items that are there.
func (o *order) Before(a, b int32) bool {
	return o.tie().Before(o.heap.ID(a), o.heap.ID(b))
}

// set puts an item in with a key, or gives it a new key.
func (o *order) set(id int32, key float64) {
	if i := o.at[id]; i == absent {
		o.heap.Push(heap.Entry{Key: key, ID: id}, o.at, o.tie())
	} else if o.heap.Key(i) != key || o.ties != nil {
		o.heap.Fix(i, key, o.at, o.tie())
	}
}

// remove takes an item out, if it is there.
func (o *order) remove(id int32) {
	if i := o.at[id]; i != absent {
		o.heap.Remove(i, o.at, o.tie())
		o.at[id] = absent
	}
}

// precedes reports whether item a comes before item b. Both must be in the order.
func (o *order) precedes(a, b int32) bool {
	x, y := o.heap.Key(o.at[a]), o.heap.Key(o.at[b])
	return x < y || x == y && o.tie().Before(a, b)
}

// clear takes all items out.
func (o *order) clear() {
	for i := range int32(o.heap.Len()) {
		o.at[o.heap.ID(i)] = absent
	}
	o.heap.Clear()
}

// begin starts a walk. After a change of the order a walk must begin again.
func (o *order) begin() {
	o.front.Clear()
	o.last = notStarted
}

// next returns the next item of the walk, or absent.
func (o *order) next() int32 {
	switch {
	case o.last == notStarted:
		if o.heap.Len() == 0 {
			return absent
		}
		o.last = 0
		return o.heap.ID(0)
	case o.last != absent:
		for len(o.spare) < o.heap.Len() {
			o.spare = append(o.spare, 0)
		}
		from, to := o.heap.Children(o.last)
		for c := from; c < to; c++ {
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

// places returns positions for n items, all absent.
func places(n int) []int32 {
	return slices.Repeat([]int32{absent}, n)
}

// rank returns the place of a job in the order of arrival, absent for one that has not arrived.
func rank(v *slotmodel.View, j slotmodel.Job) int32 {
	_, place := v.Arrival(j)
	return int32(place)
}

// jobSet is a set of jobs, in the order in which they were added.
type jobSet struct {
	jobs []slotmodel.Job
	has  []bool // by job
}

// newJobSet returns an empty set for n jobs.
func newJobSet(n int) jobSet { return jobSet{has: make([]bool, n)} }

// add puts a job in, if it is not there.
func (s *jobSet) add(j slotmodel.Job) {
	if !s.has[j] {
		s.has[j] = true
		s.jobs = append(s.jobs, j)
	}
}

// filter takes the jobs out that are not to stay.
func (s *jobSet) filter(stays func(slotmodel.Job) bool) {
	s.jobs = slices.DeleteFunc(s.jobs, func(j slotmodel.Job) bool {
		s.has[j] = stays(j)
		return !s.has[j]
	})
}
