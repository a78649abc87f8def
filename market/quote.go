package market

import "math"

// Quote is what a rate would buy at the next Step, everybody else bidding as now.
type Quote struct {
	Rate  Credits // the rate to bid
	Cost  Credits // for Slots, per interval
	Slots Slots   // what the rate and the budget buy
	OK    bool    // the budget lasts for what was asked, and Slots are enough
	Why   Reason  // if OK is false, what stands in the way
	// Dry is how many intervals from now all others have run out of money, if they go on as now: from then on slots are there for a bid of any
	// rate. +Inf if the income of one pays for its slots.
	Dry float64
}

// RateForSlots quotes the least rate at which users[i] gets at least the wanted slots of each kind: can it pay for preempting now,
// or shall it wait? Under Lag 1 the quote is for the rates that count at the next Step.
//
// The rate is exact, found by bisection with Step itself. With two kinds of slots it is a rate that buys the wanted slots, but where
// others' budgets do not pay for both kinds a lower one might. Min and Carry count. If no rate buys the slots, Rate is 0 and Why is ByDemand,
// ByMaximum, or ByShare (others' minima, or the largest rate does not suffice). If the budget does not pay for the slots, Why is ByBudget. Cost of the
// call: about 65 Steps.
//
// Errors: those of Step; i or want out of range; o of HadoopContrib.
func RateForSlots(users []User, i int, want, slots Slots, o Options) (Quote, error) {
	const fn = "RateForSlots"
	if min(want[0], want[1]) < 0 || max(want[0], want[1]) > maxSeats {
		return Quote{}, inputError(fn, "want", -1, "want numbers in [0, 10^9]")
	}
	p, err := newPlanner(fn, users, i, 1, slots, o)
	if err != nil {
		return Quote{}, err
	}
	return p.least(want)
}

// RateToLast quotes the rate at which the budget of users[i] and its income last for the intervals: with others' rates Y on C slots and B
// to spend in an interval, s = (B + sqrt(B^2 + 4 B C Y)) / 2C, at which C s / (s + Y) slots cost s each. Who cannot use
// as many slots bids B for those it can use; under Spend the rate is B. The formula is for fluid slots: whole ones
// make the budget last somewhat longer or shorter. Rates are rounded down to a micro-credit.
//
// Why is NoCredit if nothing is left to spend, NoDemand without demand, and else why Slots are 0. Errors: those of RateForSlots; intervals that are
// NaN or outside [2^-30, 10^9].
func RateToLast(users []User, i int, intervals float64, slots Slots, o Options) (Quote, error) {
	p, err := newPlanner("RateToLast", users, i, intervals, slots, o)
	if err != nil {
		return Quote{}, err
	}
	u := &p.users[i]
	usable := float64(u.usable(0, slots[0])) + float64(u.usable(1, slots[1]))
	budget := p.funds / intervals
	switch {
	case usable == 0:
		return Quote{Why: NoDemand, Dry: p.dry}, nil
	case budget < 1:
		return Quote{Why: NoCredit, Dry: p.dry}, nil
	}
	rate := budget
	if o.Charge != Spend {
		capacity, others := float64(slots[0])+float64(slots[1]), float64(p.others)
		rate = (budget + math.Sqrt(budget)*math.Sqrt(budget+4*capacity*others)) / (2 * capacity)
		if capacity*(rate/(rate+others)) > usable {
			rate = budget / usable
		}
	}
	g, err := p.try(Credits(min(rate, float64(p.most))), p.budget)
	if err != nil {
		return Quote{}, err
	}
	q := p.quote(g)
	if q.OK = q.Slots != (Slots{}); !q.OK {
		if q.Why = g.Why[0]; q.Why == NoDemand {
			q.Why = g.Why[1]
		}
	}
	return q, nil
}

// RateByDeadline quotes the least rate at which users[i] does the work, in slot-intervals on slots of the first kind, within the
// intervals: with n = ceil(work / intervals) slots, as RateForSlots finds it.
//
// Nothing is quoted, and Rate is 0, if n exceeds the maximum (Why ByMaximum), the demand (ByDemand) or the cluster (ByShare), and if n is the whole
// cluster while others bid (ByShare). Why is ByBudget if the budget and the income do not pay for all the work at the rate.
//
// Errors: those of RateToLast; work that is negative, NaN or above 10^9 intervals.
func RateByDeadline(users []User, i int, work, intervals float64, slots Slots, o Options) (Quote, error) {
	const fn = "RateByDeadline"
	p, err := newPlanner(fn, users, i, intervals, slots, o)
	if err != nil {
		return Quote{}, err
	}
	if !(work >= 0 && work <= maxSeats*intervals) {
		return Quote{}, inputError(fn, "work", -1, "want a number in [0, 10^9 intervals]")
	}
	n := min(int(math.Ceil(work/intervals)), maxSeats)
	if n > 0 && n == slots[0] && p.others > 0 {
		return Quote{Why: ByShare, Dry: p.dry}, nil
	}
	q, err := p.least(Slots{n})
	if err == nil && q.OK && float64(p.trial[i].Next.GrantedRate)*work > p.funds {
		q.OK, q.Why = false, ByBudget
	}
	return q, err
}

// rich is a budget that pays for every rate that is tried.
const rich Credits = 1 << 62

// planner tries rates of one user on a market whose last interval is settled.
type planner struct {
	users  []User
	trial  []Grant
	i      int
	slots  Slots
	o      Options
	budget Credits // of the user
	funds  float64 // what the user can spend over the intervals
	others Credits // price without the user
	most   Credits // no rate is tried above it
	dry    float64
}

func newPlanner(fn string, users []User, i int, intervals float64, slots Slots, o Options) (*planner, error) {
	switch {
	case !(intervals >= 0x1p-30 && intervals <= maxSeats):
		return nil, inputError(fn, "intervals", -1, "want a number in [2^-30, 10^9]")
	case i < 0 || i >= len(users):
		return nil, inputError(fn, "i", -1, "no such user")
	case o.contrib:
		return nil, inputError(fn, "o", -1, "no quotes for HadoopContrib")
	}
	grants, totals, err := Step(nil, slots, users, o)
	if err != nil {
		return nil, err
	}
	own := &grants[i].Next
	p := &planner{trial: grants, i: i, slots: slots, o: o, others: totals.Price, budget: own.Budget}
	p.funds = float64(own.worth(&o)) + float64(own.Income)*intervals
	for j, g := range grants {
		u := g.Next
		if j != i && g.Slots != (Slots{}) {
			left := math.Inf(1)
			if net := float64(u.GrantedRate)*float64(g.Slots[0]+g.Slots[1]) - float64(u.Income); net > 0 {
				left = float64(u.worth(&o)) / net
			}
			p.dry = max(p.dry, left)
		}
		if j == i && g.Share > 0 {
			rate := users[i].Rate
			if o.Lag == 1 {
				rate = users[i].LastRate
			}
			p.others -= rate
		}
		// The interval is settled. What the next Step divides by is as it was.
		u.Income, u.GrantedRate, u.Granted, u.GrantedFree = 0, 0, Slots{}, Slots{}
		u.LastRate, u.Carry = users[j].LastRate, users[j].Carry
		p.users = append(p.users, u)
	}
	p.most = min(rich/(Credits(slots[0])+Credits(slots[1])+1), math.MaxInt64-p.others)
	return p, nil
}

// try returns what the user gets at that rate with that budget.
func (p *planner) try(rate, budget Credits) (Grant, error) {
	u := &p.users[p.i]
	u.Rate, u.LastRate, u.Budget = rate, rate, budget
	var err error
	if p.trial, _, err = Step(p.trial[:0], p.slots, p.users, p.o); err != nil {
		return Grant{}, err
	}
	return p.trial[p.i], nil
}

// quote is of the last trial, which gave g.
func (p *planner) quote(g Grant) Quote {
	return Quote{Rate: p.users[p.i].Rate, Cost: g.Next.GrantedRate * Credits(g.Slots[0]+g.Slots[1]), Slots: g.Slots, Dry: p.dry}
}

// least quotes the least rate that buys the wanted slots.
func (p *planner) least(want Slots) (Quote, error) {
	if want == (Slots{}) {
		return Quote{OK: true, Dry: p.dry}, nil
	}
	enough := func(g Grant) bool { return g.Slots[0] >= want[0] && g.Slots[1] >= want[1] }
	// No rate up to low buys enough, high does.
	low, high := max(p.o.Reserve, 1)-1, p.most
	g, err := p.try(high, rich)
	if err != nil {
		return Quote{}, err
	}
	if low >= high || !enough(g) {
		q := Quote{Dry: p.dry}
		for k, why := range g.Why {
			if g.Slots[k] < want[k] && why != NoCredit {
				q.Why = why
			}
		}
		return q, nil
	}
	for high-low > 1 {
		rate := low + (high-low)/2
		if g, err = p.try(rate, rich); err != nil {
			return Quote{}, err
		}
		if enough(g) {
			high = rate
		} else {
			low = rate
		}
	}
	if g, err = p.try(high, p.budget); err != nil {
		return Quote{}, err
	}
	q := p.quote(g)
	if q.OK = enough(g); !q.OK {
		q.Why = ByBudget
	}
	return q, nil
}
