package dynamicshare

import (
	"math"

	"github.com/schedmath/schedmath/internal/numbers"
)

// span writes the least and the largest mean.
func span(list []numbers.Interval) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range list {
		low, high = min(low, i.Mean), max(high, i.Mean)
	}
	return numbers.Fixed(low) + " to " + numbers.Fixed(high)
}
