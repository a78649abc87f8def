package market

import (
	"cmp"
	"math"
	"slices"
)

// The most Steps of a play, and of one that looks for Dry.
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
	at       float64 // intervals from now
	price    Credits
	length   float64 // number of intervals for which the grants in trial stay
}

func (p *planner) newPlay(rate Credits) *play {
	x := &play{planner: p, accounts: slices.Clone(p.settled), bidders: slices.Clone(p.users)}
	x.accounts[p.i].Rate, x.accounts[p.i].LastRate = rate, rate
	return x
}

// run plays until the horizon, in intervals, or until visit, called before the intervals are paid,
// returns false. It reports whether the play came to its end either way, in that many Steps.
func (x *play) run(horizon float64, steps int, visit func() bool) bool {
	for range steps {
		if x.at >= horizon {
			return true
		}
		for j := range x.accounts {
			u, b := &x.accounts[j], &x.bidders[j]
			b.Budget, b.Rate, b.LastRate, b.Carry = u.Budget, u.Rate, u.LastRate, u.Carry
		}
		x.price, x.length = x.step(x.bidders).Price, horizon-x.at
		if x.o.Lag == 1 && x.at == 0 || x.o.Carry && x.price > 0 {
			x.length = 1 // the rates, or what is carried, change at the next Step
		}
		for j := range x.accounts {
			x.length = min(x.length, x.holds(j))
		}
		if x.err != nil || !visit() {
			return true
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
	return false
}

// pay settles an interval of a grant, and returns by how much the budget has grown.
func (x *play) pay(u *User, g *Grant) Credits {
	before := u.Budget
	u.Granted, u.GrantedRate, u.Used = g.Slots, g.Next.GrantedRate, [2]float64{float64(g.Slots[0]), float64(g.Slots[1])}
	settle(u, &x.o) // a budget that would be more than Credits can hold gets no income
	u.Granted, u.GrantedRate, u.Used = Slots{}, 0, [2]float64{}
	return u.Budget - before
}

// want is the number of slots that u could be granted, or that its minima could be before they are
// scaled down.
func (p *planner) want(u *User) (n int) {
	for k := range 2 {
		n += u.usable(k, max(p.slots[k], min(u.Min[k]+u.Lot[k], maxSeats)))
	}
	return n
}

// prices returns what a slot costs user j, or would cost, and the money with which no more would
// change its grant: for one slot more than it has, or if Carry, a minimum, a lot or the other kind
// matters, for all it wants.
func (x *play) prices(j int) (price, enough Credits) {
	u, g := &x.bidders[j], &x.trial[j]
	if price = g.Next.GrantedRate; price == 0 {
		price = x.bidders[j].bid(&x.o)
	}
	want := x.want(u)
	if !x.o.Carry && u.Min == (Slots{}) && max(u.Lot[0], u.Lot[1]) <= 1 && (u.Demand[0] == 0 || u.Demand[1] == 0) {
		want = min(want, g.Slots[0]+g.Slots[1]+1)
	}
	enough, ok := price.Mul(int64(want))
	if !ok {
		enough = math.MaxInt64
	}
	if x.o.Charge == Spend {
		enough = max(enough, x.bidders[j].bid(&x.o))
	}
	return price, enough
}

// holds returns for how many intervals the money of user j leaves the grants as they are, +Inf if
// for ever.
func (x *play) holds(j int) float64 {
	u, g := x.accounts[j], &x.trial[j]
	worth := u.worth(&x.o)
	net := x.pay(&u, g)
	switch {
	case net == 0 || g.Why[0] == noDemand && g.Why[1] == noDemand || g.Why[0] == noBid || g.Why[0] == belowReserve:
		return math.Inf(1)
	case u.Ceiling > 0 && u.Income > 0:
		return 1
	}
	price, enough := x.prices(j)
	rest := worth % price
	switch {
	case net > 0 && worth >= enough:
		return math.Inf(1)
	case net > 0: // until it pays for one more slot
		return float64((price-rest-1)/net + 1)
	case worth >= enough:
		return float64((worth-enough)/-net + 1)
	}
	// Until it pays for one less, or for Spend is below the rate.
	if x.o.Charge == Spend {
		rest = min(rest, worth-x.bidders[j].bid(&x.o))
	}
	return float64(rest/-net + 1)
}

// runDry returns when no rival can pay any more if the user does not bid.
func (p *planner) runDry() float64 {
	x := p.newPlay(0)
	if done := x.run(maxSeats, maxDryPlay, func() bool { return x.price > 0 }); !done || x.at >= maxSeats {
		return math.Inf(1)
	}
	return x.at
}

// lasts reports whether the user is granted in each of the intervals what it would be granted with
// any budget.
func (p *planner) lasts(rate Credits, intervals float64) bool {
	x := p.newPlay(rate)
	pays := true
	done := x.run(intervals, maxPlay, func() bool {
		got := x.trial[p.i].Slots
		if _, enough := x.prices(p.i); x.accounts[p.i].worth(&p.o) >= enough {
			return true
		}
		x.length, x.bidders[p.i].Budget = 1, rich
		with, _, err := stepOf(p.fn, nil, x.slots, x.bidders, x.o)
		p.err = cmp.Or(p.err, err)
		pays = err == nil && with[p.i].Slots == got
		return pays
	})
	if done {
		return pays
	}
	// The play was too long. If the budget pays for all that the user wants in the intervals left,
	// it lasts; under Spend the price of a slot may rise.
	own := &x.accounts[p.i]
	income := float64(own.Income)
	if own.Ceiling > 0 {
		income = 0
	}
	dearest := float64(rate) * float64(p.want(own))
	return p.o.Charge != Spend && float64(own.worth(&p.o)) >= dearest+max(0, dearest-income)*(intervals-x.at-1)
}

// finishes reports whether the user does the work in the intervals, or why not.
func (p *planner) finishes(rate Credits, work, intervals float64) (bool, Reason) {
	x := p.newPlay(rate)
	why, left := byShare, work*(1-0x1p-40) // which is rounding
	x.run(math.Ceil(intervals), maxPlay, func() bool {
		g := &x.trial[p.i]
		if g.Why[0] == byBudget || g.Why[0] == noCredit {
			why = byBudget
		}
		left -= float64(g.Slots[0]) * min(x.length, intervals-x.at)
		return left > 0
	})
	if left <= 0 {
		why = byShare
	}
	return left <= 0, why
}
