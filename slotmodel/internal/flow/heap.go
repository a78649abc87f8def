package flow

// entry says that id comes up at at: a flow's next position on its class's clock, a class's next
// event in seconds, a link's share while links fill.
type entry struct {
	at clock
	id int32
}

// less orders by at, then by id.
func (a *entry) less(b *entry) bool {
	if a.at.hi != b.at.hi {
		return a.at.hi < b.at.hi
	}
	if a.at.lo != b.at.lo {
		return a.at.lo < b.at.lo
	}
	return a.id < b.id
}

// heap is a binary heap of entries, the least first. Its callers keep a slice place in which
// place[id] is the index of id's entry.
type heap []entry

// init makes a heap of entries in any order. O(n).
func (h heap) init(place []int32) {
	for i := len(h) - 1; i >= 0; i-- {
		h.down(i, place)
	}
}

// push adds an entry. O(log n).
func (h *heap) push(x entry, place []int32) {
	*h = append(*h, x)
	h.up(len(*h)-1, place)
}

// remove takes out the entry at index i. O(log n).
func (h *heap) remove(i int, place []int32) {
	last := len(*h) - 1
	moved := (*h)[last]
	*h = (*h)[:last]
	if i < last {
		h.set(i, moved, place)
	}
}

// set puts x in the place of the entry at index i. O(log n).
func (h heap) set(i int, x entry, place []int32) {
	h[i] = x
	if i > 0 && x.less(&h[(i-1)/2]) {
		h.up(i, place)
	} else {
		h.down(i, place)
	}
}

// up moves the entry at index i towards the root.
func (h heap) up(i int, place []int32) {
	x := h[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !x.less(&h[parent]) {
			break
		}
		h[i] = h[parent]
		place[h[i].id] = int32(i)
		i = parent
	}
	h[i] = x
	place[x.id] = int32(i)
}

// down moves the entry at index i away from the root.
func (h heap) down(i int, place []int32) {
	x := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].less(&h[child]) {
			child++
		}
		if !h[child].less(&x) {
			break
		}
		h[i] = h[child]
		place[h[i].id] = int32(i)
		i = child
	}
	h[i] = x
	place[x.id] = int32(i)
}
