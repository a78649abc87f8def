package market

import (
	"math"
	"slices"
)

// The most Steps of a play, and of one that looks for Dry. Only grants that keep changing need so many.
const (
	maxPlay    = 10_000
	maxDryPlay = 1_000
)

// play is the market over the intervals to come, with users[i] of the planner bidding a rate.
// Everybody uses and pays all that is granted.
type play struct {
	*planner
	accounts []User  // now
	bidders  []User  // as Step sees them: without income, which play pays
	budget   Credits // of the user as Step sees it; 0: as it is
	at       float64 // intervals from now
	price    Credits
	length   float64 // number of intervals for which the grants in trial stay
}

func (p *planner) newPlay(rate, budget Credits) *play {
	x := &play{planner: p, accounts: slices.Clone(p.users), bidders: slices.Clone(p.users), budget: budget}
	for j, income := range p.incomes {
		x.accounts[j].Income = income
	}
	u := &x.accounts[p.i]
	u.Rate, u.LastRate, u.Budget = rate, rate, p.own.Budget
	return x
}

// run plays until the horizon, in intervals, or until visit, called before the intervals are paid,
// returns false. It reports whether the play came to its end either way, in that many Steps.
func (x *play) run(horizon float64, steps int, visit func() bool) (bool, error) {
	for range steps {
		if x.at >= horizon {
			return true, nil
		}
		for j := range x.accounts {
			u, b := &x.accounts[j], &x.bidders[j]
			b.Budget, b.Rate, b.LastRate, b.Carry = u.Budget, u.Rate, u.LastRate, u.Carry
			if j == x.i && x.budget > 0 {
				b.Budget = x.budget
			}
		}
		var totals Totals
		var err error
		if x.trial, totals, err = Step(x.trial[:0], x.slots, x.bidders, x.o); err != nil {
			return false, err
		}
		x.price, x.length = totals.Price, horizon-x.at
		if x.o.Lag == 1 && x.at == 0 || x.o.Carry && x.price > 0 {
			x.length = 1 // the rates, or what is carried, change at the next Step
		}
		for j := range x.accounts {
			x.length = min(x.length, x.holds(j))
		}
		if !visit() {
			return true, nil
		}
		for j := range x.accounts {
			u, g := &x.accounts[j], &x.trial[j]
			more, ok := x.pay(u, g).Mul(int64(x.length) - 1)
			budget, ok2 := u.Budget.Add(more)
			if u.Budget = budget; !ok || !ok2 {
				u.Budget = math.MaxInt64
			}
			u.Carry, u.LastRate = g.Next.Carry, u.Rate
		}
		x.at += x.length
	}
	return false, nil
}

// pay settles an interval of a grant, and returns by how much the budget has grown.
func (x *play) pay(u *User, g *Grant) Credits {
	before := u.Budget
	u.Granted, u.GrantedRate, u.Used = g.Slots, g.Next.GrantedRate, [2]float64{float64(g.Slots[0]), float64(g.Slots[1])}
	settle(u, &x.o) // a budget that would be more than Credits can hold gets no income
	u.Granted, u.GrantedRate, u.Used = Slots{}, 0, [2]float64{}
	return u.Budget - before
}

// holds returns for how many intervals the money of user j leaves the grants as they are, +Inf if
// for ever.
func (x *play) holds(j int) float64 {
	u, g := x.accounts[j], &x.trial[j]
	worth, bid := u.worth(&x.o), x.bidders[j].Rate
	if x.o.Lag == 1 {
		bid = x.bidders[j].LastRate
	}
	net := x.pay(&u, g)
	switch {
	case net == 0 || g.Why[0] == NoDemand && g.Why[1] == NoDemand || g.Why[0] == NoBid || g.Why[0] == BelowReserve:
		return math.Inf(1)
	case u.Ceiling > 0 && u.Income > 0:
		return 1
	}
	price := g.Next.GrantedRate // of a slot
	if price == 0 {
		price = bid
	}
	// With enough the budget does not bind: with money for one slot more than it has, or if a
	// minimum, a lot or the other kind matters, for all it wants.
	want := u.usable(0, x.slots[0]) + u.usable(1, x.slots[1])
	got := g.Slots[0] + g.Slots[1]
	if u.Min == (Slots{}) && max(u.Lot[0], u.Lot[1]) <= 1 && (u.Demand[0] == 0 || u.Demand[1] == 0) {
		want = min(want, got+1)
	}
	enough, ok := price.Mul(int64(want))
	if !ok {
		enough = math.MaxInt64
	}
	if j == x.i && x.budget > 0 {
		enough = max(bid, price*Credits(got)) // what it has to pay, or have
	} else if x.o.Charge == Spend {
		enough = max(enough, bid)
	}
	rest := worth % price
	switch {
	case net > 0 && worth >= enough:
		return math.Inf(1)
	case net > 0: // until it pays for one more slot
		return float64((price-rest-1)/net + 1)
	case worth >= enough:
		return float64((worth-enough)/-net + 1)
	}
	return float64(rest/-net + 1) // until it pays for one less
}

// runDry returns when no rival can pay any more if the user does not bid.
func (p *planner) runDry() (float64, error) {
	x := p.newPlay(0, 0)
	done, err := x.run(maxSeats, maxDryPlay, func() bool { return x.price > 0 })
	if !done || x.at >= maxSeats {
		return math.Inf(1), err
	}
	return x.at, err
}

// lasts reports whether in each of the intervals the money of the user makes it active and pays for
// all that it would be granted with any budget.
func (p *planner) lasts(rate Credits, intervals float64) (bool, error) {
	x := p.newPlay(rate, rich)
	own, pays := &x.accounts[p.i], true
	cost := func(n int) Credits { return x.trial[p.i].Next.GrantedRate * Credits(n) }
	entry := rate // the least money of an active user
	if p.o.Charge != Spend {
		lot := maxSeats
		for k, n := range own.Lot {
			if own.usable(k, p.slots[k]) > 0 {
				lot = min(lot, max(n, 1))
			}
		}
		entry *= Credits(lot)
	}
	done, err := x.run(intervals, maxPlay, func() bool {
		slots := x.trial[p.i].Slots
		pays = max(entry, cost(slots[0]+slots[1])) <= own.worth(&p.o)
		return pays
	})
	if done || err != nil {
		return pays && err == nil, err
	}
	// The play was too long. If the budget pays for all that the user wants in the intervals left,
	// it lasts; under Spend the price of a slot may rise.
	income := float64(own.Income)
	if own.Ceiling > 0 {
		income = 0
	}
	dearest := float64(cost(own.usable(0, p.slots[0]) + own.usable(1, p.slots[1])))
	return p.o.Charge != Spend && float64(own.worth(&p.o)) >= dearest+max(0, dearest-income)*(intervals-x.at-1), nil
}

// finishes reports whether the user does the work in the intervals, or why not.
func (p *planner) finishes(rate Credits, work, intervals float64) (bool, Reason, error) {
	x := p.newPlay(rate, 0)
	why, left := ByShare, work*(1-0x1p-40) // which is rounding
	_, err := x.run(math.Ceil(intervals), maxPlay, func() bool {
		g := &x.trial[p.i]
		if g.Why[0] == ByBudget || g.Why[0] == NoCredit {
			why = ByBudget
		}
		left -= float64(g.Slots[0]) * min(x.length, intervals-x.at)
		return left > 0
	})
	if left <= 0 {
		why = ByShare
	}
	return left <= 0, why, err
}
