package slotmodel

import "fmt"

// kill is the action Kill.
func (e *engine) kill(a Attempt) {
	j := e.attempts[a].job
	if e.jobs[j].spec.rigid() {
		e.startOver(j, Killed)
		return
	}
	e.lose(a, Killed)
}

// startOver ends all attempts of a rigid job. All its maps wait again, ended ones too.
func (e *engine) startOver(j Job, why EventType) {
	s := &e.jobs[j]
	e.loseAll(j, why)
	for t := s.phase[Map].first; t < s.phase[Map].end(); t++ {
		if e.tasks[t] == taskDone {
			e.undo(j, Task(t), taskPending, None)
		}
	}
}

// loseAll ends all attempts of a job, the newest first.
func (e *engine) loseAll(j Job, why EventType) {
	e.unfold(j)
	for k := range Kind(kinds) {
		for a := e.jobs[j].phase[k].newest; a != None; a = e.jobs[j].phase[k].newest {
			e.lose(a, why)
		}
	}
}

// killFault says why an attempt cannot be killed, "" when it can. It bounds the decisions of one
// instant that kill, since another decision follows each of them.
func (e *engine) killFault(a Attempt) string {
	switch {
	case !e.isAttempt(a):
		return "no such attempt"
	case e.rounds > idleCalls(len(e.nodes)):
		return fmt.Sprintf("%d decisions of this instant have killed already", e.rounds)
	}
	return ""
}

// suspendFault says why an attempt cannot be suspended, "" when it can.
func (e *engine) suspendFault(a Attempt) string {
	switch {
	case !e.isAttempt(a):
		return "no such attempt"
	case e.attempts[a].stage != computing:
		return "it does not compute"
	case e.jobs[e.attempts[a].job].spec.rigid():
		return "its job is rigid"
	}
	return ""
}

// resumeFault says why an attempt cannot be resumed, "" when it can.
func (e *engine) resumeFault(a Attempt) string {
	if !e.isAttempt(a) || e.attempts[a].stage != suspended {
		return "no suspended attempt"
	}
	if x := &e.attempts[a]; e.nodes[x.node].free[x.kind] == 0 {
		return fmt.Sprintf("node %d has no free %s slot", x.node, x.kind)
	}
	return ""
}

// suspend is the action Suspend.
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
	x.stage = suspended
	x.gen++
	e.stopRiders(a)
	e.tasks[x.task] = e.tasks[x.task]&taskRerun | taskSuspended
	s.phase[x.kind].Suspended++
	e.holdSlot(x.node, s, x.kind, -1)
	e.countStarted(s, x.kind, x.node, -1)
	e.acct.totals.Suspensions++
	e.emitAttempt(Suspends, a, 0)
}

// resume is the action Resume.
func (e *engine) resume(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	e.tasks[x.task] = e.tasks[x.task]&taskRerun | taskRunning
	s.phase[x.kind].Suspended--
	e.holdSlot(x.node, s, x.kind, 1)
	e.countStarted(s, x.kind, x.node, 1)
	e.emitAttempt(Resumes, a, 0)
	x.stage = computing
	x.resuming, x.since = true, e.now
	e.after(a, e.cluster.ResumeCost)
}
