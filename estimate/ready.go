package estimate

import (
	"cmp"

	"github.com/schedmath/schedmath/internal/heap"
)

// order breaks the ties of the ready heap.
type order[K cmp.Ordered] struct{ trainer *Trainer[K] }

// Before orders jobs of equal rank in the ready heap. The rank is the number of tasks as a float64, which may round two
// huge numbers to one.
func (o order[K]) Before(a, b int32) bool {
	t := o.trainer
	if t.jobs[a].tasks != t.jobs[b].tasks {
		return t.jobs[a].tasks < t.jobs[b].tasks
	}
	return t.keys[a] < t.keys[b]
}

// place puts job i into the ready heap if it has samples waiting and takes it out if not. Its rank never changes inside.
func (t *Trainer[K]) place(i int32) {
	j := &t.jobs[i]
	switch at := t.at[i]; {
	case j.waiting() > 0 && at < 0:
		t.ready.Push(heap.Entry{Key: float64(j.tasks), ID: i}, t.at, order[K]{t})
	case j.waiting() == 0 && at >= 0:
		t.ready.Remove(at, t.at, order[K]{t})
		t.at[i] = -1
	}
}

// ascending yields the jobs in the ready heap in order without disturbing it. The elements that may come next, the children
// of those yielded, are in a heap of their own, the frontier, by their places in the ready heap. The trainer must not change
// before yield returns true.
func (t *Trainer[K]) ascending(yield func(job int32) bool) {
	var frontier []int
	before := func(a, b int) bool {
		x, y := t.ready.At(int32(frontier[a])), t.ready.At(int32(frontier[b]))
		return x.Key < y.Key || x.Key == y.Key && order[K]{t}.Before(x.ID, y.ID)
	}
	for next := []int{0}; ; {
		for _, at := range next {
			if at < t.ready.Len() {
				frontier = append(frontier, at)
				rise(frontier, before)
			}
		}
		if len(frontier) == 0 {
			return
		}
		at, last := frontier[0], len(frontier)-1
		if !yield(t.ready.ID(int32(at))) {
			return
		}
		frontier[0] = frontier[last]
		frontier = frontier[:last]
		sink(frontier, before)
		next = next[:0]
		for child := heap.Arity*at + 1; child <= heap.Arity*(at+1); child++ {
			next = append(next, child)
		}
	}
}

// rise restores the frontier, a binary heap, after an append.
func rise(frontier []int, before func(a, b int) bool) {
	for i := len(frontier) - 1; i > 0; {
		parent := (i - 1) / 2
		if !before(i, parent) {
			return
		}
		frontier[i], frontier[parent] = frontier[parent], frontier[i]
		i = parent
	}
}

// sink restores the frontier after its first element was replaced.
func sink(frontier []int, before func(a, b int) bool) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(frontier) {
			return
		}
		if right := child + 1; right < len(frontier) && before(right, child) {
			child = right
		}
		if !before(child, i) {
			return
		}
		frontier[i], frontier[child] = frontier[child], frontier[i]
		i = child
	}
}
