// Package heap is an indexed 4-ary min-heap of float64 keys with integer ids, the priority queue
// of the packages of algorithms and policies. It does not box its elements, and calls back only to
// break a tie.
package heap

// Entry is one element: the id is the caller's index of the thing that waits under Key.
type Entry struct {
	Key float64
	ID  int32
}

// Ties orders ids whose keys are equal. It must be a total order for as long as the ids are in the
// heap.
type Ties interface {
	Before(a, b int32) bool
}

// LowID breaks ties by the id, the lower first; HighID the higher first.
type (
	LowID  struct{}
	HighID struct{}
)

// Before reports whether a is the lower id.
func (LowID) Before(a, b int32) bool { return a < b }

// Before reports whether a is the higher id.
func (HighID) Before(a, b int32) bool { return a > b }

// arity is the number of children of an element, for callers that walk the heap in order without
// changing it.
const arity = 4

// Heap is a min-heap: element 0 is the least. The zero value is empty. Every method that changes
// the heap keeps pos[id] at the index of the element with that id. The caller passes pos in,
// because several heaps may share one table; a nil pos keeps nothing.
type Heap struct{ entries []Entry }

// Len returns the number of elements.
func (h *Heap) Len() int { return len(h.entries) }

// Key returns the key of element i.
func (h *Heap) Key(i int32) float64 { return h.entries[i].Key }

// ID returns the id of element i.
func (h *Heap) ID(i int32) int32 { return h.entries[i].ID }

// At returns element i.
func (h *Heap) At(i int32) Entry { return h.entries[i] }

// Children returns the range of the children of element i: from <= child < to.
func (h *Heap) Children(i int32) (from, to int32) {
	n := int32(len(h.entries))
	from = min(arity*i+1, n)
	return from, min(from+arity, n)
}

// Clear takes all elements out, and keeps the memory.
func (h *Heap) Clear() { h.entries = h.entries[:0] }

// Push adds e. Cost O(log n).
func (h *Heap) Push(e Entry, pos []int32, ties Ties) {
	h.entries = append(h.entries, e)
	h.up(len(h.entries)-1, e, pos, ties)
}

// Pop takes element 0 out and returns it. Cost O(log n).
func (h *Heap) Pop(pos []int32, ties Ties) Entry {
	e := h.entries[0]
	h.Remove(0, pos, ties)
	return e
}

// Remove takes the element at index i out. Cost O(log n).
func (h *Heap) Remove(i int32, pos []int32, ties Ties) {
	last := len(h.entries) - 1
	e := h.entries[last]
	h.entries = h.entries[:last]
	if int(i) < last {
		h.place(int(i), e, pos, ties)
	}
}

// Fix gives the element at index i a new key, or re-establishes the order after its ties have
// changed. Cost O(log n).
func (h *Heap) Fix(i int32, key float64, pos []int32, ties Ties) {
	h.place(int(i), Entry{key, h.entries[i].ID}, pos, ties)
}

// before reports whether a comes before b.
func before(a, b Entry, ties Ties) bool {
	return a.Key < b.Key || a.Key == b.Key && ties.Before(a.ID, b.ID)
}

// set stores e as element i.
func (h *Heap) set(i int, e Entry, pos []int32) {
	h.entries[i] = e
	if pos != nil {
		pos[e.ID] = int32(i)
	}
}

// place puts e where element i was.
func (h *Heap) place(i int, e Entry, pos []int32, ties Ties) {
	if i > 0 && before(e, h.entries[(i-1)/arity], ties) {
		h.up(i, e, pos, ties)
	} else {
		h.down(i, e, pos, ties)
	}
}

func (h *Heap) up(i int, e Entry, pos []int32, ties Ties) {
	for i > 0 {
		parent := (i - 1) / arity
		if !before(e, h.entries[parent], ties) {
			break
		}
		h.set(i, h.entries[parent], pos)
		i = parent
	}
	h.set(i, e, pos)
}

func (h *Heap) down(i int, e Entry, pos []int32, ties Ties) {
	for {
		child := arity*i + 1
		if child >= len(h.entries) {
			break
		}
		least := h.entries[child]
		first := child
		for k, o := range h.entries[child+1 : min(child+arity, len(h.entries))] {
			if before(o, least, ties) {
				least, first = o, child+1+k
			}
		}
		if !before(least, e, ties) {
			break
		}
		h.set(i, least, pos)
		i = first
	}
	h.set(i, e, pos)
}
