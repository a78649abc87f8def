package flow

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

// plus returns c + b.
func (c clock) plus(b clock) clock { return c.add(b.hi).add(b.lo) }

// sub returns c - b.
func (c clock) sub(b clock) clock { return c.add(-b.hi).add(-b.lo) }

// since returns c - b rounded to float64.
func (c clock) since(b clock) float64 { return (c.hi - b.hi) + (c.lo - b.lo) }

// value returns c rounded to float64.
func (c clock) value() float64 { return c.hi + c.lo }

// before is the order of values.
func (c clock) before(b clock) bool { return c.hi < b.hi || c.hi == b.hi && c.lo < b.lo }
