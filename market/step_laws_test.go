package market_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
)

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

// leastOf is the minimum of an active user that nothing but the slots can lower.
func leastOf(u market.User, g market.Grant, k int, o market.Options) int {
	worth := g.Next.Budget
	if o.Exhaust == market.Owe {
		worth += u.Debt
	}
	return min(lots(u, k, u.Min[k]+max(u.Lot[k], 1)-1), usable(u, k, 1000), lots(u, k, int(worth/rateOf(u, o))))
}

// The laws of a Step, whatever the users and the options.
func TestStepLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		slots := market.Slots{rapid.IntRange(0, 30).Draw(t, "slots"), rapid.IntRange(0, 12).Draw(t, "slots")}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User { return drawUser(t, o) }), 0, 6).Draw(t, "users")
		before := slices.Clone(users)
		grants, totals, err := market.Step(nil, slots, users, o)
		must(t, err)
		if !slices.Equal(users, before) {
			t.Fatal("Step changed the users")
		}
		var price, revenue, income, unmet market.Credits
		lotted := false // what remains of a budget need not be whole lots
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
			if active {
				more := min(max(usable(u, 0, slots[0])-g.Slots[0], 0)+max(usable(u, 1, slots[1])-g.Slots[1], 0), int(paid[i]/g.Next.GrantedRate))
				if o.Charge == market.Spend {
					more = min(more, max(0, int(rate/g.Next.GrantedRate)-g.Slots[0]-g.Slots[1]))
				}
				if max(u.Lot[0], u.Lot[1]) > 1 {
					lotted = true
				}
				unmet += market.Credits(more) * g.Next.GrantedRate
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
					least, sum := leastOf(u, g, k, o), 0
					for j, h := range grants {
						if h.Share > 0 {
							sum += leastOf(users[j], h, k, o)
						}
					}
					if sum > slots[k] { // scaled down
						least = lots(u, k, slots[k]*least/sum)
					}
					if g.Slots[k] < least {
						fail("below the minimum")
					}
				}
			}
			if g.Next.Granted != g.Slots || g.Next.GrantedFree != g.Free || g.Next.LastRate != u.Rate || g.Next.Used != [2]float64{} {
				fail("wrong Next")
			}
		}
		if totals.Unmet > unmet || totals.Unmet < unmet && !lotted {
			t.Fatalf("unmet is %v, want %v\n%+v\n%+v", totals.Unmet, unmet, users, grants)
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

// With one kind, and no lots, a Step is one apportionment with the demands and what the budgets pay
// as caps.
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
