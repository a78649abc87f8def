package dynamicshare

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// countBelow returns how many intervals lie below x.
func countBelow(list []report.Interval, x float64) int {
	return report.Number(list, func(i report.Interval) bool { return i.High() < x })
}

// allBelow and allAbove say whether all intervals lie below, or above, x.
func allBelow(list []report.Interval, x float64) bool { return countBelow(list, x) == len(list) }

func allAbove(list []report.Interval, x float64) bool {
	return !slices.ContainsFunc(list, func(i report.Interval) bool { return !(i.Low() > x) })
}

// anyMean says whether a mean is above x.
func anyMean(list []report.Interval, x float64) bool {
	return slices.ContainsFunc(list, func(i report.Interval) bool { return i.Mean > x })
}

// span writes the least and the largest mean.
func span(list []report.Interval) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range list {
		low, high = min(low, i.Mean), max(high, i.Mean)
	}
	return report.Fixed(low) + " to " + report.Fixed(high)
}
