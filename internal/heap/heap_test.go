package heap_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/heap"
	"pgregory.net/rapid"
)

// lowID breaks ties by the id itself.
type lowID struct{}

func (lowID) Before(a, b int32) bool { return a < b }

// TestHeap drives the heap beside a plain list and compares the least element and every position after each step.
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
				h.Push(e, pos, lowID{})
				list = append(list, e)
			case rapid.Bool().Draw(t, "remove"):
				h.Remove(pos[id], pos, lowID{})
				list = slices.Delete(list, at, at+1)
			default:
				k := key.Draw(t, "new key")
				h.Fix(pos[id], k, pos, lowID{})
				list[at].Key = k
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
