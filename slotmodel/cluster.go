package slotmodel

// Cluster is the machinery: nodes in racks, and the network between them.
type Cluster struct {
	Nodes   []NodeSpec
	Racks   []RackSpec // nil: the racks that nodes name, without limits
	Network Network
	// ResumeCost is how long, in seconds, a resumed attempt holds its slot before it works again.
	ResumeCost float64
	// EarlyReduces is the greatest fraction of the shared slots of nodes that are up on which
	// reduces may start that wait for maps of their job; in [0, 1], 0 means .5. On a node such
	// reduces count as on its own reduce slots first. With 1 they may hold all slots, for ever. A
	// reduce whose maps fit no node that is up starts on no slot of any kind.
	EarlyReduces float64
	// Speed is the factor, in [2^-50, 2^50], by which all nodes compute faster or slower under a
	// load. nil: always 1. It is asked whenever the load has changed, and its answer must follow
	// from the load alone.
	Speed func(Load) float64
}

// Load is what a cluster has in flight.
type Load struct {
	Jobs    int    // jobs present that have started
	Tasks   [2]int // all tasks of these jobs, maps and reduces, ended ones too
	Running [2]int // attempts that hold slots, for maps and for reduces
	Holding int    // jobs that hold a slot
}

// NodeSpec is one machine.
type NodeSpec struct {
	Rack    int // index of its rack
	Maps    int // slots for maps alone, >= 0
	Reduces int // slots for reduces alone, >= 0
	// Slots is the number of shared slots, for tasks of either kind, >= 0. While maps and reduces
	// run, max(0, maps - Maps) + max(0, reduces - Reduces) of them are taken.
	Slots  int
	Speed  float64    // work per second; 0 means 1
	NIC    float64    // bytes per second each way, with Network.Fluid; 0 or +Inf: no limit
	Memory float64    // bytes that running and suspended attempts can hold; 0 or +Inf: no limit
	Down   []Outage   // when it is lost, in order of time, not overlapping
	Slow   []Slowdown // when it is overloaded, in order of time, not overlapping
}

// Outage is a time in which a node is lost.
type Outage struct {
	From  float64 // s
	Until float64 // s, > From; +Inf: it never returns
}

// Slowdown is a time in which a node is overloaded: attempts that compute there do Speed/Factor
// work per second. It goes on while the node is lost.
type Slowdown struct {
	From   float64 // s
	Until  float64 // s, > From; +Inf: it stays slow
	Factor float64 // in [1, 2^50]
}

// RackSpec is the connection of a rack to the others.
type RackSpec struct {
	Egress  float64 // bytes per second out of the rack; 0 or +Inf: no limit
	Ingress float64 // bytes per second into it; 0 or +Inf: no limit
}

// Network says how data moves. The zero value moves it in no time.
type Network struct {
	// Fluid: transfers are flows that share the links of racks and the NICs max-min fairly.
	// Otherwise each takes the times below, whatever its size.
	Fluid bool
	// Pair is the bandwidth from each rack to each other one beside the limits of racks, bytes per
	// second, only with Fluid; 0 or +Inf: no limit.
	Pair float64

	RackRead   float64 // s a map reads a block from another node of its rack; not when Fluid
	RemoteRead float64 // s a map reads a block from another rack
	// Shuffle is how long a reduce shuffles, s, from its start or the end of the job's last map,
	// whichever is later.
	Shuffle float64
	Write   float64 // s a task of the last phase writes its output
}

// JobSpec is one job: a map phase and optionally a reduce phase after it.
type JobSpec struct {
	User     int     // its user's number, from 0
	Arrival  float64 // s, >= 0; with After the earliest time at which it may arrive
	Deadline float64 // s from the start of the run, for policies alone; 0: none
	Priority float64 // for policies alone
	Maps     Phase
	Reduces  Phase
	// After is the number of another job, counted from 1, whose end, however it ended, releases
	// this one; 0: none. This one then arrives Think seconds later, or at Arrival if that is later.
	// None may come after itself, not even by way of others.
	After     int
	Think     float64 // s, only with After
	Slowstart float64 // fraction of maps that end before a reduce holds a slot, in [0, 1]

	// Dataset numbers what the maps read: map i of each job of the dataset reads block i, so that
	// one attempt can read for several (Actions.Ride). 0: a dataset of its own.
	Dataset int

	Input float64 // bytes that the maps read, equally; local to the nodes of Replicas
	// Shuffle is the number of bytes from all maps to all reduces. Every pair of a map and a reduce
	// moves an equal share.
	Shuffle float64
	Output  float64 // bytes that the last phase's tasks write to another rack, equally
	// Replicas names the nodes that hold the block of each map: Copies of them for map 0, then for
	// map 1, and so on; -1 where a block has fewer. nil: every node reads every block locally.
	Replicas []int32
	Copies   int

	Walltime  float64 // the job is killed this long after its first start; 0: never
	Requested float64 // s that its user said it runs, for policies alone; 0: not said
	Crash     float64 // the job fails this long after its first start; 0: never
	Cancel    float64 // the job is cancelled at this time, not before its arrival; 0: never
	Rigid     bool    // all maps start together, and no reduces; a job of one task is rigid anyhow
}

// Phase is the tasks of one kind.
type Phase struct {
	Tasks  int
	Work   float64   // seconds of work of each task on a node of speed 1, >= 0
	Works  []float64 // of each task, when they differ; then Work is ignored. Length Tasks
	Memory float64   // bytes of its node that each attempt holds, running or suspended; >= 0
}

// Of returns the work of task i of the phase, 0 where Works has no such task.
func (p *Phase) Of(i int) float64 {
	switch {
	case p.Works == nil:
		return p.Work
	case i < 0 || i >= len(p.Works):
		return 0
	}
	return p.Works[i]
}
