package slotmodel

import (
	"fmt"
	"math"
	"slices"
)

// watchIdle ends a run in which the policy is called again and again, and nothing but its calls is to come.
func (e *engine) watchIdle() {
	if e.acted {
		e.beats.idle = 0
		return
	}
	e.beats.idle++
	if e.beats.idle == 1 && e.beats.period > 0 && !e.somethingComes() && e.hopeless() {
		e.stuck() // heartbeats alone are to come, and none can change anything
		return
	}
	if e.beats.idle > idleCalls(len(e.nodes)) {
		e.beats.idle = 0
		if !e.somethingComes() {
			e.stuck()
		}
	}
}

// somethingComes reports whether something is to happen besides calls of the policy.
func (e *engine) somethingComes() bool {
	if e.nextJob < len(e.jobs) || e.nextFlt < len(e.faults) || e.net.on && e.net.flows.Next() < never {
		return true
	}
	return slices.ContainsFunc(e.queue.heap, func(x entry) bool {
		return x.key>>60 != classWake && x.time < never && !e.stale(&x)
	})
}

// idleCalls is how often a policy may be called in vain, one call after the other. With heartbeats every 3 s a policy may let nodes
// idle for a night.
func idleCalls(nodes int) int { return min(10_000*min(nodes, 100_000)+100_000, math.MaxInt32) }

// stuck ends a run in which nothing more will happen, with jobs present.
func (e *engine) stuck() {
	for j := e.walk(&e.active, None); j != None && e.err == nil; j = e.walk(&e.active, j) {
		k, waits := e.waiting(j)
		reason := "a task of it ends later than any float64"
		if waits {
			if reason = e.unfinishable(&e.jobs[j], k); reason == "" {
				s := &e.jobs[j]
				e.err = &DeadlockError{e.now, fmt.Sprintf("%T", e.policy), j, k, int(s.pending(k) + s.count[k].Suspended), int(e.free[k])}
				break
			}
		}
		e.acct.jobs[j].Outcome, e.acct.jobs[j].Reason = Stuck, reason
	}
	if e.err == nil {
		e.halted = true
	}
}

// hopeless reports whether no job present can end, whatever the policy does when nothing else is to come.
func (e *engine) hopeless() bool {
	if slices.ContainsFunc(e.queue.heap, func(x entry) bool { return x.key>>60 == classWake }) {
		return false // it has plans
	}
	for j := e.walk(&e.active, None); j != None; j = e.walk(&e.active, j) {
		if k, waits := e.waiting(j); waits && e.unfitting(&e.jobs[j], k) == "" {
			return false
		}
	}
	return e.present > 0
}

// waiting returns the first kind of which a job has tasks that wait for a slot.
func (e *engine) waiting(j Job) (Kind, bool) {
	s := &e.jobs[j]
	for k := range Kind(kinds) {
		if s.ready[k] && s.pending(k)+s.count[k].Suspended > 0 {
			return k, true
		}
	}
	return 0, false
}

// unfinishable says why nobody will go on with the tasks of a kind of a job; "" when the policy could.
func (e *engine) unfinishable(s *jobState, k Kind) string {
	for a := s.newest[k]; a != None; a = e.attempts[a].older {
		if x := &e.attempts[a]; x.stage == Suspended && e.nodes[x.node].free[k] > 0 {
			return "" // it can be resumed
		}
	}
	if s.pending(k) == 0 {
		return fmt.Sprintf("a %v is suspended on a node whose slots are held by attempts that wait for ever", k)
	}
	why := e.unfitting(s, k)
	if why != "" {
		return why
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

// unfitting says why the tasks of a kind of a job could not start on the nodes that are up even if these held nothing else; "" when they could.
func (e *engine) unfitting(s *jobState, k Kind) string {
	if e.slots[k] == 0 {
		return fmt.Sprintf("no %v slot is up", k)
	}
	bytes := s.spec.phase(k).Memory
	room := int32(0) // attempts of the phase at once
	for n := range e.nodes {
		if x := &e.nodes[n]; x.up && bytes <= x.memory {
			slots := x.slots[k] + x.shared
			if bytes > 0 {
				slots = int32(min(float64(slots), max(1, x.memory/bytes)))
			}
			room += slots
		}
	}
	switch {
	case room == 0:
		return fmt.Sprintf("a %v holds %v bytes of memory, more than any node with a %v slot that is up", k, bytes, k)
	case s.spec.rigid() && s.count[k].Tasks > room:
		return fmt.Sprintf("rigid, of %d tasks, and %d slots are up", s.count[k].Tasks, room)
	}
	return ""
}
