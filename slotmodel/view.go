package slotmodel

import "cmp"

// View is what a policy sees of a run: the present state, without the future. Looking something up costs O(1) unless it says
// otherwise. It allocates nothing, but for the first of the questions Local, LocalRack and Started about a job. Handles and kinds out
// of range are answered with None, zeros and false. After an action that was not allowed a View shows no free slot and no runnable
// job, so that a policy's loops end. A View that is nil or was not given by Run shows nothing.
type View struct{ e *engine }

// noRun is what a View and Actions see and do outside of a run. Nothing changes it.
var noRun = engine{err: ErrPolicy, beating: None}

func (v *View) engine() *engine {
	if v == nil || v.e == nil {
		return &noRun
	}
	return v.e
}

// Now returns the time, in seconds.
func (v *View) Now() float64 { return v.engine().now }

// Heartbeat returns the node whose heartbeat the call is for, or None.
func (v *View) Heartbeat() Node { return v.engine().beating }

// Nodes returns the number of nodes, lost ones included.
func (v *View) Nodes() int { return len(v.engine().nodes) }

// Racks returns the number of racks.
func (v *View) Racks() int { return v.engine().racks }

// Users returns the number of users.
func (v *View) Users() int { return len(v.engine().users) }

// Jobs returns the number of jobs of the whole workload: job handles are below it.
func (v *View) Jobs() int { return len(v.engine().jobs) }

// Entitlement returns the weight of a user.
func (v *View) Entitlement(u User) float64 {
	e := v.engine()
	if !e.isUser(u) {
		return 0
	}
	return e.users[u].weight
}

// Slots returns the number of slots of nodes that are up that attempts of a kind can hold: those for the kind alone and shared ones. So
// shared slots count in both kinds.
func (v *View) Slots(k Kind) int {
	if k >= kinds {
		return 0
	}
	return int(v.engine().slots[k])
}

// TotalSlots returns the number of slots of nodes that are up, of whatever kind: shared ones count once.
func (v *View) TotalSlots() int {
	e := v.engine()
	return int(e.slots[Map] + e.slots[Reduce] - e.shared)
}

// FreeSlots returns how many of the slots for a kind are free: the sum of Free over the nodes.
func (v *View) FreeSlots(k Kind) int {
	e := v.engine()
	if e.err != nil || k >= kinds {
		return 0
	}
	return int(e.free[k])
}

// Up reports whether a node is up.
func (v *View) Up(n Node) bool {
	e := v.engine()
	return e.isNode(n) && e.nodes[n].up
}

// Free returns the number of free slots of a node for attempts of a kind, those for the kind alone and shared ones. A start on a shared
// slot takes it from both kinds. Whether a certain job's task can start there Fits tells.
func (v *View) Free(n Node, k Kind) int {
	e := v.engine()
	if !e.isNode(n) || e.err != nil || k >= kinds {
		return 0
	}
	return int(e.nodes[n].free[k])
}

// NextFree returns the first node after n that has a free slot for the kind, its own or a shared one, in the order of their numbers; None when there is none.
// O(log nodes).
func (v *View) NextFree(k Kind, n Node) Node {
	e := v.engine()
	if e.err != nil || k >= kinds || n != None && !e.isNode(n) {
		return None
	}
	return Node(e.open[k].next(int32(n)))
}

// NextFreeIn is NextFree within one rack. O(log nodes).
func (v *View) NextFreeIn(r Rack, k Kind, n Node) Node {
	e := v.engine()
	if e.err != nil || k >= kinds || !e.isRack(r) || n != None && !e.isNode(n) {
		return None
	}
	return Node(e.open[k].nextIn(int32(r), int32(n)))
}

// Fits reports whether a task of a kind of a job can start on a node now: one waits and may start; the node is up, with a free slot, its
// own or a shared one, and the memory; and a reduce that has to wait for maps finds a slot within Cluster.EarlyReduces. Of a rigid
// job it tells whether one of its maps has room on the node.
func (v *View) Fits(j Job, k Kind, n Node) bool {
	e := v.engine()
	return e.startFault(j, k, n) == ""
}

// Memory returns the bytes of memory of a node and how many of them are free; +Inf where there is no limit. They are told for a lost node too.
func (v *View) Memory(n Node) (all, free float64) {
	e := v.engine()
	if !e.isNode(n) {
		return 0, 0
	}
	x := &e.nodes[n]
	return x.memory, max(0, x.memory-x.held.value)
}

// RackOf returns the rack of a node.
func (v *View) RackOf(n Node) Rack {
	e := v.engine()
	if !e.isNode(n) {
		return None
	}
	return Rack(e.nodes[n].rack)
}

// Speed returns the work per second that a node does in each slot while it is not slow. It is what was given of the node: Slowdown tells what has come of it.
func (v *View) Speed(n Node) float64 {
	e := v.engine()
	if !e.isNode(n) {
		return 0
	}
	return e.nodes[n].speed
}

// Slowdown returns the factor by which a node is slower than its speed now, 1 when it is not, for a lost node too: attempts that compute there do Speed/Slowdown work
// per second. A policy that is not meant to know which nodes are overloaded does not ask.
func (v *View) Slowdown(n Node) float64 {
	e := v.engine()
	if !e.isNode(n) {
		return 0
	}
	return e.nodes[n].slow
}

// NextActive returns the first job after j, in the order of arrival that Arrival numbers, that is present; j = None is the
// start. O(log jobs).
func (v *View) NextActive(j Job) Job {
	e := v.engine()
	return e.walk(&e.active, j)
}

// NextActiveOf is NextActive among the jobs of one user.
func (v *View) NextActiveOf(u User, j Job) Job {
	e := v.engine()
	return e.walkOf(&e.active, u, j)
}

// NextRunnable is NextActive among the jobs with a task of the kind that waits and may start.
func (v *View) NextRunnable(k Kind, j Job) Job {
	e := v.engine()
	if k >= kinds {
		return None
	}
	return e.walk(&e.runnable[k], j)
}

// Runnable reports whether a job has a task of the kind that waits and may start.
func (v *View) Runnable(j Job, k Kind) bool {
	e := v.engine()
	return e.isPhase(j, k) && e.runnable[k].has(int32(j))
}

// NextRunnableOf is NextRunnable among the jobs of one user.
func (v *View) NextRunnableOf(u User, k Kind, j Job) Job {
	e := v.engine()
	if k >= kinds {
		return None
	}
	return e.walkOf(&e.runnable[k], u, j)
}

// Spec returns what was given of a job, also after an action that was not allowed; nil for what is no job. It must not be changed. A
// policy that is not meant to know the future does not look at the work of tasks.
func (v *View) Spec(j Job) *JobSpec {
	e := v.engine()
	if j < 0 || int(j) >= len(e.jobs) {
		return nil
	}
	return e.jobs[j].spec
}

// Arrival returns when a job arrived, and its place in the order of arrival, from 0; -1 and -1 for a job that has not.
func (v *View) Arrival(j Job) (at float64, place int) {
	e := v.engine()
	if j < 0 || int(j) >= len(e.jobs) || int(e.byUser.rank[j]) >= len(e.jobs) {
		return -1, -1
	}
	return e.acct.jobs[j].Arrival, int(e.byUser.rank[j])
}

// Arrived returns the job of a place in the order of arrival, None for a place that no job has yet.
func (v *View) Arrived(place int) Job {
	e := v.engine()
	if place < 0 || e.byUser == nil || place >= len(e.byUser.order) {
		return None
	}
	return Job(e.byUser.order[place])
}

// Present reports whether a job has arrived and not ended.
func (v *View) Present(j Job) bool {
	e := v.engine()
	return e.isJob(j) && e.jobs[j].present
}

// Task returns the handle of task i, from 0, of a kind of a job; None when there is none. The tasks of a phase have consecutive handles.
func (v *View) Task(j Job, k Kind, i int) Task {
	e := v.engine()
	if !e.isPhase(j, k) || i < 0 || i >= int(e.jobs[j].count[k].Tasks) {
		return None
	}
	return Task(e.jobs[j].base(k) + int32(i))
}

// Index returns the job and the kind of a task, and its number in this phase, from 0: the index of its work in Phase.Works. The job is
// None for what is no task. O(log jobs).
func (v *View) Index(t Task) (j Job, k Kind, i int) {
	e := v.engine()
	if !e.isTask(t) || e.err != nil {
		return None, Map, 0
	}
	j, k = e.owner(t)
	return j, k, int(int32(t) - e.jobs[j].base(k))
}

// Counts are the numbers of tasks of one kind of a job. What is neither Running, Suspended nor Done waits.
type Counts struct{ Tasks, Running, Suspended, Done int32 }

// Pending returns the number of tasks that wait.
func (c Counts) Pending() int { return int(c.Tasks - c.Running - c.Suspended - c.Done) }

// Count returns the numbers of tasks of one kind.
func (v *View) Count(j Job, k Kind) Counts {
	e := v.engine()
	if !e.isPhase(j, k) {
		return Counts{}
	}
	return e.jobs[j].count[k]
}

// UserRunning returns how many slots of a kind the attempts of a user hold.
func (v *View) UserRunning(u User, k Kind) int {
	e := v.engine()
	if !e.isUser(u) || k >= kinds {
		return 0
	}
	return int(e.users[u].running[k])
}

// UserMemory returns the bytes of memory that the attempts of a user hold, running and suspended.
func (v *View) UserMemory(u User) float64 {
	e := v.engine()
	if !e.isUser(u) {
		return 0
	}
	return e.users[u].memory.value
}

// UserJobs returns how many jobs of a user are present.
func (v *View) UserJobs(u User) int {
	e := v.engine()
	if !e.isUser(u) {
		return 0
	}
	return int(e.users[u].jobs)
}

// NextPending returns the first task after t, by number, of a job that waits. Amortised O(1) from the first one on; otherwise
// O(tasks skipped).
func (v *View) NextPending(j Job, k Kind, t Task) Task {
	e := v.engine()
	if !e.isPhase(j, k) || t != None && !e.isTask(t) {
		return None
	}
	return e.nextPending(j, k, t)
}

// Local returns the first waiting map of a job whose block is on a node, None when there is none, or when the job has no
// blocks. Amortised O(log tasks); the first such question for a job sorts its blocks.
func (v *View) Local(j Job, n Node) Task {
	e := v.engine()
	if !e.isJob(j) || !e.isNode(n) {
		return None
	}
	return e.localTask(j, n)
}

// LocalRack is Local for the nodes of a rack.
func (v *View) LocalRack(j Job, r Rack) Task {
	e := v.engine()
	if !e.isJob(j) || !e.isRack(r) {
		return None
	}
	return e.rackTask(j, r)
}

// Newest returns the attempt of a job that started last and is not over, None when there is none.
func (v *View) Newest(j Job, k Kind) Attempt {
	e := v.engine()
	if !e.isPhase(j, k) {
		return None
	}
	return e.jobs[j].newest[k]
}

// Older returns the attempt of the same job and kind that started before a.
func (v *View) Older(a Attempt) Attempt {
	e := v.engine()
	if !e.isAttempt(a) {
		return None
	}
	return e.attempts[a].older
}

// AttemptInfo is the state of one attempt.
type AttemptInfo struct {
	Job      Job
	Task     Task
	Node     Node
	Kind     Kind
	Stage    Stage
	Start    float64 // when it took its slot
	Computed float64 // when it began to compute; -1 before
	Progress float64 // fraction of its work that is done, in [0, 1]
}

// Attempt returns the state of an attempt; its Job is None when a is not one.
func (v *View) Attempt(a Attempt) AttemptInfo {
	e := v.engine()
	if !e.isAttempt(a) {
		return AttemptInfo{Job: None, Task: None, Node: None}
	}
	x := &e.attempts[a]
	return AttemptInfo{x.job, x.task, x.node, x.kind, x.stage, x.began, x.computed, e.progress(x)}
}

// Output returns the bytes of a job's shuffle that lie in a rack: what its maps that ended there have to send, on
// lost nodes too as long as no reduce needs it.
func (v *View) Output(j Job, r Rack) float64 {
	e := v.engine()
	if !e.isJob(j) || !e.isRack(r) {
		return 0
	}
	return e.output(j, r)
}

// RunningOn returns how many attempts of a job hold slots in a rack. O(attempts of the job).
func (v *View) RunningOn(j Job, k Kind, r Rack) int {
	e := v.engine()
	if !e.isPhase(j, k) {
		return 0
	}
	n := 0
	for a := e.jobs[j].newest[k]; a != None; a = e.attempts[a].older {
		if x := &e.attempts[a]; x.stage != Suspended && e.nodes[x.node].rack == int32(r) {
			n++
		}
	}
	return n
}

// Started returns how many tasks of a kind of a job that is present run in a rack or have ended there. Suspended tasks do not run. A map
// whose output was lost counts until it waits again. The first such question for a job costs O(tasks of the job).
func (v *View) Started(j Job, k Kind, r Rack) int {
	e := v.engine()
	if !e.isPhase(j, k) || !e.isRack(r) || !e.jobs[j].present {
		return 0
	}
	return e.startedIn(&e.jobs[j], k, int32(r))
}

// WorkLeft returns the work left of the tasks of one kind of a job that is present, in seconds at speed 1: all of it for a task that
// waits, whether it may start or not; the fraction 1 - Progress for one with an attempt, running or suspended; 0 for one that has ended.
// It is exact to rounding of the phase's whole work. O(attempts of the job and kind). A policy that is not
// meant to know the future does not ask.
func (v *View) WorkLeft(j Job, k Kind) float64 {
	e := v.engine()
	if !e.isPhase(j, k) || !e.jobs[j].present {
		return 0
	}
	s := &e.jobs[j]
	left := s.waitingWork(k)
	for a := s.newest[k]; a != None; a = e.attempts[a].older {
		left += e.left(&e.attempts[a])
	}
	return left
}

// LinkLoad returns the fractions of a rack's egress and ingress bandwidth in use now, in [0, 1]; 0 where there is no limit and
// without a fluid network. Transfers that have begun or ended at this instant count. Asking changes nothing in the run.
// O(pairs of racks with transfers between them) when some have begun or ended since it was asked, otherwise O(racks).
func (v *View) LinkLoad(r Rack) (egress, ingress float64) {
	e := v.engine()
	if !e.isRack(r) {
		return 0, 0
	}
	return e.linkLoad(r)
}

// LinkBytes returns the bytes that have left a rack for other racks and entered it from other racks until now; 0 without a
// fluid network. What attempts that died have moved is included. Asking changes nothing in the run. O(racks).
func (v *View) LinkBytes(r Rack) (egress, ingress float64) {
	e := v.engine()
	if !e.isRack(r) {
		return 0, 0
	}
	return e.linkBytes(r)
}

// LinkCapacity returns the bandwidth of a rack's links to and from other racks, in bytes per second; +Inf where there is no limit and
// without a fluid network.
func (v *View) LinkCapacity(r Rack) (egress, ingress float64) {
	e := v.engine()
	switch {
	case !e.isRack(r):
		return 0, 0
	case !e.net.on || e.cluster.Racks == nil:
		return never, never
	}
	return cmp.Or(e.cluster.Racks[r].Egress, never), cmp.Or(e.cluster.Racks[r].Ingress, never)
}

// CanSuspend reports whether an attempt can be suspended: it computes and belongs to no rigid job. It keeps its memory.
func (v *View) CanSuspend(a Attempt) bool {
	e := v.engine()
	return e.suspendFault(a) == ""
}
