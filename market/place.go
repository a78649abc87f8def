package market

import (
	"cmp"
	"slices"
)

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
		s.Cap = s.Cap[:0]
		for a, i := range s.active {
			pays := s.can[a]
			if tight {
				pays = s.part[a][k]
			}
			s.Cap = append(s.Cap, min(s.want[k][a], s.round(i, k, pays)))
		}
		s.place(k, s.o.Carry)
	}
	if !tight {
		return -1
	}
	// What is left of a kind goes to whoever can still pay.
	for k := range 2 {
		s.Cap = s.Cap[:0]
		for a, i := range s.active {
			more := s.round(i, k, s.can[a]-s.got[0][a]-s.got[1][a])
			s.Cap = append(s.Cap, min(s.want[k][a], s.got[k][a]+more))
		}
		s.place(k, false, s.got[k]...)
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
		s.Cap = append(s.Cap[:0], s.want[k]...)
		s.place(k, false)
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

// place divides the slots of kind k up to Cap, in whole lots, from the minima on, or from what each has.
func (s *stepper) place(k int, carry bool, has ...int) {
	got := s.got[k]
	if s.slots[k] == 0 {
		return // nobody wants any
	}
	s.Seats = s.slots[k]
	s.Min = append(s.Min[:0], has...)
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
		divisor{&s.Division, s.o.Rounding}.run(got)
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
