package market

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/internal/apportion"
)

// divisor is a division by a divisor method. Seat k of user i, k = 1, 2, ..., has the quotient
// w_i / d(k - 1), and the seats with the largest quotients are assigned: all those above a level,
// which is bisected in float64. Quotients within rounding of the level are compared exactly.
type divisor struct {
	*apportion.Division
	method Method
}

const (
	// margin is the relative error of a quotient in float64, eightfold.
	margin = 0x1p-48
	// resolution is where bisection stops, in units in the last place. Two
	// quotients of one user differ by more than 64 units and 8 margin: with at
	// most 10^9 seats, neighbours differ by a factor of at least 1 + 2^-30.
	resolution = 64
)

// run sets out. It changes Open, which lists the users with a positive weight.
func (v divisor) run(out []int) {
	users, seats := v.Open[:0], v.Seats
	for i, w := range v.Wide {
		if out[i] = v.Min[i]; w > 0 {
			users = append(users, int32(i))
		} else {
			seats -= out[i]
		}
	}
	v.Open = users
	// At least seats have quotients from low up, or low is 0; at most seats have quotients
	// from high up. As floats are ordered like their bits, the first passes find the exponent.
	low, high := uint64(0), math.Float64bits(math.Inf(1))
	for high > low+resolution {
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
		return cmp.Or(-v.compare(i, v.denominator(out[i]), j, v.denominator(out[j])), cmp.Compare(i, j))
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

// seats returns how many of the seats of i have quotients of at least level, within the bounds.
// No quotient is at least +Inf, so that under Adams and HuntingtonHill the first seats can be more
// than there are.
func (v divisor) seats(i int32, level float64) int {
	if level > math.MaxFloat64 {
		return v.Min[i]
	}
	x := v.Wide[i] / level
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

// denominator returns d(a), squared for HuntingtonHill. Where d(0) is 0 it is 1: first seats are
// compared with each other alone.
func (v divisor) denominator(a int) uint64 {
	n := uint64(a)
	switch v.method {
	case Webster:
		return 2*n + 1
	case Jefferson:
		return n + 1
	case Adams:
		return max(n, 1)
	}
	return max(n*(n+1), 1)
}

// compare compares w_i / a with w_j / b; under HuntingtonHill the weights are squared.
func (v divisor) compare(i int32, a uint64, j int32, b uint64) int {
	x, y := v.Wide[i]/float64(a), v.Wide[j]/float64(b)
	if v.method == HuntingtonHill {
		x, y = v.Wide[i]/math.Sqrt(float64(a)), v.Wide[j]/math.Sqrt(float64(b))
	}
	switch {
	case math.Abs(x-y) > margin*max(x, y):
		return cmp.Compare(x, y)
	case v.Same(i, j):
		return cmp.Compare(b, a)
	case len(v.Words) > 0 && v.method != HuntingtonHill:
		xh, xl := bits.Mul64(v.Words[i], b)
		yh, yl := bits.Mul64(v.Words[j], a)
		return cmp.Or(cmp.Compare(xh, yh), cmp.Compare(xl, yl))
	}
	return v.product(i, b).Cmp(v.product(j, a))
}

// product returns w_i times a; under HuntingtonHill the weight is squared.
func (v divisor) product(i int32, a uint64) *big.Int {
	w, z := v.Weight(i), new(big.Int).SetUint64(a)
	if v.method == HuntingtonHill {
		z.Mul(z, w)
	}
	return z.Mul(z, w)
}
