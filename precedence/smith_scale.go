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

// area is a sum of products of whole numbers, below 2^128.
type area struct{ hi, lo uint64 }

// add adds x y.
func (a *area) add(x, y uint64) {
	h, l := bits.Mul64(x, y)
	var c uint64
	a.lo, c = bits.Add64(a.lo, l, 0)
	a.hi, _ = bits.Add64(a.hi, h, c)
}

// float returns a 2^exp rounded to the nearest, or down.
func (a area) float(exp int, down bool) float64 {
	zeros := bits.LeadingZeros64(a.hi)
	if a.hi == 0 {
		zeros = 64 + bits.LeadingZeros64(a.lo)
	}
	var top, rest uint64 // the first 64 bits, the first of them set, and those after
	switch {
	case zeros == 0:
		top, rest = a.hi, a.lo
	case zeros < 64:
		top, rest = a.hi<<zeros|a.lo>>(64-zeros), a.lo<<zeros
	default:
		top = a.lo << (zeros - 64) // 0 if a is
	}
	if rest != 0 {
		top |= 1 // no longer half way
	}
	if down {
		top &^= 1<<11 - 1
	}
	// The two steps round once: float64 of 64 bits rounds, and Ldexp of a normal result does not.
	x := math.Ldexp(float64(top), 64-zeros+exp)
	if down && x < 0x1p-1022 { // Ldexp to a subnormal rounds
		x = math.Nextafter(x, 0)
	}
	return x
}

// pile is a sum in two float64 of which the second is below half a unit of the first.
type pile struct{ hi, lo float64 }

// add adds x without rounding except in lo. Cost: seven additions.
func (p *pile) add(x float64) {
	s := p.hi + x
	v := s - p.hi
	e := (p.hi - (s - v)) + (x - v) + p.lo
	p.hi = s + e
	p.lo = e - (p.hi - s)
}

// addProduct adds x (y.hi + y.lo).
func (p *pile) addProduct(x float64, y pile) {
	h := float64(x * y.hi)
	p.add(h)
	p.add(math.FMA(x, y.hi, -h) + float64(x*y.lo))
}
