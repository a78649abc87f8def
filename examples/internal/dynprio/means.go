package dynprio

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
)

// later are a user's times without the first: that job starts when the cluster is empty.
func (o *outcome) later(user int) []float64 { return o.times[user][min(1, len(o.times[user])):] }

// mean is a user's mean time of a later job; NaN: none has ended.
func (o *outcome) mean(user int) float64 { return numbers.Mean(o.later(user)) }

// meanOf is mean as a function of an outcome, and spread the range of the times.
func meanOf(user int) func(o *outcome) float64 {
	return func(o *outcome) float64 { return o.mean(user) }
}

func spread(user int) func(o *outcome) float64 {
	return func(o *outcome) float64 { return rangeOf(o.later(user)) }
}

// rangeOf is the largest number less the least; of none NaN.
func rangeOf(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return slices.Max(list) - slices.Min(list)
}

// lost is the percentage of the work that was lost.
func lost(o *outcome) float64 { return 100 * o.lost }

// less is the interval of what scenario b gave less what a gave, seed by seed.
func less(b, a []outcome, what func(o *outcome) float64) numbers.Interval {
	return numbers.Over(numbers.Differences(numbers.Column(b, what), numbers.Column(a, what)))
}
