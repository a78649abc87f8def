package market

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/apportion"
)

// ApportionCarry is Apportion by Hamilton's method with memory: what rounding takes from a user in one division it gives back
// later, so that a user with a share of .3 seats gets a seat in three of ten divisions.
//
// It appends to dst the seats of each index and to next what each is owed now, which is o.Carry of the next call. A user is
// entitled to its share within its bounds plus what it is owed. Seats go one at a time to whoever is entitled to most beyond the
// seats it has; ties, to 2^-32 of a seat, to the lower index. Somebody owed less than nothing gets a seat only when nobody else can take it. Who has
// weight 0 has left: what it was owed is shared out in proportion to the weights, and it gets what others leave over.
//
// The sum of what is owed does not change, to rounding, so from zeros on it is 0. The seats are as many as Apportion assigns. No
// constant bounds what one user is owed: with changing weights no rule for whole seats has one, and with fixed weights it can
// exceed 1. Cost as Apportion.
//
// Errors: those of Apportion; another Method than Hamilton; a Carry of another length, or NaN or outside [-10^9, 10^9].
func ApportionCarry(dst []int, next []float64, seats int, weights []float64, o ApportionOptions) ([]int, []float64, error) {
	const fn = "ApportionCarry"
	if err := checkApportion(fn, seats, len(weights), o); err != nil {
		return dst, next, err
	}
	if o.Method != Hamilton {
		return dst, next, inputError(fn, "o", -1, "only Hamilton carries seats over")
	}
	if o.Carry != nil && len(o.Carry) != len(weights) {
		return dst, next, inputError(fn, "o", -1, "Carry has another length than weights")
	}
	for i, c := range o.Carry {
		if !validCarry(c) {
			return dst, next, inputError(fn, "o", i, "Carry: want a number in [-10^9, 10^9]")
		}
	}
	for i, w := range weights {
		if !validWeight(w) {
			return dst, next, inputError(fn, "weights", i, "want 0 or a weight in [2^-200, 2^200]")
		}
	}
	s := divisions.Get().(*scratch)
	defer divisions.Put(s)
	s.bounds(seats, len(weights), o)
	load(&s.Division, weights)
	n, m := len(dst), len(next)
	dst = slices.Grow(dst, len(weights))[:n+len(weights)]
	if o.Carry != nil {
		next = append(next, o.Carry...)
	} else {
		next = append(next, make([]float64, len(weights))...)
	}
	s.carry(dst[n:], next[m:])
	s.leftover(dst[n:])
	return dst, next, nil
}

func validCarry(c float64) bool { return math.Abs(c) <= maxSeats }

// snap rounds an entitlement, so that ties survive the rounding of the sums.
func snap(x float64) float64 { return math.RoundToEven(x*0x1p32) * 0x1p-32 }

// carry sets out to the seats of each, in view of what each is owed, and owed to what each is owed then.
func (s *scratch) carry(out []int, owed []float64) {
	s.Run(out)
	total, gone := 0.0, 0.0
	for i, w := range s.Wide {
		total += w
		if w == 0 {
			gone += owed[i]
		}
	}
	if total == 0 {
		return
	}
	for i, w := range s.Wide {
		if w == 0 {
			owed[i] = 0
		} else {
			owed[i] += gone * (w / total)
		}
	}
	// owed becomes the entitlement. out is the entitlement of those at a bound.
	seats := 0
	for i, w := range s.Wide {
		if w > 0 {
			seats += out[i]
		}
	}
	for _, i := range s.Open {
		owed[i] += s.Quota(i)
		out[i] = 0
	}
	for i, w := range s.Wide {
		if w > 0 {
			owed[i] += float64(out[i])
		}
	}

	// With level 0 the entitlements are rounded down. A lower level adds one seat for each user that can take it.
	at := func(i int, level int64) int {
		return int(min(max(math.Floor(snap(owed[i]))-float64(level), float64(s.Min[i])), float64(s.Cap[i])))
	}
	count := func(level int64) int64 {
		n := int64(0)
		for i, w := range s.Wide {
			if w > 0 {
				n += int64(at(i, level))
			}
		}
		return n
	}
	// The least level with at most seats: above low, at most high.
	low, high := int64(-1), int64(0)
	for step := int64(1); count(low) <= int64(seats) && -low < 4*maxSeats; step *= 2 {
		low, high = low-step, low
	}
	for step := int64(1); count(high) > int64(seats); step *= 2 {
		low, high = high, high+step
	}
	for high-low > 1 {
		if level := low + (high-low)/2; count(level) <= int64(seats) {
			high = level
		} else {
			low = level
		}
	}
	open := s.Open[:0]
	for i, w := range s.Wide {
		if w == 0 {
			continue
		}
		out[i] = at(i, high)
		seats -= out[i]
		if at(i, high-1) > out[i] {
			open = append(open, int32(i))
		}
	}
	if seats > 0 {
		apportion.Select(open, seats, func(i, j int32) bool {
			a, b := snap(owed[i]), snap(owed[j])
			a, b = a-math.Floor(a), b-math.Floor(b)
			return a > b || a == b && i < j
		})
		for _, i := range open[:seats] {
			out[i]++
		}
	}
	for i, w := range s.Wide {
		if w > 0 {
			owed[i] -= float64(out[i])
		}
	}
}
