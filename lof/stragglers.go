package lof

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// StragglerOptions are choices that Stragglers takes. The zero value is the recommended default for continuous laxities.
type StragglerOptions struct {
	K          int     // neighbours compared with; at least 5/4 of the largest group of stragglers wanted. 0: Neighbours(n), at most (n-1)/2
	Threshold  float64 // score that a straggler exceeds, finite. 0: 3
	MinGap     float64 // least distance of a straggler below the median, finite and >= 0, in the unit of laxities
	Resolution float64 // tick of the clock that laxities are rounded to, finite and >= 0; 0 if they are not rounded
	MinGroup   int     // least number of workers; with fewer none is flagged. 0: 7
}

// A Straggler is a worker whose laxity stands out below the others'. Score and Gap are the reason.
type Straggler struct {
	Index int     // of its laxity
	Score float64 // local outlier factor: how many times sparser its surroundings are than those of its neighbours; may be +Inf
	Gap   float64 // how far its laxity is below the median
}

// Stragglers appends to dst the workers that fall behind, by ascending index: those whose laxity is below the median, by MinGap
// or more, with a local outlier factor above Threshold among the laxities of the tasks of one job on its workers [D, 3.3].
//
// A laxity is finite, in any unit of time; laxity i is worker i's. Where clocks tick, set Resolution to the tick: else a laxity one tick from many
// equal ones scores +Inf. Large laxities are never flagged. The median of an even number is the mean of the middle two.
//
// The paper flags every score above 1, which most workers have: 71% of those drawn like its Figure
// 6. Workers that behave alike rarely exceed 2 to 3. Stragglers close to each other hide one
// another unless K exceeds their number, by a fourth as a rule, and so does everybody if K comes
// near n: K workers that behave alike are needed beside each one. The default K is (n-1)/2 for n <=
// 21, 10 for n < 66 and n/6 beyond; it finds groups of four fifths of that. No worker is flagged
// without evidence: with fewer than MinGroup workers, or if all laxities are equal, dst is returned
// as it is.
//
// Cost as for Scores1D; it allocates five times, if dst has room.
//
// Errors: an *schedmath.InputError for a laxity that is not finite, or an o out of range. dst is then returned as given.
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
