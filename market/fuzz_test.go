package market_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/market"
)

// amount is most often some micro-credits, at times any int64.
func amount(b *drawn.Bytes) market.Credits {
	if b.Below(40) == 39 {
		return []market.Credits{-1, math.MaxInt64, math.MinInt64, 1 << 60, 1 << 53}[b.Below(5)]
	}
	return market.Credits(b.Below(200))
}

// Whatever users and rules: an InputError, or a few Steps in which no money comes or goes but by
// Income and Revenue, and no slot is granted twice.
func FuzzStep(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		o := market.Options{Charge: market.Basis(b.Below(3)), Exhaust: market.Exhaust(b.Below(3)), Lag: b.Below(2), Reserve: market.Credits(b.Below(3)),
			Carry: b.Below(2) == 0, Fill: market.Fill(b.Below(2)), Elapsed: b.Number()}
		if b.Below(4) == 0 {
			o.Rounding = market.Method(b.Below(6))
		}
		users := make([]market.User, b.Below(7))
		for i := range users {
			u := &users[i]
			*u = market.User{Budget: 100 * amount(&b), Income: amount(&b), Ceiling: amount(&b), Debt: amount(&b), Arrival: b.Number()}
			for k := range u.Min {
				u.Min[k], u.Max[k], u.Lot[k] = max(0, b.Below(12)-9), b.Below(12), b.Below(4)
			}
		}
		for range 3 {
			slots := market.Slots{b.Below(20), b.Below(20)}
			for i := range users {
				u := &users[i]
				u.Rate, u.Demand, u.Used = amount(&b), market.Slots{b.Below(9), b.Below(9)}, [2]float64{b.Number(), b.Number()}
			}
			grants, totals, err := market.Step(nil, slots, users, o)
			if err != nil {
				if !errors.Is(err, schedmath.ErrInput) || len(grants) > 0 {
					t.Fatalf("Step(%v, %+v, %+v) = %v, %v, want none and an InputError", slots, users, o, grants, err)
				}
				return
			}
			money, left := totals.Income-totals.Revenue, slots
			for i, g := range grants {
				money += users[i].Budget - g.Next.Budget
				for k := range left {
					left[k] -= g.Slots[k] + g.Free[k]
				}
				if !(g.Share >= 0 && g.Share <= 1) || g.Charge < 0 || min(g.Slots[0], g.Slots[1], g.Free[0], g.Free[1], g.Reclaim[0], g.Reclaim[1]) < 0 ||
					g.Next.Budget < 0 && o.Exhaust != market.Owe {
					t.Errorf("Step(%v, %+v, %+v): grant %d is %+v", slots, users, o, i, g)
				}
				users[i] = g.Next
			}
			if money != 0 || min(left[0], left[1]) < 0 || !(totals.Jain > 0 && totals.Jain <= 1+1e-9) {
				t.Fatalf("Step(%v, %+v, %+v): totals %+v, %v micro-credits come from nowhere, slots left %v", slots, grants, o, totals, int64(money), left)
			}
		}
	})
}

// Whatever the weights and bounds: an InputError, or as many seats as there are or fit, within the
// bounds; with memory, what is owed sums to what it was.
func FuzzApportion(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		seats, weights := b.Below(50), b.Numbers(b.Below(9))
		o := market.ApportionOptions{Method: market.Method(b.Below(6))}
		room, any := 0, false
		for i := range weights {
			o.Caps, o.Min = append(o.Caps, 1+b.Below(20)), append(o.Min, b.Below(3))
			room, any = room+o.Caps[i], any || weights[i] > 0
		}
		if b.Below(2) == 0 {
			o.Caps, room = nil, math.MaxInt
		}
		check := func(call string, got []int, err error) {
			sum := 0
			for i, n := range got {
				if sum += n; n < o.Min[i] || o.Caps != nil && n > max(o.Caps[i], o.Min[i]) {
					t.Errorf("%s(%d, %v, %+v) = %v", call, seats, weights, o, got)
				}
			}
			if err != nil && (!errors.Is(err, schedmath.ErrInput) || len(got) > 0) || err == nil && any && sum != min(seats, room) {
				t.Errorf("%s(%d, %v, %+v) = %v, %v", call, seats, weights, o, got, err)
			}
		}
		got, err := market.Apportion(nil, seats, weights, o)
		check("Apportion", got, err)
		var owed float64
		if b.Below(2) == 0 {
			o.Carry = b.Numbers(len(weights))
		}
		got, next, err := market.ApportionCarry(nil, nil, seats, weights, o)
		check("ApportionCarry", got, err)
		most := 1.0
		for i, x := range next {
			if owed += x; o.Carry != nil {
				owed, most = owed-o.Carry[i], max(most, math.Abs(o.Carry[i]))
			}
		}
		if !(math.Abs(owed) <= 1e-6*most) && most < 1e8 {
			t.Errorf("ApportionCarry(%d, %v, %+v) = %v, %v: %v seats more are owed than before", seats, weights, o, got, next, owed)
		}
	})
}

// Whatever is asked: an InputError, or a rate that is not negative, and as victims different
// running tasks.
func FuzzVictims(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		claims, running := make([]market.Claim, b.Below(5)), make([]market.Running, b.Below(12))
		for i := range claims {
			for k := range 2 {
				claims[i].Share[k], claims[i].Held[k], claims[i].Pending[k], claims[i].Waiting[k] = b.Below(9), b.Below(9), b.Below(9), b.Number()
			}
		}
		for i := range running {
			running[i] = market.Running{User: b.Below(6), Kind: schedmath.Kind(b.Below(9) / 4), Slots: b.Below(4), Elapsed: b.Number(), Progress: b.Number() / 16, Spare: b.Below(3) == 0}
		}
		free := market.Slots{b.Below(3), b.Below(3)}
		o := market.VictimOptions{ByProgress: b.Below(2) == 0, AsListed: b.Below(2) == 0, MinRun: b.Number(), Limit: b.Number() / 16}
		victims, err := market.Victims(nil, free, claims, running, o)
		if err != nil && (!errors.Is(err, schedmath.ErrInput) || len(victims) > 0) {
			t.Fatalf("Victims(%v, %+v, %+v, %+v) = %v, %v", free, claims, running, o, victims, err)
		}
		seen := map[int]bool{}
		for _, v := range victims {
			if v < 0 || v >= len(running) || seen[v] {
				t.Errorf("Victims(%v, %+v, %+v, %+v) = %v", free, claims, running, o, victims)
			}
			seen[v] = true
		}
	})
}
