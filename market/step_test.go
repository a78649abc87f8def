package market_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
)

var must = expect.Must

const credit = market.Credit

func mustStep(t rapid.TB, slots market.Slots, users []market.User, o market.Options) ([]market.Grant, market.Totals) {
	t.Helper()
	grants, totals, err := market.Step(nil, slots, users, o)
	if err != nil {
		t.Fatalf("Step(%v, %+v, %+v): %v", slots, users, o, err)
	}
	return grants, totals
}

// next sets users to the users after grants, who use all that they are granted.
func next(users []market.User, grants []market.Grant) {
	for i, g := range grants {
		u := g.Next
		u.Used = [2]float64{float64(g.Slots[0]), float64(g.Slots[1])}
		users[i] = u
	}
}

// Figure 1 of the paper.
func TestFigure1(t *testing.T) {
	users := []market.User{{Rate: 4 * credit}, {Rate: credit * 3 / 2}, {Rate: 2 * credit}}
	for i := range users {
		users[i].Budget, users[i].Demand = 100*credit, market.Slots{15}
	}
	grants, totals := mustStep(t, market.Slots{15}, users, market.Options{})
	for i, want := range []int{8, 3, 4} {
		if g := grants[i]; g.Slots[0] != want || g.Why[0] != market.ByShare || g.Charge != 0 {
			t.Errorf("user %d: %+v, want %d slots by share", i, g, want)
		}
	}
	if totals.Price != credit*15/2 {
		t.Errorf("price %v, want 7.5", totals.Price)
	}
	next(users, grants)
	grants, _ = mustStep(t, market.Slots{15}, users, market.Options{})
	for i, want := range []string{"32", "4.5", "8"} {
		if got := grants[i].Charge.String(); got != want {
			t.Errorf("user %d is charged %v, want %v", i, got, want)
		}
	}
}

// Figure 3: twice the rate spends four times as much. Figure 10: a boosted share is 3.08 times a
// usual one.
func TestFigures3And10(t *testing.T) {
	users := []market.User{{Budget: 1000 * credit, Rate: 2 * credit, Demand: market.Slots{120}}, {Budget: 10000 * credit, Rate: credit, Demand: market.Slots{120}}}
	grants, _ := mustStep(t, market.Slots{120}, users, market.Options{})
	next(users, grants)
	grants, _ = mustStep(t, market.Slots{120}, users, market.Options{})
	if grants[0].Charge != 160*credit || grants[1].Charge != 40*credit {
		t.Errorf("charges %v and %v, want 160 and 40", grants[0].Charge, grants[1].Charge)
	}
	users = make([]market.User, 10)
	for i := range users {
		users[i] = market.User{Budget: 1000 * credit, Rate: credit, Demand: market.Slots{40}}
	}
	usual, _ := mustStep(t, market.Slots{40}, users, market.Options{})
	users[3].Rate = 4 * credit
	boosted, _ := mustStep(t, market.Slots{40}, users, market.Options{})
	if r := boosted[3].Share / usual[3].Share; math.Abs(r-3.08) > .005 {
		t.Errorf("ratio of shares %v, want 3.08", r)
	}
}

// Spare slots go by arrival to whoever can use them, are not charged, and are reclaimed first
// when the cluster shrinks.
func TestSpareAndReclaim(t *testing.T) {
	users := []market.User{
		{Budget: 100, Rate: 1, Demand: market.Slots{4}, Arrival: 9},
		{Demand: market.Slots{5}, Arrival: 2},
		{Budget: 100, Demand: market.Slots{5}, Arrival: 1},
	}
	grants, totals := mustStep(t, market.Slots{12}, users, market.Options{})
	for i, want := range []market.Slots{{4, 0}, {0, 3}, {0, 5}} {
		if g := grants[i]; g.Slots[0] != want[0] || g.Free[0] != want[1] {
			t.Errorf("user %d: %d slots and %d spare, want %v", i, g.Slots[0], g.Free[0], want)
		}
	}
	if totals.Unsold[0] != 8 || totals.Free[0] != 8 {
		t.Errorf("totals %+v, want 8 unsold and given", totals)
	}
	for i := range users {
		users[i] = grants[i].Next
		users[i].Used[0] = float64(grants[i].Slots[0] + grants[i].Free[0])
	}
	grants, _ = mustStep(t, market.Slots{6}, users, market.Options{})
	for i, want := range []struct {
		charge  market.Credits
		reclaim int
	}{{4, 0}, {0, 3}, {0, 3}} {
		if g := grants[i]; g.Charge != want.charge || g.Reclaim[0] != want.reclaim {
			t.Errorf("user %d: charge %d, reclaim %d, want %+v", i, int64(g.Charge), g.Reclaim[0], want)
		}
	}
}

// A gang of 8 has no use for 3 slots.
func TestLots(t *testing.T) {
	users := []market.User{
		{Budget: 1000, Rate: 1, Demand: market.Slots{16}, Lot: market.Slots{8}},
		{Budget: 1000, Rate: 1, Demand: market.Slots{20}},
	}
	grants, _ := mustStep(t, market.Slots{23}, users, market.Options{})
	if grants[0].Slots[0] != 8 || grants[1].Slots[0] != 15 {
		t.Errorf("23 slots: %d and %d, want 8 and 15", grants[0].Slots[0], grants[1].Slots[0])
	}
	// A budget for 7 does not make it solvent.
	users[0].Budget = 7
	grants, totals := mustStep(t, market.Slots{23}, users, market.Options{})
	if grants[0].Slots[0] != 0 || grants[0].Why[0] != market.NoCredit || totals.Price != 1 {
		t.Errorf("budget 7: %+v, price %v", grants[0], totals.Price)
	}
	// With carry it gets its share over time.
	users[0].Budget, users[0].Rate, users[1].Rate = 1e9, 1, 3
	users[1].Budget = 1e9
	held := [2]int{}
	for range 100 {
		grants, _ := mustStep(t, market.Slots{12}, users, market.Options{Carry: true})
		for i, g := range grants {
			held[i] += g.Slots[0]
		}
		next(users, grants)
	}
	if math.Abs(float64(held[0])-300) > 8 {
		t.Errorf("over 100 intervals of 12 slots the gang with a quarter held %d slots, want 300 within one gang", held[0])
	}
}

// Minima that exceed the slots are scaled down: in proportion, by the largest remainders, in whole
// lots. What is left goes by rate.
func TestMinimaBeyondSlots(t *testing.T) {
	for _, c := range []struct {
		slots       int
		least, lots []int
		rates       []market.Credits
		want        []int
	}{
		{6, []int{3, 3}, []int{1, 1}, []market.Credits{1, 9}, []int{3, 3}}, // they fit
		// A tie goes to the lower index, whatever the rates.
		{5, []int{3, 3}, []int{1, 1}, []market.Credits{1, 9}, []int{3, 2}},
		{4, []int{8, 0, 4}, []int{1, 1, 1}, []market.Credits{1, 9, 1}, []int{3, 0, 1}},
		{7, []int{8, 8}, []int{4, 1}, []market.Credits{1, 1}, []int{4, 3}}, // 3.5 each: 4 and 3
		{7, []int{8, 8}, []int{8, 1}, []market.Credits{9, 1}, []int{0, 7}}, // 4 slots are no lot of 8
		// 15 are 8 in whole lots; the rest goes by rate.
		{20, []int{24, 8, 0}, []int{8, 1, 1}, []market.Credits{1, 1, 9}, []int{8, 5, 7}},
		{0, []int{8, 8}, []int{1, 1}, []market.Credits{1, 1}, []int{0, 0}},
	} {
		var users []market.User
		for i, least := range c.least {
			users = append(users, market.User{Budget: 1000, Rate: c.rates[i], Demand: market.Slots{30}, Min: market.Slots{least}, Lot: market.Slots{c.lots[i]}})
		}
		grants, totals := mustStep(t, market.Slots{c.slots}, users, market.Options{})
		for i, g := range grants {
			if g.Slots[0] != c.want[i] {
				t.Errorf("minima %v in lots of %v on %d slots: user %d has %d, want %v", c.least, c.lots, c.slots, i, g.Slots[0], c.want)
			}
		}
		if totals.Unsold[0] != 0 {
			t.Errorf("%d slots are unsold", totals.Unsold[0])
		}
	}
}

// A budget for half of both kinds is split as the slots without a budget would be.
func TestTwoKinds(t *testing.T) {
	users := []market.User{
		{Budget: 12, Rate: 1, Demand: market.Slots{20, 20}},
		{Budget: 1000, Rate: 1, Demand: market.Slots{40, 2}},
	}
	grants, totals := mustStep(t, market.Slots{32, 10}, users, market.Options{})
	// Without a budget user 0 would get 16 and 8.
	if grants[0].Slots != (market.Slots{8, 4}) || grants[1].Slots != (market.Slots{24, 2}) || totals.Unsold != (market.Slots{0, 4}) {
		t.Errorf("slots %v and %v, unsold %v, want [8 4], [24 2], [0 4]", grants[0].Slots, grants[1].Slots, totals.Unsold)
	}
	// With enough money user 1 would get 2 of each kind, so that 3 of its 7 credits are for the first.
	// It wants 2, and the credit that is left buys a fifth slot of the second.
	users = []market.User{{Budget: 3, Rate: 3, Demand: market.Slots{3, 8}}, {Budget: 7, Rate: 1, Demand: market.Slots{2, 6}}}
	grants, totals = mustStep(t, market.Slots{7, 8}, users, market.Options{})
	if grants[0].Slots != (market.Slots{0, 1}) || grants[1].Slots != (market.Slots{2, 5}) || totals.Unsold != (market.Slots{5, 2}) {
		t.Errorf("slots %v and %v, unsold %v, want [0 1], [2 5], [5 2]", grants[0].Slots, grants[1].Slots, totals.Unsold)
	}
	// A rival for maps alone leaves reduces over.
	users = []market.User{{Budget: 10, Rate: 4, Demand: market.Slots{9, 9}}, {Budget: 10, Rate: 1, Demand: market.Slots{10, 10}}, {Budget: 3, Rate: 1, Demand: market.Slots{0, 3}}}
	_, totals = mustStep(t, market.Slots{5, 8}, users, market.Options{})
	if totals.Unsold != (market.Slots{}) {
		t.Errorf("unsold %v with 15 slots paid for", totals.Unsold)
	}
}

func TestJain(t *testing.T) {
	users := []market.User{{Budget: 1000, Rate: 1, Demand: market.Slots{10}}, {Budget: 1000, Rate: 1, Demand: market.Slots{10}}}
	if _, totals := mustStep(t, market.Slots{10}, users, market.Options{}); totals.Jain != 1 {
		t.Errorf("equal users: %v, want 1", totals.Jain)
	}
	users[0].Min[0] = 10
	if _, totals := mustStep(t, market.Slots{10}, users, market.Options{}); totals.Jain != .5 {
		t.Errorf("one has everything: %v, want .5", totals.Jain)
	}
	// Entitled to 5 of which it can use 2, and to 5: with 2 and 8 they have 1 and 1.6 times that.
	users[0].Min[0], users[0].Demand[0] = 0, 2
	if _, totals := mustStep(t, market.Slots{10}, users, market.Options{}); math.Abs(totals.Jain-2.6*2.6/(2*(1+1.6*1.6))) > 1e-12 {
		t.Errorf("2 and 8 slots: %v, want %v", totals.Jain, 2.6*2.6/(2*(1+1.6*1.6)))
	}
	if grants, totals := mustStep(t, market.Slots{10}, nil, market.Options{}); totals.Jain != 1 || len(grants) != 0 || totals.Unsold[0] != 10 {
		t.Errorf("nobody: %+v", totals)
	}
}

func TestNames(t *testing.T) {
	expect.Words(t, map[market.Method]string{market.Hamilton: "Hamilton", market.Webster: "Webster", market.Jefferson: "Jefferson", market.Adams: "Adams", market.HuntingtonHill: "HuntingtonHill"})
	expect.Words(t, map[market.Basis]string{market.WithinGrant: "WithinGrant", market.AllHeld: "AllHeld", market.Spend: "Spend"})
	expect.Words(t, map[market.Exhaust]string{market.Drain: "Drain", market.Skip: "Skip", market.Owe: "Owe"})
	expect.Words(t, map[market.Fill]string{market.FIFO: "FIFO", market.NoFill: "NoFill"})
	expect.Words(t, map[market.Reason]string{
		market.ByShare: "share", market.ByMinimum: "minimum", market.ByDemand: "demand", market.ByMaximum: "maximum", market.ByBudget: "budget",
		market.NoDemand: "no demand", market.NoBid: "no bid", market.BelowReserve: "below reserve", market.NoCredit: "no credit",
	})
}

func TestStepErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type (
		o    = market.Options
		user = market.User
	)
	dst := []market.Grant{{Share: 7}}
	good := user{Budget: 10, Rate: 1, Demand: market.Slots{5}}
	calls := []expect.Call{
		expect.Bad("slots", 1, dst, market.Slots{0, -1}, nil, o{}),
		expect.Bad("slots", 0, dst, market.Slots{1e9 + 1}, nil, o{}),
	}
	for _, x := range []o{{Charge: 3}, {Exhaust: 3}, {Fill: 2}, {Rounding: 5}, {Lag: 2}, {Reserve: -1}, {Rounding: market.Adams, Carry: true}, {Elapsed: nan}, {Elapsed: -1}, {Elapsed: inf}} {
		calls = append(calls, expect.Bad("o", -1, dst, market.Slots{9}, []user{good}, x))
	}
	bad := func(o o, change func(u *user)) {
		users := []user{good, good}
		change(&users[1])
		calls = append(calls, expect.Bad("users", 1, dst, market.Slots{9}, users, o))
	}
	for _, change := range []func(u *user){
		func(u *user) { u.Budget = -1 },
		func(u *user) { u.Rate = -1 },
		func(u *user) { u.GrantedRate = -1 },
		func(u *user) { u.Income = -1 },
		func(u *user) { u.Ceiling = -1 },
		func(u *user) { u.Debt = -1 },
		func(u *user) { u.Min[1] = -1 },
		func(u *user) { u.Max[1] = -1 },
		func(u *user) { u.Lot[0] = -1 },
		func(u *user) { u.Demand[0] = 1e9 + 1 },
		func(u *user) { u.Granted[0] = -1 },
		func(u *user) { u.GrantedFree[0] = -1 },
		func(u *user) { u.Min[0], u.Max[0] = 3, 2 },
		func(u *user) { u.Used[1] = nan },
		func(u *user) { u.Used[1] = -1 },
		func(u *user) { u.Used[1] = inf },
		func(u *user) { u.Carry[1] = nan },
		func(u *user) { u.IncomeRest = .6 },
		func(u *user) { u.ChargeRest = nan },
		func(u *user) { u.Arrival = nan },
		func(u *user) { u.Budget, u.Income = math.MaxInt64, 1 },
		func(u *user) { u.Rate, u.Budget = math.MaxInt64, math.MaxInt64 },
	} {
		bad(o{}, change)
	}
	bad(o{Elapsed: 2}, func(u *user) { u.Income = math.MaxInt64 })
	bad(market.HadoopContrib(), func(u *user) { u.LastRate = -1 })
	rich := user{Budget: math.MaxInt64, Rate: math.MaxInt64, Demand: good.Demand}
	calls = append(calls, expect.Bad("users", -1, dst, market.Slots{9}, []user{good, rich}, market.HadoopContrib()))
	expect.Refused(t, "market.Step", market.Step, nil, calls...)
	good.Min[0] = 5 // no error: the minimum is cut to the cluster
	mustStep(t, market.Slots{4}, []user{good}, o{})
}

func crowd(n int) []market.User {
	r := rand.New(rand.NewPCG(3, 4))
	users := make([]market.User, n)
	for i := range users {
		users[i] = market.User{Budget: 1e9 * credit, Rate: 1 + market.Credits(r.Int64N(int64(credit))), Demand: market.Slots{1 + r.IntN(40)}, Granted: market.Slots{3}, GrantedRate: 5, Used: [2]float64{2.5}}
	}
	return users
}

func TestStepAllocates(t *testing.T) {
	users := crowd(1000)
	poor := crowd(1000) // two kinds, budgets that bind, lots, and spare slots
	for i := range poor {
		u := &poor[i]
		u.Budget, u.Demand[1], u.Lot[0] = 3*u.Rate+market.Credits(i), 1+i%9, 1+i%3
	}
	dst := make([]market.Grant, 0, len(users))
	for _, c := range []struct {
		users []market.User
		slots market.Slots
		o     market.Options
	}{
		{users, market.Slots{4000}, market.Options{}}, {users, market.Slots{4000}, market.Options{Carry: true}}, {users, market.Slots{4000}, market.Options{Rounding: market.Webster}},
		{poor, market.Slots{4000, 2000}, market.Options{}}, {poor, market.Slots{4000, 2000}, market.Options{Carry: true, Charge: market.Spend}},
	} {
		if n := testing.AllocsPerRun(100, func() {
			if _, _, err := market.Step(dst, c.slots, c.users, c.o); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("Step with %v, %+v allocates %v times", c.slots, c.o, n)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, n := range []int{80, 1e4, 1e5} {
		b.Run("n="+strconv.Itoa(n), func(b *testing.B) {
			users := crowd(n)
			var grants []market.Grant
			var totals market.Totals
			var err error
			b.ReportAllocs()
			for b.Loop() {
				if grants, totals, err = market.Step(grants[:0], market.Slots{10 * n}, users, market.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			if totals.Unsold[0] != 0 || totals.Free[0] != 0 {
				b.Fatalf("totals %+v", totals)
			}
		})
	}
}
