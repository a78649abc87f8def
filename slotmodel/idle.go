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
	if e.nextJob < len(e.arrivals) || e.nextFlt < len(e.faults) || e.net.on && e.net.flows.Next() < never {
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
		k, waits := e.waiting(j)
		if s := &e.jobs[j]; waits && e.slots[k] > 0 && !(s.spec.rigid() && s.count[k].Tasks > e.slots[k]) {
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
	switch {
	case e.slots[k] == 0:
		return fmt.Sprintf("no %v slot is up", k)
	case e.free[k] == 0:
		return fmt.Sprintf("the %v slots are held by attempts that wait for ever", k)
	case s.spec.rigid() && s.count[k].Tasks > e.slots[k]:
		return fmt.Sprintf("rigid, of %d tasks, and %d slots are up", s.count[k].Tasks, e.slots[k])
	}
	return ""
}
