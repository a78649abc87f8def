package market

// stepper is one Step, and memory for the next. Lists with an element for each active user are in the order of the users.
type stepper struct {
	slots  Slots
	users  []User
	grants []Grant
	o      Options

	active []int32
	worth  []Credits
	each   []Credits // what a slot costs
	can    []int     // slots that the budget pays for an interval
	want   [2][]int  // slots that the user can use
	got    [2][]int
	lots   [2]bool   // somebody active has a Lot
	minima [2]bool   // or a Min
	part   []Slots   // slots that the budget pays, of each kind
	owed   []float64 // by rounding, for Carry
	cut    []int     // slots short of a lot
	order  []int32
	division
}

func (s *stepper) start(slots Slots, users []User, grants []Grant, o Options) {
	s.slots, s.users, s.grants, s.o = slots, users, grants, o
	s.active, s.worth, s.each, s.can = s.active[:0], s.worth[:0], s.each[:0], s.can[:0]
	s.lots, s.minima = [2]bool{}, [2]bool{}
	s.Words, s.Wide = s.Words[:0], s.Wide[:0]
	for k := range 2 {
		s.want[k], s.got[k] = s.want[k][:0], s.got[k][:0]
	}
}

func (s *stepper) step() (Totals, error) {
	const fn = "Step"
	t := Totals{Jain: 1}
	for i := range s.users {
		u, g := &s.users[i], &s.grants[i]
		if reason := u.invalid(&s.o); reason != "" {
			return t, inputError(fn, "users", i, reason)
		}
		*g = Grant{}
		g.Next = *u
		var ok, ok2, ok3 bool
		if g.Charge, g.Income, ok = settle(&g.Next, &s.o); !ok {
			return t, inputError(fn, "users", i, "Budget and Income: more than Credits can hold")
		}
		t.Revenue, ok = t.Revenue.Add(g.Charge)
		t.Income, ok2 = t.Income.Add(g.Income)
		ok3 = true
		if s.bid(i) {
			t.Price, ok3 = t.Price.Add(Credits(s.Words[len(s.active)-1]))
		}
		if !ok || !ok2 || !ok3 {
			return t, inputError(fn, "users", i, tooMuch)
		}
	}
	s.afford(t.Price)
	for k := range 2 {
		s.got[k] = append(s.got[k], make([]int, len(s.active))...)
	}
	if i := s.divideAll(); i >= 0 {
		return t, inputError(fn, "users", i, "Min: more minima than slots")
	}
	s.record(&t)
	for k, n := range t.Unsold {
		if n > 0 && s.o.Fill == FIFO {
			t.Free[k] = s.spare(k, n)
		}
	}
	return t, nil
}

// bid reports whether user i is active, and then lists it; else it notes why not.
func (s *stepper) bid(i int) bool {
	g := &s.grants[i]
	u := &g.Next
	rate := u.Rate
	if s.o.Lag == 1 {
		rate = u.LastRate
	}
	u.GrantedRate = 0
	worth := u.worth(&s.o)
	var want Slots
	usable, payable := false, false
	for k := range 2 {
		want[k] = u.usable(k, s.slots[k])
		if want[k] > 0 {
			usable = true
			need := Credits(max(u.Lot[k], 1))
			if s.o.Charge == Spend {
				need = 1
			}
			payable = payable || rate > 0 && worth >= rate && (need == 1 || worth/rate >= need)
		}
	}
	var why Reason
	switch {
	case !usable:
		why = NoDemand
	case rate == 0:
		why = NoBid
	case rate < s.o.Reserve:
		why = BelowReserve
	case !payable:
		why = NoCredit
	default:
		s.active = append(s.active, int32(i))
		s.Words, s.Wide = append(s.Words, uint64(rate)), append(s.Wide, float64(rate))
		s.worth = append(s.worth, worth)
		for k := range 2 {
			s.want[k] = append(s.want[k], want[k])
			s.lots[k] = s.lots[k] || u.Lot[k] > 1
			s.minima[k] = s.minima[k] || u.Min[k] > 0
		}
		return true
	}
	g.Why = [2]Reason{why, why}
	return false
}

// afford sets what a slot costs each active user, and how many it can pay.
func (s *stepper) afford(price Credits) {
	// Nobody is active unless there are slots.
	each := Credits(0)
	if capacity := Credits(s.slots[0]) + Credits(s.slots[1]); capacity > 0 {
		each = price / capacity
		if price%capacity > 0 {
			each++
		}
	}
	for a, worth := range s.worth {
		if s.o.Charge != Spend {
			each = Credits(s.Words[a])
		}
		s.each = append(s.each, each)
		s.can = append(s.can, int(min(worth/each, maxSeats)))
	}
}
