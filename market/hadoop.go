package market

import (
	"math"

	"github.com/schedmath/schedmath/internal/input"
)

// HadoopContrib returns the rules of Hadoop's published dynamic-scheduler, defects included: shares
// test solvency otherwise than the price, so they need not sum to 1; the last interval is charged
// at today's rate; a charge beyond the budget is skipped, and the share lost for one interval only;
// quotas are rounded one by one. Only Budget, Rate, Demand, Used and Granted count, and LastRate
// under Lag.
func HadoopContrib() Options { return Options{contrib: true} }

func (s *stepper) contrib() (Totals, error) {
	t := Totals{Jain: 1, Unsold: s.slots}
	ok := true
	for i := range s.users {
		u := &s.users[i]
		if reason := u.invalid(&s.o); reason != "" {
			return t, input.Bad(s.fn, "users", i, "%s", reason)
		}
		if ok && u.bid(&s.o) <= u.Budget && u.inUse() {
			t.Price, ok = t.Price.Add(u.bid(&s.o))
		}
	}
	for i := range s.users {
		u, g := &s.users[i], &s.grants[i]
		*g = Grant{Next: *u, Why: [2]Reason{noDemand, noDemand}}
		if u.inUse() {
			charge, _, fits := times(u.bid(&s.o), u.charged(), 0)
			g.Why = [2]Reason{noCredit, noCredit}
			if fits && charge <= u.Budget {
				g.Charge = charge
				g.Next.Budget -= charge
				t.Revenue, fits = t.Revenue.Add(charge)
				ok = ok && fits
				g.Why = [2]Reason{byShare, byShare}
				if t.Price > 0 {
					g.Share = float64(u.bid(&s.o)) / float64(t.Price)
				}
			}
		}
		for k, n := range s.slots {
			g.Slots[k] = int(min(math.Floor(g.Share*float64(n)+.5), maxSeats))
			g.Reclaim[k] = max(0, u.Granted[k]-g.Slots[k])
			t.Unsold[k] = max(0, t.Unsold[k]-g.Slots[k])
		}
		n := &g.Next
		n.Used, n.LastRate, n.Granted, n.GrantedFree, n.GrantedRate = [2]float64{}, u.Rate, g.Slots, Slots{}, u.bid(&s.o)
	}
	if !ok {
		return t, input.Bad(s.fn, "users", -1, tooMuch)
	}
	return t, nil
}

// charged is the slot-time that Hadoop charges: each kind's usage up to its quota.
func (u *User) charged() float64 {
	return min(u.Used[0], float64(u.Granted[0])) + min(u.Used[1], float64(u.Granted[1]))
}

func (u *User) inUse() bool { return u.charged() > 0 || u.Demand[0] > 0 || u.Demand[1] > 0 }
