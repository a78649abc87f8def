package aging_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactshares"
)

// exactTree is claims for the oracle.
func exactTree(claims []aging.Claim, parents []int, f aging.Floors) *exactshares.Tree {
	e := &exactshares.Tree{Parents: parents, OnTop: f == aging.OnTop}
	for _, c := range claims {
		e.Claims = append(e.Claims, exactshares.Claim{
			Demand: exactshares.Rat(c.Demand), Floor: exactshares.Rat(c.Floor), Weight: exactshares.Rat(c.Weight), Priority: c.Priority,
		})
	}
	return e
}

// randomClaims draws a tree of up to n claims.
func randomClaims(rng *rand.Rand, n int) (capacity float64, claims []aging.Claim, parents []int) {
	number := func() float64 {
		return []float64{.1, .3, 7.1, 1, float64(1 + rng.IntN(9)), 10 * rng.Float64(), math.Exp(12*rng.Float64() - 6)}[rng.IntN(7)]
	}
	for i := range 1 + rng.IntN(n) {
		c := aging.Claim{Demand: number(), Weight: number(), Priority: rng.IntN(3) * rng.IntN(2)}
		switch rng.IntN(5) {
		case 0:
			c.Demand = math.Inf(1)
		case 1:
			c.Demand *= 10
		case 2:
			c.Weight, c.Demand = 0, c.Demand*float64(rng.IntN(2))
		}
		if rng.IntN(2) == 0 {
			c.Floor = number()
		}
		claims = append(claims, c)
		parents = append(parents, rng.IntN(i+1)-1)
	}
	capacity = number() * float64(rng.IntN(2*n)) / 4
	if rng.IntN(2) == 0 { // the parents come after their children as well as before
		slices.Reverse(claims)
		slices.Reverse(parents)
		for i, p := range parents {
			if p >= 0 {
				parents[i] = len(parents) - 1 - p
			}
		}
	}
	return capacity, claims, parents
}

// Shares are the exact ones to rounding, none is above what its claim can use, and powers of two
// scale them exactly.
func TestSharesRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for range 2000 {
		capacity, claims, parents := randomClaims(rng, 10)
		if rng.IntN(3) == 0 {
			parents = nil
		}
		f := aging.Floors(rng.IntN(2))
		got := behind(t, 7.)(aging.Shares([]float64{7}, capacity, claims, parents, f))
		e := exactTree(claims, parents, f)
		exact := e.Shares(exactshares.Rat(capacity))
		for i := range claims {
			most, _ := e.Demand(i).Float64()
			if want, _ := exact[i].Float64(); !(math.Abs(got[i]-want) <= batchError*(want+capacity)) || got[i] > most*(1+ulps) {
				t.Fatalf("Shares(nil, %v, %+v, %v, %v)[%d] = %v, want %v", capacity, claims, parents, f, i, got[i], want)
			}
		}
		for i := range claims {
			claims[i].Demand *= 0x1p40
			claims[i].Floor *= 0x1p40
			got[i] *= 0x1p40
		}
		if scaled, err := aging.Shares(nil, capacity*0x1p40, claims, parents, f); err != nil || !slices.Equal(scaled, got) {
			t.Fatalf("Shares(nil, %v, %+v, %v) = %v, %v, want %v", capacity*0x1p40, claims, parents, scaled, err, got)
		}
	}
}

// An inner node has what its children have, whatever the weights: also where shares underflow.
func TestSharesOfExtremeWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 5))
	odd := []float64{0x1p-200, 0x1p-100, 1, 7.1, 0x1p100, 0x1p200}
	pick := func() float64 { return odd[rng.IntN(len(odd))] }
	for range 4000 {
		n, capacity := 2+rng.IntN(8), pick()
		claims, parents, sums := make([]aging.Claim, n), make([]int, n), make([]float64, n+1)
		for i := range n {
			claims[i] = aging.Claim{Demand: math.Inf(1), Weight: pick(), Floor: pick() * float64(rng.IntN(2))}
			parents[i] = max(rng.IntN(i+1), rng.IntN(i+1)) - 1
		}
		f := aging.Floors(rng.IntN(2))
		got, err := aging.Shares(nil, capacity, claims, parents, f)
		must(t, err)
		for i, p := range parents {
			sums[p+1] += got[i]
		}
		for i := range n {
			if slices.Contains(parents, i) && got[i] != sums[i+1] || !(math.Abs(sums[0]-capacity) <= batchError*capacity) {
				t.Fatalf("Shares(nil, %v, %+v, %v, %v) = %v: the children of %d have %v", capacity, claims, parents, f, got, i, sums[i+1])
			}
		}
	}
}

// An entitlement is the share in exact arithmetic of one whose subtree is without limit, and no
// demand gives more.
func TestEntitlement(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 5))
	for range 2000 {
		capacity, claims, parents := randomClaims(rng, 8)
		f, i := aging.Floors(rng.IntN(2)), rng.IntN(len(claims))
		got, err := aging.Entitlement(capacity, claims, parents, i, f)
		must(t, err)
		e := exactTree(claims, parents, f)
		for j := range claims {
			k := j
			for k != i && k >= 0 {
				k = parents[k]
			}
			if k == i {
				e.Claims[j].Demand = exactshares.Rat(inf)
			}
		}
		if want, _ := e.Shares(exactshares.Rat(capacity))[i].Float64(); !(math.Abs(got-want) <= batchError*(want+capacity)) {
			t.Fatalf("Entitlement(%v, %+v, %v, %d, %v) = %v, want %v", capacity, claims, parents, i, f, got, want)
		}
		claims[i].Demand *= 10 * rng.Float64()
		if s, err := aging.Shares(nil, capacity, claims, parents, f); err == nil && s[i] > got+batchError*capacity {
			t.Fatalf("Shares(nil, %v, %+v, %v, %v)[%d] = %v, and at most %v by Entitlement", capacity, claims, parents, f, i, s[i], got)
		}
	}
}

func BenchmarkShares(b *testing.B) {
	for _, n := range []int{1e3, 1e5} {
		for _, f := range []aging.Floors{aging.Within, aging.OnTop} {
			b.Run(fmt.Sprintf("floors=%d/n=%d", f, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				var claims []aging.Claim
				var parents []int
				for i := range n + n/10 { // ten departments, n/10 teams, n users
					c := aging.Claim{Demand: math.Inf(1), Weight: 1 + rng.Float64()}
					p := i % 10
					switch {
					case i < 10:
						p = -1
					case i >= n/10:
						c.Demand, c.Floor, c.Priority = rng.ExpFloat64(), rng.Float64()/3, rng.IntN(2)
						p = 10 + rng.IntN(n/10-10)
					}
					claims, parents = append(claims, c), append(parents, p)
				}
				dst, err := aging.Shares(nil, float64(n)/2, claims, parents, f)
				must(b, err)
				for b.Loop() {
					if dst, err = aging.Shares(dst[:0], float64(n)/2, claims, parents, f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
