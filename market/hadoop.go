package market

import "math"

// HadoopContrib returns the rules of Hadoop's dynamic-scheduler, the published implementation of the paper, with its defects, as a witness to
// compare with. Only the users' Budget, Rate, Demand, Used and Granted count, and no other option.
//
//   - Price and share use different tests of solvency, rate <= budget and rate * used <= budget, so that the shares need not sum to 1.
//   - The charge is today's rate for the last interval's usage: who bids high and low in turn pays the low rate for the many slots.
//   - A charge that the budget does not cover is skipped, and with it the share; the interval after, nothing was used, nothing is charged, and
//     the share is back.
//   - Each quota is rounded by itself: their sum may miss the slots or exceed them.
//
// Its money is float32; here it is exact.
func HadoopContrib() Options { return Options{contrib: true} }

func contrib(grants []Grant, slots Slots, users []User) (t Totals, ok bool) {
	t = Totals{Jain: 1, Unsold: slots}
	price := 0.0
	for i := range users {
		if u := &users[i]; u.Rate <= u.Budget && u.inUse() {
			price += float64(u.Rate)
		}
	}
	if price >= 1<<62 {
		return t, false
	}
	t.Price = Credits(price)
	for i := range users {
		u, g := &users[i], &grants[i]
		*g = Grant{Next: *u, Why: [2]Reason{NoDemand, NoDemand}}
		g.Next.Used, g.Next.LastRate, g.Next.GrantedFree = [2]float64{}, u.Rate, Slots{}
		if u.inUse() {
			charge, _, ok := u.Rate.times(u.charged(), 0)
			g.Why = [2]Reason{NoCredit, NoCredit}
			if ok && charge <= u.Budget {
				g.Charge = charge
				g.Next.Budget -= charge
				if t.Revenue, ok = t.Revenue.Add(charge); !ok {
					return t, false
				}
				g.Why = [2]Reason{ByShare, ByShare}
				if price > 0 {
					g.Share = float64(u.Rate) / price
				}
			}
		}
		for k, n := range slots {
			g.Slots[k] = int(min(math.Floor(g.Share*float64(n)+.5), maxSeats))
			g.Reclaim[k] = max(0, u.Granted[k]-g.Slots[k])
			t.Unsold[k] = max(0, t.Unsold[k]-g.Slots[k])
		}
		g.Next.Granted, g.Next.GrantedRate = g.Slots, u.Rate
	}
	return t, true
}

// charged is the slot-time that Hadoop charges: each kind's usage up to its quota.
func (u *User) charged() float64 {
	return min(u.Used[0], float64(u.Granted[0])) + min(u.Used[1], float64(u.Granted[1]))
}

func (u *User) inUse() bool { return u.charged() > 0 || u.Demand[0] > 0 || u.Demand[1] > 0 }
