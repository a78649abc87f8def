package precedence

import "math"

// latestLinear returns the greatest float64 t with times(weight, t-deadline) <= z. The quotient is a guess: as a rule rounding puts it
// at most a step too early or too late, but many steps where the product is subnormal or the deadline absorbs t. So t is found by
// bisection over the float64 in order, within two steps of the guess if t is there and over all of them otherwise.
func latestLinear(weight, deadline, z float64) float64 {
	switch {
	case weight == 0 && z >= 0, z > math.MaxFloat64:
		return math.Inf(1)
	case !(weight > 0) || !(z >= -math.MaxFloat64):
		return math.Inf(-1)
	}
	early := func(r int64) bool { return times(weight, unrank(r)-deadline) <= z }
	first, last := rank(-math.MaxFloat64), rank(math.MaxFloat64)
	guess := rank(min(max(deadline+z/weight, -math.MaxFloat64), math.MaxFloat64))
	lo, hi := guess-2, guess+2
	if lo < first || !early(lo) {
		lo = rank(math.Inf(-1)) // earlier than any t
	}
	if hi > last || early(hi) {
		hi = rank(math.Inf(1)) // later than any t
	}
	for uint64(hi-lo) > 1 { // early(lo) and not early(hi); the distance needs 64 bits, so it is unsigned
		if m := lo + int64(uint64(hi-lo)/2); early(m) {
			lo = m
		} else {
			hi = m
		}
	}
	if lo == last {
		return math.Inf(1)
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
