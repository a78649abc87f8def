package precedence

// heap is a binary heap whose first element is the first in the order of before.
type heap[T any] struct {
	list   []T
	before func(a, b T) bool
}

// push adds x. Cost O(log n).
func (h *heap[T]) push(x T) {
	h.list = append(h.list, x)
	i := len(h.list) - 1
	for up := (i - 1) / 2; i > 0 && h.before(x, h.list[up]); up = (i - 1) / 2 {
		h.list[i] = h.list[up]
		i = up
	}
	h.list[i] = x
}

// pop removes the first element and returns it. Cost O(log n).
func (h *heap[T]) pop() T {
	first, last := h.list[0], len(h.list)-1
	h.list[0] = h.list[last]
	h.list = h.list[:last]
	if last > 0 {
		h.down(0)
	}
	return first
}

// down moves element i to its place among those below it.
func (h *heap[T]) down(i int) {
	x := h.list[i]
	for c := 2*i + 1; c < len(h.list); c = 2*i + 1 {
		if c+1 < len(h.list) && h.before(h.list[c+1], h.list[c]) {
			c++
		}
		if !h.before(h.list[c], x) {
			break
		}
		h.list[i] = h.list[c]
		i = c
	}
	h.list[i] = x
}

// order makes a heap of a list in any order. Cost O(n).
func (h *heap[T]) order() {
	for i := len(h.list)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}
