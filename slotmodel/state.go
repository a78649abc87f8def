package slotmodel

import "github.com/schedmath/schedmath/slotmodel/internal/flow"

// taskState is the state of one task, one byte each: a workload may have millions.
type taskState uint8

const (
	taskPending taskState = iota
	taskRunning           // an attempt holds a slot for it
	taskSuspended
	taskDone
	taskRerun taskState = 1 << 7 // flag: it ended before, and its output was lost
)

func (s taskState) base() taskState { return s &^ taskRerun }

// nodeState is the hot state of a node.
type nodeState struct {
	slots  [kinds]int32 // for one kind alone
	shared int32        // for either
	busy   [kinds]int32 // attempts that hold slots
	free   [kinds]int32 // slots that the next attempts of a kind could take, shared ones included; 0 when the node is lost
	early  int32        // reduces that wait for maps
	rack   int32
	up     bool
	speed  float64
	nic    float64 // +Inf: no limit
	memory float64 // +Inf: no limit
	held   sum     // bytes of it that attempts hold
}

// jobState is the state of one job.
type jobState struct {
	spec    *JobSpec
	first   int32 // number of its first task
	present bool

	ready  [kinds]bool // tasks of this kind may start
	count  [kinds]Counts
	cursor [kinds]int32 // no task of the kind below this is pending
	newest [kinds]Attempt
	need   int32 // maps that must have ended for reduces to start

	waiting [kinds]sum // work of the tasks that wait, of a phase with Works
	started []int32    // tasks that run or have ended, by kind and rack; nil until a policy asks

	fetching int32    // reduces that shuffle
	lost     int32    // maps that ended, were lost and have not ended again
	gone     int32    // maps whose output was lost when no reduce needed it
	where    *places  // of its blocks, made when a policy asks for locality
	shuffle  *shuffle // its data under way, in a fluid network
}

// pending returns the number of tasks of a kind that wait.
func (j *jobState) pending(k Kind) int32 {
	c := &j.count[k]
	return c.Tasks - c.Running - c.Suspended - c.Done
}

// attempt is one execution of a task.
type attempt struct {
	task     Task
	job      Job
	node     Node
	older    Attempt // the list of the job's attempts of this kind, newest first
	newer    Attempt
	gen      uint32
	kind     Kind
	stage    Stage
	resuming bool // Computing has not begun again: the cost of resuming is being paid

	began    float64 // when it took its slot
	computed float64 // when it began to compute, -1 before
	since    float64 // when the present stretch of work began
	left     float64 // work left then
	work     float64
	worked   float64 // seconds of computing before since

	flow   flow.Flow // of its read or write, or -1
	bytes  float64   // of that
	got    float64   // bytes that it had fetched when it began to work
	across bool      // that goes to another rack

	cohort int32   // of its shuffle, None: it waits for the last map
	next   Attempt // in its cohort, or among those that wait
	fresh  bool    // its data is not yet asked for
	young  bool    // it started while outputs were lost
	early  bool    // a reduce that waits for maps
}

// user is the account of one user.
type user struct {
	weight   float64
	share    float64 // the weight for the entitlement clock: a fraction of the greatest, not below leastShare
	running  [kinds]int32
	memory   sum // bytes that its attempts hold
	jobs     int32
	changed  float64 // running is accounted for until then
	held     [kinds]float64
	joined   sum // reading of the entitlement clock when it got its first job
	since    float64
	entitled float64
	active   float64
}
