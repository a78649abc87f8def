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
		r := rider{slotmodel.None, slotmodel.None}
		if c.Held < most {
			r = p.offer(v, d, n)
		}
		if r.task != slotmodel.None {
			c.Waiting = 1
		}
		p.claims, p.offers = append(p.claims, c), append(p.offers, r)
	}
	var err error
	p.assigns, _, err = malleable.Assign(p.assigns[:0], nil, 1, p.claims, nil, malleable.AssignOptions{})
	if err != nil || p.assigns[0] < 0 {
		return false
	}
	d, r := &p.datasets[p.assigns[0]], p.offers[p.assigns[0]]
	_, _, block := v.Index(r.task)
	if !a.StartTask(r.task, n) {
		return false
	}
	x := v.Newest(r.job, slotmodel.Map)
	for len(p.riders) <= int(x) {
		p.riders = append(p.riders, nil)
	}
	for _, j := range d.members {
		if t := v.Task(j, slotmodel.Map, block); t != slotmodel.None && p.waits(v, j, t) {
			p.aboard[t] = true
			p.riders[x] = append(p.riders[x], rider{j, t})
		}
	}
	p.waiting = true
	return true
}

// gang starts a rigid job on the nodes of the lowest numbers, if there is room for all of its maps.
func (p *Policy) gang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job) {
	p.gangs = p.gangs[:0]
	width := v.Count(j, slotmodel.Map).Pending() // all or none
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None; n = v.NextFree(slotmodel.Map, n) {
		if n != p.rides {
			for range min(v.Room(j, slotmodel.Map, n), width-len(p.gangs)) {
				p.gangs = append(p.gangs, n)
			}
		}
	}
	if width > 0 && len(p.gangs) == width {
		a.StartGang(j, p.gangs)
	}
}

// offer returns the block that a dataset reads next on a node: the first one that its earliest scan
// waits for. If there is one that does not fit there, it sets waiting.
func (p *Policy) offer(v *slotmodel.View, d *dataset, n slotmodel.Node) rider {
	for _, j := range d.members {
		t := v.NextPending(j, slotmodel.Map, slotmodel.None)
		for t != slotmodel.None && p.aboard[t] {
			t = v.NextPending(j, slotmodel.Map, t)
		}
		if t != slotmodel.None && v.Fits(j, slotmodel.Map, n) {
			return rider{j, t}
		}
		p.waiting = p.waiting || t != slotmodel.None
	}
	return rider{slotmodel.None, slotmodel.None}
}

// waits reports whether a task of a job waits and does not ride.
func (p *Policy) waits(v *slotmodel.View, j slotmodel.Job, t slotmodel.Task) bool {
	return !p.aboard[t] && v.NextPending(j, slotmodel.Map, t-1) == t
}
