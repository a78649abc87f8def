package internal

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
)

// Absent stands for no item, and for the place of an item that is not in an Order.
const Absent = -1

// Order keeps items, numbered from 0, in the ascending order of a key. Begin and Next walk through
// the items from the front. A walk takes the items that it passes out of the heap; they come back
// with the next Begin or with a call of any other method, which ends the walk.
//
// With n items the first m steps of a walk cost O(m log n), and as much again when the walk ends.
// Set and Remove cost O(log n), Clear O(n), the other methods O(1).
type Order struct {
	// Ties orders items of equal keys; nil: the lower number first. When its answer changes for an
	// item, Set must be called for the item.
	Ties heap.Ties
	// At is the place of each item in the heap, or Absent. Orders without a common item may share
	// one table.
	At []int32

	heap   heap.Heap
	walked []heap.Entry // items that the present walk has passed
}

// Places returns a table At for the items 0 to n-1, all of them absent.
func Places(n int) []int32 {
	return slices.Repeat([]int32{Absent}, n)
}

// ties returns what orders items of equal keys.
func (o *Order) ties() heap.Ties {
	if o.Ties != nil {
		return o.Ties
	}
	return heap.LowID{}
}

// Set puts an item in with a key, or gives it a new key.
func (o *Order) Set(id int32, key float64) {
	o.Begin()
	if i := o.At[id]; i == Absent {
		o.heap.Push(heap.Entry{Key: key, ID: id}, o.At, o.ties())
	} else if o.heap.Key(i) != key || o.Ties != nil {
		o.heap.Fix(i, key, o.At, o.ties())
	}
}

// Remove takes an item out, if the order has it.
func (o *Order) Remove(id int32) {
	o.Begin()
	if i := o.At[id]; i != Absent {
		o.heap.Remove(i, o.At, o.ties())
		o.At[id] = Absent
	}
}

// Clear takes all items out.
func (o *Order) Clear() {
	o.Begin()
	for i := range int32(o.heap.Len()) {
		o.At[o.heap.ID(i)] = Absent
	}
	o.heap.Clear()
}

// Len returns the number of items.
func (o *Order) Len() int {
	o.Begin()
	return o.heap.Len()
}

// Least returns the first item and its key. There must be an item.
func (o *Order) Least() (id int32, key float64) {
	o.Begin()
	return o.heap.ID(0), o.heap.Key(0)
}

// Precedes reports whether item a comes before item b; false unless the order has both.
func (o *Order) Precedes(a, b int32) bool {
	o.Begin()
	if !o.has(a) || !o.has(b) {
		return false
	}
	x, y := o.heap.At(o.At[a]), o.heap.At(o.At[b])
	return x.Key < y.Key || x.Key == y.Key && o.ties().Before(a, b)
}

// has reports whether the order has an item that the present walk has not passed.
func (o *Order) has(id int32) bool {
	return id >= 0 && int(id) < len(o.At) && o.At[id] != Absent
}

// Begin starts a walk.
func (o *Order) Begin() {
	for _, e := range o.walked {
		o.heap.Push(e, o.At, o.ties())
	}
	o.walked = o.walked[:0]
}

// Next returns the next item of the walk, Absent at its end.
func (o *Order) Next() int32 {
	if o.heap.Len() == 0 {
		return Absent
	}
	e := o.heap.Pop(o.At, o.ties())
	o.At[e.ID] = Absent
	o.walked = append(o.walked, e)
	return e.ID
}
