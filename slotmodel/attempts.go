package slotmodel

// newAttempt returns the number of an attempt for the caller to fill in. Numbers of attempts that
// are over are used again first.
func (e *engine) newAttempt() Attempt {
	if n := len(e.vacant); n > 0 {
		a := e.vacant[n-1]
		e.vacant = e.vacant[:n-1]
		return a
	}
	e.attempts = append(e.attempts, attempt{job: None, flow: -1})
	return Attempt(len(e.attempts) - 1)
}

// record notes that an attempt of task t of a job begins now, the newest of its kind.
func (e *engine) record(a Attempt, t Task, j Job, k Kind, n Node) *attempt {
	x, p := &e.attempts[a], &e.jobs[j].phase[k]
	x.task, x.job, x.node, x.kind = t, j, n, k
	x.call, x.began, x.computed, x.worked = e.acct.calls, e.now, -1, 0
	x.bytes = 0
	x.work = p.work(t)
	x.left = x.work
	x.older, x.newer = p.newest, None
	if x.older != None {
		e.attempts[x.older].newer = a
	}
	p.newest = a
	return x
}

// compute begins or resumes the work of an attempt.
func (e *engine) compute(a Attempt) {
	x := &e.attempts[a]
	x.stage, x.since = computing, e.now
	if x.computed < 0 {
		x.computed = e.now
		if e.now > x.began {
			e.emitAttempt(Computes, a, 0)
			e.due = e.due || e.observer != nil
		}
	}
	e.queue.push(e.now+x.left/e.pace(x.node), classAttempt, int32(a), x.gen)
}

// after ends an attempt's present stage in some seconds; after none at once.
func (e *engine) after(a Attempt, seconds float64) {
	if seconds == 0 {
		e.stageOver(a)
		return
	}
	e.queue.push(e.now+seconds, classAttempt, int32(a), e.attempts[a].gen)
}

// stageOver ends the present stage of an attempt.
func (e *engine) stageOver(a Attempt) {
	x := &e.attempts[a]
	switch {
	case x.stage == fetching:
		if x.kind == Reduce {
			e.jobs[x.job].fetching--
		}
		e.compute(a)
	case x.resuming:
		x.resuming = false
		e.acct.totals.Overhead += e.now - x.since
		e.compute(a)
	case x.stage == computing:
		x.worked += e.now - x.since
		x.left = 0
		e.write(a)
	default:
		e.finish(a)
	}
}

// left returns the work of an attempt that is not done.
func (e *engine) left(x *attempt) float64 {
	if x.stage == computing && !x.resuming {
		return max(0, x.left-float64((e.now-x.since)*e.pace(x.node)))
	}
	return x.left
}

// done returns the work that an attempt has done.
func (e *engine) done(x *attempt) float64 { return x.work - e.left(x) }

// progress returns the fraction of an attempt's work that is done; of no work, 1 while the output
// is written.
func (e *engine) progress(x *attempt) float64 {
	if x.work == 0 {
		if x.stage == writing {
			return 1
		}
		return 0
	}
	return e.done(x) / x.work
}

// finish ends an attempt and its task.
func (e *engine) finish(a Attempt) {
	x := &e.attempts[a]
	j, k, riders := x.job, x.kind, x.riders
	s := &e.jobs[j]
	e.holdSlot(x.node, s, k, -1)
	e.holdMemory(x.node, s, k, -1)
	e.acct.totals.Work += x.work
	e.taskOver(j, k, x.task, x.node)
	e.unlink(a)
	e.emitAttempt(Ended, a, x.worked)
	for _, t := range riders {
		e.rideOver(t, a)
	}
	e.drop(a)
	if k == Map || s.phase[Reduce].Done == s.phase[Reduce].Tasks {
		e.mapsMayBeOver(j)
	}
	for _, t := range riders {
		rider, _ := e.owner(t)
		e.mapsMayBeOver(rider)
	}
}

// taskOver notes that a task has ended on a node. The output of a map lies there from now on.
func (e *engine) taskOver(j Job, k Kind, t Task, n Node) {
	s := &e.jobs[j]
	rerun := e.tasks[t]&taskRerun != 0
	e.tasks[t] = taskDone
	s.phase[k].Done++
	if k == Reduce {
		return
	}
	if rerun {
		s.lost--
	}
	if s.shuffles() {
		e.mapOutput(j, n, rerun)
	}
}

// unlink takes an attempt that is over out of its job's list.
func (e *engine) unlink(a Attempt) {
	x := &e.attempts[a]
	if x.newer != None {
		e.attempts[x.newer].older = x.older
	} else {
		e.jobs[x.job].phase[x.kind].newest = x.older
	}
	if x.older != None {
		e.attempts[x.older].newer = x.newer
	}
}

// drop lets the number of an attempt that is over be used again.
func (e *engine) drop(a Attempt) {
	x := &e.attempts[a]
	x.job = None
	x.gen++
	x.resuming = false
	x.riders = x.riders[:0]
	e.vacant = append(e.vacant, a)
}

// lose ends an attempt before its work is done. The work is lost, and the task waits again.
func (e *engine) lose(a Attempt, why EventType) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	k := x.kind
	lost := e.done(x)
	if why == Killed {
		e.acct.totals.Kills++
	}
	e.acct.totals.Work += lost
	e.acct.totals.Wasted += lost
	e.acct.jobs[x.job].Wasted += lost
	e.stopTransfer(a)
	e.waitsForMaps(x, false)
	e.holdMemory(x.node, s, k, -1)
	if x.stage == suspended {
		s.phase[k].Suspended--
	} else {
		e.holdSlot(x.node, s, k, -1)
		e.countStarted(s, k, x.node, -1)
		if x.resuming {
			e.acct.totals.Overhead += e.now - x.since
		}
	}
	e.stopRiders(a)
	e.tasks[x.task] &= taskRerun // pending
	e.waitsAgain(x.job, k, x.task)
	e.unlink(a)
	e.emitAttempt(why, a, lost)
	j := x.job
	e.drop(a)
	if k == Reduce && s.gone > 0 {
		e.rerunGone(j)
	}
}

// waitsAgain puts a task back among the tasks of its job that wait.
func (e *engine) waitsAgain(j Job, k Kind, t Task) {
	s := &e.jobs[j]
	p := &s.phase[k]
	p.cursor = min(p.cursor, int32(t))
	if k == Map && s.where != nil {
		clear(s.where.skip)
	}
	e.acct.pending[k]++
	p.waitingChanged(t, 1)
	e.runnable[k].add(int32(j))
	e.due = true
}
