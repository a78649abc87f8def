package slotmodel

// pace returns the work per second that an attempt does on a node now.
func (e *engine) pace(n Node) float64 { return e.nodes[n].pace * e.speed }

// rate asks Cluster.Speed if the load has changed.
func (e *engine) rate() {
	if e.cluster.Speed == nil {
		return
	}
	e.load.Running = [kinds]int{int(e.running[Map]), int(e.running[Reduce])}
	if e.load == e.rated {
		return
	}
	e.rated = e.load
	speed := e.cluster.Speed(e.load)
	if !(speed >= 1/mostSlow && speed <= mostSlow) {
		e.err = bad("cluster", -1, "Speed returns %v for %+v, want a value in [2^-50, 2^50]", speed, e.load)
		return
	}
	if speed != e.speed {
		e.repace(None, func() { e.speed = speed })
	}
}

// begun counts a job among those in flight, or no longer (by -1).
func (e *engine) begun(s *jobState, by int) {
	e.load.Jobs += by
	for k := range kinds {
		e.load.Tasks[k] += by * int(s.phase[k].Tasks)
	}
}

// repace changes the pace of a node, or of all for None. What attempts have computed until now is
// settled at the old pace, and their ends are put into the queue anew.
func (e *engine) repace(n Node, change func()) {
	e.unfoldAll()
	computes := func(x *attempt) bool {
		return x.job != None && (n == None || x.node == n) && x.stage == computing && !x.resuming
	}
	for a := range e.attempts {
		if x := &e.attempts[a]; computes(x) {
			x.left = e.left(x)
			x.worked += e.now - x.since
			x.since = e.now
		}
	}
	change()
	for a := range e.attempts {
		if x := &e.attempts[a]; computes(x) {
			x.gen++ // the end in the queue is that of the old pace
			e.queue.push(e.now+x.left/e.pace(x.node), classAttempt, int32(a), x.gen)
		}
	}
}
