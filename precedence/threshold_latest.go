package precedence

import "math"

// latestLinear returns the greatest float64 t with times(weight, t-deadline) <= z. The quotient is a guess: rounding puts
// it one step too early or too late now and then, and where the product is subnormal or the deadline absorbs t, by many.
// So it is corrected by steps that double and then halve, over the float64 in order.
func latestLinear(weight, deadline, z float64) float64 {
	switch {
	case weight == 0 && z >= 0, z > math.MaxFloat64:
		return math.Inf(1)
	case !(weight > 0) || !(z >= -math.MaxFloat64):
		return math.Inf(-1)
	}
	at := func(t float64) bool { return times(weight, t-deadline) <= z }
	guess := min(max(deadline+z/weight, -math.MaxFloat64), math.MaxFloat64)
	lo, hi := rank(guess), rank(guess)
	first, last := rank(-math.MaxFloat64), rank(math.MaxFloat64)
	if at(guess) {
		for step := uint64(1); ; step *= 2 {
			if lo == last {
				return math.Inf(1)
			}
			hi = last
			if step > 0 && step < uint64(last-lo) {
				hi = lo + int64(step)
			}
			if !at(unrank(hi)) {
				break
			}
			lo = hi
		}
	} else {
		for step := uint64(1); ; step *= 2 {
			if hi == first {
				return math.Inf(-1)
			}
			lo = first
			if step > 0 && step < uint64(hi-first) {
				lo = hi - int64(step)
			}
			if at(unrank(lo)) {
				break
			}
			hi = lo
		}
	}
	for uint64(hi-lo) > 1 { // at(lo) holds and at(hi) does not; the distance needs 64 bits, so it is unsigned
		m := lo + int64(uint64(hi-lo)/2)
		if at(unrank(m)) {
			lo = m
		} else {
			hi = m
		}
	}
	return unrank(lo)
}

// rank numbers the float64 in ascending order, -0 and 0 alike; unrank is its inverse.
func rank(x float64) int64 {
	b := int64(math.Float64bits(x))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

func unrank(r int64) float64 {
	if r < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - r))
	}
	return math.Float64frombits(uint64(r))
}

// middle returns a float64 in [lo, hi) for lo < hi, halfway by value or by rank. Halving by value is quick in the usual case, by
// rank it ends after 64 steps wherever the two are.
func middle(lo, hi float64, byRank bool) float64 {
	m := lo/2 + hi/2
	if byRank || !(math.Abs(m) <= math.MaxFloat64) {
		a, b := rank(max(lo, -math.MaxFloat64)), rank(min(hi, math.MaxFloat64))
		m = unrank(a + int64(uint64(b-a)/2))
	}
	if !(m >= lo && m < hi) {
		return lo
	}
	return m
}
