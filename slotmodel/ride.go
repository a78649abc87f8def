package slotmodel

import "slices"

// rideFault says why a map of a job cannot ride on an attempt, "" when it can.
func (e *engine) rideFault(j Job, t Task, on Attempt) string {
	switch {
	case !e.isJob(j):
		return "no such job"
	case !e.jobs[j].phase[Map].has(t):
		return "no such map of the job"
	case !e.isAttempt(on) || e.attempts[on].kind != Map:
		return "no such attempt of a map"
	}
	s, x := &e.jobs[j], &e.attempts[on]
	driver := &e.jobs[x.job]
	switch {
	case s.spec.rigid():
		return "the job is rigid"
	case !s.present:
		return "the job is not present"
	case e.tasks[t].base() != taskPending:
		return "the task does not wait"
	case x.call != e.acct.calls:
		return "the attempt did not start in this decision"
	case x.stage == suspended:
		return "the attempt is suspended"
	case s.spec.Dataset == 0 || s.spec.Dataset != driver.spec.Dataset:
		return "the jobs have no dataset in common"
	case int32(t)-s.phase[Map].first != int32(x.task)-driver.phase[Map].first:
		return "the attempt reads another block"
	}
	return ""
}

// ride is the action Ride.
func (e *engine) ride(j Job, t Task, on Attempt) {
	x := &e.attempts[on]
	e.jobs[j].phase[Map].Riding++
	e.waitsNoMore(j, Map, t, 1, x.node, taskRiding)
	x.riders = append(x.riders, t)
	e.emit(Event{Type: Rode, Job: j, Kind: Map, Task: t, Attempt: on, Node: x.node})
}

// rideOver ends a map that has ridden on an attempt which has ended.
func (e *engine) rideOver(t Task, a Attempt) {
	j, _ := e.owner(t)
	n := e.attempts[a].node
	e.jobs[j].phase[Map].Riding--
	e.taskOver(j, Map, t, n)
	e.emit(Event{Type: Ended, Job: j, Kind: Map, Task: t, Attempt: a, Node: n})
}

// stopRiders makes the maps that ride on an attempt wait again.
func (e *engine) stopRiders(a Attempt) {
	x := &e.attempts[a]
	for _, t := range x.riders {
		j, _ := e.owner(t)
		e.stopRide(j, t)
	}
	x.riders = x.riders[:0]
}

// stopRides takes the maps of a job off the attempts on which they ride.
func (e *engine) stopRides(j Job) {
	p := &e.jobs[j].phase[Map]
	for a := 0; p.Riding > 0; a++ {
		x := &e.attempts[a]
		x.riders = slices.DeleteFunc(x.riders, func(t Task) bool {
			ours := p.has(t)
			if ours {
				e.stopRide(j, t)
			}
			return ours
		})
	}
}

// stopRide makes a map that rides wait again.
func (e *engine) stopRide(j Job, t Task) {
	s := &e.jobs[j]
	s.phase[Map].Riding--
	e.countStarted(s, Map, e.ran(t), -1)
	e.tasks[t] &= taskRerun // pending
	e.waitsAgain(j, Map, t)
}
