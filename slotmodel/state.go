package slotmodel

import "github.com/schedmath/schedmath/slotmodel/internal/flow"

// taskState is the state of one task, one byte each: a workload may have millions.
type taskState uint8

const (
	taskPending taskState = iota
	taskRunning           // an attempt holds a slot for it
	taskSuspended
	taskRiding
	taskDone
	// A flag beside one of these: the task has ended before, and its output was lost.
	taskRerun taskState = 1 << 7
)

// base returns the state without the flag.
func (s taskState) base() taskState { return s &^ taskRerun }

// nodeState is the state of a node.
type nodeState struct {
	slots  [kinds]int32 // slots for one kind alone
	shared int32        // slots for either kind
	busy   [kinds]int32 // attempts that hold slots
	// Free slots that attempts of a kind can take, shared ones included; 0 when the node is lost.
	free   [kinds]int32
	early  int32 // reduces here that wait for maps of their job
	rack   int32
	up     bool
	speed  float64
	slow   float64 // the factor by which it is slower now
	pace   float64 // speed/slow, work per second now
	nic    float64 // +Inf: no limit
	memory float64 // +Inf: no limit
	held   sum     // bytes of memory that attempts hold
}

// jobState is the state of one job.
type jobState struct {
	spec    *JobSpec
	heir    Job // the last job that comes after it
	sibling Job // the job before this one that comes after the same job
	present bool

	phase [kinds]phaseState
	need  int32 // number of maps that must have ended before reduces may start

	// started is the number of tasks that run, ride or have ended, by kind and rack; nil until a
	// policy asks.
	started []int32

	gang *gang // its attempts, while they are folded

	fetching int32 // number of reduces that shuffle
	lost     int32 // number of maps whose output was lost and that have not ended again
	gone     int32 // number of ended maps whose output was lost when no reduce needed it
	// Waiting maps by the place of their blocks; nil until a policy asks for locality.
	where   *places
	shuffle *shuffle // intermediate data under way; only in a fluid network
}

// phaseState is the state of the tasks of one kind of a job.
type phaseState struct {
	Counts
	spec    *Phase
	first   int32   // number of its first task
	cursor  int32   // no task before this one waits
	ready   bool    // tasks may start
	newest  Attempt // the list of attempts under way, by attempt.older
	waiting sum     // work of the tasks that wait; kept for phases with Works only
	atOnce  int32   // capacity of a phase with Memory, as of version
	version int32   // value of engine.versions at which atOnce was computed; 0: never
}

// end returns the number behind that of the last task.
func (p *phaseState) end() int32 { return p.first + p.Tasks }

// has reports whether a task is of the phase.
func (p *phaseState) has(t Task) bool { return int32(t) >= p.first && int32(t) < p.end() }

// attempt is one execution of a task.
type attempt struct {
	task     Task
	job      Job
	node     Node
	older    Attempt // the list of the job's attempts of this kind, newest first
	newer    Attempt
	gen      uint32
	kind     Kind
	stage    stage
	resuming bool // while it computes: the ResumeCost is being paid, and work has not begun again

	call   int64  // number of the decision in which it started
	riders []Task // maps of other jobs that ride on it

	began    float64 // when it took its slot
	computed float64 // when it began to compute, -1 before
	since    float64 // when it last began to compute or to resume
	left     float64 // work left at since
	work     float64 // all work of the task
	worked   float64 // seconds of computing before since

	flow   flow.Flow // its own transfer, a read or a write; -1: none is under way
	bytes  float64   // size of its last own transfer
	across bool      // that transfer goes between racks

	// Of a reduce that shuffles.
	cohort int32   // its cohort; None: it is open, and waits for the last map
	next   Attempt // the next reduce of its cohort, or of its column's open reduces
	// A reduce that started while outputs were lost. It needs the whole outputs of the maps that
	// run again.
	young bool
	early bool // it waits for maps of its job
}

// user is the account of one user.
type user struct {
	weight float64
	// The weight for the entitlement clock: a fraction of the greatest, not below leastShare.
	share    float64
	running  [kinds]int32
	memory   sum // bytes that its attempts hold
	jobs     int32
	changed  float64        // time until which held is counted
	held     [kinds]float64 // slot-seconds until changed
	joined   sum            // reading of the entitlement clock when it got its first job
	entitled float64        // seconds of the cluster it was entitled to until it last had no job
}
