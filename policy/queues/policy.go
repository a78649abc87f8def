package queues

import (
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Policy serves one queue for each node: a worker. The package comment says when tasks are bound to
// workers, what laxity is and what a call costs.
//
// A task is bound anew when it is killed, when its output is lost, or when its worker is lost. A
// reduce in a queue stays there while maps of its job run again. Three kinds of tasks are in no
// queue: those of rigid jobs, those that no node which is up can hold, and maps that run again for
// reduces that hold slots. These start anywhere as soon as there is room, before the queues are
// served.
//
// The zero value serves each queue by the arrival of the jobs.
type Policy struct {
	Order     Order
	Remaining Remaining // nil: nothing is known
	// Bind chooses the worker of a task that may start from now on. If Bind is nil, or answers with
	// a node that is lost or can never hold the task, the worker is the node with the fewest tasks
	// of the kind per slot, running and queued. The nodes with the block of a map come first; all
	// nodes compete where none of these can hold the task. Ties: the lower number.
	Bind func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node

	broken  bool              // a setting is out of range: nothing starts
	workers []worker          // by node
	bound   []slotmodel.Node  // by task: the worker in whose queue the task is, None if in no queue
	loads   [2]internal.Order // by kind: nodes that are up and have slots for it, by tasks per slot
	// changed lists the workers where a task has entered or left since the last call of Decide. A
	// worker may be listed twice. On other workers nothing can start.
	changed []slotmodel.Node
	turns   []int            // by job: how many tasks had started when its last one did, 0 before its first
	starts  int              // tasks that have started or resumed
	since   []float64        // by task: when it last started or resumed
	calls   int              // of Decide
	asked   []int            // by job: the call of Decide that computed its laxity
	slack   []float64        // by job: its laxity, one on all workers
	loose   []slotmodel.Task // tasks in no queue
	gangs   []slotmodel.Job  // rigid jobs, by arrival
	gang    []slotmodel.Node // scratch
	now     outlook          // scratch: of the worker whose queue is sorted
	then    outlook          // scratch: after tasks of its queue
	times   []float64        // scratch: remaining times of the reduces of a job
}

// worker is one node with its queue.
type worker struct {
	queue   []queued            // suspended tasks included, in the last order computed, tasks that entered later at the end
	running []slotmodel.Attempt // in the order of their starts
	count   [2]int              // tasks by kind, in the queue and running
	slots   [2]int              // by kind, shared slots included in both
}

// queued is a task in a queue.
type queued struct {
	task    slotmodel.Task
	job     slotmodel.Job
	kind    slotmodel.Kind
	attempt slotmodel.Attempt // None: not suspended
	seconds float64           // that the task still needs on the worker
	end     float64           // in how many seconds it ends
	laxity  float64           // laxity of the task's job on the worker; 0 where laxities do not count
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Order.
func (p *Policy) Check() error {
	if p.Order >= Order(len(orders)) {
		return input.Bad("queues.Policy.Check", "Order", -1, "%v, want an Order", p.Order)
	}
	return nil
}

// BeginRun forgets the previous run.
func (p *Policy) BeginRun(v *slotmodel.View) {
	p.broken = p.Check() != nil
	tasks := 0
	for j := range slotmodel.Job(v.Jobs()) {
		tasks += v.Spec(j).Maps.Tasks + v.Spec(j).Reduces.Tasks
	}
	p.bound = slices.Repeat([]slotmodel.Node{slotmodel.None}, tasks)
	p.workers = make([]worker, v.Nodes())
	p.loads = [2]internal.Order{{At: internal.Places(v.Nodes())}, {At: internal.Places(v.Nodes())}}
	for n := range slotmodel.Node(v.Nodes()) {
		for k := range slotmodel.Kind(2) {
			p.workers[n].slots[k] = v.Free(k, n) // all nodes are up and idle
		}
		p.weigh(v, n)
	}
	p.turns, p.starts, p.since = make([]int, v.Jobs()), 0, make([]float64, tasks)
	p.calls, p.asked, p.slack = 0, make([]int, v.Jobs()), make([]float64, v.Jobs())
	p.changed, p.loose, p.gangs = p.changed[:0], p.loose[:0], p.gangs[:0]
}

// Observe keeps the queues.
func (p *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if len(p.workers) != v.Nodes() {
		return
	}
	if x := v.Attempt(e.Attempt); x.Job != slotmodel.None {
		p.follow(v, e, x)
		return
	}
	switch e.Type {
	case slotmodel.Arrived:
		if internal.Width(v, e.Job) > 1 {
			p.gangs = append(p.gangs, e.Job)
		}
	case slotmodel.Ready:
		if e.Kind == slotmodel.Map {
			p.enterAll(v, e.Job, slotmodel.Map)
		}
	case slotmodel.MapsEnded:
		p.enterAll(v, e.Job, slotmodel.Reduce)
	case slotmodel.OutputLost:
		p.enter(v, e.Task)
	case slotmodel.NodeDown, slotmodel.NodeUp:
		if e.Node < 0 || int(e.Node) >= len(p.workers) {
			return
		}
		p.weigh(v, e.Node)
		if !v.Up(e.Node) {
			for _, x := range slices.Clone(p.workers[e.Node].queue) {
				p.enter(v, x.task)
			}
		}
	case slotmodel.JobEnded:
		p.gangs = slices.DeleteFunc(p.gangs, func(j slotmodel.Job) bool { return j == e.Job })
		for k := range slotmodel.Kind(2) {
			for i := range v.Count(e.Job, k).Tasks {
				p.leave(v, v.Task(e.Job, k, int(i)))
			}
		}
	}
}

// follow keeps the queues and the running tasks after an event of attempt x.
func (p *Policy) follow(v *slotmodel.View, e slotmodel.Event, x slotmodel.AttemptInfo) {
	switch e.Type {
	case slotmodel.Started, slotmodel.Resumes:
		p.leave(v, x.Task)
		p.workers[x.Node].running = append(p.workers[x.Node].running, e.Attempt)
		p.counted(v, x.Node, x.Kind, 1)
		p.starts++
		p.turns[x.Job], p.since[x.Task] = p.starts, v.Now()
	case slotmodel.Ended:
		p.stopped(v, e.Attempt, x)
	case slotmodel.Killed, slotmodel.Crashed:
		p.stopped(v, e.Attempt, x)
		p.enter(v, x.Task)
	case slotmodel.Suspends:
		p.stopped(v, e.Attempt, x)
		p.put(v, queued{task: x.Task, job: x.Job, kind: x.Kind, attempt: e.Attempt}, x.Node)
	}
}

// stopped takes attempt x off its worker, unless it is suspended and has left already.
func (p *Policy) stopped(v *slotmodel.View, a slotmodel.Attempt, x slotmodel.AttemptInfo) {
	w := &p.workers[x.Node]
	if i := slices.Index(w.running, a); i >= 0 {
		w.running = slices.Delete(w.running, i, i+1)
		p.counted(v, x.Node, x.Kind, -1)
	}
}

// Decide serves the workers where a task has entered or left since the last call, in the order of
// their numbers.
func (p *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.broken || len(p.workers) != v.Nodes() {
		return
	}
	p.calls++
	for _, j := range p.gangs {
		if w := internal.Width(v, j); v.Runnable(j, slotmodel.Map) && w <= v.FreeSlots(slotmodel.Map) {
			internal.StartGang(v, a, j, w, &p.gang)
		}
	}
	for i := 0; i < len(p.loose); {
		j, k, _ := v.Index(p.loose[i])
		n := v.NextFree(k, slotmodel.None)
		for n != slotmodel.None && !p.fits(v, j, k, n) {
			n = v.NextFree(k, n)
		}
		if n == slotmodel.None || !a.StartTask(p.loose[i], n) { // a start takes the task out of loose
			i++
		}
	}
	slices.Sort(p.changed)
	for _, n := range slices.Compact(p.changed) {
		for p.startOn(v, a, n) || p.Order.preempts() && p.preempt(v, a, n) {
		}
	}
	p.changed = p.changed[:0]
}

// startOn starts or resumes the first task in the queue of node n that can run, and reports whether
// there was one.
func (p *Policy) startOn(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) bool {
	w := &p.workers[n]
	fits := func(x queued) bool {
		if x.attempt != slotmodel.None { // it has its memory
			return v.Free(x.kind, n) > 0
		}
		return p.fits(v, x.job, x.kind, n)
	}
	if !slices.ContainsFunc(w.queue, fits) {
		return false
	}
	p.arrange(v, n)
	i := slices.IndexFunc(w.queue, fits)
	if x := w.queue[i]; x.attempt != slotmodel.None {
		return a.Resume(x.attempt)
	}
	return a.StartTask(w.queue[i].task, n)
}

// fits reports whether a task of kind k of job j can start on node n now. A reduce starts only
// after the last map of its job.
func (p *Policy) fits(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	c := v.Count(j, slotmodel.Map)
	return (k == slotmodel.Map || c.Done == c.Tasks) && v.Fits(j, k, n)
}

// ask returns the remaining time of a task on node n, in seconds; 0 if unknown. See Remaining.
func (p *Policy) ask(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
	if p.Remaining == nil {
		return 0
	}
	if s := p.Remaining(v, t, n, x); s >= 0 && s <= 0x1p200 {
		return s
	}
	return 0
}
