package queues

import (
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// QueueOrder says in which order the queue of a worker is served. Ties: the job that arrived first, then the task of the lower number.
type By int

const (
	FIFO By = iota // by the arrival of the jobs
	Fair           // the job with the fewest running tasks of the kind, on all workers
	EDF            // the earliest deadline; jobs without deadline last
	LLF            // the least laxity; jobs of negative laxity after the others
)

// Queues is the scheduler of DynamicShare [6]: each worker, that is each node, has one queue of tasks. The maps of a job are bound to workers on its
// arrival, its reduces when its last map has ended, whatever its Slowstart: before, nobody knows which partitions a reduce will process. A free slot of a
// worker goes to the first task of its queue that can start there. So a slot may stay free while tasks wait elsewhere.
//
// # Laxity
//
// The laxity of a job on a worker is
//
//	deadline - now - the time until its last task on the worker ends
//
// The slots of the worker become free as its running tasks end, and then serve the job's tasks in the queue in the order of their numbers, before those of
// other jobs. While maps of the job are unfinished, its last map there is followed by its reduces, which take the estimate.PhaseTime of their remaining
// times on all slots of the cluster. So a negative laxity says that the job misses its deadline even if the worker serves it next. A job without deadline
// has the laxity +Inf.
//
// With Ahead, tasks of other jobs that stand before a job's tasks in the queue, as it was last put into order, are served before them: the
// paper counts queueing times. Then a job that would meet its deadline if it were served next may have a negative laxity, and is served after the others.
//
// Laxities are computed at the instant at which a worker can start a task. Tasks that have entered its queue or ended by then, and deadlines missed by
// then, count. Under QueueLLF, and under QueueEDF with Demote, no task of a job with negative laxity starts on a worker before a task that could start
// there of a job with a laxity of 0 or more. Jobs that have missed their deadlines run on. Where nothing is known of the remaining times LLF is EDF with
// Demote.
//
// Nothing is preempted. A task that is killed or lost, or whose worker is lost, is bound anew. In no queue are rigid jobs, tasks that no node which is up
// can hold, and maps that run again for reduces that hold slots: these start anywhere as soon as there is room, before the queues are served.
//
// # Cost
//
// Binding a task costs O(log nodes), or O(nodes) where nodes lack the memory for it. A call costs O(q) for each worker on which a task has entered the
// queue of q tasks, or has ended, since the last call. A start costs O(q log q), with laxities O(q slots) more and as many questions to Remaining, and one
// for each reduce of the queue's jobs. A job that ends costs O(its tasks), and O(q) more for each that is still in a queue. In the steady state nothing is
// allocated.
type Policy struct {
	Order     By
	Demote    bool      // with QueueEDF: jobs of negative laxity come after the others
	Ahead     bool      // laxities count the tasks that stand ahead in the queue
	Remaining Remaining // nil: nothing is known
	// Bind chooses the worker of a task that may start from now on. If it is nil, or answers with a node that is lost or can never hold the task, the node
	// is the one with the fewest tasks of the kind per slot, running and in its queue, among the nodes with the block of a map, or among all if none of
	// these can hold it; ties: the lower number.
	Bind func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node

	workers []worker          // by node
	bound   []slotmodel.Node  // the worker in whose queue each task is, None
	loads   [2]internal.Order // nodes that are up and have slots for a kind, by tasks per slot
	changed []slotmodel.Node  // workers on which something has happened since they were served, perhaps twice: on the others nothing can start
	loose   []slotmodel.Task  // tasks in no queue
	gangs   []slotmodel.Job   // rigid jobs, by arrival
	gang    []slotmodel.Node  // scratch
	after   [2][]float64      // scratch: in how many seconds the slots of a worker are free, by kind
	times   []float64         // scratch: of the reduces of a job
}

// worker is one node with its queue.
type worker struct {
	queue   []queued            // as it was last put into order, newer tasks at the end
	running []slotmodel.Attempt // in the order of their starts
	count   [2]int              // tasks of a kind, in the queue and running
	slots   [2]int              // for a kind, shared ones included
}

// queued is a task in a queue.
type queued struct {
	task   slotmodel.Task
	job    slotmodel.Job
	kind   slotmodel.Kind
	end    float64 // in how many seconds it ends
	laxity float64 // of its job on the worker; 0 where laxities do not count
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Order.
func (p *Policy) Check() error {
	if p != nil && (p.Order < FIFO || p.Order > LLF) {
		return input.Bad("policy.Queues.Check", "Order", -1, "%d, want QueueFIFO, QueueFair, QueueEDF or QueueLLF", p.Order)
	}
	return nil
}

// BeginRun forgets the previous run.
func (p *Policy) BeginRun(v *slotmodel.View) {
	if p == nil {
		return
	}
	tasks := 0
	for j := range slotmodel.Job(v.Jobs()) {
		tasks += v.Spec(j).Maps.Tasks + v.Spec(j).Reduces.Tasks
	}
	p.bound = slices.Repeat([]slotmodel.Node{slotmodel.None}, tasks)
	p.workers = make([]worker, v.Nodes())
	p.loads = [2]internal.Order{{At: internal.Places(v.Nodes())}, {At: internal.Places(v.Nodes())}}
	for n := range slotmodel.Node(v.Nodes()) {
		for k := range slotmodel.Kind(2) {
			p.workers[n].slots[k] = v.Free(n, k) // all nodes are up and idle
		}
		p.weigh(v, n)
	}
	p.changed, p.loose, p.gangs = p.changed[:0], p.loose[:0], p.gangs[:0]
}

// Observe keeps the queues.
func (p *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p == nil || len(p.workers) != v.Nodes() {
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
	case slotmodel.Started, slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		x := v.Attempt(e.Attempt)
		if x.Job == slotmodel.None {
			return
		}
		w := &p.workers[x.Node]
		if e.Type == slotmodel.Started {
			p.leave(v, x.Task)
			w.running = append(w.running, e.Attempt)
			p.counted(v, x.Node, x.Kind, 1)
			return
		}
		w.running = slices.DeleteFunc(w.running, func(y slotmodel.Attempt) bool { return y == e.Attempt })
		p.counted(v, x.Node, x.Kind, -1)
		if e.Type != slotmodel.Ended {
			p.enter(v, x.Task)
		}
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

// Decide serves the workers on which something has happened, in the order of their numbers.
func (p *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p == nil || len(p.workers) != v.Nodes() {
		return
	}
	for _, j := range p.gangs {
		if w := internal.Width(v, j); v.Runnable(j, slotmodel.Map) && w <= v.FreeSlots(slotmodel.Map) {
			internal.StartGang(v, a, j, w, &p.gang)
		}
	}
	for _, t := range slices.Clone(p.loose) {
		j, k, _ := v.Index(t)
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
			if p.fits(v, j, k, n) {
				a.StartTask(t, n)
				break
			}
		}
	}
	slices.Sort(p.changed)
	for _, n := range slices.Compact(p.changed) {
		for p.startOn(v, a, n) {
		}
	}
	p.changed = p.changed[:0]
}

// startOn starts the first task of a queue that can start, and reports whether there was one.
func (p *Policy) startOn(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) bool {
	w := &p.workers[n]
	fits := func(x queued) bool { return p.fits(v, x.job, x.kind, n) }
	if !slices.ContainsFunc(w.queue, fits) {
		return false
	}
	p.arrange(v, n)
	i := slices.IndexFunc(w.queue, fits)
	return a.StartTask(w.queue[i].task, n)
}

// fits reports whether a task of a kind of a job can start on a node now: a reduce after the last map.
func (p *Policy) fits(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	c := v.Count(j, slotmodel.Map)
	return (k == slotmodel.Map || c.Done == c.Tasks) && v.Fits(j, k, n)
}
