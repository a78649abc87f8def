package fairqueue

import (
	"math"
	"math/bits"
)

// fixed is a number in [0, 2^208) in whole multiples of 2^-176, the lowest word first. Costs and
// their sums are exact, and quotients by a weight to a part in 2^55: a tag that stands at 2^120
// still resolves a quotient of 2^-120, and 2^80 of the greatest add up.
type fixed [6]uint64

const fraction = 176 // bits behind the point

// split returns m and e with x = m 2^e, for a normal float64 x above 0.
func split(x float64) (m uint64, e int) {
	u := math.Float64bits(x)
	return u&(1<<52-1) | 1<<52, int(u>>52) - 1075
}

// fixedOf returns x, which is 0 or a float64 in [2^-124, 2^207].
func fixedOf(x float64) fixed {
	if x == 0 {
		return fixed{}
	}
	m, e := split(x)
	return fixed{m}.shift(e + fraction)
}

// add returns f + g.
func (f fixed) add(g fixed) fixed {
	var carry uint64
	for k := range f {
		f[k], carry = bits.Add64(f[k], g[k], carry)
	}
	return f
}

// sub returns f - g, or 0 if that is negative.
func (f fixed) sub(g fixed) fixed {
	var borrow uint64
	for k := range f {
		f[k], borrow = bits.Sub64(f[k], g[k], borrow)
	}
	if borrow != 0 {
		return fixed{}
	}
	return f
}

// over returns f / x, rounded down, for a weight x.
func (f fixed) over(x float64) fixed {
	m, e := split(x)
	z := bits.TrailingZeros64(m)
	if m, e = m>>z, e+z; m > 1 {
		var rest uint64
		for k := len(f) - 1; k >= 0; k-- {
			if rest > 0 || f[k] > 0 { // most costs leave most words 0
				f[k], rest = bits.Div64(rest, f[k], m)
			}
		}
	}
	return f.shift(-e)
}

// shift returns f times 2^n, rounded down. No bit may leave at the top.
func (f fixed) shift(n int) (g fixed) {
	if n == 0 {
		return f
	}
	w, b := n>>6, uint(n&63) // n = 64 w + b
	for k := range g {
		if j := k - w; j >= 0 && j < len(f) {
			g[k] = f[j] << b
		}
		if j := k - w - 1; b > 0 && j >= 0 && j < len(f) {
			g[k] |= f[j] >> (64 - b)
		}
	}
	return g
}

// cmp returns -1, 0 or 1 as f is less than, equal to or greater than g.
func (f *fixed) cmp(g *fixed) int {
	for k := len(f) - 1; k >= 0; k-- {
		if f[k] != g[k] {
			if f[k] < g[k] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// float returns f as a float64, of the upper 64 bits of f: it never decreases while f grows.
func (f *fixed) float() float64 {
	k := len(f) - 1
	for k > 0 && f[k] == 0 {
		k--
	}
	upper, zeros := f[k], bits.LeadingZeros64(f[k])
	if k > 0 {
		upper = upper<<zeros | f[k-1]>>(64-zeros)
		return math.Ldexp(float64(upper), 64*k-zeros-fraction)
	}
	return math.Ldexp(float64(upper), -fraction)
}

const (
	minWeight = 0x1p-60
	maxWeight = 0x1p60
	minCost   = 0x1p-60
	maxCost   = 0x1p60
	minTag    = 0x1p-124 // below any quotient of a cost by a weight
	maxTag    = 0x1p200  // far above what costs add up to
)

const (
	badTag    = "want a number in [0, 2^200]"
	badCost   = "want 0 or a number in [2^-60, 2^60]"
	badWeight = "want a number in [2^-60, 2^60]"
)

func validWeight(weight float64) bool { return weight >= minWeight && weight <= maxWeight }

func validCost(cost float64) bool { return cost == 0 || cost >= minCost && cost <= maxCost }
