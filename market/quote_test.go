package market_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

// The least of all rates from 1 on, each tried with an unlimited budget.
func TestRateForSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := market.Options{Lag: rapid.IntRange(0, 1).Draw(t, "lag"), Reserve: market.Credits(rapid.IntRange(0, 3).Draw(t, "reserve")), Rounding: rapid.SampledFrom(methods).Draw(t, "rounding")}
		slots := market.Slots{rapid.IntRange(0, 12).Draw(t, "slots")}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User {
			u := drawUser(t, o)
			u.Min, u.Lot = market.Slots{}, market.Slots{}
			return u
		}), 1, 4).Draw(t, "users")
		i := rapid.IntRange(0, len(users)-1).Draw(t, "i")
		want := market.Slots{rapid.IntRange(1, 12).Draw(t, "want")}
		q, err := market.RateForSlots(users, i, want, slots, o)
		if err != nil {
			t.Fatal(err)
		}
		least := market.Credits(0)
		for r := market.Credits(1); r <= 1000 && least == 0; r++ {
			// Others pay for the last interval; this one has enough for it and for the next.
			try := append([]market.User(nil), users...)
			try[i].Rate, try[i].LastRate, try[i].Budget = r, r, 1<<40
			grants, _ := mustStep(t, slots, try, o)
			if grants[i].Slots[0] >= want[0] {
				least = r
			}
		}
		if q.Rate != least {
			t.Fatalf("RateForSlots(%+v, %d, %v, %v, %+v) = %+v, want rate %d", users, i, want, slots, o, q, least)
		}
		if least == 0 {
			if q.OK || q.Slots != (market.Slots{}) || q.Cost != 0 {
				t.Fatalf("no rate buys %v: %+v", want, q)
			}
			return
		}
		try := append([]market.User(nil), users...)
		try[i].Rate, try[i].LastRate = least, least
		grants, _ := mustStep(t, slots, try, o)
		g := grants[i]
		if ok := g.Slots[0] >= want[0]; q.OK != ok || q.Slots != g.Slots || q.Cost != g.Next.GrantedRate*market.Credits(g.Slots[0]+g.Slots[1]) || !ok && q.Why != market.ByBudget {
			t.Fatalf("RateForSlots(%+v, %d, %v, %v, %+v) = %+v, the Step gives %+v", users, i, want, slots, o, q, g)
		}
	})
}

func TestQuotes(t *testing.T) {
	users := []market.User{
		{Budget: 1200 * credit, Demand: market.Slots{120}},
		{Budget: 360 * credit, Rate: credit, Demand: market.Slots{120}},
	}
	slots := market.Slots{120}
	// Alone, user 1 pays 120 an interval and lasts three.
	q, err := market.RateForSlots(users, 0, market.Slots{80}, slots, market.Options{})
	// 79.5 slots round to 80: 120 s / (s + 1) = 79.5 at s = 53/27.
	if want := market.Credits(53*int64(credit)/27 + 1); err != nil || !q.OK || q.Rate != want || q.Slots[0] != 80 || q.Cost != 80*want || q.Dry != 3 {
		t.Errorf("RateForSlots = %+v, %v, want rate %v for 80 slots, others dry after 3", q, err, want)
	}
	// C = 120, Y = 1, B = 120: s is the golden ratio, for 74.16 slots.
	q, err = market.RateToLast(users, 0, 10, slots, market.Options{})
	if err != nil || !q.OK || q.Rate != 1618033 || q.Slots[0] != 74 || q.Cost != 74*1618033 {
		t.Errorf("RateToLast = %+v, %v, want 1.618033 for 74 slots", q, err)
	}
	// With a use for 60 slots, 2 credits each.
	users[0].Demand[0] = 60
	if q, err = market.RateToLast(users, 0, 10, slots, market.Options{}); err != nil || !q.OK || q.Rate != 2*credit || q.Slots[0] != 60 || q.Cost != 120*credit {
		t.Errorf("RateToLast = %+v, %v, want 2 for 60 slots", q, err)
	}
	if q, err = market.RateToLast(users, 0, 10, slots, market.Options{Charge: market.Spend}); err != nil || q.Rate != 120*credit {
		t.Errorf("RateToLast = %+v, %v, want 120 for Spend", q, err)
	}
	// 590 slot-intervals in 10 intervals need 59 slots; 58.5 / 61.5 rounds up to them.
	q, err = market.RateByDeadline(users, 0, 590, 10, slots, market.Options{})
	if want := market.Credits(585*int64(credit)/615 + 1); err != nil || !q.OK || q.Rate != want || q.Slots[0] != 59 {
		t.Errorf("RateByDeadline = %+v, %v, want %v for 59 slots", q, err, want)
	}
	users[0].Budget = 560 * credit
	if q, err = market.RateByDeadline(users, 0, 590, 10, slots, market.Options{}); err != nil || q.OK || q.Why != market.ByBudget || q.Slots[0] != 59 {
		t.Errorf("RateByDeadline = %+v, %v, want it over budget", q, err)
	}
	users[0].Income = credit / 2
	if q, err = market.RateByDeadline(users, 0, 590, 10, slots, market.Options{}); err != nil || !q.OK {
		t.Errorf("RateByDeadline = %+v, %v, want it paid out of income", q, err)
	}
	users[0].Budget = 1e6 * credit
	for _, c := range []struct {
		work         float64
		demand, most int
		why          market.Reason
	}{{610, 60, 0, market.ByDemand}, {610, 120, 60, market.ByMaximum}, {1200, 120, 0, market.ByShare}, {1300, 200, 0, market.ByShare}} {
		users[0].Demand[0], users[0].Max[0] = c.demand, c.most
		if q, err = market.RateByDeadline(users, 0, c.work, 10, slots, market.Options{}); err != nil || q.OK || q.Why != c.why || q.Rate != 0 {
			t.Errorf("RateByDeadline of %v = %+v, %v, want none by %v", c.work, q, err, c.why)
		}
	}
	users[0].Demand[0] = 0
	if q, err = market.RateToLast(users, 0, 10, slots, market.Options{}); err != nil || q.OK || q.Why != market.NoDemand {
		t.Errorf("RateToLast = %+v, %v, want no demand", q, err)
	}
	users[0] = market.User{Demand: market.Slots{5}}
	if q, err = market.RateToLast(users, 0, 10, slots, market.Options{}); err != nil || q.OK || q.Why != market.NoCredit {
		t.Errorf("RateToLast = %+v, %v, want no credit", q, err)
	}
	users[1].Income = 1000 * credit
	if q, err = market.RateForSlots(users, 0, market.Slots{}, slots, market.Options{}); err != nil || !q.OK || q.Rate != 0 || !math.IsInf(q.Dry, 1) {
		t.Errorf("RateForSlots of nothing = %+v, %v", q, err)
	}
}

// A budget spent at the rate to last does last, within one slot an interval.
func TestRateToLastLasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const intervals = 50
		users := []market.User{
			{Budget: market.Credits(rapid.Int64Range(1e9, 1e12).Draw(t, "budget")), Demand: market.Slots{rapid.IntRange(1, 200).Draw(t, "demand")}},
			{Budget: 1 << 60, Rate: market.Credits(rapid.Int64Range(1e5, 1e7).Draw(t, "others")), Demand: market.Slots{200}},
		}
		budget := users[0].Budget
		slots := market.Slots{rapid.IntRange(2, 200).Draw(t, "slots")}
		q, err := market.RateToLast(users, 0, intervals, slots, market.Options{})
		if err != nil {
			t.Fatal(err)
		}
		users[0].Rate = q.Rate
		spent := market.Credits(0)
		for range intervals + 1 {
			grants, _ := mustStep(t, slots, users, market.Options{})
			spent += grants[0].Charge
			next(users, grants)
		}
		if slack := intervals * (q.Rate + market.Credits(slots[0])); spent < budget-slack {
			t.Fatalf("%+v on %v: %v of %v spent at %v", users, slots, spent, budget, q.Rate)
		}
		if spent == budget && q.Cost*intervals > budget+intervals*q.Rate {
			t.Fatalf("%+v on %v: the quote of %v an interval overdraws %v", users, slots, q.Cost, budget)
		}
	})
}

func TestQuoteErrors(t *testing.T) {
	users := []market.User{{Budget: 5, Rate: 1, Demand: market.Slots{3}}}
	slots := market.Slots{3}
	for _, c := range []struct {
		name  string
		call  func() (market.Quote, error)
		fn    string
		arg   string
		index int
	}{
		{"i", func() (market.Quote, error) { return market.RateForSlots(users, 1, slots, slots, market.Options{}) }, "RateForSlots", "i", -1},
		{"i", func() (market.Quote, error) { return market.RateToLast(users, -1, 1, slots, market.Options{}) }, "RateToLast", "i", -1},
		{"want", func() (market.Quote, error) {
			return market.RateForSlots(users, 0, market.Slots{-1}, slots, market.Options{})
		}, "RateForSlots", "want", -1},
		{"intervals", func() (market.Quote, error) { return market.RateToLast(users, 0, math.NaN(), slots, market.Options{}) }, "RateToLast", "intervals", -1},
		{"intervals", func() (market.Quote, error) { return market.RateByDeadline(users, 0, 1, 0, slots, market.Options{}) }, "RateByDeadline", "intervals", -1},
		{"work", func() (market.Quote, error) {
			return market.RateByDeadline(users, 0, math.NaN(), 1, slots, market.Options{})
		}, "RateByDeadline", "work", -1},
		{"o", func() (market.Quote, error) {
			return market.RateByDeadline(users, 0, 1, 1, slots, market.HadoopContrib())
		}, "RateByDeadline", "o", -1},
		{"slots", func() (market.Quote, error) {
			return market.RateForSlots(users, 0, slots, market.Slots{-1}, market.Options{})
		}, "Step", "slots", 0},
	} {
		q, err := c.call()
		wantInput(t, err, c.fn, c.arg, c.index)
		if q != (market.Quote{}) {
			t.Errorf("%s: %+v, want nothing", c.name, q)
		}
	}
}
