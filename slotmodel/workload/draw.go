package workload

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// Every value that this package draws takes exactly one Uint64 of the source and is the inverse of its distribution function
// there. So the i-th value depends on i and the source only, and the same source with other parameters gives values that rise
// and fall together, which takes the noise out of a comparison.

// unit draws u, the middle of one of 2^53 equal parts of (0, 1), and returns it and 1-u: odd multiples of 2^-54. The smaller of
// the two is exact, the other one rounded, to 1 at most; functions of u start from the smaller one.
func unit(src rand.Source) (u, rest float64) {
	k := int64(src.Uint64()>>11)<<1 | 1
	return float64(k) / (1 << 54), float64(1<<54-k) / (1 << 54)
}

// standardExponential is -log(1-u) of the u that unit draws.
func standardExponential(src rand.Source) float64 {
	u, rest := unit(src)
	if u < rest {
		return -math.Log1p(-u)
	}
	return -math.Log(rest)
}

// standardNormal is the u-quantile of the normal distribution for the u that unit draws; 1-u in its place gives exactly -z.
func standardNormal(src rand.Source) float64 {
	u, rest := unit(src)
	if u < rest {
		return mathext.NormalQuantile(u)
	}
	return -mathext.NormalQuantile(rest)
}
