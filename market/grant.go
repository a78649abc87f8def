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
	can    []int    // slots that the budget pays for an interval
	want   [2][]int // slots that the user can use
	got    [2][]int
	lots   [2]bool // somebody has a Lot
	part   []Slots // slots that the budget pays, of each kind
	caps   []int
	owed   []float64 // by rounding, for Carry
	cut    []int     // slots short of a lot
	order  []int32
	scratch
}

func (s *stepper) start(slots Slots, users []User, grants []Grant, o Options) {
	s.slots, s.users, s.grants, s.o = slots, users, grants, o
	s.active, s.can, s.lots = s.active[:0], s.can[:0], [2]bool{}
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
	s.spare(&t)
	for i := range s.users {
		u, g := &s.users[i], &s.grants[i]
		for k := range 2 {
			g.Reclaim[k] = max(0, u.Granted[k]+u.GrantedFree[k]-g.Slots[k]-g.Free[k])
		}
		g.Next.Granted, g.Next.GrantedFree = g.Slots, g.Free
		g.Next.LastRate = u.Rate
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
		for k := range 2 {
			s.want[k] = append(s.want[k], want[k])
			s.lots[k] = s.lots[k] || u.Lot[k] > 1
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
	for a, i := range s.active {
		u := &s.grants[i].Next
		u.GrantedRate = Credits(s.Words[a])
		if s.o.Charge == Spend {
			u.GrantedRate = each
		}
		s.can = append(s.can, int(min(u.worth(s.o)/u.GrantedRate, maxSeats)))
	}
}

// divideAll sets got. It returns -1, or the first user whose minimum does not fit.
func (s *stepper) divideAll() int {
	for k, left := range s.slots {
		for a, i := range s.active {
			u := &s.users[i]
			if left -= s.least(u, k, min(s.want[k][a], u.lots(k, s.can[a]))); left < 0 {
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
			s.caps = append(s.caps, min(s.want[k][a], s.users[i].lots(k, pays)))
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
			more := s.users[i].lots(k, s.can[a]-s.got[0][a]-s.got[1][a])
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

// least is the minimum of a user with that cap, in whole lots.
func (s *stepper) least(u *User, k, most int) int {
	n := u.Min[k]
	if u.Lot[k] > 1 {
		n = u.lots(k, n+u.Lot[k]-1)
	}
	return min(n, most)
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
		for a, i := range s.active {
			s.Min = append(s.Min, s.least(&s.users[i], k, s.Cap[a]))
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

// record writes the paid slots, their reasons and the totals of them.
func (s *stepper) record(t *Totals) {
	sum, squares, n := 0.0, 0.0, 0
	for a, i := range s.active {
		u, g := &s.users[i], &s.grants[i]
		g.Share = s.Wide[a] / float64(t.Price)
		g.Slots = Slots{s.got[0][a], s.got[1][a]}
		spare := s.can[a] - g.Slots[0] - g.Slots[1]
		entitled := 0.0
		for k := range 2 {
			g.Why[k] = s.why(a, k, u, g.Slots[k], spare, g.Share)
			entitled += min(g.Share*float64(s.slots[k]), float64(s.want[k][a]))
		}
		entitled = min(entitled, float64(s.can[a]))
		if entitled > 0 {
			x := float64(g.Slots[0]+g.Slots[1]) / entitled
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	if squares > 0 {
		t.Jain = sum * sum / (float64(n) * squares)
	}
	for k := range 2 {
		t.Unsold[k] = s.slots[k]
		for _, n := range s.got[k] {
			t.Unsold[k] -= n
		}
	}
}

func (s *stepper) why(a, k int, u *User, got, spare int, share float64) Reason {
	lot := max(u.Lot[k], 1)
	switch {
	case u.Demand[k] == 0:
		return NoDemand
	case u.Max[k] > 0 && got+lot > u.Max[k]:
		return ByMaximum
	case got+lot > u.Demand[k]:
		return ByDemand
	case spare < lot:
		return ByBudget
	case got > 0 && got == s.least(u, k, got) && float64(got) >= share*float64(s.slots[k])+1:
		return ByMinimum
	}
	return ByShare
}

// spare gives the slots that nobody pays for.
func (s *stepper) spare(t *Totals) {
	for k, left := range t.Unsold {
		if s.o.Fill == NoFill || left == 0 {
			continue
		}
		s.order = s.order[:0]
		for i := range s.users {
			if s.users[i].usable(k, maxSeats) > s.grants[i].Slots[k] {
				s.order = append(s.order, int32(i))
			}
		}
		slices.SortFunc(s.order, func(i, j int32) int {
			return cmp.Or(cmp.Compare(s.users[i].Arrival, s.users[j].Arrival), cmp.Compare(i, j))
		})
		for _, i := range s.order {
			u, g := &s.users[i], &s.grants[i]
			g.Free[k] = u.lots(k, min(u.usable(k, maxSeats)-g.Slots[k], left))
			left -= g.Free[k]
			t.Free[k] += g.Free[k]
		}
	}
}
