package precedence

import (
	"math"
	"math/bits"
)

// scale turns non-negative float64 values, which are whole multiples of powers of two, into whole numbers.
type scale struct {
	f1, f2 float64 // a value times f1 times f2 is its whole number, and neither product rounds, unless rounded
	exp    int     // 2^exp is the unit
	bits   int     // the sum of all is below 2^bits
	down   bool    // the unit is larger than some value's last bit: whole numbers are rounded down
}

// newScale finds the largest unit of which all of xs are multiples, or, where the sum would then need more than most bits, the
// smallest with which it does not. The values are finite and not negative, and sum is theirs, rounded.
func newScale(xs []float64, sum float64, most int) scale {
	low := math.MaxInt
	for _, x := range xs {
		b := math.Float64bits(x) &^ (1 << 63)
		if b == 0 {
			continue
		}
		e, m := int(b>>52), b&(1<<52-1)
		if e > 0 {
			m |= 1 << 52
		} else {
			e = 1
		}
		low = min(low, e-1075+bits.TrailingZeros64(m))
	}
	if low == math.MaxInt {
		low = 0
	}
	// Rounded in any order, n additions are off by at most n parts in 2^53, far below the half of a bit that is added here.
	_, high := math.Frexp(sum * 1.5)
	s := scale{exp: low, bits: max(0, high-low)}
	if s.bits > most {
		s.exp, s.bits, s.down = high-most, most, true
	}
	half := -s.exp / 2
	s.f1, s.f2 = math.Ldexp(1, half), math.Ldexp(1, -s.exp-half)
	return s
}

// whole returns the whole number of x.
func (s *scale) whole(x float64) u128 {
	x = x * s.f1 * s.f2
	if x < 1<<63 {
		return u128{0, uint64(int64(x))}
	}
	hi := uint64(int64(x / (1 << 64)))
	return u128{hi, uint64(x - float64(hi)*(1<<64))}
}

// whole64 is whole for sums below 2^63.
func (s *scale) whole64(x float64) uint64 { return uint64(int64(x * s.f1 * s.f2)) }
