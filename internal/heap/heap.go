// Package heap is an indexed 4-ary min-heap of float64 keys with integer ids, the queue behind every event loop of the
// algorithm packages: it neither boxes its elements nor calls back except to break a tie, and four children's keys lie in one
// cache line.
package heap

// Entry is one element: the id is the caller's index of the thing that waits under Key.
type Entry struct {
	Key float64
	ID  int32
}

// Ties orders ids whose keys are equal. It must be a total order for as long as the ids are in the heap.
type Ties interface {
	Before(a, b int32) bool
}

// Arity is the number of children of an element, for callers that walk the heap in order without changing it.
const Arity = 4

// Heap is a min-heap: element 0 is the least, and the children of element i are 4i+1 to 4i+4. The zero value is empty. Every
// method that changes it keeps pos[id] at the element's index; pos is passed in because several heaps may share one table.
//
// Keys and ids stand in arrays of their own, 12 bytes an element: on the way down, where memory is what time goes to, four keys
// fill half a cache line and only one of their ids is looked at.
type Heap struct {
	keys []float64
	ids  []int32
}

// Len returns the number of elements.
func (h *Heap) Len() int { return len(h.keys) }

// Key returns the key of element i.
func (h *Heap) Key(i int32) float64 { return h.keys[i] }

// ID returns the id of element i.
func (h *Heap) ID(i int32) int32 { return h.ids[i] }

// At returns element i.
func (h *Heap) At(i int32) Entry { return Entry{h.keys[i], h.ids[i]} }

// Clear takes all elements out, and keeps the memory.
func (h *Heap) Clear() { h.keys, h.ids = h.keys[:0], h.ids[:0] }

// Push adds e. Cost O(log n).
func (h *Heap) Push(e Entry, pos []int32, ties Ties) {
	n := len(h.keys)
	if n == cap(h.keys) {
		h.grow()
	}
	h.keys, h.ids = h.keys[:n+1], h.ids[:n+1]
	h.up(n, e, pos, ties)
}

// grow makes room for an eighth more elements. The arrays begin before element 0, so that no four children's keys lie across two
// cache lines: arrays of this size begin with a line.
func (h *Heap) grow() {
	n := len(h.keys)
	const skip = Arity - 1
	room := (skip + n + n/8 + Arity) / Arity * Arity
	keys, ids := make([]float64, room)[skip:], make([]int32, room)[skip:]
	h.keys, h.ids = keys[:copy(keys, h.keys)], ids[:copy(ids, h.ids)]
}

// Remove takes the element at index i out. Cost O(log n).
func (h *Heap) Remove(i int32, pos []int32, ties Ties) {
	last := len(h.keys) - 1
	e := Entry{h.keys[last], h.ids[last]}
	h.keys, h.ids = h.keys[:last], h.ids[:last]
	if int(i) < last {
		h.place(int(i), e, pos, ties)
	}
}

// Fix gives the element at index i a new key, or re-establishes the order after its ties have changed. Cost O(log n).
func (h *Heap) Fix(i int32, key float64, pos []int32, ties Ties) {
	h.place(int(i), Entry{key, h.ids[i]}, pos, ties)
}

// before reports whether e comes before element i.
func (h *Heap) before(e Entry, i int, ties Ties) bool {
	key := h.keys[i]
	return e.Key < key || e.Key == key && ties.Before(e.ID, h.ids[i])
}

// place puts e where element i was.
func (h *Heap) place(i int, e Entry, pos []int32, ties Ties) {
	if i > 0 && h.before(e, (i-1)/Arity, ties) {
		h.up(i, e, pos, ties)
	} else {
		h.down(i, e, pos, ties)
	}
}

func (h *Heap) up(i int, e Entry, pos []int32, ties Ties) {
	keys, ids := h.keys, h.ids[:len(h.keys)]
	for i > 0 {
		parent := (i - 1) / Arity
		key, id := keys[parent], ids[parent]
		if !(e.Key < key || e.Key == key && ties.Before(e.ID, id)) {
			break
		}
		keys[i], ids[i] = key, id
		pos[id] = int32(i)
		i = parent
	}
	keys[i], ids[i] = e.Key, e.ID
	pos[e.ID] = int32(i)
}

func (h *Heap) down(i int, e Entry, pos []int32, ties Ties) {
	keys, ids := h.keys, h.ids[:len(h.keys)]
	for {
		child := Arity*i + 1
		if child >= len(keys) {
			break
		}
		least, first := child, keys[child]
		for k, key := range keys[child+1 : min(child+Arity, len(keys))] {
			if key < first || key == first && ties.Before(ids[child+1+k], ids[least]) {
				least, first = child+1+k, key
			}
		}
		if !(first < e.Key || first == e.Key && ties.Before(ids[least], e.ID)) {
			break
		}
		id := ids[least]
		keys[i], ids[i] = first, id
		pos[id] = int32(i)
		i = least
	}
	keys[i], ids[i] = e.Key, e.ID
	pos[e.ID] = int32(i)
}
