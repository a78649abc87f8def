package market_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
)

// division is a random input with few distinct numbers, so that ties are many.
type division struct {
	seats   int
	weights []float64
	o       market.ApportionOptions
}

func drawDivision(t *rapid.T) division {
	n := rapid.IntRange(1, 7).Draw(t, "n")
	d := division{seats: rapid.IntRange(0, 40).Draw(t, "seats")}
	weight := rapid.OneOf(rapid.SampledFrom([]float64{0, .1, .2, .3, 1, 2, 3, 5, 10, 0x1p-200, 0x1p200, 1 + 0x1p-52, math.Pi}), rapid.Float64Range(1e-3, 1e3))
	d.weights = rapid.SliceOfN(weight, n, n).Draw(t, "weights")
	if rapid.Bool().Draw(t, "capped") {
		d.o.Caps = rapid.SliceOfN(rapid.IntRange(0, 12), n, n).Draw(t, "caps")
	}
	if rapid.Bool().Draw(t, "minima") {
		left := d.seats
		for i := range n {
			most := min(left, 6)
			if d.o.Caps != nil {
				most = min(most, d.o.Caps[i])
			}
			d.o.Min = append(d.o.Min, rapid.IntRange(0, most).Draw(t, "min"))
			left -= d.o.Min[i]
		}
	}
	d.o.Method = rapid.SampledFrom(methods).Draw(t, "method")
	return d
}

func (d division) bound(i int) (least, most int) {
	most = d.seats
	if d.o.Caps != nil {
		most = d.o.Caps[i]
	}
	if d.o.Min != nil {
		least = d.o.Min[i]
	}
	return least, most
}

// bySeat divides seat by seat, in rationals: the divisor methods by their
// definition; Hamilton by bisecting over all breakpoints of the water level.
func (d division) bySeat() []int {
	n := len(d.weights)
	out := make([]int, n)
	left := d.seats
	for i := range out {
		out[i], _ = d.bound(i)
		left -= out[i]
	}
	w := make([]*big.Rat, n)
	zeros := make([]*big.Rat, n)
	for i, x := range d.weights {
		w[i], zeros[i] = new(big.Rat).SetFloat64(x), new(big.Rat)
		if x == 0 {
			zeros[i].SetInt64(1)
		}
	}
	if d.o.Method == market.Hamilton {
		d.hamilton(out, w, left)
	} else {
		d.divisors(out, w, left)
	}
	left = d.seats
	for i := range out {
		left -= out[i]
	}
	if left > 0 {
		d.hamilton(out, zeros, left)
	}
	return out
}

// hamilton divides left seats more among the users with weights, who now have their minima.
func (d division) hamilton(out []int, w []*big.Rat, left int) {
	var users []int
	total, room := new(big.Rat), 0
	for i := range out {
		if w[i].Sign() > 0 {
			users = append(users, i)
			least, most := d.bound(i)
			left += least
			room += most
		}
	}
	if room <= left {
		for _, i := range users {
			_, out[i] = d.bound(i)
		}
		return
	}
	// share is i's water at the level, clamped.
	share := func(i int, level *big.Rat) *big.Rat {
		x := new(big.Rat).Mul(level, w[i])
		least, most := d.bound(i)
		if a := big.NewRat(int64(least), 1); x.Cmp(a) < 0 {
			return a
		}
		if b := big.NewRat(int64(most), 1); x.Cmp(b) > 0 {
			return b
		}
		return x
	}
	sum := func(level *big.Rat) *big.Rat {
		s := new(big.Rat)
		for _, i := range users {
			s.Add(s, share(i, level))
		}
		return s
	}
	// The sum is linear between the levels at which somebody meets a bound: find the two levels
	// around the answer.
	seats := big.NewRat(int64(left), 1)
	low := new(big.Rat)
	var high *big.Rat
	for _, i := range users {
		least, most := d.bound(i)
		for _, b := range []int{least, most} {
			l := new(big.Rat).Quo(big.NewRat(int64(b), 1), w[i])
			if sum(l).Cmp(seats) <= 0 {
				if l.Cmp(low) > 0 {
					low = l
				}
			} else if high == nil || l.Cmp(high) < 0 {
				high = l
			}
		}
	}
	level := low
	if a := sum(low); a.Cmp(seats) < 0 {
		b := sum(high)
		part := new(big.Rat).Quo(total.Sub(seats, a), new(big.Rat).Sub(b, a))
		level = new(big.Rat).Add(low, part.Mul(part, new(big.Rat).Sub(high, low)))
	}
	rest := make([]*big.Rat, len(out))
	for _, i := range users {
		x := share(i, level)
		out[i] = int(new(big.Int).Quo(x.Num(), x.Denom()).Int64())
		rest[i] = x.Sub(x, big.NewRat(int64(out[i]), 1))
		left -= out[i]
	}
	slices.SortStableFunc(users, func(i, j int) int { return rest[j].Cmp(rest[i]) })
	for _, i := range users[:left] {
		out[i]++
	}
}

func (d division) divisors(out []int, w []*big.Rat, left int) {
	for ; left > 0; left-- {
		best := -1
		var most *big.Rat
		for i := range out {
			if _, cap := d.bound(i); out[i] == cap || w[i].Sign() == 0 {
				continue
			}
			a := int64(out[i])
			q := new(big.Rat).Mul(w[i], w[i])
			switch d.o.Method {
			case market.Webster:
				q.Quo(q, big.NewRat((2*a+1)*(2*a+1), 1))
			case market.Jefferson:
				q.Quo(q, big.NewRat((a+1)*(a+1), 1))
			default:
				den := a * a
				if d.o.Method == market.HuntingtonHill {
					den = a * (a + 1)
				}
				if a == 0 { // before everybody with a seat, by weight
					q.Mul(q, new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), 2000), big.NewInt(1)))
				} else {
					q.Quo(q, big.NewRat(den, 1))
				}
			}
			if best < 0 || q.Cmp(most) > 0 {
				best, most = i, q
			}
		}
		if best < 0 {
			return
		}
		out[best]++
	}
}

// tied reports whether two divisions by a divisor method differ in seats of equal quotients alone:
// .2 for a first seat and 3 for a fifteenth are equal, but for the rounding of .2.
func (d division) tied(got, want []int) bool {
	quotient := func(i, a int) float64 {
		w, n := d.weights[i], float64(a)
		switch d.o.Method {
		case market.Webster:
			return w / (2*n + 1)
		case market.Jefferson:
			return w / (n + 1)
		case market.Adams:
			return w / n
		}
		return w / math.Sqrt(n*(n+1))
	}
	var level float64
	for i := range got {
		switch a := min(got[i], want[i]); {
		case got[i] == want[i]:
		case d.o.Method == market.Hamilton || max(got[i], want[i]) > a+1:
			return false
		case level == 0:
			level = quotient(i, a)
		case math.Abs(quotient(i, a)-level) > 0x1p-50*level:
			return false
		}
	}
	return true
}

func TestApportionBySeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDivision(t)
		got, err := market.Apportion([]int{-1}, d.seats, d.weights, d.o)
		if want := d.bySeat(); err != nil || got[0] != -1 || !slices.Equal(got[1:], want) && !d.tied(got[1:], want) {
			t.Fatalf("Apportion(%d, %v, %+v) = %v, %v, want %v", d.seats, d.weights, d.o, got, err, want)
		}
	})
}

// Ties and near ties of weights that differ in their last bits, beside one that hardly counts.
func TestApportionNearTies(t *testing.T) {
	for _, d := range []division{
		{seats: 1, weights: []float64{1, 1 + 0x1p-52, 0x1p-70}},
		{seats: 3, weights: []float64{1 + 0x1p-52, 1, 1 + 0x1p-51, 0x1p-70}},
		// Quotas of 4/3 and 1/3: equal remainders.
		{seats: 2, weights: []float64{1, 4, 1 - 0x1p-53, 0x1p-53}},
		{seats: 2, weights: []float64{4, 1, 1 - 0x1p-53, 0x1p-53}},
	} {
		for _, m := range methods {
			d.o.Method = m
			got, err := market.Apportion(nil, d.seats, d.weights, d.o)
			if want := d.bySeat(); err != nil || !slices.Equal(got, want) {
				t.Errorf("Apportion(%d, %v, %v) = %v, %v, want %v", d.seats, d.weights, m, got, err, want)
			}
		}
	}
}
