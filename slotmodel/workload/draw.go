package workload

import "math/rand/v2"

// Every value that this package draws takes exactly one Uint64 of the source and is the inverse of its distribution function
// there. So the i-th value depends on i and the source only, and the same source with other parameters gives values that rise and
// fall together, which takes the noise out of a comparison.

// unit is the middle of one of 2^53 equal parts of (0, 1), as an exact odd multiple of 2^-54, neither 0 nor 1. Halves above
// 2^-1 do not fit a float64 exactly, so the two halves of the range are told apart: it returns u and 1-u with min(u, 1-u) exact.
func unit(src rand.Source) (u, rest float64) {
	k := src.Uint64() >> 11
	const half = 1 << 52
	const step = 1.0 / (1 << 54)
	if k < half {
		u = float64(float64(int64(2*k+1)) * step)
		return u, 1 - u
	}
	rest = float64(float64(int64(2*(1<<53-k)-1)) * step)
	return 1 - rest, rest
}

// signed is 2u-1 of the u that unit would draw, exactly.
func signed(src rand.Source) float64 {
	return float64(2*int64(src.Uint64()>>11)+1-1<<53) / (1 << 53)
}

// standardExponential is -log(1-u) of the u that unit would draw, kept accurate at both ends.
func standardExponential(src rand.Source) float64 {
	u, rest := unit(src)
	if u < 1.0/(1<<20) {
		// -log(1-u) = u + u^2/2 + u^3/3 + ..., where 1-u has lost u's digits.
		return u + float64(float64(u*u)*(1.0/2+float64(u*(1.0/3))))
	}
	return -log(rest)
}
