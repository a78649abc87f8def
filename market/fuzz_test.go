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
			for i := range users { // a quote or an error
				_, _ = market.RateForSlots(slots, users, i, market.Slots{b.Below(9)}, o)
				_, _ = market.RateByDeadline(slots, users, i, b.Number(), b.Number(), o)
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
