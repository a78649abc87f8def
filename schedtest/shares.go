package schedtest

import (
	"math"
	"math/big"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// Shares checks that shares divides a capacity max-min fairly by weight: nobody gets more than it
// demands, nothing is left over that somebody wants, and nobody who wants more has less per weight
// than somebody else who has something. Each share may differ from that of the one such division
// by 1e-9 of the capacity.
//
// Capacities and demands are >= 0 and finite, weights > 0 and finite, users up to 16, since a
// division by rounds may need one for each. shares must not change its arguments.
func Shares(t testing.TB, shares func(capacity float64, demand, weight []float64) []float64) {
	t.Helper()
	check(t, func(r *rapid.T) {
		d := drawDivision(r)
		if fault := d.fault(func(g division) []float64 { return shares(g.capacity, g.demand, g.weight) }); fault != "" {
			r.Fatalf("%s", fault)
		}
	})
}

// SharesWithFloors checks a function that divides as that of Shares does and promises each user its
// floor. The floor, or the demand if that is less, comes first; floors that exceed the capacity are
// divided alone, as demands. Otherwise a user has the larger of its floor and the level by weight
// that all share; with onTop what the floors leave is divided on top of them.
func SharesWithFloors(t testing.TB, shares func(capacity float64, demand, weight, floor []float64) []float64, onTop bool) {
	t.Helper()
	check(t, func(r *rapid.T) {
		d := drawDivision(r)
		d.onTop = onTop
		d.floor = rapid.SliceOfN(number(0), len(d.demand), len(d.demand)).Draw(r, "floor")
		if fault := d.fault(func(g division) []float64 { return shares(g.capacity, g.demand, g.weight, g.floor) }); fault != "" {
			r.Fatalf("%s", fault)
		}
	})
}

// A division is a capacity and who wants of it.
type division struct {
	capacity              float64
	demand, weight, floor []float64 // floor: nil without
	onTop                 bool
}

// drawDivision draws few users with round numbers, with tenths, or more of them of whom each but
// the last has all it demands only after the one before.
func drawDivision(r *rapid.T) division {
	d := division{capacity: number(0).Draw(r, "capacity")}
	tenths := func(low int) *rapid.Generator[float64] {
		return rapid.Map(rapid.IntRange(low, 1000), func(x int) float64 { return float64(x) / 10 })
	}
	demand, weight := number(0), rapid.SampledFrom([]float64{1, 2, .1, .3, .501, 7.1})
	switch rapid.IntRange(0, 2).Draw(r, "numbers") {
	case 1:
		demand, weight = tenths(0), tenths(1)
	case 2:
		d.ladder(rapid.IntRange(1, 16).Draw(r, "users"))
		return d
	}
	n := rapid.IntRange(0, 6).Draw(r, "users")
	d.demand = rapid.SliceOfN(demand, n, n).Draw(r, "demand")
	d.weight = rapid.SliceOfN(weight, n, n).Draw(r, "weight")
	return d
}

// ladder makes n users of weights ..., 4, 2, 1, 1. Each has all it demands once the one before it
// has: a quarter of what that one leaves to it is enough.
func (d *division) ladder(n int) {
	d.capacity = 64
	left, before := d.capacity, 0.0
	for i := range n {
		w := math.Ldexp(1, max(0, n-2-i))
		level := left / (2 * w) // the weights from here on are 2w in all
		if i == n-1 {
			level = left / w
		}
		x := w * (before + (level-before)/4)
		d.demand, d.weight = append(d.demand, x), append(d.weight, w)
		left, before = left-x, level
	}
}

// fault is the law that a division by the function breaks, and how; "": none.
func (d division) fault(by func(division) []float64) string {
	given := division{d.capacity, slices.Clone(d.demand), slices.Clone(d.weight), slices.Clone(d.floor), d.onTop}
	got := by(given)
	if !slices.Equal(given.demand, d.demand) || !slices.Equal(given.weight, d.weight) || !slices.Equal(given.floor, d.floor) {
		return words("what is given stays as it is: it is now %v\n%v", given, d)
	}
	if len(got) != len(d.demand) {
		return words("everybody has a share: %d shares for %d users\n%v", len(got), len(d.demand), d)
	}
	near := 1e-9 * d.capacity
	all, wanted := 0.0, 0.0
	for i, x := range got {
		if !(x >= 0 && x <= d.demand[i]+near) {
			return words("a share is between 0 and the demand: user %d gets %v and wants %v\n%v: shares %v", i, x, d.demand[i], d, got)
		}
		all, wanted = all+x, wanted+d.demand[i]
	}
	near *= float64(len(got))
	if !(all <= d.capacity+near) {
		return words("shares add up to at most the capacity: they are %v of %v\n%v: shares %v", all, d.capacity, d, got)
	}
	if all < math.Min(d.capacity, wanted)-near {
		return words("nothing is left over that somebody wants: %v of %v are given out where %v are wanted\n%v: shares %v", all, d.capacity, wanted, d, got)
	}
	law := "nobody who wants more has less per weight than another"
	if d.floor != nil {
		law += ", but for floors"
	}
	for i, x := range d.exact() {
		if want, _ := x.Float64(); !(math.Abs(got[i]-want) <= 1e-9*d.capacity) {
			return words("%s: user %d gets %v, its share is %v\n%v: shares %v", law, i, got[i], want, d, got)
		}
	}
	return ""
}

// String is the division in words.
func (d division) String() string {
	s := words("capacity %v, demands %v, weights %v", d.capacity, d.demand, d.weight)
	if d.floor != nil {
		s += words(", floors %v", d.floor)
	}
	return s
}

// exact is the one right division.
func (d division) exact() []*big.Rat {
	capacity, zero := rational(d.capacity), slices.Repeat([]*big.Rat{new(big.Rat)}, len(d.demand))
	var demand, weight []*big.Rat
	for i := range d.demand {
		demand, weight = append(demand, rational(d.demand[i])), append(weight, rational(d.weight[i]))
	}
	if d.floor == nil {
		return leveled(capacity, demand, weight, zero)
	}
	floor, left := slices.Clone(zero), new(big.Rat).Set(capacity)
	for i := range floor {
		floor[i] = rational(math.Min(d.floor[i], d.demand[i]))
		left.Sub(left, floor[i])
	}
	switch {
	case left.Sign() < 0:
		return leveled(capacity, floor, weight, zero)
	case !d.onTop:
		return leveled(capacity, demand, weight, floor)
	}
	for i := range demand {
		demand[i].Sub(demand[i], floor[i])
	}
	got := leveled(left, demand, weight, zero)
	for i := range got {
		got[i].Add(got[i], floor[i])
	}
	return got
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// leveled divides a capacity, of which the floors are at most all, by the level at which the shares
// min(demand, max(floor, weight x level)) are all of it, or have all they demand.
func leveled(capacity *big.Rat, demand, weight, floor []*big.Rat) []*big.Rat {
	at := func(level *big.Rat) (shares []*big.Rat, sum *big.Rat) {
		sum = new(big.Rat)
		for i := range demand {
			x := new(big.Rat).Mul(weight[i], level)
			if x.Cmp(floor[i]) < 0 {
				x.Set(floor[i])
			}
			if x.Cmp(demand[i]) > 0 {
				x.Set(demand[i])
			}
			shares, sum = append(shares, x), sum.Add(sum, x)
		}
		return shares, sum
	}
	var bends []*big.Rat // levels between which the sum is linear
	for i := range demand {
		bends = append(bends, new(big.Rat).Quo(floor[i], weight[i]), new(big.Rat).Quo(demand[i], weight[i]))
	}
	slices.SortFunc(bends, (*big.Rat).Cmp)
	beyond := sort.Search(len(bends), func(k int) bool {
		_, sum := at(bends[k])
		return sum.Cmp(capacity) > 0
	})
	level := new(big.Rat)
	if beyond > 0 {
		level.Set(bends[beyond-1])
	}
	shares, less := at(level)
	if beyond < len(bends) {
		_, more := at(bends[beyond])
		part := new(big.Rat).Quo(new(big.Rat).Sub(capacity, less), new(big.Rat).Sub(more, less))
		shares, _ = at(part.Mul(part, new(big.Rat).Sub(bends[beyond], level)).Add(part, level))
	}
	return shares
}
