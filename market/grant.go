package market

import (
	"cmp"
	"slices"
)

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
	lots   [2]bool // somebody active has a Lot
	minima [2]bool // or a Min
	part   []Slots // slots that the budget pays, of each kind
	caps   []int
	owed   []float64 // by rounding, for Carry
	cut    []int     // slots short of a lot
	order  []int32
	scratch
}

func (s *stepper) start(slots Slots, users []User, grants []Grant, o Options) {
	s.slots, s.users, s.grants, s.o = slots, users, grants, o
	s.active, s.worth, s.each, s.can = s.active[:0], s.worth[:0], s.each[:0], s.can[:0]
	s.lots, s.minima = [2]bool{}, [2]bool{}
	s.Words, s.Wide, s.Exact = s.Words[:0], s.Wide[:0], nil
	for k := range 2 {
		s.want[k], s.got[k] = s.want[k][:0], s.got[k][:0]
	}
}

func (s *stepper) step() (Totals, error) {
	const fn = "Step"
	t := Totals{Jain: 1}
	for i := range s.users {
		u, g := &s.users[i], &s.grants[i]
		if reason := u.invalid(s.o); reason != "" {
			return t, inputError(fn, "users", i, reason)
		}
		*g = Grant{Next: *u}
		var ok, ok2, ok3 bool
		if g.Charge, g.Income, ok = settle(&g.Next, s.o); !ok {
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
	worth := u.worth(s.o)
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
			payable = payable || rate > 0 && worth/rate >= need
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
	// With Spend somebody is active only if there are slots, at most 2^32 of them.
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

// divideAll sets got. It returns -1, or the first user whose minimum does not fit.
func (s *stepper) divideAll() int {
	for k, left := range s.slots {
		if !s.minima[k] {
			continue
		}
		for a, i := range s.active {
			if left -= s.least(a, k, s.want[k][a]); left < 0 {
				return int(i)
			}
		}
	}
	tight := s.split()
	for k := range 2 {
		s.caps = s.caps[:0]
		for a, i := range s.active {
			pays := s.can[a]
			if tight {
				pays = s.part[a][k]
			}
			s.caps = append(s.caps, min(s.want[k][a], s.round(i, k, pays)))
		}
		s.place(k, s.caps, s.o.Carry)
	}
	if !tight {
		return -1
	}
	// What is left of a kind goes to whoever can still pay.
	for k := range 2 {
		s.caps = s.caps[:0]
		for a, i := range s.active {
			more := s.round(i, k, s.can[a]-s.got[0][a]-s.got[1][a])
			s.caps = append(s.caps, min(s.want[k][a], s.got[k][a]+more))
		}
		s.place(k, s.caps, false, s.got[k]...)
	}
	return -1
}

// split reports whether some budget does not pay for what is wanted of both kinds. If so it sets part: such a budget is divided in proportion to
// the slots that the user would get with enough money, or where there are none to those wanted.
func (s *stepper) split() bool {
	tight := false
	for a := range s.active {
		tight = tight || s.tight(a)
	}
	if !tight {
		return false
	}
	for k := range 2 {
		s.place(k, s.want[k], false)
	}
	s.part = s.part[:0]
	for a, n := range s.can {
		s.part = append(s.part, Slots{n, n})
		if s.tight(a) {
			x, y := s.got[0][a], s.got[1][a]
			if x+y == 0 {
				x, y = s.want[0][a], s.want[1][a]
			}
			first := int(int64(n) * int64(x) / (int64(x) + int64(y)))
			s.part[a] = Slots{first, n - first}
		}
	}
	return true
}

// tight reports whether the budget does not pay for what the user wants of both kinds.
func (s *stepper) tight(a int) bool {
	x, y := s.want[0][a], s.want[1][a]
	return x > 0 && y > 0 && int64(s.can[a]) < int64(x)+int64(y)
}

// round is what n slots come to in whole lots of user i.
func (s *stepper) round(i int32, k, n int) int {
	if s.lots[k] {
		n = s.users[i].lots(k, n)
	}
	return n
}

// least is the minimum of active user a in whole lots, which neither the cap nor what the budget pays of this kind alone exceeds.
func (s *stepper) least(a, k, most int) int {
	if !s.minima[k] {
		return 0
	}
	u := &s.users[s.active[a]]
	return min(u.lots(k, u.Min[k]+max(u.Lot[k], 1)-1), most, u.lots(k, s.can[a]))
}

// place divides the slots of kind k up to the caps, which are whole lots, from the minima on, or from what each has.
func (s *stepper) place(k int, caps []int, carry bool, has ...int) {
	got := s.got[k]
	if s.slots[k] == 0 {
		return // nobody wants any
	}
	s.Seats = s.slots[k]
	s.Cap, s.Min = append(s.Cap[:0], caps...), append(s.Min[:0], has...)
	if has == nil {
		for a := range s.active {
			s.Min = append(s.Min, s.least(a, k, s.Cap[a]))
		}
	}
	switch {
	case carry:
		s.hand(k)
		s.carry(got, s.owed)
	case s.o.Rounding == Hamilton:
		s.Run(got)
	default:
		s.divisor.run(got, &s.Division, s.o.Rounding)
	}
	if s.lots[k] {
		s.whole(k)
	}
	if carry {
		for a, i := range s.active {
			owed := s.owed[a]
			if s.lots[k] {
				owed += float64(s.cut[a])
			}
			s.grants[i].Next.Carry[k] = min(max(owed, -maxSeats), maxSeats)
		}
	}
}

// hand sets owed, and shares out what is owed to those who are not active.
func (s *stepper) hand(k int) {
	s.owed = s.owed[:0]
	if len(s.active) == 0 {
		return
	}
	gone, total := 0.0, 0.0
	next := 0
	for i := range s.grants {
		c := &s.grants[i].Next.Carry[k]
		if next < len(s.active) && int(s.active[next]) == i {
			s.owed = append(s.owed, *c)
			total += s.Wide[next]
			next++
			continue
		}
		gone += *c
		*c = 0
	}
	for a := range s.owed {
		s.owed[a] += gone * (s.Wide[a] / total)
	}
}

// whole cuts the slots of kind k down to whole lots, then hands out what that leaves over: one lot each by what was cut, then all that fits.
func (s *stepper) whole(k int) {
	left := s.slots[k]
	s.order, s.cut = s.order[:0], s.cut[:0]
	for a, i := range s.active {
		n := s.users[i].lots(k, s.got[k][a])
		s.order, s.cut = append(s.order, int32(a)), append(s.cut, s.got[k][a]-n)
		s.got[k][a] = n
		left -= n
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.cut[b], s.cut[a]), cmp.Compare(a, b))
	})
	for _, most := range []int{1, maxSeats} {
		for _, a := range s.order {
			lot := max(s.users[s.active[a]].Lot[k], 1)
			n := lot * min(most, (s.Cap[a]-s.got[k][a])/lot, left/lot)
			s.got[k][a] += n
			s.cut[a] -= n
			left -= n
		}
	}
}

// record writes the paid slots with their reasons, the rest of each user's state, and the totals.
func (s *stepper) record(t *Totals) {
	t.Unsold = s.slots
	sum, squares, n := 0.0, 0.0, 0
	a := 0
	for i := range s.grants {
		u, g := &s.users[i], &s.grants[i]
		if a < len(s.active) && int(s.active[a]) == i {
			g.Slots = Slots{s.got[0][a], s.got[1][a]}
			g.Next.GrantedRate = s.each[a]
			if x := s.explain(a, u, g, t.Price); x >= 0 {
				sum, squares, n = sum+x, squares+x*x, n+1
			}
			a++
		}
		for k := range 2 {
			t.Unsold[k] -= g.Slots[k]
			g.Reclaim[k] = max(0, u.Granted[k]+u.GrantedFree[k]-g.Slots[k])
		}
		g.Next.Granted, g.Next.GrantedFree = g.Slots, Slots{}
		g.Next.LastRate = u.Rate
	}
	if squares > 0 {
		t.Jain = sum * sum / (float64(n) * squares)
	}
}

// explain sets the share and the reasons of an active user. It returns its slots over its entitlement, -1 if that is 0.
func (s *stepper) explain(a int, u *User, g *Grant, price Credits) float64 {
	g.Share = s.Wide[a] / float64(price)
	spare := s.can[a] - g.Slots[0] - g.Slots[1]
	entitled := 0.0
	for k, got := range g.Slots {
		share := g.Share * float64(s.slots[k])
		entitled += min(share, float64(s.want[k][a]))
		lot := max(u.Lot[k], 1)
		switch {
		case u.Demand[k] == 0:
			g.Why[k] = NoDemand
		case u.Max[k] > 0 && got+lot > u.Max[k]:
			g.Why[k] = ByMaximum
		case got+lot > u.Demand[k]:
			g.Why[k] = ByDemand
		case spare < lot:
			g.Why[k] = ByBudget
		case u.Min[k] > 0 && got < u.Min[k]+lot && float64(got) >= share+1:
			g.Why[k] = ByMinimum
		}
	}
	if entitled = min(entitled, float64(s.can[a])); entitled == 0 {
		return -1
	}
	return float64(g.Slots[0]+g.Slots[1]) / entitled
}

// spare gives n slots of kind k that nobody pays for, and returns how many somebody could use.
func (s *stepper) spare(k, n int) int {
	s.order = s.order[:0]
	for i := range s.users {
		if s.users[i].usable(k, maxSeats) > s.grants[i].Slots[k] {
			s.order = append(s.order, int32(i))
		}
	}
	slices.SortFunc(s.order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(s.users[i].Arrival, s.users[j].Arrival), cmp.Compare(i, j))
	})
	left := n
	for _, i := range s.order {
		u, g := &s.users[i], &s.grants[i]
		g.Free[k] = u.lots(k, min(u.usable(k, maxSeats)-g.Slots[k], left))
		g.Next.GrantedFree[k] = g.Free[k]
		g.Reclaim[k] = max(0, g.Reclaim[k]-g.Free[k])
		left -= g.Free[k]
	}
	return n - left
}
