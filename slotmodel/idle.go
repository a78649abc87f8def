package slotmodel

import (
	"fmt"
	"math"
	"slices"
)

// watchIdle counts calls of Decide in vain that follow one another. After too many, the run passes
// over further calls until something else happens; if nothing else is to come it ends.
func (e *engine) watchIdle() {
	if e.acted {
		e.idle = 0
		return
	}
	e.idle++
	if e.idle == 1 && e.beats.period > 0 && e.hopeless() {
		e.stuck()
		return
	}
	if e.idle > idleCalls(len(e.nodes)) {
		e.idle = 0
		if t := e.nextChange(); t < never {
			e.passOver(t)
		} else {
			e.stuck()
		}
	}
}

// nextChange returns the time at which something other than a call of Decide comes next, +Inf if
// nothing will. O(entries of the queue).
func (e *engine) nextChange() float64 {
	t := e.nextFlow()
	for i := range e.queue.heap {
		if x := &e.queue.heap[i]; x.key>>60 != classWake && !e.stale(x) {
			t = min(t, x.time)
		}
	}
	return t
}

// passOver drops all wake-ups and heartbeats before t, which is the result of nextChange. Nothing
// else in the queue before t counts.
func (e *engine) passOver(t float64) {
	e.acct.passedOver++
	for len(e.queue.heap) > 0 && e.queue.heap[0].time < t {
		e.queue.pop()
	}
	if e.beats.period > 0 {
		e.beats.skipTo(t)
	}
}

// idleCalls returns how many calls of Decide in vain may follow one another. The limit is large
// enough for a policy that leaves all nodes idle for a night while each beats every 3 s.
func idleCalls(nodes int) int { return min(10_000*min(nodes, 100_000)+100_000, math.MaxInt32) }

// stuck ends a run in which nothing more will happen although jobs are present. Each of these jobs
// has a task that waits for a slot: if all of its tasks were done, rode or had attempts that hold
// slots, some attempt would end a stage. If the policy could go on with some job, that is a
// DeadlockError; otherwise all jobs present are Stuck.
func (e *engine) stuck() {
	for j := e.walk(&e.active, None); j != None; j = e.walk(&e.active, j) {
		s := &e.jobs[j]
		k, _ := e.waiting(j)
		reason := e.unfinishable(s, k)
		if reason == "" {
			e.err = &DeadlockError{e.now, fmt.Sprintf("%T", e.policy), j, k, s.phase[k].Pending() + int(s.phase[k].Suspended), int(e.free[k])}
			return
		}
		e.acct.jobs[j].Outcome, e.acct.jobs[j].Reason = Stuck, reason
	}
	for j := range e.jobs {
		if e.acct.jobs[j].Arrival < 0 {
			e.acct.jobs[j].Outcome, e.acct.jobs[j].Reason = Stuck, "the job after which it comes, or one before that, is stuck"
		}
	}
	e.halted = true
}

// hopeless reports whether nothing but heartbeats is to come, and no job present could start a task
// even if the nodes that are up held nothing else.
func (e *engine) hopeless() bool {
	if e.nextFlow() < never || slices.ContainsFunc(e.queue.heap, func(x entry) bool { return !e.stale(&x) }) {
		return false
	}
	for j := e.walk(&e.active, None); j != None; j = e.walk(&e.active, j) {
		if k, waits := e.waiting(j); waits && e.unfitting(&e.jobs[j], k) == "" {
			return false
		}
	}
	return e.present > 0
}

// waiting returns the first kind of which a job has tasks that wait for a slot, suspended ones
// included; false if there is none.
func (e *engine) waiting(j Job) (Kind, bool) {
	s := &e.jobs[j]
	for k := range Kind(kinds) {
		if s.phase[k].ready && s.phase[k].Pending()+int(s.phase[k].Suspended) > 0 {
			return k, true
		}
	}
	return 0, false
}

// unfinishable says why the policy cannot start or resume any task of a kind of a job, now or
// later; "" if it can. It is asked when nothing more will happen by itself.
func (e *engine) unfinishable(s *jobState, k Kind) string {
	for a := s.phase[k].newest; a != None; a = e.attempts[a].older {
		if x := &e.attempts[a]; x.stage == suspended && e.nodes[x.node].free[k] > 0 {
			return "" // the policy can resume it
		}
	}
	if s.phase[k].Pending() == 0 {
		return fmt.Sprintf("a %v is suspended on a node whose slots are held by attempts that wait for ever", k)
	}
	why := e.unfitting(s, k)
	if why != "" {
		return why
	}
	if s.spec.rigid() && e.roomFor(s) < s.phase[Map].Tasks {
		return "rigid, and attempts that wait for ever hold slots or memory that it needs"
	}
	why = fmt.Sprintf("the %v slots are held by attempts that wait for ever", k)
	for n := e.open[k].next(None); n != None; n = e.open[k].next(n) {
		fault := e.roomFault(s, k, Node(n))
		if fault == "" {
			return ""
		}
		why = "where a slot is free, " + fault + ", for ever"
	}
	return why
}

// roomFor returns for how many maps of a rigid job the free slots and the free memory have room
// now.
func (e *engine) roomFor(s *jobState) (maps int32) {
	for n := e.open[Map].next(None); n != None; n = e.open[Map].next(n) {
		x := &e.nodes[n]
		maps += x.room(x.free[Map], s.spec.Maps.Memory, x.held)
	}
	return maps
}

// unfitting says why the tasks of a kind of a job could not start on the nodes that are up even if
// these held nothing else; "" if they could.
func (e *engine) unfitting(s *jobState, k Kind) string {
	if e.slots[k] == 0 {
		return fmt.Sprintf("no %v slot is up", k)
	}
	room := e.capacity(s, k)
	switch {
	case room == 0:
		return fmt.Sprintf("a %v holds %v bytes of memory, more than any node with a %v slot that is up", k, s.phase[k].spec.Memory, k)
	case s.spec.rigid() && s.phase[k].Tasks > room:
		return fmt.Sprintf("rigid, of %d tasks, and %d slots are up", s.phase[k].Tasks, room)
	}
	return ""
}
