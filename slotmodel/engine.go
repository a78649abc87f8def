package slotmodel

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// engine is one run.
type engine struct {
	cluster  *Cluster
	opts     *Options
	policy   Policy
	observer Observer
	view     *View
	actions  *Actions
	err      error
	deciding bool // actions are allowed
	halted   bool // nothing will happen any more, by no fault of the policy

	now   float64
	queue queue
	speed float64 // Cluster.Speed of rated
	load  Load    // but for Running
	rated Load
	due   bool // something happened that the policy has to see
	acted bool // since the last Decide something happened, or the policy acted
	idle  int  // calls of the policy in vain, one after the other

	killed bool // by the present decision
	rounds int  // decisions of this instant that killed

	// Jobs without After that are not in the queue yet, by (Arrival, index); the queue holds
	// the next one to arrive.
	arrivals []int32
	beats    beats
	beating  Node

	nodes       []nodeState
	racks       int
	byRack      *roster       // nodes by number, and by rack
	open        [kinds]muster // nodes with free slots
	slots, free [kinds]int32  // of nodes that are up, shared ones included
	running     [kinds]int32  // attempts that hold slots
	shared      int32         // slots for either kind, of nodes that are up
	early       int32         // of them held by reduces that wait for maps
	awaiting    int32         // reduces that wait for maps, on whatever slots
	versions    int32         // how often a node has come up or was lost

	jobs  []jobState
	tasks []taskState
	// The node on which each task runs or ran; its complement for a finished map whose output is
	// gone.
	ranOn    []int32
	present  int
	byUser   *roster       // jobs that have arrived, in this order, and by user
	active   muster        // jobs present
	runnable [kinds]muster // with a task that can start
	users    []user

	attempts []attempt
	vacant   []Attempt

	folds    bool    // gangs may be folded: see gang
	folded   []*gang // in no order
	gangs    uint32  // number of those so far
	gangPool []*gang

	placePool []*places
	stamps    []int32 // by node: how often gangFault has seen it

	net  netState
	acct account
	log  log
}

// Run plays a workload on a cluster under a policy; jobs may be listed in any order. A job that
// nobody can end any more when nothing else is to come has the outcome Stuck, and its reason.
//
// The Result is complete when the error is nil. When the policy is at fault (ErrPolicy: an action
// that was not allowed, or a *DeadlockError), it tells what had happened until then.
//
// Errors: an *schedmath.InputError for what is wrong with the arguments, and what Check of a
// Checker returns; then the Result is nil. Three such errors come in the middle of a run: o.Period
// makes a series of more than 2^28 bytes; the period of a Ticker does not advance the clock;
// Cluster.Speed returns a value out of range.
func Run(cluster *Cluster, jobs []JobSpec, p Policy, o Options) (*Result, error) {
	e, err := newEngine(cluster, jobs, p, &o)
	if err != nil {
		return nil, err
	}
	if c, ok := p.(Checker); ok {
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	e.play()
	if errors.Is(e.err, schedmath.ErrInput) {
		return nil, e.err
	}
	return e.result(), e.err
}

// play is the event loop: all that happens in one instant, in the order of classes, then one
// Decide.
func (e *engine) play() {
	if b, ok := e.policy.(Beginner); ok {
		b.BeginRun(e.view)
	}
	for e.err == nil && !e.halted {
		if !e.due { // otherwise a decision has killed, and another follows in the same instant
			if e.present == 0 && len(e.byUser.order) == len(e.jobs) && e.opts.Until == never {
				break
			}
			if e.beats.period > 0 && e.present > 0 && !e.beats.reach(e.now) {
				e.err = bad("p", -1, "Heartbeat returns %v, which does not advance the clock from %v s", e.beats.period, e.now)
				break
			}
			if e.rate(); e.err != nil {
				break
			}
			t := e.next()
			if t > e.opts.Until || t == never {
				break
			}
			e.pass(t)
		}
		for e.happen() {
		}
		if e.due && e.err == nil {
			e.decide()
		}
	}
	if e.err == nil && !e.halted && e.present > 0 && e.next() == never {
		e.stuck()
	}
	if e.err == nil && e.opts.Until < never {
		e.pass(e.opts.Until)
	}
}

// decide calls the policy.
func (e *engine) decide() {
	e.acct.calls++
	e.deciding = true
	e.policy.Decide(e.view, e.actions)
	e.deciding = false
	e.askShuffles()
	e.beating = None
	e.watchIdle()
	e.acted = false
	if e.due = e.killed; e.killed { // of what else it did, the policy knows
		e.killed = false
		e.rounds++
	}
}

// next returns the time of what happens next; +Inf: nothing does.
func (e *engine) next() float64 {
	for len(e.queue.heap) > 0 && e.stale(&e.queue.heap[0]) {
		e.queue.pop()
	}
	t := e.nextFlow()
	if len(e.queue.heap) > 0 {
		t = min(t, e.queue.heap[0].time)
	}
	if e.beats.period > 0 && e.present > 0 {
		t = min(t, e.beats.at())
	}
	return t
}

// nextFlow returns the time at which the next flow arrives; +Inf: there is none.
func (e *engine) nextFlow() float64 {
	if e.net.on {
		return e.net.flows.Next()
	}
	return never
}

// stale reports whether an entry of the queue is about an attempt or job that is over. It must not
// advance the clock.
func (e *engine) stale(x *entry) bool {
	switch x.key >> 60 {
	case classAttempt:
		if x.ref < 0 {
			return e.gangOf(x) == nil
		}
		return e.attempts[x.ref].gen != x.gen
	case classLimit, classCancel:
		return !e.jobs[x.ref].present
	}
	return false
}

// happen handles the next of what happens at the present instant, and reports whether there was
// anything.
func (e *engine) happen() bool {
	h := e.queue.heap
	due := len(h) > 0 && h[0].time == e.now
	if e.net.on && !(due && h[0].key>>60 == classAttempt) && e.flowsDue() {
		return true
	}
	if due {
		switch x := e.queue.pop(); x.key >> 60 {
		case classAttempt:
			switch {
			case e.stale(&x): // it is over, was suspended or unfolded
			case x.ref < 0:
				e.gangStageOver(e.gangOf(&x))
			default:
				e.stageOver(Attempt(x.ref))
			}
		case classUp:
			e.nodeUp(Node(x.ref))
		case classDown:
			e.nodeDown(Node(x.ref))
		case classPace:
			e.setPace(Node(x.ref), x.gen)
		case classLimit:
			e.limitDue(Job(x.ref))
		case classCancel:
			e.cancelDue(Job(x.ref))
		case classWake:
			e.due = true
		case classArrival:
			e.arrive(Job(x.ref))
		}
		return true
	}
	if e.beats.period > 0 && e.present > 0 && !e.due && e.beats.at() <= e.now {
		e.beat()
		return true
	}
	return false
}

// pass advances the clock to t, and closes the rows of the time series until then.
func (e *engine) pass(t float64) {
	if !e.seriesFits(t) {
		e.err = bad("o", -1, "Period is %v: the time series until %v s takes more than 2^28 bytes", e.opts.Period, t)
		return
	}
	if t > e.now {
		e.rounds = 0
		for network := e.now; e.rowEnd() <= t; {
			e.lapse(e.rowEnd())
			e.closeRow(network)
		}
		e.lapse(t)
		if e.net.on {
			e.net.reached = e.net.flows.Advance(e.net.reached, t)
		}
	}
}

// emit logs an event and shows it to the observer.
func (e *engine) emit(x Event) {
	e.acted = true
	e.log.count++
	if e.log.on {
		deciding := e.deciding
		e.deciding = false // a listener may not act in the middle of an action
		x.Time = e.now
		if e.opts.Hash {
			e.log.take(&x)
		}
		if e.opts.Log != nil {
			e.opts.Log(x)
		}
		if e.observer != nil {
			e.observer.Observe(e.view, x)
		}
		e.deciding = deciding
	}
}

// emitAttempt emits an event of an attempt.
func (e *engine) emitAttempt(t EventType, a Attempt, value float64) {
	x := &e.attempts[a]
	e.emit(Event{Type: t, Value: value, Job: x.job, Task: x.task, Attempt: a, Node: x.node, Kind: x.kind})
}

// emitNode emits an event of a node.
func (e *engine) emitNode(t EventType, n Node, value float64) {
	e.emit(Event{Type: t, Value: value, Job: None, Task: None, Attempt: None, Node: n})
}

// emitJob emits an event of a job.
func (e *engine) emitJob(t EventType, j Job, k Kind, value float64) {
	e.emit(Event{Type: t, Value: value, Job: j, Task: None, Attempt: None, Node: None, Kind: k})
}

// barred says why no action at all is allowed now, "" when it is.
func (e *engine) barred() string {
	switch {
	case e.err != nil:
		return "the run has ended"
	case !e.deciding:
		return "it is called outside of Decide"
	}
	return ""
}

// refuse notes the first action that was not allowed.
func (e *engine) refuse(reason, action string, args ...any) bool {
	if e.err == nil {
		e.err = &actionError{e.now, fmt.Sprintf("%T", e.policy), fmt.Sprintf(action, args...), reason}
	}
	return false
}

func (e *engine) isNode(n Node) bool { return n >= 0 && int(n) < len(e.nodes) }

func (e *engine) isRack(r Rack) bool { return r >= 0 && int(r) < e.racks }

func (e *engine) isUser(u User) bool { return u >= 0 && int(u) < len(e.users) }

func (e *engine) isTask(t Task) bool { return t >= 0 && int(t) < len(e.tasks) }

// isJob reports whether j is a job; after a fault none is.
func (e *engine) isJob(j Job) bool { return j >= 0 && int(j) < len(e.jobs) && e.err == nil }

// isPhase reports whether j is a job and k a kind.
func (e *engine) isPhase(j Job, k Kind) bool { return e.isJob(j) && k < kinds }

// isAttempt reports whether a is under way; after a fault nothing is. A number without a record may
// be that of a folded attempt.
func (e *engine) isAttempt(a Attempt) bool {
	if a < 0 || int(a) >= len(e.attempts) || e.err != nil {
		return false
	}
	if e.attempts[a].job == None {
		e.unfoldAll()
	}
	return e.attempts[a].job != None
}

// walk returns the job after j in a set, in the order of arrival; after a fault none.
func (e *engine) walk(set *muster, j Job) Job {
	if e.err != nil || j != None && !e.isJob(j) {
		return None
	}
	return Job(set.next(int32(j)))
}

// walkOf is walk among the jobs of one user.
func (e *engine) walkOf(set *muster, u User, j Job) Job {
	if e.err != nil || !e.isUser(u) || j != None && !e.isJob(j) {
		return None
	}
	return Job(set.nextIn(int32(u), int32(j)))
}

// owner returns the job and kind of a task.
func (e *engine) owner(t Task) (Job, Kind) {
	i, _ := slices.BinarySearchFunc(e.jobs, int32(t), func(j jobState, t int32) int { return cmp.Compare(j.phase[Reduce].end(), t+1) })
	if int32(t) < e.jobs[i].phase[Map].end() {
		return Job(i), Map
	}
	return Job(i), Reduce
}

// nextPending returns the first waiting task of a phase after t.
func (e *engine) nextPending(p *phaseState, t Task) Task {
	if p.Pending() == 0 {
		return None
	}
	for p.cursor < p.end() && e.tasks[p.cursor].base() != taskPending {
		p.cursor++
	}
	for i := max(p.cursor, int32(t)+1); i < p.end(); i++ {
		if e.tasks[i].base() == taskPending {
			return Task(i)
		}
	}
	return None
}

// netState is the network of a run.
type netState struct {
	on      bool
	byNode  bool // columns are of nodes, not of racks: some NIC has a limit
	flows   *flow.Network
	pairs   map[[2]int32]int // the links of pairs of racks, from and to, if these have a limit
	reached []int32          // marks reached at the present instant
	done    int              // how many of them are handled
	fresh   []Attempt        // reduces that started since the last Decide
	cohorts []cohort         // of the whole run: a mark of a cohort that is over may still be reached
	pool    []*shuffle
}
