package market

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// Quote is what a rate would buy at the next Step, everybody else bidding as now, and whether it
// does what was asked when the market is played forward: Step by Step of one interval, with the
// rivals' rates, demands and incomes as they are, and budgets that pay for all that is granted.
type Quote struct {
	Rate  Credits // the rate to bid
	Cost  Credits // for Slots, per interval
	Slots Slots   // what the rate and the budget buy
	OK    bool    // played forward, the rate and the budget do what was asked
	Why   Reason  // if OK is false, what stands in the way
	// Dry is how many intervals from now no rival can pay for a slot, played forward without the
	// user's own bid: from then on slots are there for a bid of any rate, except when a rival that
	// has spent its budget can pay for one out of its income. +Inf if some rival can pay for ever,
	// for 10^9 intervals, or for 1,000 changes of the grants.
	Dry float64
}

// RateForSlots quotes the least rate at which users[i] gets at least the wanted slots of each
// kind: can it pay for preempting now, or shall it wait? Under Lag 1 the quote is for the rates
// that count at the next Step.
//
// The rate is exact, found by bisection with Step itself. With two kinds of slots it is a
// rate that buys the wanted slots, but where others' budgets do not pay for both kinds a
// lower one might. Min and Carry count. If no rate buys the slots, Rate is 0 and Why is
// ByDemand, ByMaximum, or ByShare (others' minima, or the largest rate does not suffice). If
// the budget does not pay for the slots, Why is ByBudget. Cost of the call: about 65 Steps.
//
// Errors: those of Step; i or want out of range; o of HadoopContrib.
func RateForSlots(slots Slots, users []User, i int, want Slots, o Options) (Quote, error) {
	const fn = "market.RateForSlots"
	if min(want[0], want[1]) < 0 || max(want[0], want[1]) > maxSeats {
		return Quote{}, input.Bad(fn, "want", -1, "want numbers in [0, 10^9]")
	}
	p, err := newPlanner(fn, slots, users, i, 1, o)
	if err != nil {
		return Quote{}, err
	}
	return p.least(want)
}

// RateToLast quotes a rate that users[i] can keep up: the largest rate found at which its budget
// and its income pay, in each of the intervals, for all slots that the rate alone would give it. A
// last interval that has only begun counts in full. The market is played forward with the rivals'
// demands and budgets. A rival whose demand is met leaves slots over, and a rival without money
// leaves all of its slots over.
//
// The first guess is the rate for fluid slots: with others' rates Y on C slots and B to
// spend in an interval, s = (B + sqrt(B^2 + 4 B C Y)) / 2C, at which C s / (s + Y) slots
// cost s each. From there the rate is doubled or halved, and then bisected to a
// micro-credit. The next larger rate does not last; with whole slots one larger still may.
//
// If OK is false, Why is NoCredit if nothing is left to spend, NoDemand if there is no demand,
// ByBudget if no rate was found that lasts, and otherwise the reason why Slots are 0. A play ends
// after 10,000 changes of the grants; a rate lasts then if the budget pays for all the user's
// demand in the intervals left; under Spend it does not last. Cost of the call: 25 to 90 plays,
// each of a Step for every change of the grants, with Carry for every interval.
//
// Errors: those of RateForSlots; intervals that are NaN or outside [2^-30, 10^9].
func RateToLast(slots Slots, users []User, i int, intervals float64, o Options) (Quote, error) {
	p, err := newPlanner("market.RateToLast", slots, users, i, intervals, o)
	if err != nil {
		return Quote{}, err
	}
	u := &p.users[i]
	usable := float64(u.usable(0, slots[0])) + float64(u.usable(1, slots[1]))
	budget := (float64(p.own.worth(&o)) + float64(p.own.Income)*intervals) / intervals
	switch {
	case usable == 0:
		return Quote{Why: NoDemand, Dry: p.dry}, nil
	case budget < 1:
		return Quote{Why: NoCredit, Dry: p.dry}, nil
	}
	capacity, others := float64(slots[0])+float64(slots[1]), float64(p.others)
	guess := (budget + math.Sqrt(budget)*math.Sqrt(budget+4*capacity*others)) / (2 * capacity)
	if o.Charge == Spend {
		guess = budget
	}
	least := max(o.Reserve, 1)
	if least > p.most {
		return Quote{Why: ByShare, Dry: p.dry}, nil
	}
	rate, ok, err := p.largest(least, max(least, Credits(min(guess, float64(p.most)))), math.Ceil(intervals))
	if err != nil {
		return Quote{}, err
	}
	g, err := p.try(rate, p.own.Budget)
	if err != nil {
		return Quote{}, err
	}
	q := p.quote(g)
	q.OK = ok && q.Slots != (Slots{})
	switch {
	case q.OK:
	case !ok:
		q.Why = ByBudget
	case g.Why[0] == NoDemand:
		q.Why = g.Why[1]
	default:
		q.Why = g.Why[0]
	}
	return q, nil
}

// largest returns the largest rate of at least least that it finds to last, from a first guess, and
// whether there is one; else the rate is least.
func (p *planner) largest(least, rate Credits, intervals float64) (Credits, bool, error) {
	// low lasts or is below least; high does not last or is above the most.
	low, high := least-1, p.most+1
	for low+1 < high {
		lasts, err := p.lasts(rate, intervals)
		if err != nil {
			return 0, false, err
		}
		if lasts {
			low = rate
		} else {
			high = rate
		}
		switch {
		case high > p.most:
			rate = 2 * min(low, p.most/2)
		case low < least:
			rate = high / 2
		default:
			rate = low + (high-low)/2
		}
		rate = min(max(rate, low+1), high-1)
	}
	return max(low, least), low >= least, nil
}

// RateByDeadline quotes the least rate at which users[i] is granted n = ceil(work
// / intervals) slots of the first kind at the next Step, as RateForSlots finds
// it, to do the work, in slot-intervals, within the intervals. OK says whether
// the work is done in time if the user goes on bidding that rate out of its
// budget and income, played forward against the rivals' demands and budgets.
//
// Nothing is quoted, and Rate is 0, if n exceeds the maximum (Why ByMaximum), the demand
// (ByDemand) or the cluster (ByShare), and if n is the whole cluster while others bid (ByShare).
// Why is ByBudget if the budget pays for too few slots in some interval, and ByShare if rivals
// who cannot pay now come back, or if the work is not done in 10,000 changes of the grants.
//
// Errors: those of RateToLast; work that is negative, NaN or above 10^9 intervals.
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
		return Quote{Why: ByShare, Dry: p.dry}, nil
	}
	q, err := p.least(Slots{n})
	if err == nil && q.OK && n > 0 {
		q.OK, q.Why, err = p.finishes(q.Rate, work, intervals)
	}
	return q, err
}

// rich is a budget that pays for every rate that is tried.
const rich Credits = 1 << 62

// planner tries rates of one user on a market whose last interval is settled.
type planner struct {
	users   []User    // without income, for the next Step
	incomes []Credits // of the users
	trial   []Grant
	i       int
	slots   Slots
	o       Options
	own     User    // users[i], with its money and income
	others  Credits // price without the user
	most    Credits // no rate is tried above it
	dry     float64
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
	grants, totals, err := Step(nil, slots, users, o)
	if err != nil {
		return nil, err
	}
	o.Elapsed, o.Fill = 0, NoFill
	p := &planner{trial: grants, i: i, slots: slots, o: o, others: totals.Price}
	bids := Credits(0) // of all others, whether they can pay now or not
	for j, g := range grants {
		rate := users[j].Rate
		if o.Lag == 1 {
			rate = users[j].LastRate
		}
		// The interval is settled. What the next Step divides by is as it was.
		u := g.Next
		u.Income, u.GrantedRate, u.Granted, u.GrantedFree, u.IncomeRest, u.ChargeRest = 0, 0, Slots{}, Slots{}, 0, 0
		u.LastRate, u.Carry = users[j].LastRate, users[j].Carry
		p.users, p.incomes = append(p.users, u), append(p.incomes, g.Next.Income)
		if j != i {
			if sum, ok := bids.Add(max(u.Rate, u.LastRate)); ok {
				bids = sum
			} else {
				bids = math.MaxInt64
			}
		} else if g.Share > 0 {
			p.others -= rate
		}
	}
	p.own = p.users[i]
	p.own.Income = p.incomes[i]
	p.most = min(rich/(Credits(slots[0])+Credits(slots[1])+1), math.MaxInt64-bids)
	p.dry, err = p.runDry()
	return p, err
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
	return Quote{Rate: g.Next.Rate, Cost: g.Next.GrantedRate * Credits(g.Slots[0]+g.Slots[1]), Slots: g.Slots, Dry: p.dry}
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
	if g, err = p.try(high, p.own.Budget); err != nil {
		return Quote{}, err
	}
	q := p.quote(g)
	if q.OK = enough(g); !q.OK {
		q.Why = ByBudget
	}
	return q, nil
}
