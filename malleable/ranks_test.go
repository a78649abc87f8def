package malleable

import (
	"math/rand/v2"
	"testing"
)

// TestRanks compares the tree of bits with a slice of booleans, of one to four levels.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0x72616e6b))
	var s ranks
	for _, n := range []int{1, 63, 64, 65, 4096, 4097, 300_000, 70, 0} {
		s.reset(n)
		if s.next(0) != -1 || s.prev(int32(n-1)) != -1 {
			t.Errorf("a set of %d ranks is not empty after reset: next(0) = %d, prev(%d) = %d", n, s.next(0), n-1, s.prev(int32(n-1)))
		}
		in := make([]bool, n)
		for range min(n, 2000) {
			k := r.IntN(n)
			if r.IntN(4) > 0 {
				s.add(int32(k))
				in[k] = true
			} else {
				s.remove(int32(k))
				in[k] = false
			}
			from := r.IntN(n)
			up, down := from, from
			for up < n && !in[up] {
				up++
			}
			for down >= 0 && !in[down] {
				down--
			}
			if up == n {
				up = -1
			}
			if got := s.next(int32(from)); got != int32(up) {
				t.Fatalf("n = %d: next(%d) = %d, want %d", n, from, got, up)
			}
			if got := s.prev(int32(from)); got != int32(down) {
				t.Fatalf("n = %d: prev(%d) = %d, want %d", n, from, got, down)
			}
		}
	}
}
