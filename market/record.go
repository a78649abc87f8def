package market

import (
	"cmp"
	"slices"
)

// record writes the paid slots with their reasons, the rest of each user's state, and the totals.
func (s *stepper) record(t *Totals) {
	t.Unsold = s.slots
	sum, squares, n := 0.0, 0.0, 0
	a := 0
	for i := range s.grants {
		g := &s.grants[i]
		u := &g.Next
		if a < len(s.active) && int(s.active[a]) == i {
			g.Slots = Slots{s.got[0][a], s.got[1][a]}
			u.GrantedRate = s.each[a]
			if x := s.explain(a, g, t.Price); x >= 0 {
				sum, squares, n = sum+x, squares+x*x, n+1
			}
			a++
		}
		for k := range 2 {
			t.Unsold[k] -= g.Slots[k]
			g.Reclaim[k] = max(0, u.Granted[k]+u.GrantedFree[k]-g.Slots[k])
		}
		u.Granted, u.GrantedFree = g.Slots, Slots{}
		u.LastRate = u.Rate
	}
	if squares > 0 {
		t.Jain = sum * sum / (float64(n) * squares)
	}
}

// explain sets the share and the reasons of an active user. It returns its slots over its entitlement, -1 if that is 0.
func (s *stepper) explain(a int, g *Grant, price Credits) float64 {
	u := &g.Next
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
