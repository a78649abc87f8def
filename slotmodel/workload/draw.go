package workload

import (
	"math/bits"
	"math/rand/v2"
)

// Every value that this package draws takes exactly one Uint64 of the source and is the quantile of
// its distribution there. So the i-th value depends on i and the source only, and the same source
// with other parameters gives values that rise and fall together, which takes the noise out of a
// comparison.

// uniform draws the middle of one of 2^52 equal parts of (0, 1). It and its distance from 1 are
// exact: odd multiples of 2^-53.
func uniform(src rand.Source) float64 { return (float64(src.Uint64()>>12) + 0.5) / (1 << 52) }

// maxUniform is the largest number that uniform draws.
const maxUniform = 1 - 0x1p-53

// below draws one of 0..n-1 from one Uint64; their chances differ by less than n/2^64 of one.
func below(src rand.Source, n int) int {
	hi, _ := bits.Mul64(src.Uint64(), uint64(n))
	return int(hi)
}

// permute puts xs in random order with len(xs)-1 Uint64 of src (Fisher-Yates).
func permute[T any](xs []T, src rand.Source) {
	for i := len(xs) - 1; i > 0; i-- {
		j := below(src, i+1)
		xs[i], xs[j] = xs[j], xs[i]
	}
}
