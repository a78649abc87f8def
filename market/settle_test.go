package market_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

var conservationSteps = flag.Int("steps", 100_000, "random steps of TestConservation")

// The budgets and the revenue less the income stay what they were to the micro-credit; carried
// slots keep their sum.
func TestConservation(t *testing.T) {
	steps := *conservationSteps
	if testing.Short() {
		steps = min(steps, 10_000)
	}
	for _, o := range []market.Options{{}, {Charge: market.Spend, Carry: true}, {Charge: market.AllHeld, Exhaust: market.Owe, Lag: 1}} {
		r := rand.New(rand.NewPCG(1, 2))
		users := make([]market.User, 8)
		sum := market.Credits(0)
		for i := range users {
			users[i] = market.User{Budget: market.Credits(r.Int64N(1e9)), Income: market.Credits(r.Int64N(1e8)), Debt: 1e6, Ceiling: 1e9}
			sum += users[i].Budget
		}
		var grants []market.Grant
		for range steps {
			for i := range users {
				u := &users[i]
				u.Rate, u.Demand = market.Credits(r.Int64N(3e6)), market.Slots{r.IntN(40), r.IntN(20)}
				for k := range 2 {
					u.Used[k] = r.Float64() * 1.2 * float64(u.Granted[k]+1)
				}
			}
			o.Elapsed = .1 + r.Float64()
			var totals market.Totals
			var err error
			grants, totals, err = market.Step(grants[:0], market.Slots{50, 20}, users, o)
			if err != nil {
				t.Fatal(err)
			}
			sum += totals.Income - totals.Revenue
			total, carry := market.Credits(0), 0.0
			for i, g := range grants {
				users[i] = g.Next
				total += users[i].Budget
				carry += users[i].Carry[0] + users[i].Carry[1]
				if users[i].Budget < 0 && (o.Exhaust != market.Owe || users[i].Budget < -users[i].Debt) {
					t.Fatalf("%+v: budget %v", o, users[i].Budget)
				}
			}
			if total != sum || math.Abs(carry) > 1e-6 {
				t.Fatalf("%+v: budgets sum to %v, want %v; carried slots to %v", o, total, sum, carry)
			}
		}
	}
}

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

// What rounding leaves over is at most half a micro-credit, where a sum of floats would round
// up to the next whole one.
func TestRestIsHalfAtMost(t *testing.T) {
	users := []market.User{{Budget: credit, Income: 1}}
	grants, _ := mustStep(t, market.Slots{}, users, market.Options{Elapsed: math.Nextafter(.5, 0)})
	if g := grants[0]; g.Income != 0 || g.Next.IncomeRest != math.Nextafter(.5, 0) {
		t.Errorf("income %d, rest %v, want 0 and just below .5", int64(g.Income), g.Next.IncomeRest)
	}
	mustStep(t, market.Slots{}, []market.User{grants[0].Next}, market.Options{})
}
