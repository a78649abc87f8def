package circumflex

import (
	"math"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/slotmodel"
)

// start starts a read on a node, for the dataset that has least of what the plan gives it, and
// reports whether any could. It sets waiting if another call may start one.
func (p *Policy) start(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) bool {
	p.claims, p.offers, p.waiting = p.claims[:0], p.offers[:0], false
	for i := range p.datasets {
		d := &p.datasets[i]
		c := malleable.Claim{Plan: d.plan}
		most := math.MaxInt
		for _, j := range d.members {
			c.Held += int(v.Count(j, slotmodel.Map).Running)
			most = min(most, p.most(v, j))
		}
		t := slotmodel.Task(slotmodel.None)
		if c.Held < most {
			t = p.offer(v, d, n)
		}
		if t != slotmodel.None {
			c.Waiting = 1
		}
		p.claims, p.offers = append(p.claims, c), append(p.offers, t)
	}
	var err error
	p.assigns, _, err = malleable.Assign(p.assigns[:0], nil, 1, p.claims, nil, 0)
	if err != nil || p.assigns[0] < 0 {
		return false
	}
	t := p.offers[p.assigns[0]]
	if !a.StartTask(t, n) {
		return false
	}
	driver, _, block := v.Index(t)
	x := v.Newest(driver, slotmodel.Map)
	for _, j := range p.datasets[p.assigns[0]].members {
		t := v.Task(j, slotmodel.Map, block)
		if t != slotmodel.None && v.NextPending(j, slotmodel.Map, t-1) == t {
			a.Ride(j, t, x)
		}
	}
	p.waiting = true
	return true
}

// offer returns the block that a dataset reads next on a node: the first one that its earliest scan
// waits for. If there is one that does not fit there, it sets waiting.
func (p *Policy) offer(v *slotmodel.View, d *dataset, n slotmodel.Node) slotmodel.Task {
	for _, j := range d.members {
		t := v.NextPending(j, slotmodel.Map, slotmodel.None)
		if t != slotmodel.None && v.Fits(j, slotmodel.Map, n) {
			return t
		}
		p.waiting = p.waiting || t != slotmodel.None
	}
	return slotmodel.None
}
