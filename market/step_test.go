package market_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

const credit = market.Credit

// failer is what testing and rapid have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustStep(t failer, slots market.Slots, users []market.User, o market.Options) ([]market.Grant, market.Totals) {
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

// Figure 3: twice the rate spends four times as much. Figure 10: a boosted share is 3.08 times a usual one.
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

// The facts of Hadoop's unit tests.
func TestHadoopFacts(t *testing.T) {
	o := market.HadoopContrib()
	user := func(budget, rate market.Credits, demand int, used ...float64) market.User {
		u := market.User{Budget: budget * credit, Rate: rate * credit, Demand: market.Slots{demand}, Granted: market.Slots{1000, 1000}}
		copy(u.Used[:], used)
		return u
	}
	grants, _ := mustStep(t, market.Slots{100, 10}, []market.User{user(100, 1, 0, 2), user(100, 2, 0, 3)}, o)
	for i, want := range []struct {
		budget market.Credits
		share  float64
		slots  market.Slots
	}{{98, 1. / 3, market.Slots{33, 3}}, {94, 2. / 3, market.Slots{67, 7}}} {
		if g := grants[i]; g.Next.Budget != want.budget*credit || math.Abs(g.Share-want.share) > 1e-9 || g.Slots != want.slots {
			t.Errorf("testAllocation, testQueueAllocation: user %d: %+v, want %+v", i, g, want)
		}
	}
	users := []market.User{user(100, 1, 0), user(200, 2, 0)}
	grants, _ = mustStep(t, market.Slots{100, 10}, users, o)
	if grants[0].Next.Budget != 100*credit || grants[1].Next.Budget != 200*credit || grants[0].Slots[0] != 0 {
		t.Errorf("testBudgetUpdate: idle users: %+v", grants)
	}
	users = []market.User{user(100, 5, 0, 1), user(100, 1, 0, 1)}
	grants, _ = mustStep(t, market.Slots{100, 10}, users, o)
	if math.Abs(grants[0].Share-5./6) > 1e-9 || math.Abs(grants[1].Share-1./6) > 1e-9 {
		t.Errorf("testSpendingUpdate: %+v", grants)
	}
	users = []market.User{user(1000, 1, 1), user(1000, 2, 1)}
	grants, _ = mustStep(t, market.Slots{100, 10}, users, o)
	for i, used := range []float64{10, 90} {
		users[i] = grants[i].Next
		users[i].Used[0] = used
	}
	grants, _ = mustStep(t, market.Slots{100, 10}, users, o)
	if grants[0].Next.Budget != 990*credit || grants[1].Next.Budget != 866*credit {
		t.Errorf("testUsage: budgets %v, %v, want 990, 866", grants[0].Next.Budget, grants[1].Next.Budget)
	}
}

// Defects 1 and 2: budgets and quotas while a budget runs out. Ours pays to the end and then stops.
func TestFreeRide(t *testing.T) {
	for _, c := range []struct {
		name    string
		o       market.Options
		budgets []market.Credits
		quotas  []int
	}{
		{"HadoopContrib", market.HadoopContrib(), []market.Credits{360, 200, 40, 40, 40, 40, 40}, []int{80, 80, 80, 0, 80, 0, 80}},
		{"default", market.Options{}, []market.Credits{360, 200, 40, 0, 0, 0, 0}, []int{80, 80, 20, 0, 0, 0, 0}},
	} {
		users := []market.User{{Budget: 360 * credit, Rate: 2 * credit}, {Budget: 10000 * credit, Rate: credit}}
		for i := range users {
			users[i].Demand = market.Slots{120}
		}
		for k, want := range c.budgets {
			grants, totals := mustStep(t, market.Slots{120}, users, c.o)
			if g := grants[0]; g.Next.Budget != want*credit || g.Slots[0] != c.quotas[k] {
				t.Errorf("%s, step %d: budget %v, %d slots, want %v, %d", c.name, k, g.Next.Budget, g.Slots[0], want, c.quotas[k])
			}
			shares := grants[0].Share + grants[1].Share
			if c.name == "default" && (math.Abs(shares-1) > 1e-9 || totals.Unsold[0] != 0) {
				t.Errorf("default, step %d: shares sum to %v, %d slots unsold", k, shares, totals.Unsold[0])
			}
			if k == 3 && c.name != "default" && math.Abs(shares-1./3) > 1e-9 {
				t.Errorf("HadoopContrib: shares sum to %v, want 1/3: the insolvent queue counts in the price", shares)
			}
			next(users, grants)
		}
	}
}

// Defect 3: a queue without credits is left out of the price but granted. Defect 4: quotas are rounded one by one.
func TestHadoopQuotas(t *testing.T) {
	users := []market.User{{Rate: 2 * credit, Demand: market.Slots{240}}, {Budget: 100 * credit, Rate: credit, Demand: market.Slots{240}}}
	grants, _ := mustStep(t, market.Slots{120}, users, market.HadoopContrib())
	if grants[0].Share != 2 || grants[1].Share != 1 || grants[0].Slots[0] != 240 || grants[1].Slots[0] != 120 {
		t.Errorf("HadoopContrib: %+v, want shares 2 and 1 of 120 slots", grants)
	}
	grants, _ = mustStep(t, market.Slots{120}, users, market.Options{})
	if grants[0].Share != 0 || grants[0].Slots[0] != 0 || grants[0].Why[0] != market.NoCredit || grants[1].Share != 1 || grants[1].Slots[0] != 100 {
		t.Errorf("default: %+v, want nothing paid and the 100 slots that the budget pays", grants)
	}
	for _, c := range []struct{ n, slots, hadoop int }{{3, 11, 12}, {12, 81, 84}, {11, 81, 77}} {
		users := make([]market.User, c.n)
		for i := range users {
			users[i] = market.User{Budget: 1000 * credit, Rate: credit, Demand: market.Slots{c.slots}}
		}
		for _, want := range []struct {
			o   market.Options
			sum int
		}{{market.HadoopContrib(), c.hadoop}, {market.Options{}, c.slots}} {
			grants, _ := mustStep(t, market.Slots{c.slots}, users, want.o)
			sum := 0
			for _, g := range grants {
				sum += g.Slots[0]
			}
			if sum != want.sum {
				t.Errorf("%d equal users on %d slots get %d, want %d", c.n, c.slots, sum, want.sum)
			}
		}
	}
}

// Defect 8: under HadoopContrib a user who bids 10, 1, 10, 1 pays the rate of the wrong interval.
func TestToggling(t *testing.T) {
	for _, c := range []struct {
		name                   string
		o                      market.Options
		toggler, rival, within float64
	}{
		{"HadoopContrib", market.HadoopContrib(), 2.70, 5.49, .005},
		{"default", market.Options{}, (77*10 + 18*1) / 95., 5.5, .02},
	} {
		users := []market.User{{Rate: 10 * credit}, {Rate: credit * 11 / 2}}
		for i := range users {
			users[i].Budget, users[i].Demand = 1e7*credit, market.Slots{120}
		}
		var held, paid [2]float64
		for k := range 1000 {
			users[0].Rate = []market.Credits{10, 1}[k%2] * credit
			grants, _ := mustStep(t, market.Slots{120}, users, c.o)
			for i, g := range grants {
				held[i] += float64(g.Slots[0])
				paid[i] += float64(g.Charge) / float64(credit)
			}
			next(users, grants)
		}
		for i, want := range []float64{c.toggler, c.rival} {
			if got := paid[i] / held[i]; math.Abs(got-want) > c.within {
				t.Errorf("%s: user %d pays %.3f a slot, want %.3f", c.name, i, got, want)
			}
		}
	}
}

// The paper says that its charges discourage gaming. Two accounts of half the rate get the same slots at half the cost, but not under Spend.
func TestSplitAccount(t *testing.T) {
	cost := func(basis market.Basis, rates ...market.Credits) (slots int, paid market.Credits) {
		users := []market.User{{Budget: 1000 * credit, Rate: credit, Demand: market.Slots{120}}}
		for _, r := range rates {
			users = append(users, market.User{Budget: 1000 * credit, Rate: r, Demand: market.Slots{120}})
		}
		o := market.Options{Charge: basis}
		grants, _ := mustStep(t, market.Slots{120}, users, o)
		next(users, grants)
		grants, _ = mustStep(t, market.Slots{120}, users, o)
		for _, g := range grants[1:] {
			slots += g.Slots[0]
			paid += g.Charge
		}
		return slots, paid
	}
	for _, c := range []struct {
		basis      market.Basis
		one, split market.Credits
	}{{market.WithinGrant, 160 * credit, 80 * credit}, {market.Spend, 2 * credit, 2 * credit}} {
		n, one := cost(c.basis, 2*credit)
		m, split := cost(c.basis, credit, credit)
		if n != 80 || m != 80 || one != c.one || split != c.split {
			t.Errorf("basis %d: one account has %d slots for %v, two have %d for %v, want 80 for %v and %v", c.basis, n, one, m, split, c.one, c.split)
		}
	}
}

func drawUser(t *rapid.T, o market.Options) market.User {
	slots := func(most int, name string) market.Slots {
		return market.Slots{rapid.IntRange(0, most).Draw(t, name), rapid.IntRange(0, most).Draw(t, name)}
	}
	money := func(most int64, name string) market.Credits {
		return market.Credits(rapid.Int64Range(0, most).Draw(t, name))
	}
	u := market.User{Budget: money(60, "budget"), Rate: money(6, "rate"), LastRate: money(6, "last"), Income: money(9, "income"), Demand: slots(20, "demand"),
		Arrival: float64(rapid.IntRange(0, 3).Draw(t, "arrival")), Granted: slots(5, "granted"), GrantedFree: slots(2, "free"), GrantedRate: money(3, "granted rate")}
	if rapid.Bool().Draw(t, "rich") {
		u.Budget *= 100
	}
	if o.Exhaust == market.Owe {
		u.Budget -= 30
		u.Debt = money(50, "debt")
	}
	if rapid.Bool().Draw(t, "ceiling") {
		u.Ceiling = money(90, "ceiling")
	}
	for k := range 2 {
		u.Used[k] = float64(rapid.IntRange(0, 28).Draw(t, "used")) / 4
		if rapid.IntRange(0, 3).Draw(t, "bounds") == 0 {
			u.Lot[k] = rapid.IntRange(0, 5).Draw(t, "lot")
			u.Max[k] = rapid.IntRange(0, 12).Draw(t, "max")
			u.Min[k] = rapid.IntRange(0, 3).Draw(t, "min")
			if u.Max[k] > 0 {
				u.Min[k] = min(u.Min[k], u.Max[k])
			}
		}
	}
	return u
}

func drawOptions(t *rapid.T) market.Options {
	o := market.Options{
		Charge:   rapid.SampledFrom([]market.Basis{market.WithinGrant, market.AllHeld, market.Spend}).Draw(t, "charge"),
		Exhaust:  rapid.SampledFrom([]market.Exhaust{market.Drain, market.Skip, market.Owe}).Draw(t, "exhaust"),
		Lag:      rapid.IntRange(0, 1).Draw(t, "lag"),
		Reserve:  market.Credits(rapid.IntRange(0, 2).Draw(t, "reserve")),
		Rounding: rapid.SampledFrom(methods).Draw(t, "rounding"),
		Fill:     rapid.SampledFrom([]market.Fill{market.FIFO, market.NoFill}).Draw(t, "fill"),
		Elapsed:  rapid.SampledFrom([]float64{0, .25, 1, 1.5}).Draw(t, "elapsed"),
	}
	o.Carry = o.Rounding == market.Hamilton && rapid.Bool().Draw(t, "carry")
	return o
}

// rateOf is the rate that counts.
func rateOf(u market.User, o market.Options) market.Credits {
	if o.Lag == 1 {
		return u.LastRate
	}
	return u.Rate
}

// lots rounds down; usable is what a user could run on.
func lots(u market.User, k, n int) int { return n - n%max(u.Lot[k], 1) }

func usable(u market.User, k, n int) int {
	n = min(n, u.Demand[k])
	if u.Max[k] > 0 {
		n = min(n, u.Max[k])
	}
	return lots(u, k, n)
}

// The laws of a Step, whatever the users and the options.
func TestStepLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		slots := market.Slots{rapid.IntRange(0, 30).Draw(t, "slots"), rapid.IntRange(0, 12).Draw(t, "slots")}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User { return drawUser(t, o) }), 0, 6).Draw(t, "users")
		before := slices.Clone(users)
		grants, totals, err := market.Step(nil, slots, users, o)
		if err != nil {
			least := 0
			for k := range 2 {
				for _, u := range users {
					least = max(least, lots(u, k, u.Min[k]+max(u.Lot[k], 1)-1))
				}
			}
			if least == 0 {
				t.Fatal(err)
			}
			t.Skip("more minima than slots")
		}
		if !slices.Equal(users, before) {
			t.Fatal("Step changed the users")
		}
		var price, revenue, income market.Credits
		var sold, free market.Slots
		paid := make([]market.Credits, len(users)) // what each has left beside its slots for the next interval
		for i, g := range grants {
			u := users[i]
			fail := func(what string) {
				t.Helper()
				t.Fatalf("user %d: %s\nuser   %+v\ngrant  %+v\ntotals %+v\n%+v %v", i, what, u, g, totals, o, slots)
			}
			revenue += g.Charge
			income += g.Income
			if g.Next.Budget != u.Budget-g.Charge+g.Income || g.Charge < 0 || g.Income < 0 {
				fail("budget is not what it was, less the charge, and the income")
			}
			if low := market.Credits(0); o.Exhaust == market.Owe && g.Charge > 0 {
				low = -u.Debt
				if u.Budget-g.Charge < low {
					fail("too much debt")
				}
			} else if o.Exhaust != market.Owe && g.Next.Budget < 0 {
				fail("below 0")
			}
			if u.Ceiling > 0 && g.Income > 0 && g.Next.Budget > u.Ceiling {
				fail("income above the ceiling")
			}
			worth := g.Next.Budget
			if o.Exhaust == market.Owe {
				worth += u.Debt
			}
			rate := rateOf(u, o)
			active, solvent := false, false
			for k := range 2 {
				if n := usable(u, k, slots[k]); n > 0 && rate > 0 && rate >= o.Reserve {
					active = true
					need := market.Credits(max(u.Lot[k], 1))
					if o.Charge == market.Spend {
						need = 1
					}
					solvent = solvent || worth >= rate*need
				}
			}
			if active = active && solvent; active {
				price += rate
			} else if g.Share != 0 || g.Slots != (market.Slots{}) || g.Why[0] < market.NoDemand || g.Why[0] != g.Why[1] {
				fail("not active, but granted")
			}
			if active && g.Next.GrantedRate <= 0 {
				fail("active, but pays nothing")
			}
			paid[i] = worth - g.Next.GrantedRate*market.Credits(g.Slots[0]+g.Slots[1])
			if active && paid[i] < 0 {
				fail("granted more than the budget pays")
			}
			for k := range 2 {
				sold[k] += g.Slots[k]
				free[k] += g.Free[k]
				if g.Slots[k]+g.Free[k] > usable(u, k, g.Slots[k]+g.Free[k]) || g.Slots[k] < 0 || g.Free[k] < 0 {
					fail("not whole lots within demand and maximum")
				}
				if g.Reclaim[k] != max(0, u.Granted[k]+u.GrantedFree[k]-g.Slots[k]-g.Free[k]) {
					fail("wrong Reclaim")
				}
				if active && o.Charge != market.Spend && slots[1-k] == 0 {
					if least := min(lots(u, k, u.Min[k]+max(u.Lot[k], 1)-1), usable(u, k, slots[k]), lots(u, k, int(worth/rate))); g.Slots[k] < least {
						fail("below the minimum")
					}
				}
			}
			if g.Next.Granted != g.Slots || g.Next.GrantedFree != g.Free || g.Next.LastRate != u.Rate || g.Next.Used != [2]float64{} {
				fail("wrong Next")
			}
		}
		if totals.Price != price || totals.Revenue != revenue || totals.Income != income || totals.Free != free {
			t.Fatalf("totals %+v, want price %v, revenue %v, income %v, free %v", totals, price, revenue, income, free)
		}
		if !(totals.Jain > 0 && totals.Jain <= 1+1e-12) {
			t.Fatalf("Jain's index %v", totals.Jain)
		}
		for k := range 2 {
			if totals.Unsold[k] != slots[k]-sold[k] || totals.Unsold[k] < free[k] || o.Fill == market.NoFill && free[k] > 0 {
				t.Fatalf("totals %+v, want %d sold of %d", totals, sold[k], slots[k])
			}
			for i, g := range grants {
				u := users[i]
				lot := max(u.Lot[k], 1)
				if g.Share > 0 && g.Slots[k]+lot <= usable(u, k, slots[k]) && lot <= totals.Unsold[k] && paid[i] >= g.Next.GrantedRate*market.Credits(lot) {
					t.Fatalf("%d slots of kind %d unsold, but user %d could pay for a lot more: %+v\n%+v", totals.Unsold[k], k, i, u, g)
				}
				if o.Fill == market.FIFO && g.Slots[k]+g.Free[k]+lot <= usable(u, k, 1000) && lot <= totals.Unsold[k]-free[k] {
					t.Fatalf("%d slots of kind %d idle, but user %d could use a lot: %+v\n%+v", totals.Unsold[k]-free[k], k, i, u, g)
				}
				reason := g.Why[k]
				ok := true
				switch reason {
				case market.ByDemand:
					ok = g.Slots[k]+lot > u.Demand[k]
				case market.ByMaximum:
					ok = g.Slots[k]+lot > u.Max[k]
				case market.ByBudget:
					ok = paid[i] < g.Next.GrantedRate*market.Credits(lot)
				case market.ByMinimum:
					ok = u.Min[k] > 0
				case market.NoBid:
					ok = rateOf(u, o) == 0
				case market.BelowReserve:
					ok = rateOf(u, o) < o.Reserve
				}
				if !ok {
					t.Fatalf("user %d has %d slots of kind %d by %v: %+v\n%+v", i, g.Slots[k], k, reason, u, g)
				}
			}
		}
	})
}

// Permuted users get permuted grants. The numbers are such that ties do not happen.
func TestStepPermutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		n := rapid.IntRange(2, 7).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		users := make([]market.User, n)
		for i := range users {
			users[i] = market.User{Budget: market.Credits(r.Int64N(1e9)), Rate: market.Credits(r.Int64N(1e8)), LastRate: market.Credits(r.Int64N(1e8)), Debt: market.Credits(r.Int64N(1e8)),
				Demand: market.Slots{r.IntN(20), r.IntN(20)}, Max: market.Slots{r.IntN(20)}, Arrival: r.Float64(), Carry: [2]float64{r.Float64() - .5, r.Float64() - .5}}
		}
		slots := market.Slots{r.IntN(50), r.IntN(30)}
		grants, totals, err := market.Step(nil, slots, users, o)
		order := r.Perm(n)
		permuted, want := make([]market.User, n), make([]market.Grant, n)
		for i, j := range order {
			permuted[i] = users[j]
		}
		got, again, err2 := market.Step(nil, slots, permuted, o)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for i, j := range order {
			want[i] = grants[j]
		}
		near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
		if diff := cmp.Diff(want, got, near) + cmp.Diff(totals, again, near); diff != "" {
			t.Fatalf("order %v of %+v, %v, %+v: %s", order, users, slots, o, diff)
		}
	})
}

// With one kind, and no lots, a Step is one apportionment with the demands and what the budgets pay as caps.
func TestStepIsApportion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		o := market.Options{Rounding: rapid.SampledFrom(methods).Draw(t, "rounding")}
		slots := rapid.IntRange(0, 60).Draw(t, "slots")
		users, rates, caps := make([]market.User, n), make([]int, n), make([]int, n)
		for i := range users {
			u := &users[i]
			u.Budget, u.Rate = market.Credits(rapid.IntRange(0, 300).Draw(t, "budget")), market.Credits(rapid.IntRange(1, 9).Draw(t, "rate"))
			u.Demand[0] = rapid.IntRange(0, 40).Draw(t, "demand")
			rates[i], caps[i] = int(u.Rate), min(u.Demand[0], int(u.Budget/u.Rate))
		}
		want, err := market.Apportion(nil, slots, rates, market.ApportionOptions{Method: o.Rounding, Caps: caps})
		grants, _ := mustStep(t, market.Slots{slots}, users, o)
		for i, g := range grants {
			if err != nil || g.Slots[0] != want[i] {
				t.Fatalf("%d slots, rates %v, caps %v: user %d has %d, want %v, %v", slots, rates, caps, i, g.Slots[0], want, err)
			}
		}
	})
}

// Whose budget does not bind never gets fewer slots for a higher rate. Others' budgets may bind if there is one kind of slots; with two, such a budget may
// move to the other kind.
func TestOwnRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := market.Options{Rounding: rapid.SampledFrom(methods).Draw(t, "rounding")}
		slots := market.Slots{rapid.IntRange(1, 40).Draw(t, "slots"), rapid.IntRange(0, 20).Draw(t, "slots")}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User {
			u := market.User{Budget: market.Credits(rapid.IntRange(0, 200).Draw(t, "budget")), Rate: market.Credits(rapid.IntRange(1, 9).Draw(t, "rate")),
				Demand: market.Slots{rapid.IntRange(0, 40).Draw(t, "demand"), rapid.IntRange(0, 40).Draw(t, "demand")}}
			if slots[1] > 0 {
				u.Budget += 1 << 40
			}
			return u
		}), 2, 6).Draw(t, "users")
		users[0].Budget = 1 << 40
		before, _ := mustStep(t, slots, users, o)
		users[0].Rate += market.Credits(rapid.IntRange(1, 20).Draw(t, "more"))
		after, _ := mustStep(t, slots, users, o)
		if after[0].Slots[0] < before[0].Slots[0] || after[0].Slots[1] < before[0].Slots[1] {
			t.Fatalf("%+v: %d slots before the rate rose, %d after", users, before[0].Slots, after[0].Slots)
		}
	})
}

// With a budget that binds, a higher rate may pay for fewer slots.
func TestOwnRateBound(t *testing.T) {
	users := []market.User{{Budget: 40, Rate: 2, Demand: market.Slots{50}}, {Budget: 1000, Rate: 1, Demand: market.Slots{50}}}
	low, _ := mustStep(t, market.Slots{40}, users, market.Options{})
	users[0].Rate = 4
	high, _ := mustStep(t, market.Slots{40}, users, market.Options{})
	if low[0].Slots[0] != 20 || high[0].Slots[0] != 10 || high[0].Why[0] != market.ByBudget {
		t.Errorf("at rate 2 %d slots, at rate 4 %d by %v, want 20, then 10 by budget", low[0].Slots[0], high[0].Slots[0], high[0].Why[0])
	}
}

var conservationSteps = flag.Int("steps", 100_000, "random steps of TestConservation")

// The budgets and the revenue less the income stay what they were to the micro-credit; carried slots keep their sum.
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
		{"half an interval", market.Options{Elapsed: .5}, func(u *market.User) { u.Used[0] = 1.25 }, 5 * credit / 4, 35 * credit / 4},
		{"two intervals", market.Options{Elapsed: 2}, func(*market.User) {}, 8 * credit, 2 * credit},
		{"drained", market.Options{}, func(u *market.User) { u.Budget = 3 * credit }, 3 * credit, 0},
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

// Spare slots go by arrival to whoever can use them, are not charged, and are reclaimed first when the cluster shrinks.
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
	if grants, totals := mustStep(t, market.Slots{10}, nil, market.Options{}); totals.Jain != 1 || len(grants) != 0 || totals.Unsold[0] != 10 {
		t.Errorf("nobody: %+v", totals)
	}
}

func TestUserJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		u := drawUser(t, o)
		u.Carry = [2]float64{rapid.Float64Range(-3, 3).Draw(t, "carry"), rapid.Float64Range(-3, 3).Draw(t, "carry")}
		u.IncomeRest = rapid.Float64Range(-.5, .5).Draw(t, "rest")
		b, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		var back market.User
		if err := json.Unmarshal(b, &back); err != nil || back != u {
			t.Fatalf("%s: %v, %+v", b, err, back)
		}
	})
	if reflect.TypeFor[market.User]().NumField() != 18 {
		t.Error("User has other fields than this test draws")
	}
}

func TestStepErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := market.User{Budget: 10, Rate: 1, Demand: market.Slots{5}}
	for k, c := range []struct {
		slots  market.Slots
		change func(*market.User)
		o      market.Options
		arg    string
		index  int
	}{
		{market.Slots{0, -1}, nil, market.Options{}, "slots", 1},
		{market.Slots{1e9 + 1}, nil, market.Options{}, "slots", 0},
		{market.Slots{9}, nil, market.Options{Charge: 3}, "o", -1},
		{market.Slots{9}, nil, market.Options{Exhaust: 3}, "o", -1},
		{market.Slots{9}, nil, market.Options{Fill: 2}, "o", -1},
		{market.Slots{9}, nil, market.Options{Rounding: 5}, "o", -1},
		{market.Slots{9}, nil, market.Options{Lag: 2}, "o", -1},
		{market.Slots{9}, nil, market.Options{Reserve: -1}, "o", -1},
		{market.Slots{9}, nil, market.Options{Rounding: market.Adams, Carry: true}, "o", -1},
		{market.Slots{9}, nil, market.Options{Elapsed: nan}, "o", -1},
		{market.Slots{9}, nil, market.Options{Elapsed: -1}, "o", -1},
		{market.Slots{9}, nil, market.Options{Elapsed: inf}, "o", -1},
		{market.Slots{9}, func(u *market.User) { u.Budget = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Rate = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.LastRate = -1 }, market.HadoopContrib(), "users", 1},
		{market.Slots{9}, func(u *market.User) { u.GrantedRate = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Income = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Ceiling = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Debt = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Min[1] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Max[1] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Lot[0] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Demand[0] = 1e9 + 1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Granted[0] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.GrantedFree[0] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Min[0], u.Max[0] = 3, 2 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Used[1] = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Used[1] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Used[1] = inf }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Carry[1] = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.IncomeRest = .6 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.ChargeRest = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Arrival = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Budget, u.Income = math.MaxInt64, 1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Income = math.MaxInt64 }, market.Options{Elapsed: 2}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Rate, u.Budget = math.MaxInt64, math.MaxInt64 }, market.Options{}, "users", 1},
		{market.Slots{4}, func(u *market.User) { u.Min[0] = 5 }, market.Options{}, "users", -2}, // no error: the minimum is cut to the cluster
		{market.Slots{9}, func(u *market.User) { u.Rate, u.Budget = math.MaxInt64, math.MaxInt64 }, market.HadoopContrib(), "users", -1},
	} {
		users := []market.User{good, good}
		if c.change != nil {
			c.change(&users[1])
		}
		dst := []market.Grant{{Share: 7}}
		got, totals, err := market.Step(dst, c.slots, users, c.o)
		if c.index == -2 {
			if err != nil {
				t.Errorf("case %d: %v", k, err)
			}
			continue
		}
		wantInput(t, err, "Step", c.arg, c.index)
		if len(got) != 1 || got[0] != dst[0] || totals != (market.Totals{}) {
			t.Errorf("case %d: %+v, %+v, want dst and nothing", k, got, totals)
		}
	}
	users := []market.User{good, good}
	users[0].Min[0], users[1].Min[0] = 3, 3
	_, _, err := market.Step(nil, market.Slots{5}, users, market.Options{})
	wantInput(t, err, "Step", "users", 1)
	if _, _, err := market.Step(nil, market.Slots{6}, users, market.Options{}); err != nil {
		t.Error(err)
	}
}

// Whatever the numbers: an error, or budgets that add up and shares that are shares.
func TestStepHostile(t *testing.T) {
	money := rapid.SampledFrom([]market.Credits{0, 1, 7, 1 << 31, 1 << 53, 1<<62 - 1, math.MaxInt64 - 1, math.MaxInt64, -1, math.MinInt64})
	count := rapid.SampledFrom([]int{0, 1, 2, 3, 7, 1e9 - 1, 1e9, 1e9 + 1, -1, math.MaxInt32, math.MinInt32})
	number := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, .5, -.5, math.Pi, 5e-324, 1e9, 1 << 52, 1e300, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)})
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		if rapid.IntRange(0, 4).Draw(t, "contrib") == 0 {
			o = market.HadoopContrib()
		}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User {
			u := drawUser(t, o)
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				m, c, x := money.Draw(t, "money"), count.Draw(t, "count"), number.Draw(t, "number")
				k := rapid.IntRange(0, 1).Draw(t, "kind")
				switch rapid.IntRange(0, 16).Draw(t, "field") {
				case 0:
					u.Budget = m
				case 1:
					u.Rate, u.LastRate = m, m
				case 2:
					u.Income = m
				case 3:
					u.Ceiling = m
				case 4:
					u.Debt = m
				case 5:
					u.Min[k] = c
				case 6:
					u.Max[k] = c
				case 7:
					u.Lot[k] = c
				case 8:
					u.Demand[k] = c
				case 9:
					u.Used[k] = x
				case 10:
					u.Granted[k] = c
				case 11:
					u.GrantedFree[k] = c
				case 12:
					u.GrantedRate = m
				case 13:
					u.Carry[k] = x
				case 14:
					u.IncomeRest = x
				case 15:
					u.ChargeRest = x
				case 16:
					u.Arrival = x
				}
			}
			return u
		}), 0, 4).Draw(t, "users")
		slots := market.Slots{count.Draw(t, "slots"), count.Draw(t, "slots")}
		grants, totals, err := market.Step(nil, slots, users, o)
		if err != nil {
			if len(grants) > 0 || !errors.Is(err, schedmath.ErrInput) {
				t.Fatal(grants, err)
			}
			return
		}
		shares := 0.0
		for i, g := range grants {
			shares += g.Share
			if g.Next.Budget != users[i].Budget-g.Charge+g.Income || g.Slots[0] < 0 || g.Slots[1] < 0 || g.Charge < 0 || g.Income < 0 || !(g.Share >= 0) {
				t.Fatalf("%+v: %+v", users[i], g)
			}
		}
		if contrib := o == market.HadoopContrib(); !contrib && (shares > 1+1e-9 || totals.Unsold[0] < 0 || totals.Unsold[1] < 0 || !(totals.Jain > 0)) {
			t.Fatalf("%+v %+v: shares %v", users, totals, shares)
		}
		for i := range users {
			if _, err := market.RateForSlots(users, i, market.Slots{count.Draw(t, "want")}, slots, o); err == nil && o == market.HadoopContrib() {
				t.Fatal("a quote for HadoopContrib")
			}
			_, _ = market.RateToLast(users, i, number.Draw(t, "intervals"), slots, o)
			_, _ = market.RateByDeadline(users, i, number.Draw(t, "work"), number.Draw(t, "intervals"), slots, o)
		}
	})
}

func TestReasonText(t *testing.T) {
	seen := map[string]bool{}
	for r := market.ByShare; r <= market.NoCredit; r++ {
		seen[r.String()] = true
	}
	if len(seen) != 9 || seen["unknown"] || market.Reason(9).String() != "unknown" || market.Method(5).String() != "unknown" {
		t.Errorf("reasons %v", seen)
	}
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
	dst := make([]market.Grant, 0, len(users))
	if n := testing.AllocsPerRun(100, func() {
		if _, _, err := market.Step(dst, market.Slots{4000}, users, market.Options{}); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Step allocates %v times", n)
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
