package slotmodel

import "math"

// arrive lets a job come.
func (e *engine) arrive(j Job) {
	s := &e.jobs[j]
	if e.present == 0 && e.beats.period > 0 {
		e.beats.skipTo(e.now)
	}
	s.present = true
	e.present++
	e.active.set(s.rank)
	e.acct.join(e, s.spec.User)
	e.emitJob(Arrived, j, Map, 0)
	if s.spec.Cancel > 0 {
		e.queue.push(max(e.now, s.spec.Cancel), classCancel, int32(j), 0)
	}
	if s.count[Map].Tasks > 0 {
		e.makeReady(j, Map)
	}
	e.mapsMayBeOver(j)
}

// makeReady lets the tasks of a kind start from now on.
func (e *engine) makeReady(j Job, k Kind) {
	s := &e.jobs[j]
	s.ready[k] = true
	e.acct.pending[k] += s.pending(k)
	e.setRunnable(s, k)
	e.due = true
	e.emitJob(Ready, j, k, 0)
}

// mapsMayBeOver does what follows from the number of maps that have ended: reduces may start, shuffles may be complete, the
// job may have ended.
func (e *engine) mapsMayBeOver(j Job) {
	s := &e.jobs[j]
	done := s.count[Map].Done
	if !s.ready[Reduce] && s.count[Reduce].Tasks > 0 && done >= s.need {
		e.makeReady(j, Reduce)
	}
	if done < s.count[Map].Tasks {
		return
	}
	if e.acct.jobs[j].MapEnd < 0 {
		e.acct.jobs[j].MapEnd = e.now
		e.emitJob(MapsEnded, j, Map, 0)
	}
	if s.count[Reduce].Done == s.count[Reduce].Tasks {
		e.end(j, Finished)
		return
	}
	e.closeShuffle(j)
}

// setRunnable and clearRunnable keep the sets of jobs with tasks that can start.
func (e *engine) setRunnable(s *jobState, k Kind) {
	e.runnable[k].set(s.rank)
	e.seats[k].set(s.seat)
}

func (e *engine) clearRunnable(s *jobState, k Kind) {
	e.runnable[k].clear(s.rank)
	e.seats[k].clear(s.seat)
}

// takeSlot and giveSlot keep the accounts of slots, of a node and of a user.
func (e *engine) takeSlot(n Node, u int, k Kind) {
	node := &e.nodes[n]
	if node.free[k]--; node.free[k] == 0 {
		e.freeNodes[k].clear(int32(n))
		e.freePlaces[k].clear(node.place)
	}
	e.free[k]--
	e.acct.hold(e, u, k, 1)
}

func (e *engine) giveSlot(n Node, u int, k Kind) {
	node := &e.nodes[n]
	if node.up {
		if node.free[k]++; node.free[k] == 1 {
			e.freeNodes[k].set(int32(n))
			e.freePlaces[k].set(node.place)
		}
		e.free[k]++
	}
	e.acct.hold(e, u, k, -1)
	e.due = true
}

// startFault says why a task of a job cannot start on a node, "" when it can.
func (e *engine) startFault(j Job, k Kind, n Node) string {
	switch {
	case e.err != nil:
		return "the run has ended"
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
	case !e.jobs[j].ready[k]:
		return "its tasks cannot start yet"
	case e.jobs[j].pending(k) == 0:
		return "no task of it waits"
	}
	return ""
}

// gangFault is startFault for all maps of a rigid job at once.
func (e *engine) gangFault(j Job, nodes []Node) string {
	clear(e.stamps)
	e.stamp = 0
	for _, n := range nodes {
		if fault := e.startFault(j, Map, n); fault != "" {
			return fault
		}
		if e.stamps[n]++; e.stamps[n] > e.nodes[n].free[Map] {
			clear(e.stamps)
			return "a node is named more often than it has free slots"
		}
	}
	clear(e.stamps)
	switch {
	case e.err != nil:
		return "the run has ended"
	case !e.isJob(j):
		return "no such job"
	case int(e.jobs[j].count[Map].Tasks) != len(nodes) || len(nodes) == 0:
		return "want as many nodes as the job has maps"
	case e.jobs[j].pending(Map) != e.jobs[j].count[Map].Tasks:
		return "not all of its maps wait"
	}
	return ""
}

// pick chooses the task that Start runs: the nearest one.
func (e *engine) pick(j Job, k Kind, n Node) Task {
	if k == Map && e.jobs[j].spec.Replicas != nil {
		if t := e.localTask(j, n); t != None {
			return t
		}
		if t := e.rackTask(j, Rack(e.nodes[n].rack)); t != None {
			return t
		}
	}
	return e.nextPending(j, k, None)
}

// start gives task t a slot. Everything has been checked.
func (e *engine) start(t Task, j Job, k Kind, n Node) {
	s := &e.jobs[j]
	e.tasks[t] = e.tasks[t]&taskRerun | taskRunning
	s.count[k].Running++
	e.acct.pending[k]--
	if s.pending(k) == 0 {
		e.clearRunnable(s, k)
	}
	e.takeSlot(n, s.spec.User, k)
	if e.acct.jobs[j].Start < 0 {
		e.firstStart(j)
	}

	a := e.newAttempt()
	x := &e.attempts[a]
	x.task, x.job, x.node, x.kind = t, j, n, k
	x.began, x.computed, x.worked = e.now, -1, 0
	x.work = s.spec.phase(k).Of(int(t) - int(s.base(k)))
	x.left = x.work
	x.older, x.newer = s.newest[k], None
	if x.older != None {
		e.attempts[x.older].newer = a
	}
	s.newest[k] = a
	e.emitAttempt(Started, a, 0)
	if k == Map {
		e.read(a)
	} else {
		e.shuffleBegins(a)
	}
}

// firstStart sets the clocks that run from a job's first start.
func (e *engine) firstStart(j Job) {
	e.acct.jobs[j].Start = e.now
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

func (e *engine) newAttempt() Attempt {
	if n := len(e.vacant); n > 0 {
		a := e.vacant[n-1]
		e.vacant = e.vacant[:n-1]
		return a
	}
	e.attempts = append(e.attempts, attempt{flow: -1})
	return Attempt(len(e.attempts) - 1)
}

// compute begins the work of an attempt, or goes on with it.
func (e *engine) compute(a Attempt) {
	x := &e.attempts[a]
	x.stage, x.since = Computing, e.now
	if x.computed < 0 {
		x.computed = e.now
		if e.now > x.began {
			e.emitAttempt(Computes, a, 0)
			e.due = e.due || e.observer != nil
		}
	}
	e.queue.push(e.now+x.left/e.nodes[x.node].speed, classAttempt, int32(a), x.gen)
}

// after lets an attempt's present stage end in some seconds.
func (e *engine) after(a Attempt, seconds float64) {
	e.queue.push(e.now+seconds, classAttempt, int32(a), e.attempts[a].gen)
}

// attemptDue ends the present stage of an attempt, unless the attempt is over or was suspended meanwhile.
func (e *engine) attemptDue(a Attempt, gen uint32) {
	x := &e.attempts[a]
	if x.gen != gen {
		return
	}
	switch x.stage {
	case Fetching:
		if x.kind == Reduce {
			e.jobs[x.job].fetching--
		}
		e.compute(a)
	case Computing:
		if x.resuming {
			x.resuming = false
			e.acct.totals.Overhead += e.now - x.since
			e.compute(a)
			return
		}
		x.worked += e.now - x.since
		x.left = 0
		e.write(a)
	case Writing:
		e.finish(a)
	}
}

// done returns the work that an attempt has done.
func (e *engine) done(x *attempt) float64 {
	left := x.left
	if x.stage == Computing && !x.resuming {
		left = max(0, left-float64((e.now-x.since)*e.nodes[x.node].speed))
	}
	return x.work - left
}

func (e *engine) progress(x *attempt) float64 {
	if x.work == 0 {
		if x.stage == Writing {
			return 1
		}
		return 0
	}
	return e.done(x) / x.work
}

// finish ends an attempt and its task.
func (e *engine) finish(a Attempt) {
	x := &e.attempts[a]
	j, k, t := x.job, x.kind, x.task
	s := &e.jobs[j]
	rerun := e.tasks[t]&taskRerun != 0
	e.tasks[t] = taskDone
	s.count[k].Running--
	s.count[k].Done++
	e.giveSlot(x.node, s.spec.User, k)
	e.acct.totals.Work += x.work
	if k == Map {
		if e.ranOn != nil {
			e.ranOn[t] = int32(x.node)
		}
		if rerun {
			s.lost--
		}
		if s.shuffles() {
			e.mapOutput(j, e.nodes[x.node].rack, rerun)
		}
	}
	e.emitAttempt(Ended, a, x.worked)
	e.drop(a)
	if k == Map || s.count[Reduce].Done == s.count[Reduce].Tasks {
		e.mapsMayBeOver(j)
	}
}

// drop forgets an attempt that is over.
func (e *engine) drop(a Attempt) {
	x := &e.attempts[a]
	if x.newer != None {
		e.attempts[x.newer].older = x.older
	} else {
		e.jobs[x.job].newest[x.kind] = x.older
	}
	if x.older != None {
		e.attempts[x.older].newer = x.newer
	}
	x.job = None
	x.gen++
	x.resuming, x.fresh = false, false
	e.vacant = append(e.vacant, a)
}

// lose takes an attempt that is not over from its slot; its work is lost. The task waits again.
func (e *engine) lose(a Attempt, why EventType) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	k := x.kind
	lost := e.done(x)
	e.acct.totals.Work += lost
	e.acct.totals.Wasted += lost
	e.acct.jobs[x.job].Wasted += lost
	e.stopTransfer(a)
	if x.stage == Suspended {
		s.count[k].Suspended--
		e.nodes[x.node].held -= s.spec.Memory
	} else {
		s.count[k].Running--
		e.giveSlot(x.node, s.spec.User, k)
		if x.resuming {
			e.acct.totals.Overhead += e.now - x.since
		}
	}
	e.tasks[x.task] = e.tasks[x.task]&taskRerun | taskPending
	e.waitsAgain(x.job, k, x.task)
	e.emitAttempt(why, a, lost)
	e.drop(a)
}

// waitsAgain puts a task back among those that wait.
func (e *engine) waitsAgain(j Job, k Kind, t Task) {
	s := &e.jobs[j]
	s.cursor[k] = min(s.cursor[k], int32(t)-s.base(k))
	if k == Map && s.where != nil {
		s.where.rewind()
	}
	e.acct.pending[k]++
	e.setRunnable(s, k)
	e.due = true
}

// kill is the action Kill.
func (e *engine) kill(a Attempt) {
	j := e.attempts[a].job
	if e.jobs[j].spec.rigid() {
		e.startOver(j, Killed)
		return
	}
	e.acct.totals.Kills++
	e.lose(a, Killed)
}

// startOver takes all attempts of a rigid job; all its maps wait again, those too that had ended.
func (e *engine) startOver(j Job, why EventType) {
	s := &e.jobs[j]
	e.loseAll(j, why)
	for t := s.first; t < s.first+s.count[Map].Tasks; t++ {
		if e.tasks[t] == taskDone {
			e.tasks[t] = taskPending
			s.count[Map].Done--
			work := s.spec.Maps.Of(int(t - s.first))
			e.acct.totals.Wasted += work
			e.acct.jobs[j].Wasted += work
			e.waitsAgain(j, Map, Task(t))
			e.emit(Event{Type: OutputLost, Job: j, Task: Task(t), Attempt: None, Node: None})
		}
	}
}

// loseAll takes all attempts of a job, the newest first.
func (e *engine) loseAll(j Job, why EventType) {
	for k := range Kind(kinds) {
		for a := e.jobs[j].newest[k]; a != None; a = e.jobs[j].newest[k] {
			if why == Killed {
				e.acct.totals.Kills++
			} else {
				e.acct.totals.Crashes++
			}
			e.lose(a, why)
		}
	}
}

// suspendFault says why an attempt cannot be suspended.
func (e *engine) suspendFault(a Attempt) string {
	x := &e.attempts[a]
	spec := e.jobs[x.job].spec
	node := &e.nodes[x.node]
	limit := e.cluster.Nodes[x.node].Memory
	switch {
	case x.stage != Computing:
		return "it does not compute"
	case spec.rigid():
		return "its job is rigid"
	case limit > 0 && node.held+spec.Memory > limit:
		return "its node has not the memory"
	}
	return ""
}

func (e *engine) suspend(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	if x.resuming {
		e.acct.totals.Overhead += e.now - x.since
		x.resuming = false
	} else {
		x.left = x.work - e.done(x)
		x.worked += e.now - x.since
	}
	x.stage = Suspended
	x.gen++
	e.tasks[x.task] = e.tasks[x.task]&taskRerun | taskSuspended
	s.count[x.kind].Running--
	s.count[x.kind].Suspended++
	e.nodes[x.node].held += s.spec.Memory
	e.giveSlot(x.node, s.spec.User, x.kind)
	e.acct.totals.Suspensions++
	e.emitAttempt(Suspends, a, 0)
}

func (e *engine) resume(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	e.tasks[x.task] = e.tasks[x.task]&taskRerun | taskRunning
	s.count[x.kind].Suspended--
	s.count[x.kind].Running++
	e.nodes[x.node].held -= s.spec.Memory
	e.takeSlot(x.node, s.spec.User, x.kind)
	e.emitAttempt(Resumes, a, 0)
	x.stage = Computing
	if e.cluster.ResumeCost > 0 {
		x.resuming, x.since = true, e.now
		e.after(a, e.cluster.ResumeCost)
		return
	}
	e.compute(a)
}

// end takes a job from the system.
func (e *engine) end(j Job, outcome Outcome) {
	s := &e.jobs[j]
	e.loseAll(j, Killed)
	for k := range Kind(kinds) {
		if s.ready[k] {
			e.acct.pending[k] -= s.pending(k)
		}
		e.clearRunnable(s, k)
	}
	e.freeShuffle(s)
	e.freePlacesOf(s)
	s.present = false
	e.present--
	e.active.clear(s.rank)
	e.acct.leave(e, s.spec.User)
	e.acct.jobs[j].Outcome, e.acct.jobs[j].Finish = outcome, e.now
	e.due = true
	e.emitJob(JobEnded, j, Map, float64(outcome))
}

// rigid reports whether the tasks of a job must start together. One task does so by itself.
func (s *JobSpec) rigid() bool { return s.Rigid && s.Maps.Tasks > 1 }

func (s *JobSpec) phase(k Kind) *Phase {
	if k == Map {
		return &s.Maps
	}
	return &s.Reduces
}

// never is a time that does not come.
var never = math.Inf(1)
