package market

import (
	"cmp"
	"slices"
)

// record sets the reasons of the paid slots, the rest of each user's state, and the totals.
func (s *stepper) record(t *Totals) {
	t.Unsold = s.slots
	sum, squares, n := 0.0, 0.0, 0.0
	for i := range s.grants {
		g := &s.grants[i]
		u := &g.Next
		if s.Weights[i] > 0 {
			g.Slots, g.Share = s.bids[i].got, s.Weights[i]/float64(t.Price)
			t.Unmet = plus(t.Unmet, s.unmet(i))
			if entitled := s.explain(g, &s.bids[i]); entitled > 0 {
				x := float64(g.Slots[0]+g.Slots[1]) / entitled
				sum, squares, n = sum+x, squares+x*x, n+1
			}
		}
		for k := range 2 {
			t.Unsold[k] -= g.Slots[k]
			g.Reclaim[k] = max(0, u.Granted[k]+u.GrantedFree[k]-g.Slots[k])
		}
		u.Used, u.Granted, u.GrantedFree, u.LastRate = [2]float64{}, g.Slots, Slots{}, u.Rate
	}
	if squares > 0 {
		t.Jain = sum * sum / (n * squares)
	}
}

// explain sets the reasons of an active user, and returns its entitlement.
func (s *stepper) explain(g *Grant, b *bid) float64 {
	u := &g.Next
	spare := b.can - g.Slots[0] - g.Slots[1]
	entitled := 0.0
	for k, got := range g.Slots {
		share := g.Share * float64(s.slots[k])
		entitled += min(share, float64(b.want[k]))
		lot := b.lot[k]
		switch {
		case u.Demand[k] == 0:
			g.Why[k] = noDemand
		case u.Max[k] > 0 && got+lot > u.Max[k]:
			g.Why[k] = byMaximum
		case got+lot > u.Demand[k]:
			g.Why[k] = byDemand
		case spare < lot:
			g.Why[k] = byBudget
		case u.Min[k] > 0 && got < u.Min[k]+lot && float64(got) >= share+1:
			g.Why[k] = byMinimum
		}
	}
	return min(entitled, float64(b.can))
}

// unmet is what an active user would pay for an interval of more slots.
func (s *stepper) unmet(i int) Credits {
	b, rate := &s.bids[i], s.grants[i].Next.GrantedRate
	can := b.can
	if s.o.Charge == Spend {
		can = min(can, int(min(b.rate/rate, maxSeats)))
	}
	left, n := can-b.got[0]-b.got[1], 0
	for k, lot := range b.lot {
		more := lots(max(0, min(b.want[k]-b.got[k], left)), lot)
		left, n = left-more, n+more
	}
	return Credits(n) * rate
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
		g.Free[k] = lots(min(u.usable(k, maxSeats)-g.Slots[k], left), u.Lot[k])
		g.Next.GrantedFree[k] = g.Free[k]
		g.Reclaim[k] = max(0, g.Reclaim[k]-g.Free[k])
		left -= g.Free[k]
	}
	return n - left
}
