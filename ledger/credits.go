package ledger

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/internal/input"
)

// Credits is an amount of money in whole micro-credits, so that sums are exact. As JSON it is that
// whole number.
type Credits int64

// Credit is one credit.
const Credit Credits = 1_000_000

// digits is the number of decimals of a credit.
const digits = 6

// String prints c in credits, with as many decimals as c needs: "12.5", "-0.000001". ParseCredits
// reads it back.
func (c Credits) String() string {
	sign, u := "", uint64(c)
	if c < 0 {
		sign, u = "-", -u
	}
	s := fmt.Sprintf("%s%d.%0*d", sign, u/uint64(Credit), digits, u%uint64(Credit))
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// ParseCredits reads an amount in credits, such as "4800", "-0.25" or "+1.000001":
// a sign or none, digits, and a point with one to six more digits or none.
//
// Errors: anything else, and what Credits cannot hold. The amount is then 0.
func ParseCredits(s string) (Credits, error) {
	whole, decimals, point := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole+decimals+strings.Repeat("0", max(0, digits-len(decimals))), 10, 64)
	if err != nil || strings.Trim(whole, "+-") == "" || point && decimals == "" || len(decimals) > digits {
		return 0, input.Bad("ledger.ParseCredits", "s", -1, "want digits, with up to six decimals, and at most 9223372036854.775807")
	}
	return Credits(n), nil
}

// Add returns c + d, and false where Credits cannot hold the sum.
func (c Credits) Add(d Credits) (Credits, bool) {
	s := c + d
	if (s > c) != (d > 0) {
		return 0, false
	}
	return s, true
}

// Sub returns c - d, and false where Credits cannot hold the difference.
func (c Credits) Sub(d Credits) (Credits, bool) {
	s := c - d
	if (s < c) != (d > 0) {
		return 0, false
	}
	return s, true
}

// Mul returns n times c, and false where Credits cannot hold the product.
func (c Credits) Mul(n int64) (Credits, bool) {
	product := c * Credits(n)
	if c != 0 && (product/c != Credits(n) || c == -1 && n == math.MinInt64) {
		return 0, false
	}
	return product, true
}
