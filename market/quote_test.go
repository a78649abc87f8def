package market_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
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
		q, err := market.RateForSlots(slots, users, i, want, o)
		must(t, err)
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
			t.Fatalf("RateForSlots(%v, %+v, %d, %v, %+v) = %+v, want rate %d", slots, users, i, want, o, q, least)
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
			t.Fatalf("RateForSlots(%v, %+v, %d, %v, %+v) = %+v, the Step gives %+v", slots, users, i, want, o, q, g)
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
	q, err := market.RateForSlots(slots, users, 0, market.Slots{80}, market.Options{})
	// 79.5 slots round to 80: 120 s / (s + 1) = 79.5 at s = 53/27.
	if want := market.Credits(53*int64(credit)/27 + 1); err != nil || !q.OK || q.Rate != want || q.Slots[0] != 80 || q.Cost != 80*want || q.Dry != 3 {
		t.Errorf("RateForSlots = %+v, %v, want rate %v for 80 slots, others dry after 3", q, err, want)
	}
	// 71 slots for seven intervals, 103 in the eighth when user 1 has 17 credits left, then 120:
	// 840 slots at 1200/840.
	q, err = market.RateToLast(slots, users, 0, 10, market.Options{})
	if err != nil || !q.OK || q.Rate != 1428571 || q.Slots[0] != 71 || q.Cost != 71*1428571 {
		t.Errorf("RateToLast = %+v, %v, want 1.428571 for 71 slots", q, err)
	}
	// For three, beside a rival who lasts: C = 120, Y = 1, B = 120: s is the
	// golden ratio, for 74.16 slots, if slots were fluid; 74 cost 120 at 60/37.
	users[0].Budget = 360 * credit
	q, err = market.RateToLast(slots, users, 0, 3, market.Options{})
	if err != nil || !q.OK || q.Rate != 1621621 || q.Slots[0] != 74 || q.Cost != 74*1621621 {
		t.Errorf("RateToLast = %+v, %v, want 1.621621 for 74 slots", q, err)
	}
	users[0].Budget = 1200 * credit
	// With a use for 60 slots, 2 credits each.
	users[0].Demand[0] = 60
	if q, err = market.RateToLast(slots, users, 0, 10, market.Options{}); err != nil || !q.OK || q.Rate != 2*credit || q.Slots[0] != 60 || q.Cost != 120*credit {
		t.Errorf("RateToLast = %+v, %v, want 2 for 60 slots", q, err)
	}
	if q, err = market.RateToLast(slots, users, 0, 10, market.Options{Charge: market.Spend}); err != nil || q.Rate != 217363620 || q.Cost != 60*1819697 {
		t.Errorf("RateToLast = %+v, %v, want for Spend what nine times 60 slots at 1.819697 leave over for the tenth interval", q, err)
	}
	// 590 slot-intervals in 10 intervals need 59 slots; 58.5 / 61.5 rounds up to them.
	q, err = market.RateByDeadline(slots, users, 0, 590, 10, market.Options{})
	if want := market.Credits(585*int64(credit)/615 + 1); err != nil || !q.OK || q.Rate != want || q.Slots[0] != 59 {
		t.Errorf("RateByDeadline = %+v, %v, want %v for 59 slots", q, err, want)
	}
	users[0].Budget = 560 * credit
	if q, err = market.RateByDeadline(slots, users, 0, 590, 10, market.Options{}); err != nil || q.OK || q.Why != market.ByBudget || q.Slots[0] != 59 {
		t.Errorf("RateByDeadline = %+v, %v, want it over budget", q, err)
	}
	users[0].Income = credit / 2
	if q, err = market.RateByDeadline(slots, users, 0, 590, 10, market.Options{}); err != nil || !q.OK {
		t.Errorf("RateByDeadline = %+v, %v, want it paid out of income", q, err)
	}
	users[0].Budget = 1e6 * credit
	for _, c := range []struct {
		work         float64
		demand, most int
		why          market.Reason
	}{{610, 60, 0, market.ByDemand}, {610, 120, 60, market.ByMaximum}, {1200, 120, 0, market.ByShare}, {1300, 200, 0, market.ByShare}} {
		users[0].Demand[0], users[0].Max[0] = c.demand, c.most
		if q, err = market.RateByDeadline(slots, users, 0, c.work, 10, market.Options{}); err != nil || q.OK || q.Why != c.why || q.Rate != 0 {
			t.Errorf("RateByDeadline of %v = %+v, %v, want none by %v", c.work, q, err, c.why)
		}
	}
	users[0].Demand[0] = 0
	if q, err = market.RateToLast(slots, users, 0, 10, market.Options{}); err != nil || q.OK || q.Why != market.NoDemand {
		t.Errorf("RateToLast = %+v, %v, want no demand", q, err)
	}
	users[0] = market.User{Demand: market.Slots{5}}
	if q, err = market.RateToLast(slots, users, 0, 10, market.Options{}); err != nil || q.OK || q.Why != market.NoCredit {
		t.Errorf("RateToLast = %+v, %v, want no credit", q, err)
	}
	users[1].Income = 1000 * credit
	if q, err = market.RateForSlots(slots, users, 0, market.Slots{}, market.Options{}); err != nil || !q.OK || q.Rate != 0 || !math.IsInf(q.Dry, 1) {
		t.Errorf("RateForSlots of nothing = %+v, %v", q, err)
	}
}

// forward is a market stepped interval by interval, users[i] bidding a rate.
type forward struct {
	i     int
	slots market.Slots
	users []market.User
	o     market.Options
}

// newForward settles the last interval.
func newForward(t rapid.TB, users []market.User, i int, slots market.Slots, o market.Options, rate market.Credits) *forward {
	f := &forward{i, slots, slices.Clone(users), o}
	grants, _ := mustStep(t, slots, f.users, o)
	for j, g := range grants {
		u := &f.users[j]
		u.Budget, u.IncomeRest, u.ChargeRest, u.Used, u.Granted, u.GrantedFree, u.GrantedRate = g.Next.Budget, 0, 0, [2]float64{}, market.Slots{}, market.Slots{}, 0
	}
	f.users[i].Rate, f.users[i].LastRate = rate, rate
	f.o.Elapsed, f.o.Fill = 0x1p-1000, market.NoFill // no income in the Step to come: the last one paid it
	return f
}

// step makes the next Step, and returns what users[i] is granted, and the price.
func (f *forward) step(t rapid.TB) (market.Grant, market.Credits) {
	grants, totals := mustStep(t, f.slots, f.users, f.o)
	f.o.Elapsed = 1
	next(f.users, grants)
	return grants[f.i], totals.Price
}

func drawMarket(t *rapid.T) (users []market.User, i int, slots market.Slots, o market.Options) {
	o = drawOptions(t)
	slots = market.Slots{rapid.IntRange(1, 12).Draw(t, "slots"), rapid.SampledFrom([]int{0, 0, 5}).Draw(t, "slots")}
	users = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User {
		u := drawUser(t, o)
		if rapid.Bool().Draw(t, "plain") { // with nothing but money that can change the grants
			u.Min, u.Lot, u.Demand[1], u.Ceiling = market.Slots{}, market.Slots{}, 0, 0
		}
		return u
	}), 1, 5).Draw(t, "users")
	return users, rapid.IntRange(0, len(users)-1).Draw(t, "i"), slots, o
}

// checkLasts fails unless the rate to last lasts, interval by interval, and one micro-credit more
// does not.
func checkLasts(t rapid.TB, users []market.User, i int, intervals float64, slots market.Slots, o market.Options) {
	t.Helper()
	q, err := market.RateToLast(slots, users, i, intervals, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	lasts := func(rate market.Credits) bool {
		f := newForward(t, users, i, slots, o, rate)
		for k := 0.0; k < intervals; k++ {
			rich := *f
			rich.users = slices.Clone(f.users)
			rich.users[i].Budget = 1 << 50
			want, _ := rich.step(t)
			if got, _ := f.step(t); got.Slots != want.Slots {
				return false
			}
		}
		return true
	}
	switch {
	case q.Rate == 0 && (q.Why == market.NoDemand || q.Why == market.NoCredit):
	case !q.OK && q.Why == market.ByBudget && q.Rate == max(o.Reserve, 1):
	case !lasts(q.Rate):
		t.Fatalf("RateToLast(%v, %+v, %d, %v, %+v) = %+v, which does not last", slots, users, i, intervals, o, q)
	case q.Rate < 1<<40 && lasts(q.Rate+1):
		t.Fatalf("RateToLast(%v, %+v, %d, %v, %+v) = %+v, but one more lasts", slots, users, i, intervals, o, q)
	}
	if q.OK && q.Slots == (market.Slots{}) {
		t.Fatalf("%+v is OK without slots", q)
	}
}

func TestRateToLastLasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users, i, slots, o := drawMarket(t)
		checkLasts(t, users, i, rapid.SampledFrom([]float64{.5, 1, 2.3, 7, 40}).Draw(t, "intervals"), slots, o)
	})
	one := market.Slots{1}
	// A minimum that is scaled down, one above the slots, and slots that are carried: a budget
	// binds though it pays for one slot more.
	checkLasts(t, []market.User{{Rate: 1, Income: 1, Min: one, Demand: one}, {Income: 1, Min: market.Slots{2}, Demand: market.Slots{2}}}, 1, 1, one, market.Options{Rounding: market.Webster})
	checkLasts(t, []market.User{{Income: 2, Min: market.Slots{3}, Demand: market.Slots{3}}, {Rate: 1, Income: 1, Min: one, Demand: one}}, 0, 1, market.Slots{2}, market.Options{})
	checkLasts(t, []market.User{{Budget: 500, Demand: market.Slots{2}}, {Rate: 1, Income: 1, Demand: one}, {Budget: 1, Rate: 1, Demand: one}}, 0, 7, market.Slots{2}, market.Options{Carry: true})
	// The least rate of all.
	if q, err := market.RateToLast(one, []market.User{{Budget: 10, Demand: one}}, 0, 10, market.Options{}); err != nil || !q.OK || q.Rate != 1 {
		t.Errorf("RateToLast of 10 micro-credits for 10 intervals = %+v, %v", q, err)
	}
	// A rival whose rate comes near to all that Credits can hold can pay it from the next Step on.
	rival := market.User{Rate: math.MaxInt64 - 1<<60, Budget: math.MaxInt64 - 1<<60 - 5, Income: 10, Demand: one}
	if _, err := market.RateToLast(one, []market.User{{Budget: 1 << 61, Demand: one}, rival}, 0, 3, market.Options{}); err != nil {
		t.Error(err)
	}
}

// With Carry the grants change at each Step. Past 10,000 of them the budget
// has to pay for both slots: 2 r^2 / (1 + r) + 2 r is 2 at the root of a half.
func TestRateToLastLong(t *testing.T) {
	const long = 20_000
	slots, o := market.Slots{2}, market.Options{Carry: true}
	users := []market.User{{Demand: slots}, {Budget: 1 << 60, Rate: credit, Demand: slots}}
	for _, c := range []struct{ budget, income market.Credits }{{long * credit, 0}, {credit, credit}} {
		users[0].Budget, users[0].Income = c.budget, c.income
		q, err := market.RateToLast(slots, users, 0, long, o)
		if rate := float64(q.Rate) / float64(credit); err != nil || !q.OK && q.Slots[0] > 0 || math.Abs(rate-math.Sqrt(.5)) > 1e-3 {
			t.Errorf("RateToLast with %v and %v an interval = %+v, %v, want a rate of %v", c.budget, c.income, q, err, math.Sqrt(.5))
		}
	}
	o.Charge = market.Spend
	if q, err := market.RateToLast(slots, users, 0, long, o); err != nil || q.OK || q.Why != market.ByBudget {
		t.Errorf("RateToLast = %+v, %v, want none for Spend", q, err)
	}
}

// Dry is the interval in which the price is 0 for the first time, without the user's bid.
func TestDry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users, i, slots, o := drawMarket(t)
		if rapid.Bool().Draw(t, "no income") {
			for j := range users {
				users[j].Income = 0
			}
		}
		q, err := market.RateForSlots(slots, users, i, market.Slots{1}, o)
		must(t, err)
		f := newForward(t, users, i, slots, o, 0)
		want := math.Inf(1)
		for k := range 400 {
			if _, price := f.step(t); price == 0 {
				want = float64(k)
				break
			}
		}
		if q.Dry != want && !(q.Dry >= 400 && want >= 400) {
			t.Fatalf("RateForSlots(%v, %+v, %d, 1, %+v).Dry = %v, want %v", slots, users, i, o, q.Dry, want)
		}
	})
	user := func(budget, rate, income market.Credits, demand int) market.User {
		return market.User{Budget: budget, Rate: rate, Income: income, Demand: market.Slots{demand}}
	}
	for _, c := range []struct {
		rivals []market.User
		want   float64
	}{
		// Who holds nothing now holds the slot from then on.
		{[]market.User{user(100, 10, 0, 1), user(1e6, 5, 0, 1)}, 10 + 200_000},
		{[]market.User{user(100, 10, 10, 1)}, math.Inf(1)},
		{[]market.User{user(math.MaxInt64-50, 1, 10, 1), user(91, 10, 9, 1)}, math.Inf(1)}, // a budget that cannot grow stays
		{[]market.User{user(91, 10, 9, 1)}, 91},                                            // 100 after the income of the last interval
		{[]market.User{user(9, 10, 0, 1)}, 0},
		{[]market.User{user(1e12, 1, 0, 1)}, math.Inf(1)}, // beyond 10^9 intervals
		{nil, 0},
	} {
		q, err := market.RateForSlots(market.Slots{1}, append(c.rivals, user(50, 7, 0, 1)), len(c.rivals), market.Slots{1}, market.Options{})
		if err != nil || q.Dry != c.want {
			t.Errorf("beside %+v: dry after %v, %v, want %v", c.rivals, q.Dry, err, c.want)
		}
	}
}

// OK of RateByDeadline is that the work is done in time, interval by interval.
func TestRateByDeadlineFinishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users, i, slots, o := drawMarket(t)
		intervals := rapid.SampledFrom([]float64{.5, 1, 2.3, 7, 40}).Draw(t, "intervals")
		work := intervals * rapid.SampledFrom([]float64{.1, 1, 2.9, 3.5, 5}).Draw(t, "slots at once")
		q, err := market.RateByDeadline(slots, users, i, work, intervals, o)
		must(t, err)
		if q.Rate == 0 || !q.OK && q.Slots[0] < int(math.Ceil(work/intervals)) {
			return // not enough at once
		}
		f, left := newForward(t, users, i, slots, o, q.Rate), work
		for k := 0.0; k < intervals && left > 0; k++ {
			g, _ := f.step(t)
			left -= float64(g.Slots[0]) * min(1, intervals-k)
		}
		if q.OK != (left <= 1e-9) {
			t.Fatalf("RateByDeadline(%v, %+v, %d, %v, %v, %+v) = %+v, but %v is left", slots, users, i, work, intervals, o, q, left)
		}
	})
}

// Rivals whose bids sum to more than Credits can hold once their incomes pay for them: the play
// forward fails, and nothing is quoted.
func TestQuoteOfRivalsToCome(t *testing.T) {
	rival := market.User{Rate: 1<<62 + 1, Income: 1 << 61, Demand: market.Slots{1}}
	users := []market.User{{Budget: 100, Rate: 1, Demand: market.Slots{3}}, rival, rival, {Budget: 1 << 40, Rate: 1, Demand: market.Slots{1}}}
	if _, _, err := market.Step(nil, market.Slots{4}, users, market.Options{}); err != nil {
		t.Fatalf("Step = %v, want grants: no rival can pay yet", err)
	}
	q, err := market.RateToLast(market.Slots{4}, users, 0, 10, market.Options{})
	expect.InputError(t, "RateToLast", err, "market.RateToLast", "users", 2)
	if q != (market.Quote{}) {
		t.Errorf("%+v beside the error, want nothing", q)
	}
}

func TestQuoteErrors(t *testing.T) {
	users := []market.User{{Budget: 5, Rate: 1, Demand: market.Slots{3}}}
	slots, o := market.Slots{3}, market.Options{}
	expect.Refused(t, "market.RateForSlots", market.RateForSlots, nil,
		expect.Bad("i", -1, slots, users, 1, slots, o), expect.Bad("want", -1, slots, users, 0, market.Slots{-1}, o))
	expect.Refused(t, "market.RateToLast", market.RateToLast, nil,
		expect.Bad("i", -1, slots, users, -1, 1, o), expect.Bad("intervals", -1, slots, users, 0, math.NaN(), o))
	expect.Refused(t, "market.RateByDeadline", market.RateByDeadline, nil,
		expect.Bad("intervals", -1, slots, users, 0, 1, 0, o), expect.Bad("work", -1, slots, users, 0, math.NaN(), 1, o),
		expect.Bad("o", -1, slots, users, 0, 1, 1, market.HadoopContrib()))
	// What Step refuses is named by the function that was called.
	for _, c := range []struct {
		arg   string
		index int
		slots market.Slots
		user  market.User
		o     market.Options
	}{
		{"slots", 0, market.Slots{-1}, users[0], o}, {"o", -1, slots, users[0], market.Options{Lag: 2}},
		{"users", 0, slots, market.User{Budget: 5, Rate: -1}, o}, {"users", 0, slots, market.User{Budget: math.MaxInt64, Income: math.MaxInt64}, market.Options{Elapsed: 1e9}},
	} {
		u := []market.User{c.user}
		expect.Refused(t, "market.RateForSlots", market.RateForSlots, nil, expect.Bad(c.arg, c.index, c.slots, u, 0, slots, c.o))
		expect.Refused(t, "market.RateToLast", market.RateToLast, nil, expect.Bad(c.arg, c.index, c.slots, u, 0, 1, c.o))
		expect.Refused(t, "market.RateByDeadline", market.RateByDeadline, nil, expect.Bad(c.arg, c.index, c.slots, u, 0, 1, 1, c.o))
	}
}
