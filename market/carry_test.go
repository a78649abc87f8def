package market_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
)

// Seats go one at a time to the largest entitlement, in float64; entitlements come from the capped
// water-filling of the oracle.
func TestCarry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDivision(t)
		d.o.Method, d.o.Min = market.Hamilton, nil
		for i, w := range d.weights {
			if w != 0 && (w < 1e-4 || w > 1e4) {
				d.weights[i] = 1
			}
		}
		carry := make([]float64, len(d.weights))
		for range 20 {
			if rapid.Bool().Draw(t, "change") {
				i := rapid.IntRange(0, len(d.weights)-1).Draw(t, "i")
				d.weights[i] = float64(rapid.IntRange(0, 9).Draw(t, "weight"))
				if d.o.Caps != nil {
					d.o.Caps[i] = rapid.IntRange(0, 12).Draw(t, "cap")
				}
			}
			d.o.Carry = slices.Clone(carry)
			got, next, err := market.ApportionCarry(nil, nil, d.seats, d.weights, d.o)
			if err != nil || !slices.Equal(d.o.Carry, carry) {
				t.Fatal(err, d.o.Carry, carry)
			}
			plain := d.o
			plain.Carry = nil
			without, _ := market.Apportion(nil, d.seats, d.weights, plain)
			a, b, before, after := 0, 0, 0.0, 0.0
			for i := range got {
				a, b = a+got[i], b+without[i]
				before, after = before+carry[i], after+next[i]
				if _, most := d.bound(i); got[i] < 0 || got[i] > most {
					t.Fatalf("%+v: %v", d, got)
				}
				// Greedy: whoever has a seat was entitled to it at least as much as anybody else is
				// to one more.
				for j := range got {
					_, most := d.bound(j)
					if d.weights[i] > 0 && d.weights[j] > 0 && got[i] > 0 && got[j] < most && next[i]+1 < next[j]-1e-9 {
						t.Fatalf("%+v: %v, owed %v: a seat of %d belongs to %d", d, got, next, i, j)
					}
				}
			}
			if a != b || math.Abs(before-after) > 1e-9 {
				t.Fatalf("%+v: %v is %d seats, without carry %d; owed %v before, %v after", d, got, a, b, before, after)
			}
			carry = next
		}
	})
}

// 80 users with rates 1 to 80 on 120 slots: without carry 13 users never get a slot, with it each
// gets its share over time.
func TestCarryFeedsTheSmall(t *testing.T) {
	weights := make([]float64, 80)
	for i := range weights {
		weights[i] = float64(i + 1)
	}
	once, err := market.Apportion(nil, 120, weights, market.ApportionOptions{})
	starved := 0
	for _, n := range once {
		if n == 0 {
			starved++
		}
	}
	if err != nil || starved != 13 {
		t.Errorf("%d users starve without carry, %v, want 13", starved, err)
	}
	sum, carry := make([]int, 80), []float64(nil)
	const rounds = 3240
	var got []int
	for range rounds {
		got, carry, err = market.ApportionCarry(got[:0], nil, 120, weights, market.ApportionOptions{Carry: carry})
		must(t, err)
		for i, n := range got {
			sum[i] += n
		}
	}
	for i, n := range sum {
		if math.Abs(float64(n)-rounds*120*weights[i]/3240) > 2 {
			t.Errorf("user %d got %d slots in %d intervals, want about %v", i, n, rounds, rounds*120*weights[i]/3240)
		}
	}
}

// The users are entitled to 0, 20.3, -3, 0 and 21 seats. After 3, 24, 0, 3 and 24 three seats
// are left for four users that are entitled to one more alike: ties go to the lower index.
func TestCarryTies(t *testing.T) {
	o := market.ApportionOptions{Carry: []float64{-6, -.7, -6, -6, 0}}
	got, _, err := market.ApportionCarry(nil, nil, 57, []float64{.2, .7, .1, .2, .7}, o)
	if want := []int{4, 24, 1, 4, 24}; err != nil || !slices.Equal(got, want) {
		t.Errorf("ApportionCarry = %v, %v, want %v", got, err, want)
	}
}

// Whatever Carry ApportionCarry takes, it takes what it returns, and again.
func TestCarryState(t *testing.T) {
	owed := rapid.SampledFrom([]float64{0, .3, -7.1, 1e9, -1e9, 1e9 - .5, math.Nextafter(1e9, 2e9)})
	weight := rapid.SampledFrom([]float64{0, .1, .7, 1, 0x1p200, 0x1p-200})
	count := rapid.SampledFrom([]int{0, 1, 3, 1e9 - 1, 1e9})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		o := market.ApportionOptions{}
		for range n {
			o.Carry, o.Caps = append(o.Carry, owed.Draw(t, "owed")), append(o.Caps, count.Draw(t, "cap"))
		}
		for k := range 6 {
			weights := make([]float64, n)
			for i := range weights {
				weights[i] = weight.Draw(t, "weight")
			}
			_, next, err := market.ApportionCarry(nil, nil, count.Draw(t, "seats"), weights, o)
			if err != nil && k == 0 {
				t.Skip("out of range")
			}
			if err != nil {
				t.Fatalf("ApportionCarry refuses the Carry %v that it returned: %v", o.Carry, err)
			}
			o.Carry = next
		}
	})
}
