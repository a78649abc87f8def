package dynamicshare

import (
	"math"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// every is a claim that several intervals decide: all of them must lie on one side of x. side is
// report.Claim.Above or Below.
func every(c report.Claim, list []numbers.Interval, x float64, side func(report.Claim, numbers.Interval, float64) report.Claim) report.Claim {
	var parts []report.Claim
	for _, i := range list {
		parts = append(parts, side(c, i, x))
	}
	return c.All(parts...)
}

// span writes the least and the largest mean.
func span(list []numbers.Interval) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range list {
		low, high = min(low, i.Mean), max(high, i.Mean)
	}
	return numbers.Fixed(low) + " to " + numbers.Fixed(high)
}
