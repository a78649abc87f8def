package shuffle

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestBounds: no prefix moves less than its bound; beside blocks without a copy one that holds all
// racks with input, where no two quotas have equal remainders, moves just that; and best finds what
// evaluating every prefix finds.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks := rapid.IntRange(1, 40).Draw(t, "racks")
		unit := rapid.SampledFrom([]float64{1, .1, 64e6, 1. / 3}).Draw(t, "unit")
		some := rapid.SliceOfNDistinct(rapid.IntRange(0, rapid.IntRange(0, racks-1).Draw(t, "last")), 0, 3, rapid.ID[int])
		var blocks []Block
		rng, anyBytes := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), rapid.Bool().Draw(t, "any bytes")
		holding := map[int]bool{}
		for range rapid.IntRange(0, 40).Draw(t, "blocks") {
			b := Block{Bytes: unit * float64(rapid.IntRange(0, 9).Draw(t, "bytes")), Racks: some.Draw(t, "where")}
			if anyBytes { // hardly two remainders are equal
				b.Bytes = 1 + rng.Float64()
			}
			for _, q := range b.Racks {
				holding[q] = true
			}
			blocks = append(blocks, b)
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
			} else if anyBytes && s.nowhere > 0 && k >= len(holding) && k-first < len(bounds) && bounds[k-first] < total-slack {
				t.Fatalf("%d of %d racks, %v, ratio %v, %d reduces: bound %v, want the %v that move", k, racks, blocks, ratio, reduces, bounds[k-first], total)
			}
		}
		if got := s.best(first); got != best {
			t.Fatalf("%d racks, %v, ratio %v, %d reduces: best prefix from %d is %d, want %d", racks, blocks, ratio, reduces, first, got, best)
		}
	})
}
