package precedence

import "math/bits"

// indexSet is a set of indices below n with the least at hand: a bit for each, and above each 64 words one word that says which
// are not zero.
type indexSet [][]uint64

func newIndexSet(n int) indexSet {
	var s indexSet
	for n > 1 || len(s) == 0 {
		n = (n + 63) / 64
		s = append(s, make([]uint64, n))
	}
	return s
}

func (s indexSet) add(i int32) {
	for _, level := range s {
		level[i>>6] |= 1 << (i & 63)
		i >>= 6
	}
}

// takeLeast removes the least index and returns it, or -1.
func (s indexSet) takeLeast() int32 {
	top := len(s) - 1
	if len(s[top]) == 0 || s[top][0] == 0 {
		return -1
	}
	i := int32(0)
	for k := top; k >= 0; k-- {
		i = i<<6 | int32(bits.TrailingZeros64(s[k][i]))
	}
	for k, j := 0, i; k <= top; k++ {
		s[k][j>>6] &^= 1 << (j & 63)
		if s[k][j>>6] != 0 {
			break
		}
		j >>= 6
	}
	return i
}
