package market

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// ApportionCarry is Apportion by Hamilton's method with memory: a share of .3 seats gets a seat in
// three of ten divisions. It appends to next what each index is owed now, the o.Carry of the next
// call: in total what o.Carry is, to rounding, each within 10^9 seats either way, beyond which it
// lapses. Each seat goes to the index entitled to most, by share and by what it is owed, beyond the
// seats it has; ties, to 2^-32 of a seat, to the lower index. What an index of weight 0 is owed
// goes to those with a weight, if any, by weight.
//
// Errors: those of Apportion; another Method; a Carry of another length or beyond 10^9.
func ApportionCarry(dst []int, next []float64, seats int, weights []float64, o ApportionOptions) ([]int, []float64, error) {
	// With changing weights no rule for whole seats has a smaller bound; with fixed weights a user
	// can be owed more than 1 seat.
	const fn = "market.ApportionCarry"
	switch {
	case o.Method != Hamilton:
		return dst, next, input.Bad(fn, "o", -1, "only Hamilton carries seats over")
	case o.Carry != nil && len(o.Carry) != len(weights):
		return dst, next, input.Bad(fn, "o", -1, "Carry has another length than weights")
	}
	for i, c := range o.Carry {
		if !validCarry(c) {
			return dst, next, input.Bad(fn, "o", i, "Carry: want a number in [-10^9, 10^9]")
		}
	}
	s, err := newDivision(fn, seats, weights, o)
	if err != nil {
		return dst, next, err
	}
	defer divisions.Put(s)
	n, m := len(dst), len(next)
	dst = slices.Grow(dst, len(weights))[:n+len(weights)]
	next = append(next, o.Carry...)
	if o.Carry == nil {
		next = append(next, make([]float64, len(weights))...)
	}
	s.carry(dst[n:], next[m:])
	s.leftover(dst[n:])
	return dst, next, nil
}

func validCarry(c float64) bool { return math.Abs(c) <= maxSeats }

// carry sets out to the seats of each, in view of what each is owed, and owed to what each is owed
// afterwards. While nobody has a weight, what is owed stays as it is.
func (s *division) carry(out []int, owed []float64) {
	s.Run(out)
	total := 0.0 // of the weights
	gone := 0.0  // seats owed to users without a weight
	seats := 0   // of the users with a weight
	s.entitled = s.entitled[:0]
	for i, w := range s.Weights {
		total += w
		if w == 0 {
			gone += owed[i]
		} else {
			seats += out[i]
		}
		s.entitled = append(s.entitled, float64(out[i])) // the share of a user at a bound is whole
	}
	if total == 0 {
		return
	}
	for _, i := range s.Open {
		s.entitled[i] = s.Quota(i)
	}
	for i, w := range s.Weights {
		if w > 0 {
			s.entitled[i] += owed[i] + gone*(w/total)
		}
	}
	s.assign(out, seats)
	for i, w := range s.Weights {
		owed[i] = 0
		if w > 0 {
			owed[i] = min(max(s.entitled[i]-float64(out[i]), -maxSeats), maxSeats)
		}
	}
}

// assign sets out to the seats of the users with a weight, as many as seats in total. Each seat
// goes to whoever is entitled to most beyond the seats it has, within the bounds: all users lose
// the same number from what they are entitled to, a level, and out is what is left above it,
// rounded up.
func (s *division) assign(out []int, seats int) {
	at := func(i int, level float64) int {
		// Entitlements are rounded to 2^-32, so that ties survive the rounding of the sums.
		x := math.Ceil(math.RoundToEven(s.entitled[i]*0x1p32)*0x1p-32 - level)
		return int(min(max(x, float64(s.Min[i])), float64(s.Cap[i])))
	}
	count := func(level float64) (n int64) {
		for i, w := range s.Weights {
			if w > 0 {
				n += int64(at(i, level))
			}
		}
		return n
	}
	// At least seats are assigned at low, at most seats at high.
	low, high := -1.0, 1.0
	for count(low) < int64(seats) {
		low *= 2
	}
	for count(high) > int64(seats) {
		high *= 2
	}
	for high-low > 0x1p-32 {
		level := low + (high-low)/2
		if level == low || level == high {
			break // neighbours in float64
		}
		n := count(level)
		if n >= int64(seats) {
			low = level
		}
		if n <= int64(seats) {
			high = level
		}
	}
	// Between the two are those who tie for the last seats.
	left := seats - int(count(high))
	for i, w := range s.Weights {
		if w > 0 {
			out[i] = at(i, high)
			if left > 0 && at(i, low) > out[i] {
				out[i]++
				left--
			}
		}
	}
}
