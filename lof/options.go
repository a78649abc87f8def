package lof

import (
	"math"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// Ties says which points are the neighbours of a point when several are at its k-distance, and how
// equal points count.
type Ties uint8

const (
	// WithTies has as neighbours all points at most the k-distance away, more than k if there are
	// ties at it [B, definition 4].
	WithTies Ties = iota
	// ExactK has exactly k neighbours, ties at the k-distance by lower index. Scores then depend on
	// the order of the points.
	ExactK
	// Distinct takes as k-distance the distance of the k-th nearest among the different places
	// other than the point's own, so that copies of a point do not count towards k; all points at
	// most that far away are neighbours [B, remark to definition 6].
	Distinct
)

// String returns "with ties", "exactly k" or "distinct", and "Ties(7)" for what is none of them.
func (t Ties) String() string { return enum.Name(t, "Ties", "with ties", "exactly k", "distinct") }

// MarshalText returns String.
func (t Ties) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Options are choices that Scores and Scores1D take. The zero value is the recommended default.
type Options struct {
	Ties Ties
	// Floor is the least reachability distance, in the unit of the points. Set it to the resolution
	// of rounded data: then no density is infinite, and a point one tick from a set of equal points
	// does not stand out. 0: none.
	Floor float64
}

// Neighbours returns the recommended k for n points: max(10, n/6), at most n-1 and at least 1.
//
// Outliers close to each other are found while they number at most about four fifths of k, and
// while there are k+1 inliers. So below 12 points use a smaller k, as Stragglers does.
func Neighbours(n int) int { return max(1, min(max(10, n/6), n-1)) }

// check validates k and o.
func check(function string, k int, o Options) error {
	switch {
	case k < 1:
		return input.Bad(function, "k", -1, "%d, want >= 1", k)
	case o.Ties > Distinct:
		return input.Bad(function, "o", -1, "Ties is %d, want WithTies, ExactK or Distinct", o.Ties)
	case !(o.Floor >= 0) || math.IsInf(o.Floor, 1):
		return input.Bad(function, "o", -1, "Floor is %v, want a finite value >= 0", o.Floor)
	}
	return nil
}

func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// scale is the exponent of a power of two by which all data are multiplied, which changes no score.
// The largest magnitude becomes about 2^499, so that no sum, square or reciprocal of distances
// overflows.
type scale int

// scaleOf returns the scale for data of the given largest magnitude.
func scaleOf(magnitude float64) scale {
	if magnitude == 0 {
		return 0
	}
	_, e := math.Frexp(magnitude)
	return scale(499 - e)
}

func (s scale) times(x float64) float64 { return math.Ldexp(x, int(s)) }

// floor returns the scaled least reachability distance, at most 2^550. Scaled distances are far
// below that, and a floor above all distances makes every score 1.
func (s scale) floor(x float64) float64 { return min(s.times(x), 0x1p550) }
