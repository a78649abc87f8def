// Package u128 computes with whole numbers of 128 bits: products of two numbers of 64 bits, their
// sums, and the products of such sums, without rounding.
package u128

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
)

// T is a whole number from 0 to 2^128 - 1. No operation looks for an overflow.
type T struct{ Hi, Lo uint64 }

// Of returns x.
func Of(x uint64) T { return T{0, x} }

// Plus returns a + b.
func (a T) Plus(b T) T {
	lo, c := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(a.Hi, b.Hi, c)
	return T{hi, lo}
}

// Minus returns a - b, for b no larger than a.
func (a T) Minus(b T) T {
	lo, c := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(a.Hi, b.Hi, c)
	return T{hi, lo}
}

// PlusProduct returns a + x y.
func (a T) PlusProduct(x, y uint64) T {
	hi, lo := bits.Mul64(x, y)
	return a.Plus(T{hi, lo})
}

// Less says whether a < b.
func (a T) Less(b T) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// IsZero says whether a is 0.
func (a T) IsZero() bool { return a.Hi|a.Lo == 0 }

// CompareProducts returns -1, 0 or 1 as a b is less than, equal to or greater than c d, in all 256
// bits.
func CompareProducts(a, b, c, d T) int {
	if a.Hi|b.Hi|c.Hi|d.Hi == 0 {
		xh, xl := bits.Mul64(a.Lo, b.Lo)
		yh, yl := bits.Mul64(c.Lo, d.Lo)
		if xh != yh {
			return cmp.Compare(xh, yh)
		}
		return cmp.Compare(xl, yl)
	}
	x, y := a.times(b), c.times(d)
	for k := 3; k >= 0; k-- {
		if x[k] != y[k] {
			return cmp.Compare(x[k], y[k])
		}
	}
	return 0
}

// times returns all 256 bits of a b, the least word first.
func (a T) times(b T) (r [4]uint64) {
	h, l := bits.Mul64(a.Lo, b.Lo)
	r[0], r[1] = l, h
	for _, f := range [2][2]uint64{{a.Hi, b.Lo}, {a.Lo, b.Hi}} {
		var c uint64
		h, l = bits.Mul64(f[0], f[1])
		r[1], c = bits.Add64(r[1], l, 0)
		r[2], c = bits.Add64(r[2], h, c)
		r[3] += c
	}
	var c uint64
	h, l = bits.Mul64(a.Hi, b.Hi)
	r[2], c = bits.Add64(r[2], l, 0)
	r[3] += h + c
	return r
}

// Approx returns a to a few parts in 2^53.
func (a T) Approx() float64 { return float64(float64(a.Hi)*(1<<64)) + float64(a.Lo) }

// Float returns a 2^exp rounded to the nearest float64, or down.
func (a T) Float(exp int, down bool) float64 {
	i := new(big.Int).SetUint64(a.Hi)
	i.Lsh(i, 64).Or(i, new(big.Int).SetUint64(a.Lo))
	f := new(big.Float).SetPrec(128).SetInt(i)
	x, err := f.SetMantExp(f, exp).Float64()
	if down && err == big.Above {
		x = math.Nextafter(x, 0)
	}
	return x
}
