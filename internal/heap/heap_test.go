package heap_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/heap"
	"pgregory.net/rapid"
)

// TestHeap drives the heap beside a plain list and compares the least element and every position
// after each step.
func TestHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const ids = 60
		var h heap.Heap
		pos := make([]int32, ids)
		var list []heap.Entry
		key := rapid.Map(rapid.IntRange(0, 20), func(i int) float64 { return float64(i) })
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			id := int32(rapid.IntRange(0, ids-1).Draw(t, "id"))
			at := slices.IndexFunc(list, func(e heap.Entry) bool { return e.ID == id })
			switch {
			case at < 0:
				e := heap.Entry{Key: key.Draw(t, "key"), ID: id}
				h.Push(e, pos, heap.LowID{})
				list = append(list, e)
			case rapid.Bool().Draw(t, "remove"):
				h.Remove(pos[id], pos, heap.LowID{})
				list = slices.Delete(list, at, at+1)
			default:
				k := key.Draw(t, "new key")
				h.Fix(pos[id], k, pos, heap.LowID{})
				list[at].Key = k
			}
			if rapid.IntRange(0, 9).Draw(t, "pop") == 0 && len(list) > 0 {
				got := h.Pop(pos, heap.LowID{})
				at := slices.Index(list, got)
				if at < 0 {
					t.Fatalf("Pop() = %v, which is not in %v", got, list)
				}
				list = slices.Delete(list, at, at+1)
				for _, e := range list {
					if e.Key < got.Key || e.Key == got.Key && e.ID < got.ID {
						t.Fatalf("Pop() = %v, but %v is in the heap", got, e)
					}
				}
			}
			if h.Len() != len(list) {
				t.Fatalf("heap holds %d elements, want %d", h.Len(), len(list))
			}
			for i := range int32(h.Len()) {
				e := h.At(i)
				if pos[e.ID] != i {
					t.Fatalf("pos[%d] = %d, want %d", e.ID, pos[e.ID], i)
				}
			}
			if len(list) == 0 {
				continue
			}
			want := slices.MinFunc(list, func(a, b heap.Entry) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID)) })
			if h.At(0) != want {
				t.Fatalf("least element = %v, want %v", h.At(0), want)
			}
		}
	})
}

// TestHeapWalk: a heap without positions, used again after Clear, pops its elements in order, ties by
// either rule, and its elements are the children of others, each of one.
func TestHeapWalk(t *testing.T) {
	var h heap.Heap
	for n := range 40 {
		for _, sign := range []int32{1, -1} {
			var ties heap.Ties = heap.LowID{}
			if sign < 0 {
				ties = heap.HighID{}
			}
			h.Push(heap.Entry{ID: 99}, nil, ties)
			h.Clear()
			for i := range n {
				h.Push(heap.Entry{Key: float64(i * 7 % 11), ID: int32(i)}, nil, ties)
			}
			seen := make([]int, n)
			for i := range int32(n) {
				from, to := h.Children(i)
				for c := from; c < to; c++ {
					seen[c]++
					if h.Key(c) < h.Key(i) {
						t.Errorf("n = %d: element %d has key %v, its child %d has %v", n, i, h.Key(i), c, h.Key(c))
					}
				}
				if e := h.At(i); e.Key != h.Key(i) || e.ID != h.ID(i) {
					t.Errorf("n = %d: At(%d) = %v, Key %v, ID %v", n, i, e, h.Key(i), h.ID(i))
				}
			}
			for i, k := range seen {
				if want := min(i, 1); k != want {
					t.Errorf("n = %d: element %d is the child of %d others, want %d", n, i, k, want)
				}
			}
			last := heap.Entry{Key: -1}
			for range n {
				e := h.Pop(nil, ties)
				if e.Key < last.Key || e.Key == last.Key && sign*e.ID < sign*last.ID {
					t.Errorf("n = %d: Pop() = %v after %v", n, e, last)
				}
				last = e
			}
			if h.Len() != 0 {
				t.Errorf("n = %d: %d elements are left after as many Pops", n, h.Len())
			}
		}
	}
}
