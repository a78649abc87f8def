package flow

import "math"

// clock is a number of bytes per unit of weight, hi + lo unevaluated with |lo| <= ulp(hi)/2. Plain float64 would
// round a small flow's tag to the spacing of a clock that large flows have carried far.
type clock struct{ hi, lo float64 }

// add returns c + x with a relative error below 2^-104.
func (c clock) add(x float64) clock {
	s := c.hi + x
	v := s - c.hi
	e := (c.hi - (s - v)) + (x - v) + c.lo
	hi := s + e
	return clock{hi, e - (hi - s)}
}

// plus returns c + b, with an error below 2^-104 of |c| + |b|.
func (c clock) plus(b clock) clock {
	s := c.hi + b.hi
	v := s - c.hi
	e := (c.hi - (s - v)) + (b.hi - v) + (c.lo + b.lo)
	hi := s + e
	return clock{hi, e - (hi - s)}
}

// sub returns c - b, with an error like that of plus.
func (c clock) sub(b clock) clock { return c.plus(clock{-b.hi, -b.lo}) }

// since returns c - b rounded to float64.
func (c clock) since(b clock) float64 { return (c.hi - b.hi) + (c.lo - b.lo) }

// value returns c rounded to float64.
func (c clock) value() float64 { return c.hi + c.lo }

// before is the order of values.
func (c clock) before(b clock) bool { return c.hi < b.hi || c.hi == b.hi && c.lo < b.lo }

// later returns the later of two instants.
func later(s, t float64) float64 {
	if t > s {
		return t
	}
	return s
}

// lesser returns the less of x and y, both >= +0, whose bits are then in the order of their values. As integers they
// are chosen without a branch; which of two rates or times is less cannot be predicted.
func lesser(x, y float64) float64 {
	return math.Float64frombits(min(math.Float64bits(x), math.Float64bits(y)))
}

// least returns the least of xs, all >= +0; +Inf if there are none.
func least(xs []float64) float64 {
	a, b, c, d := infBits, infBits, infBits, infBits
	for ; len(xs) >= 4; xs = xs[4:] {
		a = min(a, math.Float64bits(xs[0]))
		b = min(b, math.Float64bits(xs[1]))
		c = min(c, math.Float64bits(xs[2]))
		d = min(d, math.Float64bits(xs[3]))
	}
	for _, x := range xs {
		a = min(a, math.Float64bits(x))
	}
	return math.Float64frombits(min(a, b, c, d))
}
