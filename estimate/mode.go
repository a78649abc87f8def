package estimate

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/internal/input"
)

// ModeOptions are the settings of ModeOf. The zero value is numpy.histogram with its ten bins.
type ModeOptions struct {
	Bins int // number of bins; 0: 10
	// Lo, Hi: the range of the bins, Lo <= Hi; both 0: from the least to the greatest value. One
	// outlier then stretches the range until all other values share one bin, and the answer is
	// their mean: a range, as 0 to 100 for a percentage, prevents that.
	Lo, Hi float64
}

// ModeOf returns the mean of the values, at least one, each in [-2^200, 2^200], in the most
// populated of some equal bins, the lowest of several [DS 3.1]. Bin i of b holds the values in [lo
// + i s, lo + (i+1) s), s = (hi-lo)/b, and the last bin hi too, as numpy.histogram does, to the
// bit. Values outside the range do not count; none within it is an error.
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
	if err := o.check(fn, -1); err != nil {
		return 0, err
	}
	// In ascending order the values of a bin are neighbours: bins without values cost nothing, and
	// the order of the values does not matter to the sum.
	rest := slices.Sorted(slices.Values(values))
	bins, lo, hi := cmp.Or(o.Bins, 10), o.Lo, o.Hi
	if lo == 0 && hi == 0 {
		lo, hi = rest[0], rest[len(rest)-1]
	}
	rest = slices.DeleteFunc(rest, func(x float64) bool { return x < lo || x > hi })
	if len(rest) == 0 {
		return 0, input.Bad(fn, "values", -1, "none within the range from %v to %v", lo, hi)
	}
	var best []float64
	for len(rest) > 0 {
		bin := binOf(rest[0], bins, lo, hi)
		n := 1
		for n < len(rest) && binOf(rest[n], bins, lo, hi) == bin {
			n++
		}
		if n > len(best) {
			best = rest[:n]
		}
		rest = rest[n:]
	}
	sum := 0.0
	for _, x := range best {
		sum += x
	}
	return max(best[0], min(best[len(best)-1], sum/float64(len(best)))) + 0, nil // no -0
}

// check reports options out of range, as argument o.
func (o ModeOptions) check(fn string, index int) error {
	switch {
	case o.Bins < 0:
		return input.Bad(fn, "o", index, "Bins is %d, want >= 0", o.Bins)
	case !(o.Lo >= -most && o.Lo <= o.Hi && o.Hi <= most):
		return input.Bad(fn, "o", index, "Lo is %v and Hi %v, want -2^200 <= Lo <= Hi <= 2^200", o.Lo, o.Hi)
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
