package policy

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// absent stands for no item, and for the index of an item that is not in an order.
const absent = -1

// order keeps items, numbered from 0, in the ascending order of a key. It can be walked from the front: the first m of n steps cost O(m log n). A
// walk takes items out; they come back when it is over, with the next walk, change or comparison.
type order struct {
	heap   heap.Heap
	ties   heap.Ties    // orders items of equal keys; nil: by number. When the answer changes for an item, set must be called for it
	at     []int32      // index of each item in the heap, or absent; orders of disjoint items may share it
	walked []heap.Entry // by the walk under way
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

// set puts an item in with a key, or gives it a new key.
func (o *order) set(id int32, key float64) {
	o.begin()
	if i := o.at[id]; i == absent {
		o.heap.Push(heap.Entry{Key: key, ID: id}, o.at, o.tie())
	} else if o.heap.Key(i) != key || o.ties != nil {
		o.heap.Fix(i, key, o.at, o.tie())
	}
}

// remove takes an item out, if it is there.
func (o *order) remove(id int32) {
	o.begin()
	if i := o.at[id]; i != absent {
		o.heap.Remove(i, o.at, o.tie())
		o.at[id] = absent
	}
}

// precedes reports whether item a comes before item b. Both must be in the order.
func (o *order) precedes(a, b int32) bool {
	o.begin()
	x, y := o.heap.Key(o.at[a]), o.heap.Key(o.at[b])
	return x < y || x == y && o.tie().Before(a, b)
}

// clear takes all items out.
func (o *order) clear() {
	o.begin()
	for i := range int32(o.heap.Len()) {
		o.at[o.heap.ID(i)] = absent
	}
	o.heap.Clear()
}

// begin starts a walk, and ends the one under way.
func (o *order) begin() {
	for _, e := range o.walked {
		o.heap.Push(e, o.at, o.tie())
	}
	o.walked = o.walked[:0]
}

// next returns the next item of the walk, absent at its end.
func (o *order) next() int32 {
	if o.heap.Len() == 0 {
		return absent
	}
	e := o.heap.Pop(o.at, o.tie())
	o.at[e.ID] = absent
	o.walked = append(o.walked, e)
	return e.ID
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

// earlier reports whether job a arrived before job b. Both must have arrived.
func earlier(v *slotmodel.View, a, b slotmodel.Job) bool {
	return rank(v, a) < rank(v, b)
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
