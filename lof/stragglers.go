package lof

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// StragglerOptions are choices that Stragglers takes. The zero value is the recommended default for
// continuous laxities.
type StragglerOptions struct {
	// K: number of neighbours; at least 5/4 of the largest group of stragglers to be found. 0:
	// Neighbours(n), at most (n-1)/2, which finds groups of up to four fifths of it
	K          int
	Threshold  float64 // score that a straggler exceeds. 0: 3
	MinGap     float64 // least distance of a straggler below the median, in the unit of laxities. 0: none
	Resolution float64 // tick of the clock that laxities are rounded to. 0: they are not rounded
	MinGroup   int     // least number of workers; with fewer none is flagged. 0: 7
}

// A Straggler is a worker whose laxity stands out below the others'. Score and Gap are the reason.
type Straggler struct {
	Index int // of its laxity
	// Score: local outlier factor, about how many times its neighbours' density exceeds its own;
	// may be +Inf
	Score float64
	Gap   float64 // how far its laxity is below the median
}

// Stragglers appends to dst, by ascending index, the workers of one job that fall behind: whose
// laxity is below the median, by MinGap or more, with a local outlier factor above Threshold [D,
// 3.3]. Where clocks tick, set Resolution: else a laxity one tick from many equal ones scores +Inf.
// A group of up to four fifths of K stragglers is found, if each other worker has K that behave
// like it.
func Stragglers(dst []Straggler, laxity []float64, o StragglerOptions) ([]Straggler, error) {
	const fn = "lof.Stragglers"
	switch {
	case o.K < 0:
		return dst, input.Bad(fn, "o", -1, "K is %d, want >= 0", o.K)
	case !(o.Threshold >= 0) || !isFinite(o.Threshold):
		return dst, input.Bad(fn, "o", -1, "Threshold is %v, want a finite value >= 0", o.Threshold)
	case !(o.MinGap >= 0) || !isFinite(o.MinGap):
		return dst, input.Bad(fn, "o", -1, "MinGap is %v, want a finite value >= 0", o.MinGap)
	case !(o.Resolution >= 0) || !isFinite(o.Resolution):
		return dst, input.Bad(fn, "o", -1, "Resolution is %v, want a finite value >= 0", o.Resolution)
	case o.MinGroup < 0:
		return dst, input.Bad(fn, "o", -1, "MinGroup is %d, want >= 0", o.MinGroup)
	}
	if i := slices.IndexFunc(laxity, func(x float64) bool { return !isFinite(x) }); i >= 0 {
		return dst, input.Bad(fn, "laxity", i, "%v, want a finite value", laxity[i])
	}
	n := len(laxity)
	if n < max(2, cmp.Or(o.MinGroup, 7)) {
		return dst, nil
	}
	c := newCloud(slices.Clone(laxity), n, 1)
	low, high := laxity[c.places[(n-1)/2].index], laxity[c.places[n/2].index]
	median := low/2 + high/2
	scores := make([]float64, n)
	c.slide(cmp.Or(o.K, max(1, min(Neighbours(n), (n-1)/2))), WithTies)
	c.score(scores, o.Resolution)
	for i, x := range laxity {
		gap := min(median-x, math.MaxFloat64)
		if scores[i] > cmp.Or(o.Threshold, 3) && gap > 0 && gap >= o.MinGap {
			dst = append(dst, Straggler{i, scores[i], gap})
		}
	}
	return dst, nil
}
