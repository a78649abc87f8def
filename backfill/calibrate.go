package backfill

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Outcome is a forecast and what came of it.
type Outcome struct {
	Forecast Interval
	Start    float64 // +Inf: not known yet
}

const (
	recent = 1000 // outcomes of which the errors are remembered
	gain   = .01  // how fast the level follows misses: γ of [4]
)

// Calibrate appends, for each outcome, the interval that its forecast becomes by the errors of
// those before it: each bound is moved by a quantile of how far the last 1,000 starts lay beyond
// that bound, the quantile being steered so that in the long run a start is missed on each side in
// (1-level)/2 of the cases [4]. past is in the order in which starts become known, forecasts whose
// start is not known last: their intervals are those to give now. Until the first start is known a
// forecast stays as it is, and so does a bound that is not finite; Median stays, and lies within.
//
// In the long run the share of starts within the intervals tends to level while no error exceeds
// the largest of the last 1,000; under drift nothing is promised, nor ever for any one forecast.
// Cost: O(1,000) for each outcome.
//
// Errors: bounds that are NaN or not in order; a Start that is NaN or -Inf; a level outside (0, 1).
func Calibrate(dst []Interval, past []Outcome, level float64) ([]Interval, error) {
	const fn = "backfill.Calibrate"
	if !(level > 0 && level < 1) {
		return dst, input.Bad(fn, "level", -1, "%v, want more than 0 and less than 1", level)
	}
	for i, o := range past {
		if f := o.Forecast; !(f.Low <= f.Median && f.Median <= f.High) {
			return dst, input.Bad(fn, "past", i, "Forecast is %v, want Low <= Median <= High", f)
		}
		if !(o.Start > math.Inf(-1)) {
			return dst, input.Bad(fn, "past", i, "Start is %v, want a time or +Inf", o.Start)
		}
	}
	miss := (1 - level) / 2
	low, high := bound{miss: miss, now: miss}, bound{miss: miss, now: miss}
	for _, o := range past {
		f := o.Forecast
		c := Interval{min(f.Low-low.margin(f.Low), f.Median), f.Median, max(f.High+high.margin(f.High), f.Median)}
		dst = append(dst, c)
		if finite(o.Start) {
			low.learn(f.Low-o.Start, o.Start < c.Low)
			high.learn(o.Start-f.High, o.Start > c.High)
		}
	}
	return dst, nil
}

// bound steers one bound of the intervals.
type bound struct {
	miss, now float64   // part to be missed in the long run, and aimed at now
	errors    []float64 // how far the starts lay beyond the forecasts, the oldest first
	sorted    []float64
}

// margin returns by how much to move the bound at x outwards.
func (b *bound) margin(x float64) float64 {
	if len(b.sorted) == 0 || !finite(x) {
		return 0
	}
	return rank(b.sorted, min(max(1-b.now, 0), 1))
}

func (b *bound) learn(beyond float64, missed bool) {
	if !finite(beyond) {
		return
	}
	if len(b.errors) == recent {
		k, _ := slices.BinarySearch(b.sorted, b.errors[0])
		b.sorted = slices.Delete(b.sorted, k, k+1)
		b.errors = slices.Delete(b.errors, 0, 1)
	}
	k, _ := slices.BinarySearch(b.sorted, beyond)
	b.sorted = slices.Insert(b.sorted, k, beyond)
	b.errors = append(b.errors, beyond)
	b.now += gain * b.miss
	if missed {
		b.now -= gain
	}
}
