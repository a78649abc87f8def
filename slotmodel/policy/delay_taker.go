package policy

import "github.com/schedmath/schedmath/slotmodel"

// taker returns the first job in order that takes a node, and keeps the account of those before it.
//
// It walks, but not for longer than it takes to compare all that may take the node instead, and, unless they are in order, all whose account a
// walk could change.
func (d *Delay) taker(v *slotmodel.View, n slotmodel.Node) slotmodel.Job {
	r := d.ranker(d.Inner)
	r.Begin(v, slotmodel.Map)
	d.begun = true
	fast, _ := r.(comparer)
	rack := v.RackOf(n)
	steps := d.blocks.count(n, rack) / 8 // a step costs so much more than a look
	if !d.ranked {
		steps += d.anyone.heap.Len() + d.fresh.heap.Len()
	}
	for j := r.Next(v); j != slotmodel.None; j = r.Next(v) {
		if d.suits(v, j, n) {
			return j
		}
		d.letPass(v, j)
		if steps--; steps < 0 && fast != nil {
			j = d.nearest(v, fast, n)
			d.passBefore(v, fast, j)
			return j
		}
	}
	return slotmodel.None
}

// suits reports whether a job takes a node.
func (d *Delay) suits(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) bool {
	if s := v.Spec(j); s == nil || s.Replicas == nil {
		return true
	}
	x := &d.jobs[j]
	return x.reach == toAll || v.Local(j, n) != slotmodel.None || x.reach == toRacks && v.LocalRack(j, v.RackOf(n)) != slotmodel.None
}

// nearest does what is left to do for taker without a walk.
func (d *Delay) nearest(v *slotmodel.View, r comparer, n slotmodel.Node) slotmodel.Job {
	best := slotmodel.Job(slotmodel.None)
	for i := range int32(d.anyone.heap.Len()) {
		if best = sooner(v, r, best, slotmodel.Job(d.anyone.heap.ID(i))); d.ranked {
			break
		}
	}
	for _, place := range [...]int32{int32(n), d.blocks.placeOf(v.RackOf(n))} {
		for i := d.blocks.heads[place]; i != absent; {
			j, next := d.blocks.pairs[i].job, d.blocks.pairs[i].next
			if j != best && sooner(v, r, best, j) == j {
				if d.blocks.waits(v, i) {
					best = j
				} else {
					d.blocks.cut(i)
				}
			}
			i = next
		}
	}
	return best
}

// passBefore lets the jobs before one let a node pass.
func (d *Delay) passBefore(v *slotmodel.View, r comparer, taker slotmodel.Job) {
	d.ends.begin()
	for i := d.ends.next(); i != absent && d.ends.heap.Key(d.ends.at[i]) < d.due; i = d.ends.next() {
		if sooner(v, r, taker, slotmodel.Job(i)) != taker {
			d.due = d.ends.heap.Key(d.ends.at[i])
			break
		}
	}
	d.scratch = d.scratch[:0]
	for i := int32(0); i < int32(d.fresh.heap.Len()); {
		switch j := slotmodel.Job(d.fresh.heap.ID(i)); {
		case sooner(v, r, taker, j) == taker:
			if i++; d.ranked {
				i = int32(d.fresh.heap.Len())
			}
		case d.ranked:
			d.letPass(v, j)
		default:
			d.scratch = append(d.scratch, j)
			i++
		}
	}
	for _, j := range d.scratch {
		d.letPass(v, j)
	}
}

// sooner returns the job that goes first of two, the first of which may be none.
func sooner(v *slotmodel.View, r comparer, a, b slotmodel.Job) slotmodel.Job {
	if a == slotmodel.None || a != b && r.precedes(v, slotmodel.Map, b, a) {
		return b
	}
	return a
}

// distance returns how near the block is that a job would read on a node: 0, 1 or 2.
func (d *Delay) distance(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) uint8 {
	switch {
	case v.Local(j, n) != slotmodel.None:
		return 0
	case v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		return 1
	}
	return 2
}
