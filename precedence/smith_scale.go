package precedence

import (
	"math"
	"math/bits"

	"github.com/schedmath/schedmath/internal/u128"
)

// scale turns non-negative float64 values, which are whole multiples of powers of two, into whole
// numbers.
type scale struct {
	// f1, f2: a value times f1 times f2 is its whole number, and neither product rounds, unless
	// rounded
	f1, f2 float64
	exp    int  // 2^exp is the unit
	bits   int  // the sum of all is below 2^bits
	down   bool // the unit is larger than some value's last bit: whole numbers are rounded down
}

// newScale finds the largest unit of which all of xs are multiples, or, where the sum would then
// need more than most bits, the smallest with which it does not. The values are finite and not
// negative.
func newScale(xs []float64, most int) scale {
	low, _ := unitExponent(xs)
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	// Rounded in any order, n additions are off by at most n parts in 2^53, far below the half of a
	// bit that is added here.
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
func (s *scale) whole(x float64) u128.T {
	x = float64(x * s.f1 * s.f2)
	if x < 1<<63 {
		return u128.Of(uint64(int64(x)))
	}
	hi := uint64(int64(x / (1 << 64)))
	return u128.T{Hi: hi, Lo: uint64(x - float64(float64(hi)*(1<<64)))}
}

// whole64 is whole for sums below 2^63.
func (s *scale) whole64(x float64) uint64 { return uint64(int64(x * s.f1 * s.f2)) }

// unitExponent returns the exponent of the largest power of two of which all of xs, finite, are
// multiples, or 0 and false if all are 0.
func unitExponent(xs []float64) (exp int, ok bool) {
	for _, x := range xs {
		if x == 0 {
			continue
		}
		e, mantissa := int(math.Float64bits(x)>>52&0x7ff), math.Float64bits(x)&(1<<52-1)
		if e == 0 { // subnormal
			e = 1
		} else {
			mantissa |= 1 << 52
		}
		e += bits.TrailingZeros64(mantissa) - 1075
		if !ok || e < exp {
			exp, ok = e, true
		}
	}
	return exp, ok
}

// ratio is the weight over the work of one job or of a block of jobs, as two whole numbers.
type ratio struct{ weight, work u128.T }

func (a ratio) plus(b ratio) ratio { return ratio{a.weight.Plus(b.weight), a.work.Plus(b.work)} }

// divisor returns the work, or 1 for nothing over nothing, which counts as 0: a bare comparison of
// the cross products would find it equal to everything, and equality would not be transitive.
func (a ratio) divisor() u128.T {
	if a.work.IsZero() && a.weight.IsZero() {
		return u128.Of(1)
	}
	return a.work
}

// compare orders by weight/work exactly.
func (a ratio) compare(b ratio) int {
	return u128.CompareProducts(a.weight, b.divisor(), b.weight, a.divisor())
}
