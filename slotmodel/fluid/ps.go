package fluid

// runPS is weighted processor sharing without caps: one clock and a heap of fixed keys, O(log n) per event.
func (r *Runner) runPS() {
	c := clock{unit: r.unit}
	q := &r.wait
	for {
		id := r.arrival()
		uA := far
		if id >= 0 {
			a := r.jobs[id].Arrival
			if c.n == 0 {
				r.rebase(a)
				c.at = dd{}
			}
			uA = r.line.toWork(a)
		}
		for c.n > 0 {
			e := q.min()
			d, slack := c.gap(e.key, uA)
			if d > slack {
				break
			}
			u := c.when(e.key)
			if d >= -slack && u.minus(uA) > 0 {
				break
			}
			q.pop()
			r.done(e.id, u)
			if c.leave(u, e.key, r.weight(e.id)) {
				r.resum(&c, -1, *q)
			}
		}
		if id < 0 {
			break
		}
		if c.n == 0 && uA.hi != 0 {
			continue // the busy period ended before this arrival: its clock starts anew
		}
		if r.enter(id) {
			q.push(entry{c.join(uA, dd{hi: r.jobs[id].Size}, r.weight(id)), id})
		}
	}
}
