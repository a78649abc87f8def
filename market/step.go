package market

import (
	"cmp"
	"slices"
	"sync"

	"github.com/schedmath/schedmath/internal/input"
)

// Step charges the last interval at the rates of its grants, pays the incomes, sets the price, and
// appends to dst each user's grant for the next interval; pass each Grant.Next on to the next Step.
// Ties go to the lower index.
//
// Errors: Carry with a divisor method; sums that Credits cannot hold.
func Step(dst []Grant, slots Slots, users []User, o Options) ([]Grant, Totals, error) {
	return stepOf("market.Step", dst, slots, users, o)
}

// stepOf is Step for the exported function fn.
func stepOf(fn string, dst []Grant, slots Slots, users []User, o Options) ([]Grant, Totals, error) {
	if err := check(fn, slots, o); err != nil {
		return dst, Totals{}, err
	}
	n := len(dst)
	grown := slices.Grow(dst, len(users))[:n+len(users)]
	s := steps.Get().(*stepper)
	defer steps.Put(s)
	s.fn, s.slots, s.users, s.grants, s.o = fn, slots, users, grown[n:], o
	step := s.step
	if o.contrib {
		step = s.contrib
	}
	t, err := step()
	s.users, s.grants = nil, nil
	if err != nil {
		return dst, Totals{}, err
	}
	return grown, t, nil
}

const tooMuch = "the sum of the rates, charges or incomes is more than Credits can hold"

// steps keeps the memory of past steps; no result depends on it.
var steps = sync.Pool{New: func() any { return new(stepper) }}

func check(fn string, slots Slots, o Options) error {
	for k, n := range slots {
		if n < 0 || n > maxSeats {
			return input.Bad(fn, "slots", k, "%d, want a number in [0, 10^9]", n)
		}
	}
	switch {
	case o.Charge >= bases, o.Exhaust >= exhausts, o.Fill >= fills, o.Rounding >= methods:
		return input.Bad(fn, "o", -1, "Charge, Exhaust, Fill and Rounding are %v, %v, %v and %v, want known ones", o.Charge, o.Exhaust, o.Fill, o.Rounding)
	case o.Lag != 0 && o.Lag != 1:
		return input.Bad(fn, "o", -1, "Lag is %d, want 0 or 1", o.Lag)
	case o.Reserve < 0:
		return input.Bad(fn, "o", -1, "Reserve is %v, want >= 0", o.Reserve)
	case o.Carry && o.Rounding != Hamilton:
		return input.Bad(fn, "o", -1, "Rounding is %v, want Hamilton with Carry", o.Rounding)
	case !(o.Elapsed >= 0 && o.Elapsed <= maxSeats):
		return input.Bad(fn, "o", -1, "Elapsed is %v, want a number in [0, 10^9]", o.Elapsed)
	}
	return nil
}

// stepper is one Step, and memory for the next. Lists are in the order of the users. Weights are
// the rates of the active users, 0 for the others.
type stepper struct {
	fn     string // for errors
	slots  Slots
	users  []User
	grants []Grant
	o      Options

	bids     []bid
	got      []int
	owed     []float64
	order    []int32
	division // of one kind of slots
}

// bid is what an active user can take, and what it gets. The bid of a user who is not active wants
// no slots.
type bid struct {
	rate Credits
	lot  Slots // at least 1
	want Slots // slots that the user can use
	can  int   // slots that the budget pays for an interval, of both kinds together
	pays Slots // slots of each kind that the budget pays for
	// least is Min in whole lots, at most want and the slots of the kind that the budget pays for
	// alone. The least of all users are together at most the slots of the kind.
	least Slots
	got   Slots
	// cut is the number of slots that rounding to whole lots took away, of the kind that place
	// divided last; below 0: that it gave.
	cut int
}

func (s *stepper) step() (Totals, error) {
	t := Totals{Jain: 1}
	s.bids, s.Weights = s.bids[:0], s.Weights[:0]
	for i := range s.users {
		u, g := &s.users[i], &s.grants[i]
		if reason := u.invalid(&s.o); reason != "" {
			return t, input.Bad(s.fn, "users", i, "%s", reason)
		}
		*g = Grant{Next: *u}
		var ok, ok2, ok3 bool
		if g.Charge, g.Income, ok = settle(&g.Next, &s.o); !ok {
			return t, input.Bad(s.fn, "users", i, "Budget and Income: more than Credits can hold")
		}
		t.Revenue, ok = t.Revenue.Add(g.Charge)
		t.Income, ok2 = t.Income.Add(g.Income)
		t.Price, ok3 = t.Price.Add(s.listBid(g))
		if !ok || !ok2 || !ok3 {
			return t, input.Bad(s.fn, "users", i, tooMuch)
		}
	}
	for k, n := range s.afford(t.Price) {
		if n > int64(s.slots[k]) {
			s.fitMinima(k)
		}
	}
	s.divideAll()
	s.record(&t)
	for k, n := range t.Unsold {
		if n > 0 && s.o.Fill == FIFO {
			t.Free[k] = s.spare(k, n)
		}
	}
	return t, nil
}

// settle charges u for the last interval and pays its income. It reports false where Credits cannot
// hold the budget.
func settle(u *User, o *Options) (charge, income Credits, ok bool) {
	elapsed := cmp.Or(o.Elapsed, 1)
	held := 0.0 // slot-intervals to pay for
	for k, used := range u.Used {
		granted := float64(u.Granted[k]) * elapsed
		held += min(used, granted)
		if o.Charge == AllHeld {
			held += max(0, used-granted-float64(u.GrantedFree[k])*elapsed)
		}
	}
	charge, u.ChargeRest, ok = times(u.GrantedRate, held, u.ChargeRest)
	if worth := u.worth(o); !ok || charge > worth {
		charge, u.ChargeRest = max(worth, 0), 0
		if o.Exhaust == Skip {
			charge = 0
		}
	}
	u.Budget -= charge
	income, u.IncomeRest, ok = times(u.Income, elapsed, u.IncomeRest)
	if u.Ceiling > 0 {
		// No income beyond the ceiling, none at all for a budget above it. Credits can hold the
		// difference unless the budget is a debt of more than half their range.
		room, fits := u.Ceiling.Sub(min(u.Budget, u.Ceiling))
		if !ok || !fits || income > room {
			income, u.IncomeRest, ok = room, 0, fits
		}
	}
	if !ok {
		return 0, 0, false
	}
	u.Budget, ok = u.Budget.Add(income)
	return charge, income, ok
}

// listBid appends the bid of g's user to the lists and returns its rate. If the user is not active
// the rate is 0 and g.Why says why.
func (s *stepper) listBid(g *Grant) Credits {
	u := &g.Next
	rate := u.bid(&s.o)
	u.GrantedRate = 0
	can := Credits(0)
	if rate > 0 {
		can = u.worth(&s.o) / rate
	}
	b := bid{lot: Slots{max(u.Lot[0], 1), max(u.Lot[1], 1)}}
	usable, payable := false, false
	for k := range 2 {
		b.want[k] = u.usable(k, s.slots[k])
		b.least[k] = min(lots(u.Min[k]+b.lot[k]-1, b.lot[k]), u.usable(k, maxSeats))
		need := Credits(b.lot[k])
		if s.o.Charge == Spend {
			need = 1
		}
		if b.want[k] > 0 {
			usable = true
			payable = payable || can >= need
		}
	}
	why := byShare
	switch {
	case !usable:
		why = noDemand
	case rate == 0:
		why = noBid
	case rate < s.o.Reserve:
		why = belowReserve
	case !payable:
		why = noCredit
	}
	g.Why = [2]Reason{why, why}
	if why != byShare {
		b, rate = bid{lot: b.lot}, 0
	} else {
		b.can, u.GrantedRate = int(min(can, maxSeats)), rate
	}
	b.rate = rate
	s.bids, s.Weights = append(s.bids, b), append(s.Weights, float64(rate))
	return rate
}

// afford sets the price of a slot under Spend, and for each user the number of slots that its
// budget pays. It returns for each kind the sum of the minima.
func (s *stepper) afford(price Credits) (minima [2]int64) {
	for i := range s.bids {
		b, u := &s.bids[i], &s.grants[i].Next
		if s.o.Charge == Spend && u.GrantedRate > 0 {
			u.GrantedRate = 1 + (price-1)/(Credits(s.slots[0])+Credits(s.slots[1])) // rounded up
			b.can = int(min(u.worth(&s.o)/u.GrantedRate, maxSeats))
		}
		b.pays = Slots{b.can, b.can}
		for k := range 2 {
			b.least[k] = min(b.least[k], lots(b.can, b.lot[k]))
			minima[k] += int64(b.least[k])
		}
	}
	return minima
}

// fitMinima divides the slots of kind k in proportion to minima that exceed them in total.
func (s *stepper) fitMinima(k int) {
	var minima []int
	for i := range s.bids {
		minima = append(minima, s.bids[i].least[k])
	}
	fit, _ := Apportion(nil, s.slots[k], minima, ApportionOptions{Caps: minima}) // no argument is out of range
	for i := range s.bids {
		b := &s.bids[i]
		b.least[k] = lots(fit[i], b.lot[k])
	}
}
