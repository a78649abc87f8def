package market_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/market"
)

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
	for i, g := range grants {
		users[i] = g.Next
		users[i].Budget += []market.Credits{200, 300}[i] * credit
	}
	grants, _ = mustStep(t, market.Slots{100, 10}, users, o)
	if grants[0].Next.Budget != 300*credit || grants[1].Next.Budget != 500*credit {
		t.Errorf("testBudgetUpdate: after adding 200 and 300: %+v", grants)
	}
	users = []market.User{user(100, 1, 0, 1), user(100, 2, 0, 1)}
	for _, first := range []float64{1. / 3, 5. / 6} {
		grants, _ = mustStep(t, market.Slots{100, 10}, users, o)
		if math.Abs(grants[0].Share-first) > 1e-9 || math.Abs(grants[1].Share-(1-first)) > 1e-9 {
			t.Errorf("testSpendingUpdate: %+v, want a first share of %v", grants, first)
		}
		for i, g := range grants { // one slot used again
			users[i].Budget = g.Next.Budget
		}
		users[0].Rate, users[1].Rate = 5*credit, credit
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

// Lag delays the rates of price, shares and charges by a Step.
func TestHadoopLag(t *testing.T) {
	o := market.HadoopContrib()
	o.Lag = 1
	users := []market.User{{Budget: 1000 * credit, Rate: credit, Demand: market.Slots{120}}, {Budget: 1000 * credit, Rate: credit, Demand: market.Slots{120}}}
	for k, want := range []struct {
		share  float64
		charge market.Credits
	}{{0, 0}, {.5, 0}, {.5, 60}, {.75, 180}} {
		grants, _ := mustStep(t, market.Slots{120}, users, o)
		if g := grants[0]; g.Share != want.share || g.Charge != want.charge*credit {
			t.Errorf("step %d: share %v, charge %v, want %v, %v", k, g.Share, g.Charge, want.share, want.charge*credit)
		}
		next(users, grants)
		if k == 1 { // charged from the fourth step on
			users[0].Rate = 3 * credit
		}
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
			if k == 3 && c.name != "default" && (math.Abs(shares-1./3) > 1e-9 || totals.Unsold[0] != 80) {
				t.Errorf("HadoopContrib: shares sum to %v, %d slots unsold, want 1/3 and 80: the insolvent queue counts in the price", shares, totals.Unsold[0])
			}
			next(users, grants)
		}
	}
}

// Defect 3: a queue without credits is left out of the price but granted. Defect 4: quotas are
// rounded one by one.
func TestHadoopQuotas(t *testing.T) {
	users := []market.User{{Rate: 2 * credit, Demand: market.Slots{240}}, {Budget: 100 * credit, Rate: credit, Demand: market.Slots{240}}}
	grants, totals := mustStep(t, market.Slots{120}, users, market.HadoopContrib())
	if grants[0].Share != 2 || grants[1].Share != 1 || grants[0].Slots[0] != 240 || grants[1].Slots[0] != 120 || totals.Unsold[0] != 0 {
		t.Errorf("HadoopContrib: %+v, %d slots unsold, want shares 2 and 1 of 120 slots, none unsold", grants, totals.Unsold[0])
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
		{"HadoopContrib", market.HadoopContrib(), (77*1 + 18*10) / 95., 5.5, 1e-9}, // 2.70 a slot
		{"default", market.Options{}, (77*10 + 18*1) / 95., 5.5, 1e-9},
	} {
		users := []market.User{{Rate: 10 * credit}, {Rate: credit * 11 / 2}}
		for i := range users {
			users[i].Budget, users[i].Demand = 1e7*credit, market.Slots{120}
		}
		var held, paid [2]float64
		for k := range 1001 {
			users[0].Rate = []market.Credits{10, 1}[k%2] * credit
			grants, _ := mustStep(t, market.Slots{120}, users, c.o)
			for i, g := range grants {
				paid[i] += float64(g.Charge) / float64(credit)
				if k < 1000 { // the slots of the last Step are not charged any more
					held[i] += float64(g.Slots[0])
				}
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

// The paper says that its charges discourage gaming. Two accounts of half the rate get the same
// slots at half the cost. Under Spend slots cost the same, but rounding can favour either.
func TestSplitAccount(t *testing.T) {
	cost := func(basis market.Basis, servers int, rival market.Credits, rates ...market.Credits) (slots int, paid market.Credits) {
		users := []market.User{{Budget: 1000 * credit, Rate: rival, Demand: market.Slots{120}}}
		for _, r := range rates {
			users = append(users, market.User{Budget: 1000 * credit, Rate: r, Demand: market.Slots{120}})
		}
		o := market.Options{Charge: basis}
		grants, _ := mustStep(t, market.Slots{servers}, users, o)
		next(users, grants)
		grants, _ = mustStep(t, market.Slots{servers}, users, o)
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
		n, one := cost(c.basis, 120, credit, 2*credit)
		m, split := cost(c.basis, 120, credit, credit, credit)
		if n != 80 || m != 80 || one != c.one || split != c.split {
			t.Errorf("basis %d: one account has %d slots for %v, two have %d for %v, want 80 for %v and %v", c.basis, n, one, m, split, c.one, c.split)
		}
	}
	// 1.4 of 10 slots are rounded down, .7 and .7 up; 1.6 are rounded up, .8 and .8 to one slot
	// each; .6 up, .3 and .3 down.
	for _, c := range []struct {
		rate       market.Credits
		one, split int
	}{{14, 1, 2}, {16, 2, 2}, {6, 1, 0}} {
		n, one := cost(market.Spend, 10, (100-c.rate)*credit, c.rate*credit)
		m, split := cost(market.Spend, 10, (100-c.rate)*credit, c.rate*credit/2, c.rate*credit/2)
		if price := market.Credits(10 * credit); n != c.one || m != c.split || one != price*market.Credits(n) || split != price*market.Credits(m) {
			t.Errorf("Spend, %d of 100: one account has %d slots for %v, two have %d for %v, want %d and %d at %v", c.rate, n, one, m, split, c.one, c.split, price)
		}
	}
}

// HadoopContrib charges each kind's usage up to the quota of this kind, and says how many slots of
// each kind are to be given back.
func TestHadoopKinds(t *testing.T) {
	users := []market.User{
		{Budget: 100 * credit, Rate: 3 * credit, Used: [2]float64{7, 1}, Granted: market.Slots{2, 5}},
		{Budget: 100 * credit, Rate: 1 * credit, Used: [2]float64{1, 9}, Granted: market.Slots{4, 3}},
		{Budget: 100 * credit, Rate: 4 * credit, Demand: market.Slots{0, 2}, Granted: market.Slots{80, 1}},
	}
	grants, totals := mustStep(t, market.Slots{40, 8}, users, market.HadoopContrib())
	for i, want := range []struct {
		charge  market.Credits
		slots   market.Slots // of the shares 3/8, 1/8, 4/8
		reclaim market.Slots
	}{{9, market.Slots{15, 3}, market.Slots{0, 2}}, {4, market.Slots{5, 1}, market.Slots{0, 2}}, {0, market.Slots{20, 4}, market.Slots{60, 0}}} {
		if g := grants[i]; g.Charge != want.charge*credit || g.Slots != want.slots || g.Reclaim != want.reclaim {
			t.Errorf("user %d: %+v, want a charge of %d credits, slots %v, %v to give back", i, g, want.charge, want.slots, want.reclaim)
		}
	}
	if totals.Revenue != 13*credit || totals.Price != 8*credit {
		t.Errorf("%+v, want a revenue of 13 and a price of 8 credits", totals)
	}
}
