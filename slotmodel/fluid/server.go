package fluid

// engine is a policy on one server of speed 1, whose clock is the work done. The engines keep no time: the timeline knows at
// which time the capacity has done how much.
type engine interface {
	restart()              // a busy period begins: clocks start at 0
	idle() bool            // nobody is there, also not in a virtual system
	event(until dd) bool   // carries out the next event if it comes by the work clock until; no event: false
	arrive(id int32, u dd) // job id arrives at work clock u
}

// runServer runs without caps that bind.
func (r *Runner) runServer(e engine) {
	for {
		id := r.arrival()
		u := far
		idle := e.idle()
		if id >= 0 {
			a := r.jobs[id].Arrival
			if idle {
				r.rebase(a)
				e.restart()
			}
			u = r.line.toWork(a)
		}
		for e.event(u) {
		}
		if id < 0 {
			return
		}
		if !idle && e.idle() {
			continue // the busy period ended before this arrival: its clocks start anew
		}
		e.arrive(id, u)
	}
}

// engine returns the engine of a policy, ready for a run: one for the policies that serve one job at a time, and have no virtual system, one for the
// others.
func (r *Runner) engine(p Policy) engine {
	switch p.(type) {
	case FIFO, SRPT, SPT:
		r.serial = serial{r: r, p: p, cur: -1}
		return &r.serial
	}
	r.fair = fair{r: r, plan: planOf(p), cur: -1, mate: entry{id: -1}}
	if r.fair.rule == LateLeastAttained {
		r.las.reset(r.jobs)
	}
	return &r.fair
}
