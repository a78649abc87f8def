package slotmodel

// work returns the work of a task.
func (p *phaseState) work(t Task) float64 { return p.spec.Of(int(int32(t) - p.first)) }

// waitingChanged notes that a task begins to wait (by 1) or no longer waits (by -1).
func (p *phaseState) waitingChanged(t Task, by float64) {
	if p.spec.Works != nil {
		p.waiting.add(float64(by * p.work(t)))
	}
}

// waitingWork returns the work of the tasks that wait.
func (p *phaseState) waitingWork() float64 {
	switch n := p.Pending(); {
	case n == 0:
		return 0
	case p.spec.Works == nil:
		return float64(n) * p.spec.Work
	}
	return p.waiting.value
}

// sumStarted counts the tasks of a job by kind and rack.
func (e *engine) sumStarted(s *jobState) {
	s.started = make([]int32, kinds*e.racks)
	for k := range Kind(kinds) {
		for t := s.phase[k].first; t < s.phase[k].end(); t++ {
			if state := e.tasks[t].base(); state == taskRunning || state == taskRiding || state == taskDone {
				e.countStarted(s, k, e.ran(Task(t)), 1)
			}
		}
	}
}

// ran returns the node on which a task runs or ran.
func (e *engine) ran(t Task) Node { return Node(max(e.ranOn[t], ^e.ranOn[t])) }

// countStarted notes that a task runs or rides on a node (by 1), or neither does nor has ended
// there any more (by -1).
func (e *engine) countStarted(s *jobState, k Kind, n Node, by int32) {
	if s.started != nil {
		s.started[int(k)*e.racks+int(e.nodes[n].rack)] += by
	}
}
