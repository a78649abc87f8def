package precedence

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
)

// u128 is an unsigned integer of 128 bits. Callers keep sums below 2^127 and sums of products below
// 2^128.
type u128 struct{ hi, lo uint64 }

func (a u128) plus(b u128) u128 {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, c)
	return u128{hi, lo}
}

func (a u128) minus(b u128) u128 {
	lo, c := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, c)
	return u128{hi, lo}
}

// plusProduct returns a + x y.
func (a u128) plusProduct(x, y uint64) u128 {
	hi, lo := bits.Mul64(x, y)
	return a.plus(u128{hi, lo})
}

func (a u128) less(b u128) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a u128) isZero() bool { return a.hi|a.lo == 0 }

// times returns all 256 bits of a b, the least word first.
func (a u128) times(b u128) (r [4]uint64) {
	h, l := bits.Mul64(a.lo, b.lo)
	r[0], r[1] = l, h
	for _, f := range [2][2]uint64{{a.hi, b.lo}, {a.lo, b.hi}} {
		var c uint64
		h, l = bits.Mul64(f[0], f[1])
		r[1], c = bits.Add64(r[1], l, 0)
		r[2], c = bits.Add64(r[2], h, c)
		r[3] += c
	}
	var c uint64
	h, l = bits.Mul64(a.hi, b.hi)
	r[2], c = bits.Add64(r[2], l, 0)
	r[3] += h + c
	return r
}

// approx returns a to a few parts in 2^53.
func (a u128) approx() float64 { return float64(a.hi)*(1<<64) + float64(a.lo) }

// float returns a 2^exp rounded to the nearest float64, or down.
func (a u128) float(exp int, down bool) float64 {
	i := new(big.Int).SetUint64(a.hi)
	i.Lsh(i, 64).Or(i, new(big.Int).SetUint64(a.lo))
	f := new(big.Float).SetPrec(128).SetInt(i)
	x, err := f.SetMantExp(f, exp).Float64()
	if down && err == big.Above {
		x = math.Nextafter(x, 0)
	}
	return x
}

// ratio is the weight over the work of one job or of a block of jobs, as two whole numbers.
type ratio struct{ weight, work u128 }

func (a ratio) plus(b ratio) ratio { return ratio{a.weight.plus(b.weight), a.work.plus(b.work)} }

// divisor returns the work, or 1 for nothing over nothing, which counts as 0: a bare comparison of
// the cross products would find it equal to everything, and equality would not be transitive.
func (a ratio) divisor() u128 {
	if a.work.isZero() && a.weight.isZero() {
		return u128{lo: 1}
	}
	return a.work
}

// compare orders by weight/work exactly.
func (a ratio) compare(b ratio) int {
	p, q := a.divisor(), b.divisor()
	if a.weight.hi|p.hi|b.weight.hi|q.hi == 0 {
		xh, xl := bits.Mul64(a.weight.lo, q.lo)
		yh, yl := bits.Mul64(b.weight.lo, p.lo)
		if xh != yh {
			return cmp.Compare(xh, yh)
		}
		return cmp.Compare(xl, yl)
	}
	x, y := a.weight.times(q), b.weight.times(p)
	for k := 3; k >= 0; k-- {
		if x[k] != y[k] {
			return cmp.Compare(x[k], y[k])
		}
	}
	return 0
}
