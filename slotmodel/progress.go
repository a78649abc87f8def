package slotmodel

// sumWaiting adds up the work of the tasks of a job that has arrived.
func (s *jobState) sumWaiting() {
	for k := range Kind(kinds) {
		for _, work := range s.spec.phase(k).Works {
			s.waiting[k].add(work)
		}
	}
}

// waitingChanged notes that a task begins to wait (by 1) or no longer waits (by -1).
func (s *jobState) waitingChanged(k Kind, t Task, by float64) {
	if works := s.spec.phase(k).Works; works != nil {
		s.waiting[k].add(by * works[int32(t)-s.base(k)])
	}
}

// waitingWork returns the work of the tasks of a kind that wait.
func (s *jobState) waitingWork(k Kind) float64 {
	p := s.spec.phase(k)
	switch {
	case p.Works == nil:
		return float64(s.pending(k)) * p.Work
	case s.pending(k) == 0:
		return 0
	}
	return s.waiting[k].value
}

// startedIn returns how many tasks of a kind of a job run in a rack or have ended there.
func (e *engine) startedIn(s *jobState, k Kind, rack int32) int {
	if s.started == nil {
		e.sumStarted(s)
	}
	return int(s.started[int(k)*e.racks+int(rack)])
}

// sumStarted counts the tasks of a job by kind and rack.
func (e *engine) sumStarted(s *jobState) {
	s.started = make([]int32, kinds*e.racks)
	for k := range Kind(kinds) {
		for t := s.base(k); t < s.base(k)+s.count[k].Tasks; t++ {
			if state := e.tasks[t].base(); state == taskRunning || state == taskDone {
				n := e.ranOn[t]
				e.countStarted(s, k, Node(max(n, ^n)), 1)
			}
		}
	}
}

// countStarted notes that a task runs on a node (by 1), or neither runs nor has ended there any more (by -1).
func (e *engine) countStarted(s *jobState, k Kind, n Node, by int32) {
	if s.started != nil {
		s.started[int(k)*e.racks+int(e.nodes[n].rack)] += by
	}
}
