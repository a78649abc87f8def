package slotmodel

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// ErrPolicy is what every error for a fault of a policy wraps. Such an error does not wrap
// schedmath.ErrInput: the arguments of Run are good, and what the policy did in the run is not.
var ErrPolicy = errors.New("slotmodel: the policy is at fault")

// actionError says which action a policy was not allowed.
type actionError struct {
	Time   float64
	Policy string // its type
	Action string // as it was called, with arguments
	Reason string
}

// Error says when which policy called which action with which arguments, and why it was not
// allowed.
func (e *actionError) Error() string {
	return fmt.Sprintf("slotmodel: at %v s %s called %s: %s", e.Time, e.Policy, e.Action, e.Reason)
}

// Unwrap returns ErrPolicy.
func (e *actionError) Unwrap() error { return ErrPolicy }

// DeadlockError says that nothing will ever happen again although tasks wait that could run: the
// policy has asked for no call, or too many calls were in vain, as Policy says.
type DeadlockError struct {
	Time   float64
	Policy string
	Job    Job // the first job that could run
	Kind   Kind
	Tasks  int // number of its tasks of this kind that wait, suspended ones included
	Free   int // free slots for this kind
}

// Error says when which policy left how many slots idle, and which job waits with how many tasks.
func (e *DeadlockError) Error() string {
	return fmt.Sprintf("slotmodel: at %v s %s leaves %d free %s slots idle for ever, while %d tasks of job %d wait",
		e.Time, e.Policy, e.Free, e.Kind, e.Tasks, e.Job)
}

// Unwrap returns ErrPolicy.
func (e *DeadlockError) Unwrap() error { return ErrPolicy }

// Actions is what a policy can do. Each action is checked, takes effect at once and shows in the
// View. An action that is not allowed does nothing, returns false and ends the run with an
// ErrPolicy that says when, which and why; all later actions return false too. Outside of Decide no
// action is allowed. Actions that Run has not given do nothing and return false.
type Actions struct{ e *engine }

func (a *Actions) engine() *engine {
	if a.e == nil {
		return &noRun
	}
	return a.e
}

// Start runs a waiting task of a job on a node: of maps the first with its block on the node, else
// the first with its block in the rack, else the first; of reduces the first.
func (a *Actions) Start(j Job, k Kind, n Node) bool {
	e := a.engine()
	fault := cmp.Or(e.barred(), e.startFault(j, k, n))
	if fault != "" {
		return e.refuse(fault, "Start(%d, %v, %d)", j, k, n)
	}
	if e.jobs[j].spec.rigid() {
		return e.refuse("the job is rigid: want StartGang", "Start(%d, %v, %d)", j, k, n)
	}
	e.start(e.pick(j, k, n), j, k, n)
	return true
}

// StartTask runs a given task on a node.
func (a *Actions) StartTask(t Task, n Node) bool {
	e := a.engine()
	if t < 0 || int(t) >= len(e.tasks) {
		return e.refuse("no such task", "StartTask(%d, %d)", t, n)
	}
	j, k := e.owner(t)
	fault := cmp.Or(e.barred(), e.startFault(j, k, n))
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

// StartGang starts all maps of a job together, map i on nodes[i]. A rigid job starts in no other
// way; any other job may start so while all of its maps wait. A node may occur in nodes as often as
// it has free slots.
func (a *Actions) StartGang(j Job, nodes []Node) bool {
	e := a.engine()
	if fault := e.gangFault(j, nodes); fault != "" {
		return e.refuse(fault, "StartGang(%d, %v)", j, nodes)
	}
	e.startGang(j, nodes)
	return true
}

// Ride lets a waiting map of a job read along with an attempt that has started in this decision, of
// the map of the same number of a job with the same Dataset. Rigid jobs do not ride. The map holds
// no slot and no memory, does no work and moves no bytes of its own; its output lies on the
// attempt's node. It ends with the attempt. It waits again when the attempt is suspended, killed or
// lost, or the attempt's job ends.
func (a *Actions) Ride(j Job, t Task, on Attempt) bool {
	e := a.engine()
	if fault := cmp.Or(e.barred(), e.rideFault(j, t, on)); fault != "" {
		return e.refuse(fault, "Ride(%d, %d, %d)", j, t, on)
	}
	e.ride(j, t, on)
	return true
}

// Kill ends an attempt, and all other attempts of its job if the job is rigid. The work done is
// lost, and the task waits again. When the decision is over, Decide is called again in the same
// instant. In one instant at most 100,000 decisions may kill, and 10,000 more for each node.
func (a *Actions) Kill(x Attempt) bool {
	e := a.engine()
	if fault := cmp.Or(e.barred(), e.killFault(x)); fault != "" {
		return e.refuse(fault, "Kill(%d)", x)
	}
	e.killed = true
	e.kill(x)
	return true
}

// Suspend takes the slot from an attempt that computes. The attempt keeps its work and its memory.
func (a *Actions) Suspend(x Attempt) bool {
	e := a.engine()
	if fault := cmp.Or(e.barred(), e.suspendFault(x)); fault != "" {
		return e.refuse(fault, "Suspend(%d)", x)
	}
	e.suspend(x)
	return true
}

// Resume gives a suspended attempt a slot of its node. It computes again after the cluster's
// ResumeCost. Refused for an attempt that is not suspended, and without a free slot of its kind
// there.
func (a *Actions) Resume(x Attempt) bool {
	e := a.engine()
	if fault := cmp.Or(e.barred(), e.resumeFault(x)); fault != "" {
		return e.refuse(fault, "Resume(%d)", x)
	}
	e.resume(x)
	return true
}

// Wake asks for a call of Decide at a finite time, in seconds, later than now. A time beyond 2^500
// s never comes.
func (a *Actions) Wake(at float64) bool {
	e := a.engine()
	fault := e.barred()
	if fault == "" && !(at > e.now && at <= math.MaxFloat64) {
		fault = "want a finite time later than now"
	}
	if fault != "" {
		return e.refuse(fault, "Wake(%v)", at)
	}
	if at <= horizon {
		e.queue.push(at, classWake, None, 0)
	}
	return true
}
