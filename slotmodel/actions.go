package slotmodel

import (
	"errors"
	"fmt"
	"math"
)

// ErrPolicy is the error that every fault of a policy is: errors.Is(err, ErrPolicy).
var ErrPolicy = errors.New("slotmodel: the policy is at fault")

// ActionError says which action a policy was not allowed.
type ActionError struct {
	Time   float64
	Policy string // its type
	Action string // as it was called, with arguments
	Reason string
}

func (e *ActionError) Error() string {
	return fmt.Sprintf("slotmodel: at %v s %s called %s: %s", e.Time, e.Policy, e.Action, e.Reason)
}

// Unwrap returns ErrPolicy.
func (e *ActionError) Unwrap() error { return ErrPolicy }

// DeadlockError says that nothing will ever happen again although tasks wait that could run.
type DeadlockError struct {
	Time   float64
	Policy string
	Job    Job // the first job that could run
	Kind   Kind
	Tasks  int // of it that wait
	Free   int // slots of that kind
}

func (e *DeadlockError) Error() string {
	return fmt.Sprintf("slotmodel: at %v s %s leaves %d free %s slots idle for ever, while %d tasks of job %d wait",
		e.Time, e.Policy, e.Free, e.Kind, e.Tasks, e.Job)
}

// Unwrap returns ErrPolicy.
func (e *DeadlockError) Unwrap() error { return ErrPolicy }

// Actions is what a policy can do. Each action is checked, takes effect at once and shows in the View. An action that is not
// allowed does nothing, returns false and ends the run with an *ActionError; so do all after it.
type Actions struct{ e *engine }

// Start runs a task of a job on a node: a map whose block is there, else in its rack, else the first that waits; the first
// reduce that waits.
func (a *Actions) Start(j Job, k Kind, n Node) bool {
	e := a.e
	fault := e.startFault(j, k, n)
	if fault != "" {
		return e.refuse(fault, "Start(%d, %v, %d)", j, k, n)
	}
	if e.jobs[j].spec.rigid() {
		return e.refuse("the job is rigid: want StartGang", "Start(%d, %v, %d)", j, k, n)
	}
	e.start(e.pick(j, k, n), j, k, n)
	return true
}

// StartTask runs one certain task on a node.
func (a *Actions) StartTask(t Task, n Node) bool {
	e := a.e
	if t < 0 || int(t) >= len(e.tasks) {
		return e.refuse("no such task", "StartTask(%d, %d)", t, n)
	}
	j, k := e.owner(t)
	fault := e.startFault(j, k, n)
	switch {
	case fault == "" && e.jobs[j].spec.rigid():
		fault = "the job is rigid: want StartGang"
	case fault == "" && e.tasks[t].base() != taskPending:
		fault = "the task does not wait"
	}
	if fault != "" {
		return e.refuse(fault, "StartTask(%d, %d)", t, n)
	}
	e.start(t, j, k, n)
	return true
}

// StartGang starts all maps of a rigid job together, map i on nodes[i]. A node may be named as often as it has free slots.
func (a *Actions) StartGang(j Job, nodes []Node) bool {
	if fault := a.e.gangFault(j, nodes); fault != "" {
		return a.e.refuse(fault, "StartGang(%d, %v)", j, nodes)
	}
	for i, n := range nodes {
		a.e.start(Task(a.e.jobs[j].first+int32(i)), j, Map, n)
	}
	return true
}

// Kill ends an attempt, and with it the others of its job when that is rigid. Its work is lost and counted; its task waits again.
func (a *Actions) Kill(x Attempt) bool {
	if !a.e.isAttempt(x) {
		return a.e.refuse("no such attempt", "Kill(%d)", x)
	}
	a.e.kill(x)
	return true
}

// Suspend takes an attempt that computes from its slot. It keeps its work and holds memory of its node.
func (a *Actions) Suspend(x Attempt) bool {
	if !a.e.isAttempt(x) {
		return a.e.refuse("no such attempt", "Suspend(%d)", x)
	}
	if fault := a.e.suspendFault(x); fault != "" {
		return a.e.refuse(fault, "Suspend(%d)", x)
	}
	a.e.suspend(x)
	return true
}

// Resume lets a suspended attempt work again, on its node, after the cluster's ResumeCost.
func (a *Actions) Resume(x Attempt) bool {
	if !a.e.isAttempt(x) || a.e.attempts[x].stage != Suspended {
		return a.e.refuse("no suspended attempt", "Resume(%d)", x)
	}
	if y := &a.e.attempts[x]; a.e.err == nil && a.e.nodes[y.node].free[y.kind] == 0 {
		return a.e.refuse(fmt.Sprintf("node %d has no free %s slot", y.node, y.kind), "Resume(%d)", x)
	}
	a.e.resume(x)
	return true
}

// Wake asks for a call of Decide at a time later than now.
func (a *Actions) Wake(at float64) bool {
	if !(at > a.e.now && at <= math.MaxFloat64) {
		return a.e.refuse("want a finite time later than now", "Wake(%v)", at)
	}
	if a.e.err != nil {
		return false
	}
	a.e.queue.push(at, classWake, None, 0)
	return true
}
