package market

import (
	"cmp"
	"slices"
)

// divideAll sets the paid slots.
func (s *stepper) divideAll() {
	tight := slices.ContainsFunc(s.bids, bid.tight)
	if tight {
		s.split()
	}
	for k := range 2 {
		s.place(k, s.o.Carry, false)
	}
	if !tight {
		return
	}
	// What is left of a kind goes to whoever can still pay.
	for k := range 2 {
		for i := range s.bids {
			b := &s.bids[i]
			b.pays[k] = b.can - b.got[1-k]
		}
		s.place(k, false, true)
	}
}

// tight reports whether the budget does not pay for what the user wants of both kinds.
func (b bid) tight() bool {
	return b.want[0] > 0 && b.want[1] > 0 && int64(b.can) < int64(b.want[0])+int64(b.want[1])
}

// split divides each budget that does not pay for both kinds in proportion to the slots that the
// user would get with enough money, or where there are none to those wanted.
func (s *stepper) split() {
	for i := range s.bids {
		s.bids[i].pays = s.bids[i].want
	}
	for k := range 2 {
		s.place(k, false, false)
	}
	for i := range s.bids {
		b := &s.bids[i]
		b.pays = Slots{b.can, b.can}
		if b.tight() {
			part := b.got
			if part == (Slots{}) {
				part = b.want
			}
			first := int(int64(b.can) * int64(part[0]) / (int64(part[0]) + int64(part[1])))
			b.pays = Slots{first, b.can - first}
		}
	}
}

// place divides the slots of kind k, in whole lots, among those who want and can pay them: from the
// minima on, or if more is set from what each has.
func (s *stepper) place(k int, carry, more bool) {
	if s.slots[k] == 0 {
		return // nobody wants any
	}
	s.Seats, s.Min, s.Cap, s.owed = s.slots[k], s.Min[:0], s.Cap[:0], s.owed[:0]
	for i := range s.bids {
		b := &s.bids[i]
		most := min(b.want[k], lots(b.pays[k], b.lot[k]))
		least := min(b.least[k], most)
		if more {
			least = b.got[k]
		}
		s.Min, s.Cap = append(s.Min, least), append(s.Cap, most)
		if carry {
			s.owed = append(s.owed, s.grants[i].Next.Carry[k])
		}
	}
	s.got = slices.Grow(s.got[:0], len(s.bids))[:len(s.bids)]
	if carry {
		s.carry(s.got, s.owed)
	} else {
		s.divide(s.got, s.o.Rounding)
	}
	s.whole(k)
	for i, owed := range s.owed {
		s.grants[i].Next.Carry[k] = min(max(owed+float64(s.bids[i].cut), -maxSeats), maxSeats)
	}
}

// whole cuts the slots of kind k down to whole lots, then hands out what that leaves over: one lot
// each by what was cut, then all that fits.
func (s *stepper) whole(k int) {
	left, cut := s.slots[k], 0
	s.order = s.order[:0]
	for i, n := range s.got {
		b := &s.bids[i]
		b.got[k] = lots(n, b.lot[k])
		b.cut = n - b.got[k]
		left -= b.got[k]
		cut += b.cut
		s.order = append(s.order, int32(i))
	}
	if cut == 0 {
		return
	}
	slices.SortFunc(s.order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(s.bids[j].cut, s.bids[i].cut), cmp.Compare(i, j))
	})
	for _, most := range []int{1, maxSeats} {
		for _, i := range s.order {
			b := &s.bids[i]
			n := b.lot[k] * min(most, (s.Cap[i]-b.got[k])/b.lot[k], left/b.lot[k])
			b.got[k] += n
			b.cut -= n
			left -= n
		}
	}
}
