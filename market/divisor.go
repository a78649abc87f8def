package market

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/internal/apportion"
)

// divisor is a division by a divisor method. Seat k of user i, k = 1, 2, ..., has the quotient w_i / d(k - 1), and the seats
// with the largest quotients are assigned: all those above a level, which is bisected in float64. Quotients within rounding of
// the level are compared exactly.
type divisor struct {
	*apportion.Division
	method Method
	users  []int32 // with a positive weight
	least  []int   // seats that everybody starts with
}

const (
	// margin is the relative error of a quotient in float64, eightfold.
	margin = 0x1p-48
	// resolution is where bisection stops. Two quotients of one user differ by more than resolution + 8 margin: with at most 10^9
	// seats, neighbours differ by a factor of at least 1 + 2^-30.
	resolution = 0x1p-46
)

func (v *divisor) run(out []int, d *apportion.Division, m Method) {
	v.Division, v.method = d, m
	v.users, v.least = v.users[:0], append(v.least[:0], d.Min...)
	seats, room, needed := d.Seats, int64(0), int64(0)
	sum := 0.0
	for i, w := range d.Wide {
		out[i] = d.Min[i]
		if w == 0 {
			seats -= d.Min[i]
			continue
		}
		v.users = append(v.users, int32(i))
		sum += w
		room += int64(d.Cap[i])
		if m >= Adams {
			v.least[i] = max(d.Min[i], min(1, d.Cap[i]))
		}
		needed += int64(v.least[i])
	}
	switch {
	case room <= int64(seats):
		for _, i := range v.users {
			out[i] = d.Cap[i]
		}
		return
	case needed >= int64(seats):
		// One more each, from the largest weight down, for those without a seat.
		for _, i := range v.users {
			seats -= d.Min[i]
		}
		without := slices.DeleteFunc(v.users, func(i int32) bool { return v.least[i] == d.Min[i] })
		v.assign(out, without, seats, func(int32) uint64 { return 1 })
		return
	}
	low, high := v.bracket(sum/float64(seats), seats)
	for high > low*(1+resolution) {
		level := low + (high-low)/2
		if high > 4*low {
			level = math.Sqrt(low) * math.Sqrt(high)
		}
		n := v.count(level, seats)
		if n >= seats {
			low = level
		}
		if n <= seats {
			high = level
		}
	}
	low, high = low*(1-4*margin), high*(1+4*margin)
	near := v.users[:0]
	for _, i := range v.users {
		out[i] = v.seats(i, high)
		seats -= out[i]
		if v.seats(i, low) > out[i] {
			near = append(near, i)
		}
	}
	v.assign(out, near, seats, func(i int32) uint64 { return v.denominator(out[i]) })
}

// bracket returns a level at which at least seats are assigned, and one at which at most seats are.
func (v *divisor) bracket(guess float64, seats int) (low, high float64) {
	low, high = guess, guess
	for f := 1.5; v.count(low, seats) < seats; f *= f {
		low /= f
	}
	for f := 1.5; v.count(high, seats) > seats; f *= f {
		high *= f
	}
	return low, high
}

// count returns the number of seats with quotients of at least level, seats + 1 if they are more.
func (v *divisor) count(level float64, seats int) int {
	n := 0
	for _, i := range v.users {
		if n += v.seats(i, level); n > seats {
			return seats + 1
		}
	}
	return n
}

// seats returns how many of the seats of i have quotients of at least level, within the bounds.
func (v *divisor) seats(i int32, level float64) int {
	x := v.Wide[i] / level
	switch v.method {
	case Webster:
		x = (x + 1) / 2
	case Adams:
		x++
	case HuntingtonHill: // k (k - 1) <= x^2
		x = (1 + math.Sqrt(1+4*x*x)) / 2
	}
	return max(v.least[i], int(min(x, float64(v.Cap[i]))))
}

// denominator returns d(a), squared for HuntingtonHill.
func (v *divisor) denominator(a int) uint64 {
	n := uint64(a)
	switch v.method {
	case Webster:
		return 2*n + 1
	case Jefferson:
		return n + 1
	case Adams:
		return n
	}
	return n * (n + 1)
}

// assign gives one more seat to n of the users, those with the largest quotients, ties to the lower index.
func (v *divisor) assign(out []int, users []int32, n int, denominator func(i int32) uint64) {
	slices.SortFunc(users, func(i, j int32) int {
		return cmp.Or(-v.compare(i, denominator(i), j, denominator(j)), cmp.Compare(i, j))
	})
	for _, i := range users[:n] {
		out[i]++
	}
}

// compare compares w_i / a with w_j / b; under HuntingtonHill the weights are squared.
func (v *divisor) compare(i int32, a uint64, j int32, b uint64) int {
	x, y := v.Wide[i]/float64(a), v.Wide[j]/float64(b)
	if v.method == HuntingtonHill {
		x, y = v.Wide[i]/math.Sqrt(float64(a)), v.Wide[j]/math.Sqrt(float64(b))
	}
	if math.Abs(x-y) > margin*max(x, y) {
		return cmp.Compare(x, y)
	}
	switch {
	case len(v.Words) > 0 && v.Words[i] == v.Words[j], len(v.Words) == 0 && v.Exact == nil && v.Wide[i] == v.Wide[j]:
		return cmp.Compare(b, a)
	case len(v.Words) > 0 && v.method != HuntingtonHill:
		xh, xl := bits.Mul64(v.Words[i], b)
		yh, yl := bits.Mul64(v.Words[j], a)
		return cmp.Or(cmp.Compare(xh, yh), cmp.Compare(xl, yl))
	}
	return v.product(i, b).Cmp(v.product(j, a))
}

// product returns w_i times a, exactly; under HuntingtonHill the weight is squared.
func (v *divisor) product(i int32, a uint64) *big.Float {
	// A weight has at most 63 bits, and a at most 64.
	w := new(big.Float).SetPrec(256)
	switch {
	case len(v.Words) > 0:
		w.SetUint64(v.Words[i])
	case v.Exact != nil:
		v.Exact(w, int(i))
	default:
		w.SetFloat64(v.Wide[i])
	}
	z := new(big.Float).SetPrec(256).SetUint64(a)
	if v.method == HuntingtonHill {
		z.Mul(z, w)
	}
	return z.Mul(z, w)
}
