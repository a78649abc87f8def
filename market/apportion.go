package market

import (
	"slices"
	"sync"

	"github.com/schedmath/schedmath/internal/apportion"
	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// Method is a rule of apportionment: how shares become whole seats.
type Method uint8

const (
	// Hamilton rounds the shares down and gives what is left to the largest remainders. Within bounds
	// the shares are clamp(r w, Min, Cap) for the one r that uses up the seats. Nobody is a whole
	// seat off its share, but with one seat more to divide somebody may get fewer (the Alabama
	// paradox).
	Hamilton Method = iota
	// Webster, like the three below, gives each seat to the largest weight / d(a), where a is the
	// number of seats that the user has already, from its Min on. Nobody loses by one seat more, but
	// a share may be missed by more than a seat. d(a) = 2a + 1.
	Webster
	Jefferson      // d(a) = a + 1, in favour of large weights; also D'Hondt
	Adams          // d(a) = a: everybody has one seat, the larger weights first, before anybody has two
	HuntingtonHill // d(a) = sqrt(a (a + 1)): likewise
	methods
)

// String returns the name of the constant, and "Method(7)" for a value that is none.
func (m Method) String() string {
	return enum.Name(m, "Method", "Hamilton", "Webster", "Jefferson", "Adams", "HuntingtonHill")
}

// MarshalText returns String.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

const (
	maxSeats  = 1_000_000_000 // of one call, and of one user: two fit an int of 32 bits
	maxWeight = 0x1p200       // of a float64; the least is its inverse
)

// ApportionOptions are bounds and the method of apportionment. The zero value is Hamilton's method
// without bounds.
type ApportionOptions struct {
	Method Method
	Caps   []int // most seats of each, where 0 is none at all; nil: no limit
	Min    []int // least seats of each, at most its cap; nil: 0
	// Carry is what each is owed from earlier divisions, in seats; only ApportionCarry reads it.
	// nil: 0.
	Carry []float64
}

// Apportion divides the seats by weights within o's bounds, and appends to dst how many each index
// gets; ties go to the lower index. Indices of weight 0 share equally what the others leave over.
// Only seats beyond the sum of the caps stay free.
//
// Errors: a minimum above its cap; more minima than seats; a Carry.
func Apportion[W ~int | ~int64 | ~float64](dst []int, seats int, weights []W, o ApportionOptions) ([]int, error) {
	// Weights count as float64, for Hamilton's method in whole multiples of 2^-62 of their sum or less.
	const fn = "market.Apportion"
	if o.Carry != nil {
		return dst, input.Bad(fn, "o", -1, "Carry is for ApportionCarry")
	}
	s, err := newDivision(fn, seats, weights, o)
	if err != nil {
		return dst, err
	}
	defer divisions.Put(s)
	n := len(dst)
	dst = slices.Grow(dst, len(weights))[:n+len(weights)]
	s.divide(dst[n:], o.Method)
	s.leftover(dst[n:])
	return dst, nil
}

func validWeight(w float64) bool { return w == 0 || w >= 1/maxWeight && w <= maxWeight }

// division is memory for one division.
type division struct {
	apportion.Division

	entitled []float64 // of carry: share and what is owed, in seats, of those with a weight
}

// divisions keeps the memory of past divisions; no result depends on it.
var divisions = sync.Pool{New: func() any { return new(division) }}

// newDivision returns a division of the pool with Seats, bounds and weights. No cap is above the
// number of seats.
func newDivision[W ~int | ~int64 | ~float64](fn string, seats int, weights []W, o ApportionOptions) (*division, error) {
	switch {
	case seats < 0 || seats > maxSeats:
		return nil, input.Bad(fn, "seats", -1, "want a number in [0, 10^9]")
	case o.Method >= methods:
		return nil, input.Bad(fn, "o", -1, "Method is %v, want one of the five", o.Method)
	case o.Caps != nil && len(o.Caps) != len(weights):
		return nil, input.Bad(fn, "o", -1, "%d Caps for %d weights", len(o.Caps), len(weights))
	case o.Min != nil && len(o.Min) != len(weights):
		return nil, input.Bad(fn, "o", -1, "%d minima for %d weights", len(o.Min), len(weights))
	}
	s := divisions.Get().(*division)
	s.Seats, s.Min, s.Cap, s.Weights = seats, s.Min[:0], s.Cap[:0], s.Weights[:0]
	left := seats
	for i, w := range weights {
		least, most := 0, maxSeats
		if o.Min != nil {
			least = o.Min[i]
		}
		if o.Caps != nil {
			most = o.Caps[i]
		}
		switch {
		case !validWeight(float64(w)):
			return nil, input.Bad(fn, "weights", i, "want 0 or a weight in [2^-200, 2^200]")
		case most < 0 || most > maxSeats:
			return nil, input.Bad(fn, "o", i, "Caps: want a number in [0, 10^9]")
		case least < 0 || least > most:
			return nil, input.Bad(fn, "o", i, "Min: want a number in [0, Caps]")
		case least > left:
			return nil, input.Bad(fn, "o", i, "Min: more minima than seats")
		}
		left -= least
		s.Min, s.Cap, s.Weights = append(s.Min, least), append(s.Cap, min(most, seats)), append(s.Weights, float64(w))
	}
	return s, nil
}

// divide sets out to the seats of each by the method. Weights, bounds and Seats are set.
func (s *division) divide(out []int, m Method) {
	if m == Hamilton {
		s.Run(out)
	} else {
		divisor{&s.Division, m}.run(out)
	}
}

// leftover divides the seats that users with weights leave over equally among those of weight 0. It
// changes the weights and bounds.
func (s *division) leftover(out []int) {
	left, zeros := s.Seats, false
	for i, w := range s.Weights {
		left -= out[i]
		zeros = zeros || w == 0 && out[i] < s.Cap[i]
	}
	if left == 0 || !zeros {
		return
	}
	// Every positive weight is at its cap. Divide what is left, and the minima of the zero weights,
	// equally.
	for i, w := range s.Weights {
		if s.Weights[i] = 1; w > 0 {
			s.Weights[i], s.Min[i] = 0, out[i]
		}
	}
	s.Run(out)
}
