package market

import "cmp"

// stepper is one Step, and memory for the next. Lists are in the order of the users. Wide and Words are the rates of the active users, 0 for the others.
type stepper struct {
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

// bid is what an active user can take, and what it gets; one who is not active wants nothing.
type bid struct {
	lot   Slots // at least 1
	want  Slots // slots that the user can use
	can   int   // slots that the budget pays for an interval
	pays  Slots // of these at most so many of each kind
	least Slots // the minima: in whole lots, none above what the user wants or what the budget pays of that kind alone; in sum at most the slots
	got   Slots
	cut   int // slots short of a lot
}

func (s *stepper) step() (Totals, error) {
	const fn = "Step"
	t := Totals{Jain: 1}
	s.bids, s.Words, s.Wide = s.bids[:0], s.Words[:0], s.Wide[:0]
	for i := range s.users {
		u, g := &s.users[i], &s.grants[i]
		if reason := u.invalid(&s.o); reason != "" {
			return t, inputError(fn, "users", i, reason)
		}
		*g = Grant{Next: *u}
		var ok, ok2, ok3 bool
		if g.Charge, g.Income, ok = settle(&g.Next, &s.o); !ok {
			return t, inputError(fn, "users", i, "Budget and Income: more than Credits can hold")
		}
		t.Revenue, ok = t.Revenue.Add(g.Charge)
		t.Income, ok2 = t.Income.Add(g.Income)
		t.Price, ok3 = t.Price.Add(s.listBid(g))
		if !ok || !ok2 || !ok3 {
			return t, inputError(fn, "users", i, tooMuch)
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

// settle charges u for the last interval and pays its income. It reports false where Credits cannot hold the budget.
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
		// The room below the ceiling fits Credits but where the budget is a debt of half their range.
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

// listBid lists the next user's bid and returns its rate: 0 if the user is not active, for a reason that it notes.
func (s *stepper) listBid(g *Grant) Credits {
	u := &g.Next
	rate := u.Rate
	if s.o.Lag == 1 {
		rate = u.LastRate
	}
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
	why := ByShare
	switch {
	case !usable:
		why = NoDemand
	case rate == 0:
		why = NoBid
	case rate < s.o.Reserve:
		why = BelowReserve
	case !payable:
		why = NoCredit
	}
	g.Why = [2]Reason{why, why}
	if why != ByShare {
		b, rate = bid{lot: b.lot}, 0
	} else {
		b.can, u.GrantedRate = int(min(can, maxSeats)), rate
	}
	s.bids, s.Words, s.Wide = append(s.bids, b), append(s.Words, uint64(rate)), append(s.Wide, float64(rate))
	return rate
}

// afford sets what a slot costs with Spend, and the most that each user can pay. It returns the sums of the minima.
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

// fitMinima divides the slots of kind k in proportion to minima that exceed them in sum.
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
