package estimate

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// ModeRange says over which range ModeOf lays its bins.
type ModeRange uint8

const (
	MinMax ModeRange = iota // from the least to the greatest value
	Fixed                   // from Lo to Hi
	// Quantiles: from the Lo-quantile to the Hi-quantile of the values: of n in order those of
	// index floor(Lo (n-1)) and ceil(Hi (n-1))
	Quantiles
)

// String returns "min-max", "fixed" or "quantiles", and "ModeRange(7)" for what is none of them.
func (r ModeRange) String() string { return enum.Name(r, "ModeRange", "min-max", "fixed", "quantiles") }

// MarshalText returns String.
func (r ModeRange) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// ModeOptions are the settings of ModeOf. The zero value is numpy.histogram with its ten bins.
//
// One outlier stretches MinMax until all other values share one bin, and the answer is their mean.
// A Fixed range, as 0 to 100 for a percentage, or Quantiles prevent that.
type ModeOptions struct {
	Bins  int // number of bins; 0: 10
	Range ModeRange
	// Lo, Hi: for Fixed: the range, Lo <= Hi; for Quantiles: fractions, 0 <= Lo <= Hi <= 1;
	// otherwise ignored
	Lo, Hi float64
	// Newest: of bins with equally many values the one with the value that comes last in the slice,
	// instead of the lowest
	Newest bool
}

// ModeOf returns the mean of the values in the most populated of some equal bins: the requirement
// to expect of a task by those of earlier ones [DS 3.1]. No value within the range is an error.
//
// There is at least one value, each in [-2^200, 2^200]; their order matters to Newest alone. Bin i
// of b holds the values in [lo + i s, lo + (i+1) s), s = (hi-lo)/b, and the last bin hi too: the
// edges and the membership are those of numpy.histogram, to the bit. A range of one point is one
// bin of the values there. Values outside the range count nowhere.
func ModeOf(values []float64, o ModeOptions) (float64, error) {
	const fn = "estimate.ModeOf"
	if len(values) == 0 {
		return 0, input.Bad(fn, "values", -1, "empty, want at least one value")
	}
	for i, x := range values {
		if !(math.Abs(x) <= most) {
			return 0, input.Bad(fn, "values", i, "%v, want within [-2^200, 2^200]", x)
		}
	}
	if err := o.check(fn); err != nil {
		return 0, err
	}
	// In ascending order the values of a bin are neighbours: bins without values cost nothing, and
	// the order of the values does not matter to the sum.
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	bins, lo, hi := cmp.Or(o.Bins, 10), o.Lo, o.Hi
	last := float64(len(order) - 1)
	switch o.Range {
	case MinMax:
		lo, hi = values[order[0]], values[order[len(order)-1]]
	case Quantiles:
		lo, hi = values[order[int(math.Floor(o.Lo*last))]], values[order[int(math.Ceil(o.Hi*last))]]
	}
	inside := slices.DeleteFunc(order, func(i int) bool { return values[i] < lo || values[i] > hi })
	if len(inside) == 0 {
		return 0, input.Bad(fn, "values", -1, "none within the range from %v to %v", lo, hi)
	}
	var best []int
	for rest := inside; len(rest) > 0; {
		bin := binOf(values[rest[0]], bins, lo, hi)
		n := 1
		for n < len(rest) && binOf(values[rest[n]], bins, lo, hi) == bin {
			n++
		}
		if n > len(best) || n == len(best) && o.Newest && slices.Max(rest[:n]) > slices.Max(best) {
			best = rest[:n]
		}
		rest = rest[n:]
	}
	sum := 0.0
	for _, i := range best {
		sum += values[i]
	}
	least, greatest := values[best[0]], values[best[len(best)-1]]
	return max(least, min(greatest, sum/float64(len(best)))) + 0, nil // no -0
}

// check reports options out of range, as argument o.
func (o ModeOptions) check(fn string) error {
	switch {
	case o.Bins < 0:
		return input.Bad(fn, "o", -1, "Bins is %d, want >= 0", o.Bins)
	case o.Range > Quantiles:
		return input.Bad(fn, "o", -1, "Range is %d, want MinMax, Fixed or Quantiles", o.Range)
	case o.Range == Fixed && !(o.Lo >= -most && o.Lo <= o.Hi && o.Hi <= most):
		return input.Bad(fn, "o", -1, "Lo is %v and Hi %v, want -2^200 <= Lo <= Hi <= 2^200", o.Lo, o.Hi)
	case o.Range == Quantiles && !(o.Lo >= 0 && o.Lo <= o.Hi && o.Hi <= 1):
		return input.Bad(fn, "o", -1, "Lo is %v and Hi %v, want 0 <= Lo <= Hi <= 1", o.Lo, o.Hi)
	}
	return nil
}

// binOf returns the last bin whose lower edge is at most x, which lies in [lo, hi].
func binOf(x float64, bins int, lo, hi float64) int {
	return sort.Search(bins-1, func(i int) bool { return x < edge(i+1, bins, lo, hi) })
}

// edge returns the lower edge of bin i, as numpy.linspace does: with one step and without fusing
// the product with the sum.
func edge(i, bins int, lo, hi float64) float64 {
	step := (hi - lo) / float64(bins)
	return float64(float64(i)*step) + lo
}
