package knn

import (
	"math"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// Scaling says in which units distances are measured.
type Scaling uint8

const (
	// ZScore: each coordinate in its standard deviations, over n; a constant coordinate does not
	// count
	ZScore Scaling = iota
	// MinMax: each coordinate in its ranges, greatest less least; a constant coordinate does not
	// count
	MinMax
	Unscaled // as given: the coordinate with the greatest spread decides
)

// String returns "z-score", "min-max" or "unscaled", and "Scaling(7)" for what is none of them.
func (s Scaling) String() string { return enum.Name(s, "Scaling", "z-score", "min-max", "unscaled") }

// MarshalText returns String.
func (s Scaling) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Bandwidth says which distance is R, at which the weight of a neighbour reaches 0. It matters to
// Epanechnikov alone.
type Bandwidth uint8

const (
	// KthNeighbour: the k-th neighbour's, as in the paper: k-1 neighbours count, and k = 1 is
	// always degenerate
	KthNeighbour  Bandwidth = iota
	NextNeighbour           // the (k+1)-th neighbour's: k neighbours count
)

// String returns "k-th neighbour" or "next neighbour", and "Bandwidth(7)" for what is neither.
func (b Bandwidth) String() string {
	return enum.Name(b, "Bandwidth", "k-th neighbour", "next neighbour")
}

// MarshalText returns String.
func (b Bandwidth) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// Kernel is the weight of a neighbour at distance d.
type Kernel uint8

const (
	Epanechnikov Kernel = iota // 1 - (d/R)^2
	// Uniform: 1 for every observation that is no farther than the k-th neighbour: all of those at
	// its distance count
	Uniform
)

// String returns "Epanechnikov" or "uniform", and "Kernel(7)" for what is neither.
func (k Kernel) String() string { return enum.Name(k, "Kernel", "Epanechnikov", "uniform") }

// MarshalText returns String.
func (k Kernel) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Options are the settings of an Estimator. The zero value is the recommended default.
type Options struct {
	Scaling   Scaling
	Bandwidth Bandwidth
	Kernel    Kernel

	// K is the number of neighbours k among n observations of dim coordinates; nil: Rate. Below 1
	// counts as 1, above n as n. It must give the same k for the same arguments.
	K func(n, dim int) int

	// Window is the number of latest observations that count; 0: no limit.
	Window int

	// Alpha in (0, 1) asks for intervals that hold the true value with probability 1 - Alpha at
	// least; 0: none. See the package comment: every fourth observation then serves the intervals
	// alone.
	Alpha float64

	// Extrapolate answers queries Outside by local linear regression instead of the mean of the
	// nearest, which does not grow however far the query.
	Extrapolate bool
}

func (o Options) check(fn string) error {
	switch {
	case o.Scaling > Unscaled:
		return input.Bad(fn, "o", -1, "Scaling is %d, want ZScore, MinMax or Unscaled", o.Scaling)
	case o.Bandwidth > NextNeighbour:
		return input.Bad(fn, "o", -1, "Bandwidth is %d, want KthNeighbour or NextNeighbour", o.Bandwidth)
	case o.Kernel > Uniform:
		return input.Bad(fn, "o", -1, "Kernel is %d, want Epanechnikov or Uniform", o.Kernel)
	case o.Window < 0:
		return input.Bad(fn, "o", -1, "Window is %d, want >= 0", o.Window)
	case !(o.Alpha >= 0 && o.Alpha < 1):
		return input.Bad(fn, "o", -1, "Alpha is %v, want within [0, 1)", o.Alpha)
	}
	return nil
}

// rank is how many of n observations lie within R: k, or k+1 for NextNeighbour, and at most n.
func (o Options) rank(n, k int) int {
	k = min(max(k, 1), n)
	if o.Bandwidth == NextNeighbour && o.Kernel == Epanechnikov {
		k++
	}
	return min(k, n)
}

// Prediction is the answer to a query.
type Prediction struct {
	Value  float64 // within the range of all y, unless Extrapolated
	Radius float64 // R, in the units of the Scaling; +Inf beyond the range of float64
	// Low, High: the interval; -Inf and +Inf if none was asked for, too few observations are held
	// out, or the query is Outside
	Low, High  float64
	Neighbours int // observations with a weight above 0

	// Outside: the query lies outside the box that the least and the greatest value of each
	// coordinate span, over the observations that are not held out. Nothing was seen there.
	Outside bool
	// Degenerate: all k neighbours are at distance R (or R is 0), so that every weight is 0. Value
	// is the mean over all observations at distance R or less.
	Degenerate bool
	// Extrapolated: Value is that of local linear regression.
	Extrapolated bool
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// checkVector reports an InputError unless x has dim finite elements.
func checkVector(fn, arg string, x []float64, dim int) error {
	if len(x) != dim {
		return input.Bad(fn, arg, -1, "has %d elements, want %d", len(x), dim)
	}
	for j, v := range x {
		if !finite(v) {
			return input.Bad(fn, arg, j, "%v, want a finite number", v)
		}
	}
	return nil
}
