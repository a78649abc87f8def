package schedtest

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Shares checks that shares divides a capacity max-min fairly by weight: nobody gets more than it
// demands, nothing is left over that somebody wants, and nobody who wants more has less per weight
// than somebody else who has something. There is one such division; it is found in rational
// arithmetic, and each share may differ from it by 1e-9 of the capacity.
//
// Capacities and demands are >= 0 and finite, weights > 0 and finite. shares must leave what it is
// given as it is.
func Shares(t testing.TB, shares func(capacity float64, demand, weight []float64) []float64) {
	t.Helper()
	check(t, func(r *rapid.T) {
		capacity := number(0).Draw(r, "capacity")
		n := rapid.IntRange(0, 6).Draw(r, "users")
		demand := rapid.SliceOfN(number(0), n, n).Draw(r, "demand")
		weight := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 2, .1, .3, .501, 7.1}), n, n).Draw(r, "weight")
		givenDemand, givenWeight := slices.Clone(demand), slices.Clone(weight)
		got := shares(capacity, demand, weight)
		if !slices.Equal(demand, givenDemand) || !slices.Equal(weight, givenWeight) {
			r.Fatalf("what is given stays as it is: demands are now %v, were %v; weights %v, were %v", demand, givenDemand, weight, givenWeight)
		}
		if len(got) != n {
			r.Fatalf("everybody has a share: %d shares for %d users", len(got), n)
		}
		near := 1e-9 * capacity
		all, wanted := 0.0, 0.0
		for i, x := range got {
			if !(x >= 0 && x <= demand[i]+near) {
				r.Fatalf("a share is between 0 and the demand: user %d gets %v and wants %v\n%s", i, x, demand[i], told(capacity, demand, weight, got))
			}
			all, wanted = all+x, wanted+demand[i]
		}
		if !(all <= capacity+near*float64(n)) {
			r.Fatalf("shares add up to at most the capacity: they are %v of %v\n%s", all, capacity, told(capacity, demand, weight, got))
		}
		if all < math.Min(capacity, wanted)-near*float64(n) {
			r.Fatalf("nothing is left over that somebody wants: %v of %v are given out where %v are wanted\n%s", all, capacity, wanted, told(capacity, demand, weight, got))
		}
		for i, x := range maxMin(capacity, demand, weight) {
			if !(math.Abs(got[i]-x) <= near) {
				r.Fatalf("nobody who wants more has less per weight than another: user %d gets %v, the max-min share is %v\n%s", i, got[i], x, told(capacity, demand, weight, got))
			}
		}
	})
}

func told(capacity float64, demand, weight, got []float64) string {
	return words("capacity %v, demands %v, weights %v: shares %v", capacity, demand, weight, got)
}

// maxMin divides a capacity by progressive filling: all levels, shares per weight, rise together,
// and who has what it demands drops out.
func maxMin(capacity float64, demand, weight []float64) []float64 {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	left := rat(capacity)
	got := make([]float64, len(demand))
	open := make([]int, len(demand))
	for i := range open {
		open[i] = i
	}
	for len(open) > 0 {
		sum, least := new(big.Rat), (*big.Rat)(nil) // of weights; the least level at which somebody is satisfied
		for _, i := range open {
			sum.Add(sum, rat(weight[i]))
			if full := new(big.Rat).Quo(rat(demand[i]), rat(weight[i])); least == nil || full.Cmp(least) < 0 {
				least = full
			}
		}
		if level := new(big.Rat).Quo(left, sum); level.Cmp(least) <= 0 { // what is left ends first
			for _, i := range open {
				got[i], _ = new(big.Rat).Mul(level, rat(weight[i])).Float64()
			}
			return got
		}
		open = slices.DeleteFunc(open, func(i int) bool {
			if new(big.Rat).Mul(least, rat(weight[i])).Cmp(rat(demand[i])) < 0 {
				return false
			}
			got[i] = demand[i]
			left.Sub(left, rat(demand[i]))
			return true
		})
	}
	return got
}
