package flow

import "math"

// clock is an unevaluated sum hi + lo with |lo| <= ulp(hi)/2: a reading of a class's byte clock,
// or a sum of bytes. A plain float64 would round the tag of a small flow to the spacing of a clock
// that large flows have carried far.
type clock struct{ hi, lo float64 }

// add returns c + x with a relative error below 2^-104, at most the greatest float64.
func (c clock) add(x float64) clock {
	s := c.hi + x
	v := s - c.hi
	e := (c.hi - (s - v)) + (x - v) + c.lo
	hi := s + e
	if !(hi <= math.MaxFloat64) { // s or hi overflows; then e or hi is +Inf or NaN
		return clock{hi: math.MaxFloat64}
	}
	return clock{hi, e - (hi - s)}
}

// since returns c - b rounded to float64.
func (c clock) since(b clock) float64 { return (c.hi - b.hi) + (c.lo - b.lo) }

// value returns c rounded to float64.
func (c clock) value() float64 { return c.hi + c.lo }

// times returns x*y rounded to float64, at most the greatest: a product of capacities, weights or
// times does not overflow.
func times(x, y float64) float64 { return min(float64(x*y), math.MaxFloat64) }
