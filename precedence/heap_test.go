package precedence

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Elements leave a heap in order, whatever was pushed or put in order before.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 24))
	for range 500 {
		h := heap[int]{before: func(a, b int) bool { return a < b }}
		for range r.IntN(20) {
			h.list = append(h.list, r.IntN(10))
		}
		h.order()
		for range r.IntN(20) {
			h.push(r.IntN(10))
		}
		want := slices.Sorted(slices.Values(h.list))
		var got []int
		for len(h.list) > 0 {
			got = append(got, h.pop())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pops %v, want %v", got, want)
		}
	}
}
