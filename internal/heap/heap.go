// Package heap is an indexed 4-ary min-heap of float64 keys with integer ids, the queue behind every event loop of the
// algorithm packages: it neither boxes its elements nor calls back except to break a tie, and four children fill one
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

// Heap is a min-heap: element 0 is the least, and the children of element i are 4i+1 to 4i+4. The zero value is empty.
// Every method keeps pos[id] at the element's index; pos is passed in because several heaps may share one table.
type Heap []Entry

// Arity is the number of children of an element, for callers that walk the heap in order without changing it.
const Arity = 4

func before(a, b Entry, ties Ties) bool {
	return a.Key < b.Key || a.Key == b.Key && ties.Before(a.ID, b.ID)
}

// Push adds e. Cost O(log n).
func (h *Heap) Push(e Entry, pos []int32, ties Ties) {
	*h = append(*h, e)
	h.up(len(*h)-1, e, pos, ties)
}

// Remove takes the element at index i out. Cost O(log n).
func (h *Heap) Remove(i int, pos []int32, ties Ties) {
	s := *h
	last := len(s) - 1
	e := s[last]
	*h = s[:last]
	if i < last {
		h.place(i, e, pos, ties)
	}
}

// Fix gives the element at index i a new key, or re-establishes the order after its ties have changed. Cost O(log n).
func (h *Heap) Fix(i int, key float64, pos []int32, ties Ties) {
	h.place(i, Entry{key, (*h)[i].ID}, pos, ties)
}

// place puts e where element i was.
func (h *Heap) place(i int, e Entry, pos []int32, ties Ties) {
	if i > 0 && before(e, (*h)[(i-1)/Arity], ties) {
		h.up(i, e, pos, ties)
	} else {
		h.down(i, e, pos, ties)
	}
}

func (h *Heap) up(i int, e Entry, pos []int32, ties Ties) {
	s := *h
	for i > 0 {
		parent := (i - 1) / Arity
		if !before(e, s[parent], ties) {
			break
		}
		s[i] = s[parent]
		pos[s[i].ID] = int32(i)
		i = parent
	}
	s[i] = e
	pos[e.ID] = int32(i)
}

func (h *Heap) down(i int, e Entry, pos []int32, ties Ties) {
	s := *h
	for {
		child := Arity*i + 1
		if child >= len(s) {
			break
		}
		least, first := child, s[child]
		for k, c := range s[child+1 : min(child+Arity, len(s))] {
			if before(c, first, ties) {
				least, first = child+1+k, c
			}
		}
		if !before(first, e, ties) {
			break
		}
		s[i] = first
		pos[first.ID] = int32(i)
		i = least
	}
	s[i] = e
	pos[e.ID] = int32(i)
}
