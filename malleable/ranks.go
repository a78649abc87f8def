package malleable

import "math/bits"

// ranks is a set of ranks 0 to n-1 as a tree of bits: a bit of a level says whether the word below
// it has any. Three levels do for a quarter of a million jobs, four for sixteen million.
type ranks [][]uint64

// reset makes the set empty with room for n.
func (s *ranks) reset(n int) {
	level := 0
	for {
		n = (n + 63) / 64
		if level == len(*s) {
			if level < cap(*s) {
				*s = (*s)[:level+1]
			} else {
				*s = append(*s, nil)
			}
		}
		if cap((*s)[level]) < n {
			(*s)[level] = make([]uint64, n)
		} else {
			(*s)[level] = (*s)[level][:n]
			clear((*s)[level])
		}
		level++
		if n <= 1 {
			break
		}
	}
	*s = (*s)[:level]
}

func (s ranks) add(r int32) {
	i := uint32(r)
	for _, level := range s {
		w := &level[i>>6]
		was := *w
		*w = was | 1<<(i&63)
		if was != 0 {
			return
		}
		i >>= 6
	}
}

func (s ranks) remove(r int32) {
	i := uint32(r)
	for _, level := range s {
		w := &level[i>>6]
		*w &^= 1 << (i & 63)
		if *w != 0 {
			return
		}
		i >>= 6
	}
}

// next returns the least element >= r, -1 if there is none.
func (s ranks) next(r int32) int32 {
	i := int(r)
	for level := 0; level < len(s); level++ {
		word := i >> 6
		if word >= len(s[level]) {
			return -1
		}
		if w := s[level][word] >> (i & 63); w != 0 {
			i += bits.TrailingZeros64(w)
			for level--; level >= 0; level-- {
				i = i<<6 + bits.TrailingZeros64(s[level][i])
			}
			return int32(i)
		}
		i = word + 1
	}
	return -1
}

// prev returns the greatest element <= r, -1 if there is none.
func (s ranks) prev(r int32) int32 {
	i := int(r)
	for level := 0; level < len(s); level++ {
		if i < 0 {
			return -1
		}
		word := i >> 6
		if w := s[level][word] << (63 - i&63); w != 0 {
			i -= bits.LeadingZeros64(w)
			for level--; level >= 0; level-- {
				i = i<<6 + 63 - bits.LeadingZeros64(s[level][i])
			}
			return int32(i)
		}
		i = word - 1
	}
	return -1
}
