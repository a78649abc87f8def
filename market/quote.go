package market

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// Quote is what a rate would buy at the next Step, everybody else bidding as now, and whether it
// does what was asked when the market is played forward: Step by Step of one interval, with the
// rivals' rates, demands and incomes as they are, and budgets that pay for all that is granted. The
// play ends after 10,000 changes of the grants. Under Lag 1 a quote is for the rates that count at
// the next Step. Quotes have the errors of Step, and refuse the options of HadoopContrib.
type Quote struct {
	Rate  Credits // the rate to bid
	Cost  Credits // for Slots, per interval
	Slots Slots   // what the rate and the budget buy
	OK    bool    // played forward, the rate and the budget do what was asked
	Why   Reason  // if OK is false, what stands in the way; else of no meaning
	// Dry is how many intervals from now no rival can pay for a slot, played forward without the
	// user's own bid: slots are then there for a bid of any rate, until a rival can pay for one out
	// of its income. +Inf if some rival can pay for 10^9 intervals or 1,000 changes of the grants.
	Dry float64
}

// RateForSlots quotes the least rate at which users[i] gets the wanted slots of each kind or more;
// where others cannot pay for both kinds a lower one may do. If none does, Rate is 0 and Why
// "demand" or "maximum", the user's own, or "share": others' minima, or the largest rate does not
// suffice. If only the budget falls short, Why is "budget".
func RateForSlots(slots Slots, users []User, i int, want Slots, o Options) (Quote, error) {
	const fn = "market.RateForSlots"
	if min(want[0], want[1]) < 0 || max(want[0], want[1]) > maxSeats {
		return Quote{}, input.Bad(fn, "want", -1, "want numbers in [0, 10^9]")
	}
	p, err := newPlanner(fn, slots, users, i, 1, o)
	if err != nil {
		return Quote{}, err
	}
	return p.least(want), nil
}

// RateToLast quotes a rate at which budget and income of users[i] pay for all slots that it wins in
// each of the intervals, 2^-30 to 10^9, the last one whole. The next larger rate does not last; one
// larger still may. Beyond the play a rate lasts if the budget pays for all that the user wants,
// under Spend never. If OK is false, Why is "no credit", "no demand", "budget" if no rate was
// found, or why Slots are 0.
func RateToLast(slots Slots, users []User, i int, intervals float64, o Options) (Quote, error) {
	p, err := newPlanner("market.RateToLast", slots, users, i, intervals, o)
	if err != nil {
		return Quote{}, err
	}
	own, least := &p.settled[i], max(o.Reserve, 1)
	switch {
	case own.usable(0, slots[0]) == 0 && own.usable(1, slots[1]) == 0:
		return Quote{Why: noDemand, Dry: p.dry}, nil
	case float64(own.worth(&o))/intervals+float64(own.Income) < 1:
		return Quote{Why: noCredit, Dry: p.dry}, nil
	case least > p.most:
		return Quote{Why: byShare, Dry: p.dry}, nil
	}
	rate, _ := bisect(least-1, p.most+1, func(rate Credits) bool { return !p.lasts(rate, math.Ceil(intervals)) })
	ok := rate >= least
	g := p.try(max(rate, least), own.Budget)
	q := p.quote(g)
	q.OK = ok && q.Slots != (Slots{})
	switch {
	case q.OK:
	case !ok:
		q.Why = byBudget
	case g.Why[0] == noDemand:
		q.Why = g.Why[1]
	default:
		q.Why = g.Why[0]
	}
	return q, nil
}

// bisect returns two rates next to each other between low, at which ok is false, and high, at which
// it is true: it is false at the first and true at the second.
func bisect(low, high Credits, ok func(rate Credits) bool) (Credits, Credits) {
	for high-low > 1 {
		if rate := low + (high-low)/2; ok(rate) {
			high = rate
		} else {
			low = rate
		}
	}
	return low, high
}

// RateByDeadline is RateForSlots for ceil(work / intervals) slots of the first kind, where OK says
// that the work is done in time; work is in slot-intervals, at most 10^9 in each interval, and
// intervals as in RateToLast. Why is also "budget" if the budget pays for too few slots later, and
// "share" for the whole cluster while others bid, if rivals can pay again, or beyond the play.
func RateByDeadline(slots Slots, users []User, i int, work, intervals float64, o Options) (Quote, error) {
	const fn = "market.RateByDeadline"
	p, err := newPlanner(fn, slots, users, i, intervals, o)
	if err != nil {
		return Quote{}, err
	}
	if !(work >= 0 && work <= maxSeats*intervals) {
		return Quote{}, input.Bad(fn, "work", -1, "want a number in [0, 10^9 intervals]")
	}
	n := min(int(math.Ceil(work/intervals)), maxSeats)
	if n > 0 && n == slots[0] && p.others > 0 {
		return Quote{Why: byShare, Dry: p.dry}, nil
	}
	q := p.least(Slots{n})
	if q.OK && n > 0 {
		q.OK, q.Why = p.finishes(q.Rate, work, intervals)
	}
	return q, nil
}

// rich is a budget that pays for every rate that is tried.
const rich Credits = 1 << 62

// planner tries rates of one user on a market whose last interval is settled.
type planner struct {
	fn      string // for errors
	settled []User // as the last interval leaves them
	users   []User // the same without income, for the next Step
	trial   []Grant
	i       int
	slots   Slots
	o       Options
	others  Credits // price without the user
	most    Credits // no rate is tried above it
	dry     float64
	err     error // of a Step for dry: with rates up to most no sum is more than Credits can hold
}

func newPlanner(fn string, slots Slots, users []User, i int, intervals float64, o Options) (*planner, error) {
	switch {
	case !(intervals >= 0x1p-30 && intervals <= maxSeats):
		return nil, input.Bad(fn, "intervals", -1, "want a number in [2^-30, 10^9]")
	case i < 0 || i >= len(users):
		return nil, input.Bad(fn, "i", -1, "no such user")
	case o.contrib:
		return nil, input.Bad(fn, "o", -1, "no quotes for HadoopContrib")
	}
	grants, totals, err := stepOf(fn, nil, slots, users, o)
	if err != nil {
		return nil, err
	}
	o.Elapsed, o.Fill = 0, NoFill
	p := &planner{fn: fn, trial: grants, i: i, slots: slots, o: o, others: totals.Price}
	bids := Credits(0) // of all others, whether they can pay now or not
	for j, g := range grants {
		// The interval is settled. What the next Step divides by is as it was.
		u := g.Next
		u.GrantedRate, u.Granted, u.GrantedFree, u.IncomeRest, u.ChargeRest = 0, Slots{}, Slots{}, 0, 0
		u.LastRate, u.Carry = users[j].LastRate, users[j].Carry
		p.settled = append(p.settled, u)
		u.Income = 0
		p.users = append(p.users, u)
		if j != i {
			bids = plus(bids, max(u.Rate, u.LastRate))
		} else if g.Share > 0 {
			p.others -= users[j].bid(&o)
		}
	}
	p.most = min(rich/(Credits(slots[0])+Credits(slots[1])+1), math.MaxInt64-bids)
	p.dry = p.runDry()
	return p, p.err
}

// step sets trial to the grants of a Step.
func (p *planner) step(users []User) Totals {
	trial, totals, err := stepOf(p.fn, p.trial[:0], p.slots, users, p.o)
	if err == nil {
		p.trial = trial
	}
	p.err = cmp.Or(p.err, err)
	return totals
}

// try returns what the user gets at that rate with that budget.
func (p *planner) try(rate, budget Credits) Grant {
	u := &p.users[p.i]
	u.Rate, u.LastRate, u.Budget = rate, rate, budget
	p.step(p.users)
	return p.trial[p.i]
}

// quote is of the last trial, which gave g.
func (p *planner) quote(g Grant) Quote {
	return Quote{Rate: g.Next.Rate, Cost: g.Next.GrantedRate * Credits(g.Slots[0]+g.Slots[1]), Slots: g.Slots, Dry: p.dry}
}

// least quotes the least rate that buys the wanted slots.
func (p *planner) least(want Slots) Quote {
	if want == (Slots{}) {
		return Quote{OK: true, Dry: p.dry}
	}
	enough := func(g Grant) bool { return g.Slots[0] >= want[0] && g.Slots[1] >= want[1] }
	low, high := max(p.o.Reserve, 1)-1, p.most
	if g := p.try(high, rich); low >= high || !enough(g) {
		q := Quote{Dry: p.dry}
		for k, why := range g.Why {
			if g.Slots[k] < want[k] && why != noCredit {
				q.Why = why
			}
		}
		return q
	}
	_, rate := bisect(low, high, func(rate Credits) bool { return enough(p.try(rate, rich)) })
	g := p.try(rate, p.settled[p.i].Budget)
	q := p.quote(g)
	if q.OK = enough(g); !q.OK {
		q.Why = byBudget
	}
	return q
}
