package fluid

// runLAS is least attained service without caps, O(log n) amortised per event.
func (r *Runner) runLAS() {
	l := &r.las
	l.reset(r.jobs)
	for {
		id := r.arrival()
		uA := far
		if id >= 0 {
			a := r.jobs[id].Arrival
			if l.n == 0 {
				r.rebase(a)
				l.at = dd{}
			}
			uA = r.line.toWork(a)
		}
		for l.n > 0 {
			u := l.when()
			if !(u.minus(uA) <= tie*uA.hi) { // a job that is done as another arrives must not wait for that one
				break
			}
			if j := l.fire(u); j >= 0 {
				r.done(j, u)
			} else {
				r.events++
			}
		}
		if id < 0 {
			break
		}
		if l.n == 0 && uA.hi != 0 {
			continue // the busy period ended before this arrival: its clock starts anew
		}
		if r.enter(id) {
			l.sync(uA)
			l.add(id, dd{})
		}
	}
}
