package market

import (
	"math"
	"math/bits"

	"github.com/schedmath/schedmath/ledger"
)

// Credits is an amount of money in whole micro-credits.
type Credits = ledger.Credits

// Credit is one credit.
const Credit = ledger.Credit

// plus returns a + b, or the greatest Credits where these cannot hold the sum.
func plus(a, b Credits) Credits {
	if sum, ok := a.Add(b); ok {
		return sum
	}
	return math.MaxInt64
}

// times returns c >= 0 times t in [0, 2^62) plus rest, rounded to a whole number of micro-credits,
// and what the rounding left over: a fraction in [-1/2, 1/2] of a micro-credit, for rest the next
// time. It reports false where Credits cannot hold the product.
func times(c Credits, t, rest float64) (Credits, float64, bool) {
	whole := math.Floor(t)
	fraction := float64((t-whole)*float64(c)) + rest
	rounded := math.Floor(fraction)
	if fraction-rounded >= .5 { // and not Floor(fraction + .5), a sum that may round up to 1
		rounded++
	}
	hi, lo := bits.Mul64(uint64(c), uint64(whole))
	sum := lo + uint64(rounded)
	if hi > 0 || max(lo, sum) > math.MaxInt64 {
		return math.MaxInt64, 0, false
	}
	return Credits(sum), fraction - rounded, true
}
