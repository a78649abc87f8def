package slotmodel

import "math"

// expectFaults puts the losses, returns and changes of pace of a node into the queue. Of a slowdown
// that ends when another begins, only the beginning is a change.
func (e *engine) expectFaults(n Node, s *NodeSpec) {
	for _, o := range s.Down {
		e.queue.push(o.From, classDown, int32(n), 0)
		if o.Until < never {
			e.queue.push(o.Until, classUp, int32(n), 0)
		}
	}
	for i, o := range s.Slow {
		e.queue.push(o.From, classPace, int32(n), uint32(i+1))
		if o.Until < never && (i+1 == len(s.Slow) || o.Until < s.Slow[i+1].From) {
			e.queue.push(o.Until, classPace, int32(n), 0)
		}
	}
}

// nodeUp handles the return of a node.
func (e *engine) nodeUp(n Node) {
	e.due = true
	e.setUp(n, true)
	e.emitNode(NodeUp, n, 0)
}

// nodeDown handles the loss of a node, with its attempts and the outputs of its maps.
func (e *engine) nodeDown(n Node) {
	e.due = true
	e.setUp(n, false)
	e.emitNode(NodeDown, n, 0)
	e.unfoldAll()
	for a := range e.attempts {
		x := &e.attempts[a]
		switch {
		case x.job == None || x.node != n:
		case e.jobs[x.job].spec.rigid():
			e.startOver(x.job, Crashed)
		default:
			e.lose(Attempt(a), Crashed)
		}
	}
	for j := e.walk(&e.active, None); j != None; j = e.walk(&e.active, j) {
		e.loseOutputs(j, n)
	}
}

// setPace makes a node slower than its speed by the factor of one of its slowdowns, numbered from
// 1, or by none.
func (e *engine) setPace(n Node, slowdown uint32) {
	e.due = true
	factor := 1.0
	if slowdown > 0 {
		factor = e.cluster.Nodes[n].Slow[slowdown-1].Factor
	}
	e.repace(n, func() { e.nodes[n].slow, e.nodes[n].pace = factor, e.nodes[n].speed/factor })
	e.emitNode(NodeSlow, n, factor)
}

// loseOutputs makes the maps of a job that ended on a lost node run again, if a reduce still needs
// their outputs. Otherwise it notes that these outputs are gone, by the complement of the node's
// number in ranOn: if a reduce dies later, it needs them after all.
func (e *engine) loseOutputs(j Job, n Node) {
	s := &e.jobs[j]
	if s.phase[Reduce].Tasks == 0 {
		return
	}
	needed := s.phase[Reduce].Pending() > 0 || s.fetching > 0
	lost, before := int32(0), s.lost
	for t := s.phase[Map].first; t < s.phase[Map].end(); t++ {
		if e.tasks[t] != taskDone || e.ranOn[t] != int32(n) {
			continue
		}
		if needed {
			lost++
			e.runAgain(j, Task(t), n)
		} else {
			s.gone++
			e.ranOn[t] = ^int32(n)
		}
	}
	if lost == 0 {
		return
	}
	e.acct.jobs[j].MapEnd = -1
	e.setEarly(j)
	e.reopen(j, e.nodes[n].rack, lost, before)
}

// rerunGone makes the maps whose outputs are gone run again, since a reduce that had fetched them
// died. No reduce of the job fetches then.
func (e *engine) rerunGone(j Job) {
	s := &e.jobs[j]
	for t := s.phase[Map].first; t < s.phase[Map].end() && s.gone > 0; t++ {
		if e.tasks[t] == taskDone && e.ranOn[t] < 0 {
			s.gone--
			e.runAgain(j, Task(t), e.ran(Task(t)))
		}
	}
	e.acct.jobs[j].MapEnd = -1
}

// runAgain makes a map that had ended wait again, since its output was lost with node n.
func (e *engine) runAgain(j Job, t Task, n Node) {
	s := &e.jobs[j]
	s.lost++
	if s.shuffle != nil {
		e.store(s.shuffle, n, -1)
	}
	e.undo(j, t, taskPending|taskRerun, n)
}

// undo loses the work of a map that had ended. Node n is where it was lost, or None.
func (e *engine) undo(j Job, t Task, state taskState, n Node) {
	s := &e.jobs[j]
	p := &s.phase[Map]
	e.tasks[t] = state
	p.Done--
	e.countStarted(s, Map, e.ran(t), -1)
	e.acct.totals.Wasted += p.work(t)
	e.acct.jobs[j].Wasted += p.work(t)
	e.waitsAgain(j, Map, t)
	e.emit(Event{Type: OutputLost, Job: j, Task: t, Attempt: None, Node: n})
}

// beats are the heartbeats of the nodes: beat i is that of node i mod n, at i/n periods.
type beats struct {
	period float64
	nodes  float64
	next   float64 // number of the next beat
}

// reach reports whether beats advance the clock from a time: their numbers there are below 2^52, so
// that the times of two are different.
func (b *beats) reach(t float64) bool { return t/b.period*b.nodes < 1<<52 }

// at returns the time of the next beat; +Inf where beats do not advance the clock.
func (b *beats) at() float64 {
	if b.next >= 1<<52 {
		return never
	}
	return b.period * (b.next / b.nodes)
}

// skipTo passes over the beats before a time.
func (b *beats) skipTo(t float64) {
	b.next = max(b.next, math.Floor(t/b.period*b.nodes))
	for b.at() < t {
		b.next++
	}
}

// beat handles the next heartbeat. A lost node does not beat.
func (e *engine) beat() {
	n := Node(int64(e.beats.next) % int64(len(e.nodes)))
	e.beats.next++
	if !e.nodes[n].up {
		e.watchIdle()
		return
	}
	e.beating, e.due = n, true
}
