package exact

import (
	"math"
	"math/bits"
)

// Wide is an exact sum like Sum that may also be negative: one integer of 512 bits over 2^-256, in two's complement, its
// least word first. It takes more room than most Sums and less time, above all to read. The terms are positive float64
// values in [2^-200, 2^200], at most 2^40 of them. The zero value is an empty sum.
type Wide [8]uint64

// place returns the words that x adds to words k and k+1.
func place(x float64) (lo, hi uint64, k uint) {
	b := math.Float64bits(x)
	m := b&(1<<52-1) | 1<<52
	p := uint(b>>52) - (1075 - 256) // x is m 2^p in units of 2^-256
	return m << (p & 63), m >> 1 >> (^p & 63), p >> 6 & 7
}

// Add adds x.
func (s *Wide) Add(x float64) {
	lo, hi, k := place(x)
	var c uint64
	s[k], c = bits.Add64(s[k], lo, 0)
	k = (k + 1) & 7
	s[k], c = bits.Add64(s[k], hi, c)
	for k++; c != 0 && k < 8; k++ {
		s[k], c = bits.Add64(s[k], 0, c)
	}
}

// Sub takes x away.
func (s *Wide) Sub(x float64) {
	lo, hi, k := place(x)
	var b uint64
	s[k], b = bits.Sub64(s[k], lo, 0)
	k = (k + 1) & 7
	s[k], b = bits.Sub64(s[k], hi, b)
	for k++; b != 0 && k < 8; k++ {
		s[k], b = bits.Sub64(s[k], 0, b)
	}
}

// Float returns the sum as a float64. It is off by less than 0.51 units in the last place: the first 64 bits of the sum are
// rounded and the others are not looked at, so that a sum of terms scaled by a power of two gives the same bits.
func (s *Wide) Float() float64 {
	if s[7]>>63 != 0 {
		var neg Wide
		var b uint64
		for k := range s {
			neg[k], b = bits.Sub64(0, s[k], b)
		}
		return -neg.Float()
	}
	k := 7
	for k > 0 && s[k] == 0 {
		k--
	}
	top, next := s[k], uint64(0)
	if k > 0 {
		next = s[k-1]
	}
	zeros := bits.LeadingZeros64(top)
	first := top<<zeros | next>>(64-zeros)
	return float64(first) * math.Float64frombits(uint64(64*k-256-zeros+1023)<<52)
}
