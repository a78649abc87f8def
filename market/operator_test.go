package market_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
)

// The paper's example: 200 servers have an income of 4800 credits a day, of which some is kept for
// new users.
func TestIncomes(t *testing.T) {
	incomes, kept, err := market.Incomes([]market.Credits{7}, 200*24*credit, .1, []float64{1, 0, 2})
	if err != nil || kept != 480*credit || [4]market.Credits(incomes) != [4]market.Credits{7, 1440 * credit, 0, 2880 * credit} {
		t.Errorf("%v, %v, %v, want 1440, 0, 2880 and 480 kept", incomes, kept, err)
	}
	if incomes, kept, err = market.Incomes(nil, credit, 1, nil); err != nil || kept != credit || len(incomes) != 0 {
		t.Errorf("nobody yet: %v, %v, %v", incomes, kept, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		total := market.Credits(rapid.Int64Range(0, 1<<40).Draw(t, "total"))
		reserve := rapid.Float64Range(0, 1).Draw(t, "reserve")
		weights := rapid.SliceOfN(rapid.Float64Range(.001, 1000), 1, 20).Draw(t, "weights")
		for range 2 {
			incomes, kept, err := market.Incomes(nil, total, reserve, weights)
			must(t, err)
			sum, whole := kept, 0.0
			for _, w := range weights {
				whole += w
			}
			for i, c := range incomes {
				sum += c
				if part := float64(total-kept) * weights[i] / whole; math.Abs(float64(c)-part) > 1+1e-9*part {
					t.Fatalf("user %d has %v, want %v micro-credits within 1", i, int64(c), part)
				}
			}
			if sum != total || math.Abs(float64(kept)-float64(total)*reserve) > .5 {
				t.Fatalf("sum %v, %v kept, of %v", sum, kept, total)
			}
			// The same total with another user more important.
			weights[0] *= 3
		}
	})
}

func TestOperatorErrors(t *testing.T) {
	nan := math.NaN()
	type list = []float64
	type totals = []market.Totals
	dst := []market.Credits{7}
	expect.Refused(t, "market.Incomes", market.Incomes, nil,
		expect.Bad("total", -1, dst, -1, 0, list{1}),
		expect.Bad("total", -1, dst, int64(1<<52+1), 0, list{1}),
		expect.Bad("reserve", -1, dst, 5, nan, list{1}),
		expect.Bad("reserve", -1, dst, 5, -.1, list{1}),
		expect.Bad("reserve", -1, dst, 5, 1.1, list{1}),
		expect.Bad("weights", 1, dst, 5, 0, list{1, -1}),
		expect.Bad("weights", 1, dst, 5, 0, list{1, nan}),
		expect.Bad("weights", 1, dst, 5, 0, list{1, math.Inf(1)}),
		expect.Bad("weights", -1, dst, 5, .5, list{0, 0}),
		expect.Bad("weights", -1, dst, 5, .5, nil))
	slots := market.Slots{10, 5}
	expect.Refused(t, "market.Inflation", market.Inflation, nil,
		expect.Bad("slots", 0, nil, market.Slots{-1}, 1),
		expect.Bad("par", -1, nil, slots, 0),
		expect.Bad("window", 1, totals{{}, {Revenue: -1}}, slots, 1),
		expect.Bad("window", 1, totals{{}, {Income: -1}}, slots, 1),
		expect.Bad("window", 1, totals{{}, {Unmet: -1}}, slots, 1),
		expect.Bad("window", 1, totals{{}, {Unsold: market.Slots{0, 6}}}, slots, 1),
		expect.Bad("window", 0, totals{{Unsold: market.Slots{-1}}}, slots, 1))
	for _, window := range []totals{nil, {{}}, {{Unsold: slots}, {}}} {
		if level, drift, err := market.Inflation(window, slots, 1); level != 0 || drift != 0 || err != nil {
			t.Errorf("Inflation(%+v) = %v, %v, %v, want 0, 0", window, level, drift, err)
		}
	}
}

// 20 servers and users who bid what they receive, saving none: a credit buys a server
// for an interval. Doubled incomes double the price, halved ones halve it; in between
// the savings tell. Spend is the basis under which a bid is an interval's spending.
func TestInflation(t *testing.T) {
	const servers = 20
	slots := market.Slots{servers}
	users := make([]market.User, 4)
	run := func(steps int, factor float64, bid func(income market.Credits) market.Credits) (level, drift float64) {
		t.Helper()
		incomes, _, err := market.Incomes(nil, market.Credits(servers*factor*float64(credit)), 0, []float64{4, 3, 2, 1})
		must(t, err)
		var window []market.Totals
		for range steps {
			for i, c := range incomes {
				users[i].Income, users[i].Rate, users[i].Demand = c, bid(c), slots
			}
			grants, totals := mustStep(t, slots, users, market.Options{Charge: market.Spend})
			next(users, grants)
			window = append(window, totals)
		}
		if level, drift, err = market.Inflation(window, slots, credit); err != nil {
			t.Fatal(err)
		}
		return level, drift
	}
	all := func(c market.Credits) market.Credits { return c }
	run(1, 1, all) // the first income
	for _, c := range []struct {
		factor       float64
		bid          func(market.Credits) market.Credits
		level, drift float64
	}{
		{1, all, 1, 0},
		{2, all, 2, 0},
		{.5, all, .5, 0},
		{1, func(c market.Credits) market.Credits { return c * 9 / 10 }, .9, .1},    // they save
		{1, func(c market.Credits) market.Credits { return c * 11 / 10 }, 1.1, -.1}, // and spend that
	} {
		level, drift := run(100, c.factor, c.bid)
		if math.Abs(level-c.level) > .02*c.level || math.Abs(drift-c.drift) > .02 {
			t.Errorf("incomes times %v: level %.3f, drift %.3f, want %v, %v", c.factor, level, drift, c.level, c.drift)
		}
	}
}

// Under the default charge, by which a slot costs its rate whoever else bids,
// the level shows rates, unmet paid demand, and slots that are not held.
func TestInflationOfBids(t *testing.T) {
	const servers = 120
	slots := market.Slots{servers}
	for _, c := range []struct {
		users, demand int
		rate, budget  market.Credits
		used          float64 // part of the slots that are held
		level         float64
	}{
		{10, servers, credit, 1e6 * credit, 1, 10},
		{100, servers, credit, 1e6 * credit, 1, 100},
		{1000, servers, credit, 1e6 * credit, 1, 1000},
		{10, 1, credit, 1e6 * credit, 1, 10. / servers}, // 110 slots are unsold
		{100, 1, credit, 1e6 * credit, 1, 100. / servers},
		{1000, 1, credit, 1e6 * credit, 1, 1000. / servers}, // 880 who could pay go without
		{120, 1, credit, 1e6 * credit, 1, 1},
		{120, 1, 3 * credit, 1e6 * credit, 1, 3},
		{120, 1, credit, 1e6 * credit, .25, .25},
		{10, servers, credit, 24 * credit, 1, 2}, // who can pay for 24 has 12
		{120, 1, credit, 0, 1, 0},
	} {
		users := make([]market.User, c.users)
		for i := range users {
			users[i] = market.User{Budget: c.budget, Rate: c.rate, Demand: market.Slots{c.demand}}
		}
		grants, first := mustStep(t, slots, users, market.Options{})
		next(users, grants)
		for i := range users {
			users[i].Used[0] *= c.used
		}
		_, second := mustStep(t, slots, users, market.Options{})
		level, _, err := market.Inflation([]market.Totals{first, second}, slots, credit)
		if err != nil || math.Abs(level-c.level) > 1e-9*c.level {
			t.Errorf("%d users who want %d slots each at %v of %v, and hold %v: level %v, %v, want %v", c.users, c.demand, c.rate, c.budget, c.used, level, err, c.level)
		}
	}
	users := make([]market.User, 8)
	for i := range users {
		users[i] = market.User{Budget: 1 << 62, Rate: 1 << 50, Demand: market.Slots{1 << 12}}
	}
	if _, totals := mustStep(t, market.Slots{1 << 12}, users, market.Options{}); totals.Unmet != math.MaxInt64 {
		t.Errorf("Unmet is %d, want the most that Credits hold", int64(totals.Unmet))
	}
}
