package policy

import (
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/slotmodel"
)

// share reckons fair shares, from the end of the instant under way.
func (f *Fair) share(d *fairDebts) {
	d.owed, d.came, d.shared = false, false, d.now
	f.sharePools(d)
	for i := range d.pools {
		p := &d.pools[i]
		if len(p.members) == 0 {
			continue
		}
		d.demand = d.demand[:0]
		for _, t := range p.members {
			d.demand = append(d.demand, demanded(f.jobs[t].weight, d.jobs[t].usable))
		}
		d.split(p.share)
		for m, t := range p.members {
			x := &d.jobs[t]
			x.until(d.now)
			x.share = d.part[m]
		}
	}
}

// sharePools shares the slots among the pools: by weight, and those that would get less than their minimum shares these.
func (f *Fair) sharePools(d *fairDebts) {
	k, left, least := d.kind, d.slots, 0.0
	d.open = d.open[:0]
	for i := range d.pools {
		p := &d.pools[i]
		if p.share = 0; p.usable > 0 {
			d.open = append(d.open, int32(i))
			least += f.pools[i].least(k, p.usable)
		}
	}
	if least >= d.slots {
		for _, i := range d.open {
			if least > 0 {
				d.pools[i].share = f.pools[i].least(k, d.pools[i].usable) * (d.slots / least)
			}
		}
		return
	}
	for again := true; again; {
		d.demand = d.demand[:0]
		for _, i := range d.open {
			d.demand = append(d.demand, demanded(f.pools[i].weight, d.pools[i].usable))
		}
		d.split(left)
		kept := 0
		for n, i := range d.open {
			p := &d.pools[i]
			if p.share = d.part[n]; p.share < f.pools[i].least(k, p.usable) {
				p.share = f.pools[i].least(k, p.usable)
				left -= p.share
				continue
			}
			d.open[kept] = i
			kept++
		}
		again = kept < len(d.open) && kept > 0
		d.open = d.open[:kept]
	}
}

// least returns the slots that a pool is guaranteed, of those that it can use.
func (p *fairPool) least(k slotmodel.Kind, usable int32) float64 {
	return max(0, min(p.minimum[k], float64(usable)))
}

// demanded is a job as aging.MaxMin takes it.
func demanded(weight float64, usable int32) aging.Job {
	return aging.Job{Work: 1, Slots: float64(usable), Weight: min(max(weight, 0x1p-200), 0x1p200)}
}

// split shares capacity among demand, into part.
func (d *fairDebts) split(capacity float64) {
	shares, err := aging.MaxMin(d.part[:0], capacity, d.demand)
	if err != nil { // less than 2^-200 slots
		for range d.demand {
			shares = append(shares, 0)
		}
	}
	d.part = shares
}
