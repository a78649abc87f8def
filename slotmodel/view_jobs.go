package slotmodel

// noPhase is that of what is no job or no kind.
var noPhase = phaseState{newest: None}

// phase returns the state of the tasks of one kind of a job; noPhase when there is no such job or
// kind.
func (v *View) phase(j Job, k Kind) *phaseState {
	if e := v.engine(); e.isPhase(j, k) {
		return &e.jobs[j].phase[k]
	}
	return &noPhase
}

// NextActive returns the first job present after j, in the order of arrival. O(log jobs).
func (v *View) NextActive(j Job) Job {
	e := v.engine()
	return e.walk(&e.active, j)
}

// NextActiveOf is NextActive among the jobs of one user, and j is one of them, present or not, or None.
// Behind another user's job it finds none.
func (v *View) NextActiveOf(u User, j Job) Job {
	e := v.engine()
	return e.walkOf(&e.active, u, j)
}

// NextRunnable is NextActive among the jobs with a task of the kind that waits and may start.
func (v *View) NextRunnable(j Job, k Kind) Job {
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

// NextRunnableOf is NextRunnable among the jobs of one user, and j is one of them, present or not, or
// None. Behind another user's job it finds none.
func (v *View) NextRunnableOf(u User, j Job, k Kind) Job {
	e := v.engine()
	if k >= kinds {
		return None
	}
	return e.walkOf(&e.runnable[k], u, j)
}

// Spec returns what was given of a job, nil for what is no job. It must not be changed. A policy
// that is not meant to know the future does not look at the work of tasks.
func (v *View) Spec(j Job) *JobSpec {
	e := v.engine()
	if j < 0 || int(j) >= len(e.jobs) {
		return nil
	}
	return e.jobs[j].spec
}

// Arrival returns when a job arrived, and its place in the order of arrival, from 0; -1 and -1 if
// it has not.
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

// Task returns the handle of task i, from 0, of a kind of a job; None when there is none.
func (v *View) Task(j Job, k Kind, i int) Task {
	p := v.phase(j, k)
	if i < 0 || i >= int(p.Tasks) {
		return None
	}
	return Task(p.first + int32(i))
}

// Index returns the job and the kind of a task, and its number among these, as for Task. O(log
// jobs).
func (v *View) Index(t Task) (j Job, k Kind, i int) {
	e := v.engine()
	if !e.isTask(t) || e.err != nil {
		return None, Map, 0
	}
	j, k = e.owner(t)
	return j, k, int(int32(t) - e.jobs[j].phase[k].first)
}

// Counts are the numbers of tasks of one kind of a job. What is neither Running, Suspended, Riding
// nor Done waits.
type Counts struct{ Tasks, Running, Suspended, Riding, Done int32 }

// Pending returns the number of tasks that wait.
func (c Counts) Pending() int { return int(c.Tasks - c.Running - c.Suspended - c.Riding - c.Done) }

// Count returns the numbers of tasks of one kind of a job.
func (v *View) Count(j Job, k Kind) Counts { return v.phase(j, k).Counts }

// UserRunning returns how many slots of a kind the attempts of a user hold.
func (v *View) UserRunning(u User, k Kind) int {
	if k >= kinds {
		return 0
	}
	return int(v.user(u).running[k])
}

// UserMemory returns the bytes of memory that the attempts of a user hold, running and suspended.
func (v *View) UserMemory(u User) float64 { return v.user(u).memory.value }

// UserJobs returns how many jobs of a user are present.
func (v *View) UserJobs(u User) int { return int(v.user(u).jobs) }

// NextPending returns the first task of a job after t that waits. Amortised O(1) from None on;
// otherwise O(tasks skipped).
func (v *View) NextPending(j Job, k Kind, t Task) Task {
	e := v.engine()
	if t != None && !e.isTask(t) {
		return None
	}
	return e.nextPending(v.phase(j, k), t)
}

// Local returns the first waiting map of a job whose block is on a node, None when there is none.
// Amortised O(log tasks); the first such question for a job sorts its blocks.
func (v *View) Local(j Job, n Node) Task {
	e := v.engine()
	if !e.isJob(j) || !e.isNode(n) {
		return None
	}
	return e.localTask(j, int(n))
}

// LocalRack is Local for the nodes of a rack.
func (v *View) LocalRack(j Job, r Rack) Task {
	e := v.engine()
	if !e.isJob(j) || !e.isRack(r) {
		return None
	}
	return e.localTask(j, len(e.nodes)+int(r))
}

// Newest returns the attempt of a job that started last and is not over, None when there is none.
// Of maps that started together the first question about one costs O(log attempts) for each.
func (v *View) Newest(j Job, k Kind) Attempt {
	if e := v.engine(); e.isJob(j) {
		e.unfold(j)
	}
	return v.phase(j, k).newest
}

// Older returns the attempt of the same job and kind that started before a and is not over, None
// when there is none: with Newest it goes through all of them.
func (v *View) Older(a Attempt) Attempt {
	e := v.engine()
	if !e.isAttempt(a) {
		return None
	}
	return e.attempts[a].older
}

// AttemptInfo is the state of one attempt.
type AttemptInfo struct {
	Job  Job
	Task Task
	Node Node
	Kind Kind
	// Suspended: it holds its memory and no slot
	Suspended bool
	Start     float64 // when it took its slot
	Computed  float64 // when it began to compute; -1 before
	Progress  float64 // fraction of its work that is done, in [0, 1]
}

// Attempt returns the state of an attempt; its Job is None when a is not one.
func (v *View) Attempt(a Attempt) AttemptInfo {
	e := v.engine()
	if !e.isAttempt(a) {
		return AttemptInfo{Job: None, Task: None, Node: None}
	}
	x := &e.attempts[a]
	return AttemptInfo{x.job, x.task, x.node, x.kind, x.stage == suspended, x.began, x.computed, e.progress(x)}
}

// Output returns the bytes that the maps of a job which ended in a rack have for its shuffle, on
// lost nodes too as long as no reduce needs them; 0 for a job without reduces, one that has ended,
// and a rack that there is not.
func (v *View) Output(j Job, r Rack) float64 {
	e := v.engine()
	if !e.isJob(j) || !e.isRack(r) {
		return 0
	}
	s := &e.jobs[j]
	if s.shuffle == nil {
		return 0
	}
	return float64(s.shuffle.out[r]) * s.part() * float64(s.phase[Reduce].Tasks)
}

// Started returns how many tasks of a kind of a job that is present run or ride in a rack or have
// ended there. A map whose output was lost counts until it waits again. The first such question for
// a job costs O(tasks of the job).
func (v *View) Started(j Job, k Kind, r Rack) int {
	e := v.engine()
	if !e.isPhase(j, k) || !e.isRack(r) || !e.jobs[j].present {
		return 0
	}
	s := &e.jobs[j]
	if s.started == nil {
		e.sumStarted(s)
	}
	return int(s.started[int(k)*e.racks+int(r)])
}

// WorkLeft returns the work left of the tasks of one kind of a job that is present, in seconds at
// speed 1: all of it for a task that waits, the fraction 1 - Progress for one with an attempt, 0
// for one that rides or has ended. O(attempts of the job and kind). A policy that is not meant to
// know the future does not ask.
func (v *View) WorkLeft(j Job, k Kind) float64 {
	e := v.engine()
	if !e.isPhase(j, k) || !e.jobs[j].present {
		return 0
	}
	e.unfold(j)
	p := &e.jobs[j].phase[k]
	left := p.waitingWork()
	for a := p.newest; a != None; a = e.attempts[a].older {
		left += e.left(&e.attempts[a])
	}
	return left
}

// CanSuspend reports whether an attempt can be suspended: it computes and belongs to no rigid job.
func (v *View) CanSuspend(a Attempt) bool {
	e := v.engine()
	return e.suspendFault(a) == ""
}
