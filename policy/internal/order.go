package internal

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// absent stands for no item, and for the index of an item that is not in an order.
const Absent = -1

// order keeps items, numbered from 0, in the ascending order of a key. It can be walked from the front: the first m of n steps cost O(m log n). A
// walk takes items out; they come back when it is over, with the next walk, change or comparison.
type Order struct {
	heap   heap.Heap
	Ties   heap.Ties    // orders items of equal keys; nil: by number. When the answer changes for an item, set must be called for it
	At     []int32      // index of each item in the heap, or absent; orders of disjoint items may share it
	walked []heap.Entry // by the walk under way
}

// byNumber breaks ties by the number of the item.
type byNumber struct{}

// Before reports whether item a comes before item b.
func (byNumber) Before(a, b int32) bool { return a < b }

// tie returns what breaks ties.
func (o *Order) tie() heap.Ties {
	if o.Ties != nil {
		return o.Ties
	}
	return byNumber{}
}

// set puts an item in with a key, or gives it a new key.
func (o *Order) Set(id int32, key float64) {
	o.Begin()
	if i := o.At[id]; i == Absent {
		o.heap.Push(heap.Entry{Key: key, ID: id}, o.At, o.tie())
	} else if o.heap.Key(i) != key || o.Ties != nil {
		o.heap.Fix(i, key, o.At, o.tie())
	}
}

// remove takes an item out, if it is there.
func (o *Order) Remove(id int32) {
	o.Begin()
	if i := o.At[id]; i != Absent {
		o.heap.Remove(i, o.At, o.tie())
		o.At[id] = Absent
	}
}

// Precedes reports whether item a comes before item b, false unless both are in the order. It ends
// the walk under way.
func (o *Order) Precedes(a, b int32) bool {
	o.Begin()
	if !o.has(a) || !o.has(b) {
		return false
	}
	x, y := o.heap.Key(o.At[a]), o.heap.Key(o.At[b])
	return x < y || x == y && o.tie().Before(a, b)
}

// has reports whether an item is in the order. A walk has taken out what it has passed.
func (o *Order) has(id int32) bool {
	return id >= 0 && int(id) < len(o.At) && o.At[id] != Absent
}

// size returns the number of items. It ends the walk under way.
func (o *Order) Len() int {
	o.Begin()
	return o.heap.Len()
}

// least returns the first item and its key. It ends the walk under way. There must be an item.
func (o *Order) Least() (id int32, key float64) {
	o.Begin()
	return o.heap.ID(0), o.heap.Key(0)
}

// clear takes all items out.
func (o *Order) Clear() {
	o.Begin()
	for i := range int32(o.heap.Len()) {
		o.At[o.heap.ID(i)] = Absent
	}
	o.heap.Clear()
}

// begin starts a walk, and ends the one under way.
func (o *Order) Begin() {
	for _, e := range o.walked {
		o.heap.Push(e, o.At, o.tie())
	}
	o.walked = o.walked[:0]
}

// next returns the next item of the walk, absent at its end.
func (o *Order) Next() int32 {
	if o.heap.Len() == 0 {
		return Absent
	}
	e := o.heap.Pop(o.At, o.tie())
	o.At[e.ID] = Absent
	o.walked = append(o.walked, e)
	return e.ID
}

// places returns positions for n items, all absent.
func Places(n int) []int32 {
	return slices.Repeat([]int32{Absent}, n)
}

// rank returns the place of a job in the order of arrival, absent for one that has not arrived.
func Rank(v *slotmodel.View, j slotmodel.Job) int32 {
	_, place := v.Arrival(j)
	return int32(place)
}

// earlier reports whether job a arrived before job b. Both must have arrived.
func Earlier(v *slotmodel.View, a, b slotmodel.Job) bool {
	return Rank(v, a) < Rank(v, b)
}

// jobSet is a set of jobs, in the order in which they were added.
type JobSet struct {
	Jobs []slotmodel.Job
	has  []bool // by job
}

// newJobSet returns an empty set for n jobs.
func NewJobSet(n int) JobSet { return JobSet{has: make([]bool, n)} }

// add puts a job in, if it is not there.
func (s *JobSet) Add(j slotmodel.Job) {
	if !s.has[j] {
		s.has[j] = true
		s.Jobs = append(s.Jobs, j)
	}
}

// filter takes the jobs out that are not to stay.
func (s *JobSet) Filter(stays func(slotmodel.Job) bool) {
	s.Jobs = slices.DeleteFunc(s.Jobs, func(j slotmodel.Job) bool {
		s.has[j] = stays(j)
		return !s.has[j]
	})
}
