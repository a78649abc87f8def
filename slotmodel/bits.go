package slotmodel

import "math/bits"

// bitset is a set of 0..n-1 whose next element is found by looking at one word on each of its
// levels: a bit of a level says that the word below it is not empty.
type bitset struct {
	levels [][]uint64
}

func newBitset(n int) bitset {
	var b bitset
	for {
		n = (n + 63) / 64
		b.levels = append(b.levels, make([]uint64, max(n, 1)))
		if n <= 1 {
			return b
		}
	}
}

func (b *bitset) set(i int32) {
	for _, level := range b.levels {
		w := &level[i>>6]
		was := *w
		*w |= 1 << (i & 63)
		if was != 0 {
			return
		}
		i >>= 6
	}
}

func (b *bitset) clear(i int32) {
	for _, level := range b.levels {
		w := &level[i>>6]
		*w &^= 1 << (i & 63)
		if *w != 0 {
			return
		}
		i >>= 6
	}
}

func (b *bitset) has(i int32) bool { return b.levels[0][i>>6]&(1<<(i&63)) != 0 }

// next returns the least element > after, or -1.
func (b *bitset) next(after int32) int32 {
	i := after + 1
	for l := 0; l < len(b.levels); l++ {
		level := b.levels[l]
		if int(i>>6) >= len(level) {
			return -1
		}
		if w := level[i>>6] >> (i & 63); w != 0 {
			i += int32(bits.TrailingZeros64(w))
			for l--; l >= 0; l-- {
				i = i<<6 + int32(bits.TrailingZeros64(b.levels[l][i]))
			}
			return i
		}
		i = i>>6 + 1
	}
	return -1
}
