package market_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
)

// 200 credits an hour in steps of 20 seconds, and charges for odd times, add up.
func TestExactOverTime(t *testing.T) {
	users := []market.User{{Budget: credit, Income: 200 * credit}}
	var income, charge market.Credits
	for range 180 * 24 {
		users[0].Used[0] = 20. / 3600
		users[0].Granted, users[0].GrantedRate = market.Slots{1}, 7*credit/3
		grants, _ := mustStep(t, market.Slots{0}, users, market.Options{Elapsed: 20. / 3600})
		users[0] = grants[0].Next
		income += grants[0].Income
		charge += grants[0].Charge
	}
	if income != 4800*credit || charge != 24*(7*credit/3) {
		t.Errorf("income %v, charges %v, want 4800 and %v", income, charge, 24*(7*credit/3))
	}
}

func TestSettlement(t *testing.T) {
	base := market.User{Budget: 10 * credit, GrantedRate: credit, Granted: market.Slots{4}, GrantedFree: market.Slots{2}, Used: [2]float64{9}}
	for _, c := range []struct {
		name   string
		o      market.Options
		change func(*market.User)
		charge market.Credits
		budget market.Credits
	}{
		{"within the grant", market.Options{}, func(*market.User) {}, 4 * credit, 6 * credit},
		{"all held but the spare", market.Options{Charge: market.AllHeld}, func(*market.User) {}, 7 * credit, 3 * credit},
		{"spend, half of the slots unused", market.Options{Charge: market.Spend}, func(u *market.User) { u.Used[0] = 2 }, 2 * credit, 8 * credit},
		{"half an interval", market.Options{Elapsed: .5}, func(u *market.User) { u.Used[0] = 1.25 }, 5 * credit / 4, 35 * credit / 4},
		{"two intervals", market.Options{Elapsed: 2}, func(*market.User) {}, 8 * credit, 2 * credit},
		{"drained", market.Options{}, func(u *market.User) { u.Budget = 3 * credit }, 3 * credit, 0},
		{"more than Credits can hold", market.Options{}, func(u *market.User) { u.Budget, u.GrantedRate, u.Used[0] = math.MaxInt64, 3<<61, 2.9 }, math.MaxInt64, 0},
		{"skipped", market.Options{Exhaust: market.Skip}, func(u *market.User) { u.Budget = 3 * credit }, 0, 3 * credit},
		{"owed", market.Options{Exhaust: market.Owe}, func(u *market.User) { u.Budget, u.Debt = 3*credit, 2*credit }, 4 * credit, -credit},
		{"owed to the limit", market.Options{Exhaust: market.Owe}, func(u *market.User) { u.Budget, u.Debt = 3*credit, credit/2 }, 7 * credit / 2, -credit / 2},
		{"income after the charge", market.Options{}, func(u *market.User) { u.Income = 3 * credit }, 4 * credit, 9 * credit},
		{"ceiling", market.Options{}, func(u *market.User) { u.Income, u.Ceiling = 3*credit, 8*credit }, 4 * credit, 8 * credit},
		{"above the ceiling", market.Options{}, func(u *market.User) { u.Income, u.Ceiling = 3*credit, 5*credit }, 4 * credit, 6 * credit},
	} {
		u := base
		c.change(&u)
		grants, _ := mustStep(t, market.Slots{}, []market.User{u}, c.o)
		if g := grants[0]; g.Charge != c.charge || g.Next.Budget != c.budget {
			t.Errorf("%s: charge %v, budget %v, want %v, %v", c.name, g.Charge, g.Next.Budget, c.charge, c.budget)
		}
	}
}

// Whatever User Step takes, it takes the Next of its Grant, and again, whatever is used.
func TestUserState(t *testing.T) {
	money := rapid.SampledFrom([]market.Credits{0, 1, 7, 1<<53 + 1, 1 << 61})
	rest := rapid.SampledFrom([]float64{0, .5, -.5, math.Nextafter(.5, 0), -math.Nextafter(.5, 0), 5e-324})
	carry := rapid.SampledFrom([]float64{0, .3, -7.1, 1e9, -1e9})
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		o.Elapsed = rapid.SampledFrom([]float64{0, .1, math.Nextafter(.5, 0), 7.1, 1e9}).Draw(t, "elapsed")
		slots := market.Slots{rapid.SampledFrom([]int{1, 7, 1e9}).Draw(t, "slots"), 3}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User {
			u := drawUser(t, o)
			u.Budget, u.Income = u.Budget+money.Draw(t, "money"), min(u.Income, 1)
			u.IncomeRest, u.ChargeRest = rest.Draw(t, "rest"), rest.Draw(t, "rest")
			u.Carry = [2]float64{carry.Draw(t, "carry"), carry.Draw(t, "carry")}
			return u
		}), 1, 4).Draw(t, "users")
		for k := range 4 {
			grants, _, err := market.Step(nil, slots, users, o)
			if err != nil && k == 0 {
				t.Skip("out of range")
			}
			if err != nil {
				t.Fatalf("Step refuses the users %+v that it returned: %v", users, err)
			}
			for i, g := range grants {
				users[i] = g.Next
				users[i].Used[0] = rapid.SampledFrom([]float64{0, .1, math.Nextafter(.5, 0), 7.1, 1e9}).Draw(t, "used")
			}
		}
	})
}
