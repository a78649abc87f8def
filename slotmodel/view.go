package slotmodel

// View is what a policy sees of a run: the present state, without the future. Looking something up costs O(1) unless it says
// otherwise, and nothing allocates. Handles out of range are answered with None, zeros and false. After an action that was
// not allowed a View shows no free slot and no runnable job, so that a policy's loops end. A View that is nil or was not given by
// Run shows nothing.
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
	if u < 0 || int(u) >= len(e.users) {
		return 0
	}
	return e.users[u].weight
}

// Slots returns the number of slots of nodes that are up.
func (v *View) Slots(k Kind) int { return int(v.engine().slots[k&1]) }

// FreeSlots returns how many of them are free.
func (v *View) FreeSlots(k Kind) int {
	e := v.engine()
	if e.err != nil {
		return 0
	}
	return int(e.free[k&1])
}

// Up reports whether a node is up.
func (v *View) Up(n Node) bool {
	e := v.engine()
	return e.isNode(n) && e.nodes[n].up
}

// Free returns the number of free slots of a node.
func (v *View) Free(n Node, k Kind) int {
	e := v.engine()
	if !e.isNode(n) || e.err != nil {
		return 0
	}
	return int(e.nodes[n].free[k&1])
}

// NextFree returns the first node after n that has a free slot, in the order of their numbers; None when there is none.
// O(log nodes).
func (v *View) NextFree(k Kind, n Node) Node {
	e := v.engine()
	if e.err != nil || n < None || int(n) >= len(e.nodes) {
		return None
	}
	return Node(e.freeNodes[k&1].next(int32(n)))
}

// NextFreeIn is NextFree within one rack. O(log nodes).
func (v *View) NextFreeIn(r Rack, k Kind, n Node) Node {
	e := v.engine()
	if e.err != nil || r < 0 || int(r) >= e.racks || n < None || int(n) >= len(e.nodes) {
		return None
	}
	from := e.rackBegin[r] - 1
	if n != None {
		if e.nodes[n].rack != int32(r) {
			return None
		}
		from = e.nodes[n].place
	}
	if p := e.freePlaces[k&1].next(from); p >= 0 && p < e.rackBegin[r+1] {
		return Node(e.atPlace[p])
	}
	return None
}

// RackOf returns the rack of a node.
func (v *View) RackOf(n Node) Rack {
	e := v.engine()
	if !e.isNode(n) {
		return None
	}
	return Rack(e.nodes[n].rack)
}

// Speed returns the work per second that a node does in each slot.
func (v *View) Speed(n Node) float64 {
	e := v.engine()
	if !e.isNode(n) {
		return 0
	}
	return e.nodes[n].speed
}

// NextActive returns the first job after j, in the order of arrival (equal times: by index), that is present; j = None is the
// start. O(log jobs).
func (v *View) NextActive(j Job) Job {
	e := v.engine()
	return e.walk(&e.active, j)
}

// NextRunnable is NextActive among the jobs with a task of the kind that waits and may start.
func (v *View) NextRunnable(k Kind, j Job) Job {
	e := v.engine()
	if e.err != nil {
		return None
	}
	return e.walk(&e.runnable[k&1], j)
}

// Runnable reports whether a job has a task of the kind that waits and may start.
func (v *View) Runnable(j Job, k Kind) bool {
	e := v.engine()
	return e.isJob(j) && e.err == nil && e.runnable[k&1].has(e.jobs[j].rank)
}

// NextRunnableOf is NextRunnable among the jobs of one user.
func (v *View) NextRunnableOf(u User, k Kind, j Job) Job {
	e := v.engine()
	if e.err != nil || u < 0 || int(u) >= len(e.users) {
		return None
	}
	from := e.userBegin[u] - 1
	if j != None {
		if !e.isJob(j) || e.jobs[j].spec.User != int(u) {
			return None
		}
		from = e.jobs[j].seat
	}
	if s := e.seats[k&1].next(from); s >= 0 && s < e.userBegin[u+1] {
		return Job(e.atSeat[s])
	}
	return None
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

// Present reports whether a job has arrived and not ended.
func (v *View) Present(j Job) bool {
	e := v.engine()
	return e.isJob(j) && e.jobs[j].present
}

// Counts are the numbers of tasks of one kind of a job. What is neither Running, Suspended nor Done waits.
type Counts struct{ Tasks, Running, Suspended, Done int32 }

// Pending returns the number of tasks that wait.
func (c Counts) Pending() int { return int(c.Tasks - c.Running - c.Suspended - c.Done) }

// Count returns the numbers of tasks of one kind.
func (v *View) Count(j Job, k Kind) Counts {
	e := v.engine()
	if !e.isJob(j) {
		return Counts{}
	}
	return e.jobs[j].count[k&1]
}

// UserRunning returns how many slots of a kind the attempts of a user hold.
func (v *View) UserRunning(u User, k Kind) int {
	e := v.engine()
	if u < 0 || int(u) >= len(e.users) {
		return 0
	}
	return int(e.users[u].running[k&1])
}

// UserJobs returns how many jobs of a user are present.
func (v *View) UserJobs(u User) int {
	e := v.engine()
	if u < 0 || int(u) >= len(e.users) {
		return 0
	}
	return int(e.users[u].jobs)
}

// NextPending returns the first task after t, by number, of a job that waits. Amortised O(1) from the first one on; otherwise
// O(tasks skipped).
func (v *View) NextPending(j Job, k Kind, t Task) Task {
	e := v.engine()
	if !e.isJob(j) || t < None || int(t) >= len(e.tasks) {
		return None
	}
	return e.nextPending(j, k&1, t)
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
	if !e.isJob(j) || r < 0 || int(r) >= e.racks {
		return None
	}
	return e.rackTask(j, r)
}

// Newest returns the attempt of a job that started last and is not over, None when there is none.
func (v *View) Newest(j Job, k Kind) Attempt {
	e := v.engine()
	if !e.isJob(j) {
		return None
	}
	return e.jobs[j].newest[k&1]
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
	if !e.isJob(j) || r < 0 || int(r) >= e.racks {
		return 0
	}
	return e.output(j, r)
}

// RunningOn returns how many attempts of a job hold slots in a rack. O(attempts of the job).
func (v *View) RunningOn(j Job, k Kind, r Rack) int {
	e := v.engine()
	if !e.isJob(j) {
		return 0
	}
	n := 0
	for a := e.jobs[j].newest[k&1]; a != None; a = e.attempts[a].older {
		if x := &e.attempts[a]; x.stage != Suspended && e.nodes[x.node].rack == int32(r) {
			n++
		}
	}
	return n
}

// LinkLoad returns the fractions of a rack's egress and ingress bandwidth in use now, in [0, 1]; 0 where there is no limit and
// without a fluid network. Transfers that have begun or ended at this instant count. Asking changes nothing in the run.
// O(pairs of racks with transfers between them) when some have begun or ended since it was asked, otherwise O(racks).
func (v *View) LinkLoad(r Rack) (egress, ingress float64) {
	e := v.engine()
	if r < 0 || int(r) >= e.racks {
		return 0, 0
	}
	return e.linkLoad(r)
}

// LinkBytes returns the bytes that have left a rack for other racks and entered it from other racks until now; 0 without a
// fluid network. What attempts that died have moved is included. Asking changes nothing in the run. O(racks).
func (v *View) LinkBytes(r Rack) (egress, ingress float64) {
	e := v.engine()
	if r < 0 || int(r) >= e.racks {
		return 0, 0
	}
	return e.linkBytes(r)
}

// CanSuspend reports whether an attempt can be suspended: it computes, belongs to no rigid job, and its node has the memory.
func (v *View) CanSuspend(a Attempt) bool {
	e := v.engine()
	return e.isAttempt(a) && e.suspendFault(a) == ""
}
