package shuffle_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/shuffle"
)

// Whatever the arguments: an InputError, or a plan of different racks that has all bytes and
// reduces, with traffic that is a number.
func FuzzMapRacks(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		racks, blocks, total := 1+b.Below(6), make([]shuffle.Block, b.Below(9)), 0.0
		for i := range blocks {
			blocks[i].Bytes = b.Number()
			total += blocks[i].Bytes
			for range b.Below(3) {
				blocks[i].Racks = append(blocks[i].Racks, b.Below(racks+1)) // one too many at times
			}
		}
		ratio, reduces, o := b.Number(), b.Below(20)-1, shuffle.Options{MinRacks: b.Below(3)}
		if b.Below(2) == 0 {
			o.Load = b.Numbers(racks)
		}
		for len(o.Slots) < racks && b.Below(2) == 0 {
			o.Slots = append(o.Slots, b.Below(9))
		}
		p, err := shuffle.MapRacks(racks, blocks, ratio, reduces, o)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("MapRacks(%v, %d, %v, %d, %+v) = %v, want an InputError", blocks, racks, ratio, reduces, o, err)
			}
			return
		}
		chosen, maps, placed := slices.Clone(p.Racks), 0.0, 0
		slices.Sort(chosen)
		for r := range racks {
			maps, placed = maps+p.Maps[r], placed+p.Reduces[r]
		}
		if len(slices.Compact(chosen)) != len(p.Racks) || len(p.Racks) < min(racks, max(1, o.MinRacks)) || !(math.Abs(maps-total) <= 1e-9*total) || total > 0 && placed != reduces {
			t.Errorf("MapRacks(%v, %d, %v, %d, %+v) = %+v", blocks, racks, ratio, reduces, o, p)
		}
		for _, x := range slices.Concat(p.Maps, []float64{p.RemoteMap, p.CrossShuffle, p.Spread}) {
			if !(x >= 0) {
				t.Errorf("MapRacks(%v, %d, %v, %d, %+v) = %+v", blocks, racks, ratio, reduces, o, p)
			}
		}
	})
}

// Whatever the arguments: an InputError, or a rack for each partition within the slots, with no
// more bytes that cross racks than filling the racks one after the other has.
func FuzzPlaceReduces(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		slots, bytes := make([]int, b.Below(6)), make([][]float64, b.Below(9))
		var filled []int
		for q := range slots {
			for slots[q] = b.Below(4); len(filled) < len(bytes) && slots[q] > 0 && slices.Index(filled, q) < 0; {
				filled = append(filled, slices.Repeat([]int{q}, min(slots[q], len(bytes)-len(filled)))...)
			}
		}
		for i := range bytes {
			bytes[i] = b.Numbers(len(slots))
		}
		of, err := shuffle.PlaceReduces(nil, slots, bytes)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) || of != nil {
				t.Fatalf("PlaceReduces(%v, %v) = %v, %v, want nil and an InputError", bytes, slots, of, err)
			}
			return
		}
		kept, simple, most, used := 0.0, 0.0, 0.0, make([]int, len(slots))
		for i, q := range of {
			kept, simple, most = kept+bytes[i][q], simple+bytes[i][filled[i]], max(most, slices.Max(bytes[i]))
			if used[q]++; used[q] > slots[q] {
				t.Errorf("PlaceReduces(%v, %v) = %v: too many on rack %d", bytes, slots, of, q)
			}
		}
		if !(kept >= simple-1e-9*most) {
			t.Errorf("PlaceReduces(%v, %v) = %v keeps %v bytes in their racks, %v keeps %v", bytes, slots, of, kept, filled, simple)
		}
	})
}
