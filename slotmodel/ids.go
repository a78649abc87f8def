package slotmodel

import (
	"strconv"

	"github.com/schedmath/schedmath"
)

// Handles name the parts of a run. They are indices: Job j is element j of the jobs given to Run,
// Node n element n of the cluster's nodes. Tasks are numbered over the whole workload, job by job,
// the maps of a job before its reduces. The number of an Attempt is used again once it is over.
type (
	Job     int32
	Task    int32
	Node    int32
	Rack    int32
	User    int32
	Attempt int32
)

// None is no job, task, node, rack, user or attempt. View's walks, as NextFree and NextRunnable,
// ask for what comes after a handle: after None comes the first.
const None = -1

// Kind is a kind of task, and of the slots that tasks of this kind occupy.
type Kind = schedmath.Kind

// The kinds of tasks.
const (
	Map    = schedmath.Map
	Reduce = schedmath.Reduce
	kinds  = 2
)

// stage is what an attempt is doing.
type stage uint8

const (
	fetching  stage = iota // a map reads a remote block, a reduce shuffles
	computing              // works at the node's speed, slower while the node is slow
	writing                // output goes to another rack
	suspended              // holds its memory, no slot
)

// EventType says what happened. The comments name the fields of Event that are set besides Time and
// Type.
type EventType uint8

const (
	Arrived  EventType = iota // Job
	Ready                     // Job, Kind: its tasks of this kind may start from now on
	Started                   // Job, Kind, Task, Attempt, Node
	Computes                  // the same: the transfer before the work is over
	// The same; Value: seconds since the attempt started computing, without suspensions and what
	// resuming took. Of a map that rode, Attempt is the one on which it rode, and Value is 0.
	Ended
	Killed   // the same; Value: work lost
	Suspends // the same
	Resumes  // the same
	Crashed  // the same as Killed: the node failed under it
	// Job, Task: a finished map must run again; Node: the node that was lost, now or earlier, None
	// when a rigid job starts over.
	OutputLost
	NodeDown  // Node
	NodeUp    // Node
	MapsEnded // Job: its last map has ended
	JobEnded  // Job; Value: float64(Outcome)
	// Node; Value: the factor by which it is slower than its speed from now on, 1: not slower.
	NodeSlow
	// Job, Kind, Task: a map that rides from now on; Attempt, Node: on which. It ends when the
	// attempt ends, and waits again when that is suspended, killed or crashes.
	Rode
)

// String returns the word of the event type, "EventType(77)" for what is none.
func (t EventType) String() string {
	return nameOf("EventType", t, "arrived", "ready", "started", "computes", "ended", "killed",
		"suspends", "resumes", "crashed", "output-lost", "node-down", "node-up", "maps-ended", "job-ended", "node-slow", "rode")
}

// MarshalText returns the word of String.
func (t EventType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Event is one entry of the event log. Fields that its type does not set are None, and Kind is Map.
type Event struct {
	Time    float64
	Value   float64
	Job     Job
	Task    Task
	Attempt Attempt
	Node    Node
	Type    EventType
	Kind    Kind
}

// Outcome is how a job ended.
type Outcome uint8

const (
	Unended  Outcome = iota // the run stopped before it
	Finished                // all its tasks ended
	TimedOut                // killed at its walltime
	Failed                  // failed of itself
	Canceled                // cancelled
	Stuck                   // unfinishable: JobResult.Reason says why
)

// String returns the word of the outcome, "Outcome(7)" for what is none.
func (o Outcome) String() string {
	return nameOf("Outcome", o, "unended", "finished", "timed-out", "failed", "canceled", "stuck")
}

// MarshalText returns the word of String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// nameOf returns the name of value x of an enumeration, and "Type(x)" if x is out of range.
func nameOf[T ~uint8](enum string, x T, names ...string) string {
	if int(x) < len(names) {
		return names[x]
	}
	return enum + "(" + strconv.Itoa(int(x)) + ")"
}
