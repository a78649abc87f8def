package policy_test

import (
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// ledger keeps deficits anew from the View alone: fair shares by bisection, integrals event by event.
type ledger struct {
	fair  *policy.Fair
	now   float64
	ready [2][]bool
	owed  [2][]float64
	share [2][]float64
	had   [2][]float64 // slots held since now
	need  [2][]bool    // below its minimum share
}

func (l *ledger) observe(v *slotmodel.View, e slotmodel.Event) {
	n := v.Jobs()
	for k := range 2 {
		if l.owed[k] == nil {
			l.ready[k], l.need[k] = make([]bool, n), make([]bool, n)
			l.owed[k], l.share[k], l.had[k] = make([]float64, n), make([]float64, n), make([]float64, n)
		}
		for j := range n {
			l.owed[k][j] += (l.share[k][j] - l.had[k][j]) * (e.Time - l.now)
		}
	}
	l.now = e.Time
	if e.Type == slotmodel.Ready {
		l.ready[e.Kind][e.Job] = true
	}
	for k := range slotmodel.Kind(2) {
		l.reckon(v, k)
	}
}

// level finds by bisection the water level at which what is asked sums up to the capacity.
func level(capacity float64, asked func(level float64) float64) float64 {
	low, high := 0.0, 1.0
	for asked(high) < capacity && high < 1e6 {
		high *= 2
	}
	for range 64 {
		if mid := (low + high) / 2; asked(mid) < capacity {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

func (l *ledger) reckon(v *slotmodel.View, k slotmodel.Kind) {
	type pool struct{ usable, least, weight, running, share float64 }
	pools := map[int]*pool{}
	of := func(j slotmodel.Job) *pool {
		n := 0
		if l.fair.PoolOf != nil {
			n = l.fair.PoolOf(v.Spec(j))
		}
		if pools[n] == nil {
			pools[n] = &pool{weight: 1}
			if n < len(l.fair.Pools) {
				pools[n].least = float64([]int{l.fair.Pools[n].MinMaps, l.fair.Pools[n].MinReduces}[k])
				if w := l.fair.Pools[n].Weight; w > 0 {
					pools[n].weight = w
				}
			}
		}
		return pools[n]
	}
	usable := make([]float64, v.Jobs())
	for j := range slotmodel.Job(v.Jobs()) {
		c := v.Count(j, k)
		l.had[k][j], l.share[k][j] = float64(c.Running), 0
		if l.ready[k][j] && v.Present(j) {
			usable[j] = float64(c.Tasks - c.Done)
		}
		p := of(j)
		p.usable += usable[j]
		p.running += float64(c.Running)
	}
	slots, guaranteed := float64(v.Slots(k)), 0.0
	for _, p := range pools {
		guaranteed += min(p.least, p.usable)
	}
	ask := func(p *pool, x float64) float64 { return min(max(x*p.weight, p.least), p.usable) }
	water := level(slots, func(x float64) float64 {
		sum := 0.0
		for _, p := range pools {
			sum += ask(p, x)
		}
		return sum
	})
	for _, p := range pools {
		if p.share = ask(p, water); guaranteed >= slots {
			p.share = min(p.least, p.usable) * slots / max(guaranteed, 1)
		}
	}
	weight := func(j slotmodel.Job) float64 {
		if l.fair.WeightOf == nil {
			return 1
		}
		return l.fair.WeightOf(v.Spec(j))
	}
	for j := range slotmodel.Job(v.Jobs()) {
		p := of(j)
		l.need[k][j] = p.running < p.least
		if usable[j] == 0 {
			continue
		}
		within := level(p.share, func(x float64) float64 {
			sum := 0.0
			for i := range slotmodel.Job(v.Jobs()) {
				if of(i) == p {
					sum += min(x*weight(i), usable[i])
				}
			}
			return sum
		})
		l.share[k][j] = min(within*weight(j), usable[j])
	}
}

// observed shows events to a ledger after the policy.
type observed struct {
	policy.Greedy
	ledger *ledger
}

func (o *observed) Observe(v *slotmodel.View, e slotmodel.Event) {
	o.ledger.observe(v, e)
	o.Greedy.Observe(v, e)
}
