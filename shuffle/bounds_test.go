package shuffle

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestBounds: no prefix moves less than its bound, and best finds what evaluating every prefix
// finds.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks := rapid.IntRange(1, 40).Draw(t, "racks")
		unit := rapid.SampledFrom([]float64{1, .1, 64e6, 1. / 3}).Draw(t, "unit")
		some := rapid.SliceOfNDistinct(rapid.IntRange(0, rapid.IntRange(0, racks-1).Draw(t, "last")), 0, 3, rapid.ID[int])
		var blocks []Block
		for range rapid.IntRange(0, 40).Draw(t, "blocks") {
			blocks = append(blocks, Block{Bytes: unit * float64(rapid.IntRange(0, 9).Draw(t, "bytes")), Racks: some.Draw(t, "where")})
		}
		ratio := rapid.SampledFrom([]float64{0, .1, .3, .5, .8, 1, 2}).Draw(t, "ratio")
		reduces := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 1e6)).Draw(t, "reduces")
		first := rapid.IntRange(1, racks).Draw(t, "first")
		s := newSearch(racks, blocks, ratio, reduces, nil)
		bounds := s.bounds(first)
		best, least := 0, math.Inf(1)
		for k := first; k <= racks; k++ {
			remote, crossing := s.prefix(k)
			total := remote + crossing
			if best == 0 || total < least-tied*least {
				best, least = k, total
			}
			if slack := 1e-13 * (total + ratio*s.total); k-first < len(bounds) && bounds[k-first] > total+slack {
				t.Fatalf("%d of %d racks, %v, ratio %v, %d reduces: bound %v, but %v move", k, racks, blocks, ratio, reduces, bounds[k-first], total)
			}
		}
		if got := s.best(first); got != best {
			t.Fatalf("%d racks, %v, ratio %v, %d reduces: best prefix from %d is %d, want %d", racks, blocks, ratio, reduces, first, got, best)
		}
	})
}

// TestLongBounds: of prefixes with all racks that hold input the bound is what they move, where no
// two remainders are equal.
func TestLongBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 300 {
		racks, holding := 2+r.IntN(40), 0
		blocks := []Block{{Bytes: 20 * r.Float64()}}
		for q := range r.IntN(racks) {
			blocks = append(blocks, Block{Bytes: r.ExpFloat64(), Racks: []int{q}})
			holding++
		}
		s := newSearch(racks, blocks, .7, 1+r.IntN(200), nil)
		first := max(1, holding)
		for i, bound := range s.bounds(first) {
			// Racks at the level have equal remainders, and what they move is the same whichever
			// has the seat.
			remote, crossing := s.prefix(first + i)
			if total := remote + crossing; math.Abs(bound-total) > 1e-9*total {
				t.Fatalf("%d of %d racks, %v, %d reduces: bound %v, want %v", first+i, racks, blocks, s.tasks, bound, total)
			}
		}
	}
}
