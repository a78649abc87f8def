package market

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/apportion"
)

// divisor is a division by a divisor method. Seat k of user i, k = 1, 2, ..., has the quotient w_i
// / d(k - 1), and the seats with the largest quotients are assigned: all those above a level, which
// is bisected. Quotients so near the level that seats may be off by rounding are sorted.
type divisor struct {
	*apportion.Division
	method Method
}

// margin is the relative error of a quotient in float64, eightfold. Two quotients of one user
// differ by more than 8 margin: with at most 10^9 seats by a factor of at least 1 + 2^-30.
const margin = 0x1p-48

// run sets out. It changes Open, which lists the users with a positive weight.
func (v divisor) run(out []int) {
	users, seats := v.Open[:0], v.Seats
	for i, w := range v.Weights {
		if out[i] = v.Min[i]; w > 0 {
			users = append(users, int32(i))
		} else {
			seats -= out[i]
		}
	}
	v.Open = users
	// At least seats have quotients from low up, or low is 0; at most seats have quotients from
	// high up. As floats are ordered like their bits, the first passes find the exponent.
	low, high := uint64(0), math.Float64bits(math.Inf(1))
	for high > low+1 {
		level := low + (high-low)/2
		n := v.count(math.Float64frombits(level), seats)
		if n >= seats {
			low = level
		}
		if n <= seats {
			high = level
		}
	}
	least, most := math.Float64frombits(low)*(1-4*margin), math.Float64frombits(high)*(1+4*margin)
	near := users[:0]
	for _, i := range users {
		out[i] = v.seats(i, most)
		seats -= out[i]
		if v.seats(i, least) > out[i] {
			near = append(near, i)
		}
	}
	slices.SortFunc(near, func(i, j int32) int {
		return cmp.Or(cmp.Compare(v.quotient(j, out[j]), v.quotient(i, out[i])), cmp.Compare(i, j))
	})
	for _, i := range near[:min(seats, len(near))] {
		out[i]++
	}
}

// count returns the number of seats with quotients of at least level, seats + 1 if they are more.
func (v divisor) count(level float64, seats int) int {
	n := 0
	for _, i := range v.Open {
		if n += v.seats(i, level); n > seats {
			return seats + 1
		}
	}
	return n
}

// seats returns how many of the seats of i have quotients of at least level, within the bounds. No
// quotient is at least +Inf, so that under Adams and HuntingtonHill the first seats can be more
// than there are.
func (v divisor) seats(i int32, level float64) int {
	if level > math.MaxFloat64 {
		return v.Min[i]
	}
	x := v.Weights[i] / level
	switch v.method {
	case Webster:
		x = (x + 1) / 2
	case Adams:
		x++
	case HuntingtonHill: // k (k - 1) <= x^2
		x = (1 + math.Sqrt(1+4*x*x)) / 2
	}
	return max(v.Min[i], int(min(x, float64(v.Cap[i]))))
}

// quotient returns w_i / d(a), squared for HuntingtonHill. Where d(0) is 0 it is 1: first seats are
// compared with each other alone.
func (v divisor) quotient(i int32, a int) float64 {
	w, n := v.Weights[i], float64(a)
	switch v.method {
	case Webster:
		return w / (2*n + 1)
	case Jefferson:
		return w / (n + 1)
	case Adams:
		return w / max(n, 1)
	}
	return w * w / max(n*(n+1), 1)
}
