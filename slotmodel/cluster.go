package slotmodel

// Cluster is the machinery: nodes in racks, and the network between them.
type Cluster struct {
	Nodes   []NodeSpec
	Racks   []RackSpec // nil: the racks that nodes name, without limits
	Network Network
	// ResumeCost is how long, in seconds, a resumed attempt holds its slot before it works again.
	ResumeCost float64
}

// NodeSpec is one machine.
type NodeSpec struct {
	Rack    int      // index of its rack
	Maps    int      // slots for maps, >= 0
	Reduces int      // slots for reduces, >= 0
	Speed   float64  // work per second, > 0; 0 means 1
	NIC     float64  // bytes per second in each direction, shared as the package's doc says; only if Network.Fluid; 0 or +Inf: no limit
	Memory  float64  // bytes for suspended attempts; 0 or +Inf: no limit
	Down    []Outage // when it is lost, in order of time, not overlapping
}

// Outage is a time in which a node is lost: its attempts die at From, and the outputs of its finished maps are gone.
type Outage struct {
	From  float64 // s
	Until float64 // s, > From; +Inf: it never returns
}

// RackSpec is the connection of a rack to the others.
type RackSpec struct {
	Egress  float64 // bytes per second out of the rack; 0 or +Inf: no limit
	Ingress float64 // bytes per second into it
}

// Network says how data moves. The zero value moves it in no time.
type Network struct {
	// Fluid: transfers are flows that share the links of racks and the NICs max-min fairly. Otherwise each takes the
	// times below, whatever its size.
	Fluid bool

	RackRead   float64 // s a map reads a block from another node of its rack; not when Fluid
	RemoteRead float64 // s a map reads a block from another rack
	Shuffle    float64 // s a reduce shuffles, from its start or the job's last map's end, whichever is later
	Write      float64 // s a task of the last phase writes its output
}

// JobSpec is one job: a map phase and optionally a reduce phase after it.
type JobSpec struct {
	User     int     // its user's number, from 0
	Arrival  float64 // s, >= 0
	Deadline float64 // s, for policies alone; 0: none
	Priority float64 // for policies alone
	Maps     Phase
	Reduces  Phase
	// Slowstart is the fraction of maps that must have ended before a reduce may hold a slot, in [0, 1].
	Slowstart float64

	Input   float64 // bytes that the maps read, equally; local to the nodes of Replicas
	Shuffle float64 // bytes that each map sends to each reduce, in sum: every pair moves the same
	Output  float64 // bytes that the last phase's tasks write to another rack, equally
	// Replicas names the nodes that hold the block of each map: Copies of them for map 0, then for map 1, and so on; -1 where a
	// block has fewer. nil: every node reads every block locally.
	Replicas []int32
	Copies   int

	Walltime float64 // the job is killed this long after its first start; 0: never
	Crash    float64 // the job fails this long after its first start; 0: never
	Cancel   float64 // the job is cancelled at this time, s; 0: never
	Memory   float64 // bytes that a suspended attempt of it holds
	Rigid    bool    // all maps start together, and no reduces; a job of one task is rigid anyhow
}

// Phase is the tasks of one kind.
type Phase struct {
	Tasks int
	Work  float64   // seconds of work of each task on a node of speed 1, >= 0
	Works []float64 // of each task, when they differ; then Work is ignored. Length Tasks
}

// Of returns the work of task i of the phase, 0 where Works has no such task.
func (p *Phase) Of(i int) float64 {
	switch {
	case p == nil:
		return 0
	case p.Works == nil:
		return p.Work
	case i < 0 || i >= len(p.Works):
		return 0
	}
	return p.Works[i]
}
