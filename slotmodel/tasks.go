package slotmodel

import "math"

// expectNext expects the next job without After.
func (e *engine) expectNext() {
	if len(e.arrivals) > 0 {
		j := Job(e.arrivals[0])
		e.arrivals = e.arrivals[1:]
		e.expect(j, e.jobs[j].spec.Arrival)
	}
}

// expect lets a job arrive at a time.
func (e *engine) expect(j Job, at float64) {
	e.acct.jobs[j].Arrival = at
	e.queue.add(entry{time: at, key: classArrival<<60 | uint64(j), ref: int32(j)})
}

// arrive adds a job that has arrived.
func (e *engine) arrive(j Job) {
	s := &e.jobs[j]
	if s.spec.After == 0 {
		e.expectNext()
	}
	if e.present == 0 && e.beats.period > 0 {
		e.beats.skipTo(e.now)
	}
	s.present = true
	e.present++
	for k := range kinds {
		p := &s.phase[k]
		for _, work := range p.spec.Works {
			p.waiting.add(work)
		}
	}
	e.byUser.join(int32(j), s.spec.User)
	e.active.add(int32(j))
	e.acct.join(e, s.spec.User)
	e.emitJob(Arrived, j, Map, 0)
	if s.spec.Cancel > 0 {
		e.queue.push(max(e.now, s.spec.Cancel), classCancel, int32(j), 0)
	}
	if s.phase[Map].Tasks > 0 {
		e.makeReady(j, Map)
	}
	e.mapsMayBeOver(j)
}

// makeReady allows the tasks of a kind of a job to start from now on.
func (e *engine) makeReady(j Job, k Kind) {
	s := &e.jobs[j]
	s.phase[k].ready = true
	e.acct.pending[k] += s.phase[k].Pending()
	e.runnable[k].add(int32(j))
	e.due = true
	e.emitJob(Ready, j, k, 0)
}

// mapsMayBeOver is called when a map has ended, or the last reduce, or the job has arrived. Enough
// ended maps let reduces start; all maps let shuffles end; all tasks end the job.
func (e *engine) mapsMayBeOver(j Job) {
	s := &e.jobs[j]
	done := s.phase[Map].Done
	if !s.phase[Reduce].ready && s.phase[Reduce].Tasks > 0 && done >= s.need {
		e.makeReady(j, Reduce)
	}
	if done < s.phase[Map].Tasks {
		return
	}
	if e.acct.jobs[j].MapEnd < 0 {
		e.acct.jobs[j].MapEnd = e.now
		e.setEarly(j)
		e.emitJob(MapsEnded, j, Map, 0)
	}
	if s.phase[Reduce].Done == s.phase[Reduce].Tasks {
		e.end(j, Finished)
		return
	}
	e.closeShuffle(j)
}

// startFault says why a waiting task of a kind of a job cannot start on a node, "" when one can.
func (e *engine) startFault(j Job, k Kind, n Node) string {
	switch {
	case !e.isJob(j):
		return "no such job"
	case k >= kinds:
		return "no such kind"
	case !e.isNode(n):
		return "no such node"
	case !e.nodes[n].up:
		return "the node is lost"
	case e.nodes[n].free[k] == 0:
		return "the node has no free slot"
	case !e.jobs[j].present:
		return "the job is not present"
	case !e.jobs[j].phase[k].ready:
		return "its tasks cannot start yet"
	case e.jobs[j].phase[k].Pending() == 0:
		return "no task of it waits"
	}
	return e.roomFault(&e.jobs[j], k, n)
}

// gangFault is startFault for all maps of a rigid job at once.
func (e *engine) gangFault(j Job, nodes []Node) string {
	if fault := e.barred(); fault != "" {
		return fault
	}
	clear(e.stamps)
	for i := 0; i < len(nodes); {
		n, count := nodes[i], sameAhead(nodes[i:])
		if fault := e.startFault(j, Map, n); fault != "" {
			return fault
		}
		e.stamps[n] += count
		x := &e.nodes[n]
		switch room := x.room(x.free[Map], e.jobs[j].spec.Maps.Memory, x.held); {
		case e.stamps[n] > room && room < x.free[Map]:
			return "a node is named more often than its memory allows"
		case e.stamps[n] > room:
			return "a node is named more often than it has free slots"
		}
		i += int(count)
	}
	switch {
	case !e.isJob(j):
		return "no such job"
	case int(e.jobs[j].phase[Map].Tasks) != len(nodes) || len(nodes) == 0:
		return "want as many nodes as the job has maps"
	case e.jobs[j].phase[Map].Pending() != len(nodes):
		return "not all of its maps wait"
	}
	return ""
}

// pick chooses the task that Start runs: the nearest one.
func (e *engine) pick(j Job, k Kind, n Node) Task {
	if k == Map && e.jobs[j].spec.Replicas != nil {
		for _, place := range [...]int{int(n), len(e.nodes) + int(e.nodes[n].rack)} {
			if t := e.localTask(j, place); t != None {
				return t
			}
		}
	}
	return e.nextPending(&e.jobs[j].phase[k], None)
}

// start begins an attempt of task t of a job on a node. The caller has checked that it may.
func (e *engine) start(t Task, j Job, k Kind, n Node) {
	s := &e.jobs[j]
	e.holdSlot(n, s, k, 1)
	e.holdMemory(n, s, k, 1)
	e.waitsNoMore(j, k, t, 1, n, taskRunning)
	a := e.newAttempt()
	x := e.record(a, t, j, k, n)
	e.emitAttempt(Started, a, 0)
	if k == Map {
		e.read(a)
	} else {
		e.waitsForMaps(x, s.phase[Map].Done < s.phase[Map].Tasks)
		e.shuffleBegins(a)
	}
}

// waitsNoMore takes tasks, from t on, out of the tasks of their job that wait: from now on they run
// or ride on a node. The caller has counted them so.
func (e *engine) waitsNoMore(j Job, k Kind, t Task, count int32, n Node, state taskState) {
	s := &e.jobs[j]
	p := &s.phase[k]
	tasks, ranOn := e.tasks[t:][:count], e.ranOn[t:][:count]
	for i := range tasks {
		tasks[i] = tasks[i]&taskRerun | state
		ranOn[i] = int32(n)
	}
	if p.spec.Works != nil {
		for i := range Task(count) {
			p.waitingChanged(t+i, -1)
		}
	}
	e.countStarted(s, k, n, count)
	e.acct.pending[k] -= int(count)
	if p.Pending() == 0 {
		e.runnable[k].remove(int32(j))
	}
	if e.acct.jobs[j].Start < 0 {
		e.firstStart(j)
	}
}

// firstStart sets the clocks that run from a job's first start.
func (e *engine) firstStart(j Job) {
	e.acct.jobs[j].Start = e.now
	e.begun(&e.jobs[j], 1)
	spec := e.jobs[j].spec
	limit := spec.Walltime
	if spec.Crash > 0 && (limit == 0 || spec.Crash < limit) {
		limit = spec.Crash
	}
	if limit > 0 {
		e.queue.push(e.now+limit, classLimit, int32(j), 0)
	}
}

// limitDue ends a job at its walltime, or at its crash when that comes first.
func (e *engine) limitDue(j Job) {
	s := &e.jobs[j]
	switch {
	case !s.present:
	case s.spec.Crash > 0 && (s.spec.Walltime == 0 || s.spec.Crash < s.spec.Walltime):
		e.end(j, Failed)
	default:
		e.end(j, TimedOut)
	}
}

// cancelDue ends a job that is cancelled.
func (e *engine) cancelDue(j Job) {
	if e.jobs[j].present {
		e.end(j, Canceled)
	}
}

// end removes a job from the system, with its attempts, and expects the jobs that come after it.
func (e *engine) end(j Job, outcome Outcome) {
	s := &e.jobs[j]
	s.gone = 0
	e.loseAll(j, Killed)
	e.stopRides(j)
	if e.acct.jobs[j].Start >= 0 {
		e.begun(s, -1)
	}
	for k := range Kind(kinds) {
		if s.phase[k].ready {
			e.acct.pending[k] -= s.phase[k].Pending()
		}
		e.runnable[k].remove(int32(j))
	}
	e.freeShuffle(s)
	e.freePlacesOf(s)
	s.started = nil
	s.present = false
	e.present--
	e.active.remove(int32(j))
	e.acct.leave(e, s.spec.User)
	e.acct.jobs[j].Outcome, e.acct.jobs[j].Finish = outcome, e.now
	e.due = true
	for h := s.heir; h != None; h = e.jobs[h].sibling {
		spec := e.jobs[h].spec
		e.expect(h, max(spec.Arrival, e.now+spec.Think))
	}
	e.emitJob(JobEnded, j, Map, float64(outcome))
}

// rigid reports whether the tasks of a job must start together. One task does so by itself.
func (s *JobSpec) rigid() bool { return s.Rigid && s.Maps.Tasks > 1 }

// never is the time of what does not happen.
var never = math.Inf(1)
