package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// SRPT serves the job with the least work left, knowing the true work of every task: a reference that no scheduler can reach.
// Ties: the job that arrived first. Work is that of the tasks that have not ended, in seconds on a node of speed 1; one that runs
// counts in full until it ends, and one whose output was lost counts again. Maps and reduces count together, since the job needs
// both, and the same key orders both kinds of slots.
//
// The zero value never takes a slot away from a task that runs, so that a long task delays whatever comes after it; on one slot with
// jobs of one task this is shortest job first without preemption. With one server and no tasks SRPT has the least mean sojourn time of
// all policies [3]; of jobs whose tasks need many slots that is not so, but it remains the yardstick.
//
// # Preemption
//
// With PreemptKill or PreemptSuspend what attempts have done of their tasks counts as done. When no slot is free and a job waits that has less left
// than one that runs, it takes that one's slot: of the job with the most left first, the newest attempt first. A tie preempts nobody.
// An attempt that is killed starts over; one is suspended only if it computes and its node has the memory, and goes on when a slot of
// its node is free and no job that waits has less left. Jobs are compared at calls of Decide only. With PreemptSuspend, a cluster whose
// ResumeCost is 0 and memory without limit, one slot and jobs of one task this is SRPT as on one server [5]; with PreemptKill work is lost, and a
// long job may starve. Rigid jobs neither preempt nor are preempted. Within a combinator SRPT is an order alone, and preempts nobody.
//
// # Cost
//
// Rigid jobs are treated as under Greedy. A task that ends costs O(log jobs), the first job of a walk O(1) and the first m O(m log m). With
// preemption each call costs besides O(a), with a attempts of jobs that have both attempts and tasks to start, which under SRPT are few: mostly
// the last one that runs; a victim O(log jobs + attempts of its job), and so does a job that runs and cannot be preempted for one that
// waits, when a call comes to it. A slot that becomes free on a node with suspended attempts costs O(attempts of the jobs that they belong to). While a rigid job waits each call goes
// through the free nodes. Nothing is allocated in the steady state. Works that add up to more than a float64 holds count as the largest.
type SRPT struct {
	PerKind  bool           // order each kind of slots by the work left of that kind alone
	Overtake bool           // as for Greedy
	Preempt  HFSPPreemption // what happens to running tasks when a job with less work left waits

	filler
	turns turns
	jobs  []srptJob // by turn
	first []int32   // the number of each job's first task
	ready [2]order
	kind  slotmodel.Kind

	// With preemption:
	mixed  []int32  // turns of the jobs with attempts and with tasks to start
	busy   [2]order // turns of the jobs that hold slots of a kind, rigid ones apart, by the most work that they may have left, the most first
	freed  [2]order // nodes of which a slot may have become free
	gangs  int      // rigid jobs with tasks to start
	whole  bool     // all free nodes are to be looked at
	asleep asleep
	calls  int64   // of decide
	passed []int32 // scratch
}

// srptJob is the work left of one job: sums in two parts, so that what comes and goes leaves nothing behind.
type srptJob struct {
	sum, rest [2]float64
	done      [2]float64 // by its attempts, with preemption: no more than they have done by now
	call      int64      // of decide, in which done was right; 0: it is 0 instead
	place     int32      // in mixed, + 1
	gang      bool       // it is one of the gangs
}

// Decide fills the free slots, maps first.
func (p *SRPT) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	switch {
	case p == nil:
	case p.preempts() && (p.turns.run != v || p.busy[0].at != nil):
		p.decide(v, a)
	default:
		p.fillAll(v, a, p, p.Overtake)
	}
}

// Observe keeps the order.
func (p *SRPT) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p == nil {
		return
	}
	if p.turns.run != v {
		p.begin(v)
	}
	if p.preempts() {
		p.free(e)
	}
	if v.Spec(e.Job) == nil { // no job's
		return
	}
	if p.turns.unknown(e.Job) {
		p.arrive(v, e.Job)
	}
	e.Kind &= 1
	switch e.Type {
	case slotmodel.Ended, slotmodel.OutputLost:
		p.count(v, e)
	case slotmodel.Ready, slotmodel.Started, slotmodel.Killed, slotmodel.Crashed, slotmodel.Suspends, slotmodel.Resumes, slotmodel.JobEnded:
	default:
		return
	}
	if p.preempts() {
		p.hold(v, e)
	}
	p.update(v, e.Job)
}

// begin lays out a run.
func (p *SRPT) begin(v *slotmodel.View) {
	p.turns, p.ready = newTurns(v), [2]order{}
	p.jobs = make([]srptJob, 0, v.Jobs())
	p.beginPreempting(v)
	p.first = make([]int32, v.Jobs())
	next := 0
	for i := range p.first {
		p.first[i] = int32(next)
		s := v.Spec(slotmodel.Job(i))
		next += s.Maps.Tasks + s.Reduces.Tasks
	}
	for k := range p.ready {
		p.ready[k].at = places(v.Jobs())
	}
}

// arrive lays out what is known of a job.
func (p *SRPT) arrive(v *slotmodel.View, j slotmodel.Job) {
	p.turns.take(j)
	var x srptJob
	s := v.Spec(j)
	for k, phase := range [...]*slotmodel.Phase{&s.Maps, &s.Reduces} {
		if phase.Works == nil {
			x.add(k, float64(float64(phase.Tasks)*phase.Work))
			continue
		}
		for _, w := range phase.Works {
			x.add(k, w)
		}
	}
	p.jobs = append(p.jobs, x)
}

// count takes a task that ended off the work left, and adds one whose output was lost.
func (p *SRPT) count(v *slotmodel.View, e slotmodel.Event) {
	s := v.Spec(e.Job)
	phase, first := &s.Maps, p.first[e.Job]
	if e.Kind == slotmodel.Reduce {
		phase, first = &s.Reduces, first+int32(s.Maps.Tasks)
	}
	x := &p.jobs[p.turns.of[e.Job]]
	c := v.Count(e.Job, e.Kind)
	switch {
	case phase.Works == nil:
		x.sum[e.Kind], x.rest[e.Kind] = 0, 0
		x.add(int(e.Kind), float64(float64(c.Tasks-c.Done)*phase.Work))
	case e.Type == slotmodel.Ended:
		x.add(int(e.Kind), -phase.Of(int(int32(e.Task)-first)))
	default:
		x.add(int(e.Kind), phase.Of(int(int32(e.Task)-first)))
	}
}

// add adds work to one kind.
func (x *srptJob) add(k int, w float64) {
	sum := x.sum[k] + w
	if !(math.Abs(sum) <= math.MaxFloat64) {
		x.sum[k], x.rest[k] = math.MaxFloat64, 0
		return
	}
	back := sum - x.sum[k]
	x.rest[k] += (x.sum[k] - (sum - back)) + (w - back)
	x.sum[k] = sum
}

// left returns the work left of one kind.
func (x *srptJob) left(k int) float64 { return max(0, x.sum[k]+x.rest[k]-x.done[k]) }

// key returns what orders a job for slots of a kind: the work that it has left.
func (p *SRPT) key(t int32, k slotmodel.Kind) float64 {
	x := &p.jobs[t]
	if p.PerKind {
		return x.left(int(k))
	}
	return x.left(0) + x.left(1)
}

// update puts a job to its place.
func (p *SRPT) update(v *slotmodel.View, j slotmodel.Job) {
	t := p.turns.of[j]
	for k := range slotmodel.Kind(2) {
		if v.Runnable(j, k) {
			p.ready[k].set(t, p.key(t, k))
		} else {
			p.ready[k].remove(t)
		}
		if p.busy[k].at != nil {
			p.mark(v, t, k)
		}
	}
}

// Begin starts a walk.
func (p *SRPT) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if p != nil {
		p.kind = k & 1
		p.ready[k&1].begin()
	}
}

// Next returns the next job of the walk.
func (p *SRPT) Next(v *slotmodel.View) slotmodel.Job {
	if p == nil || p.turns.run != v {
		return slotmodel.None
	}
	if t := p.ready[p.kind].next(); t != absent {
		return p.turns.job[t]
	}
	return slotmodel.None
}

// precedes reports whether the walk gives job a before job b.
func (p *SRPT) precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool {
	if p.turns.run != v {
		return a < b
	}
	return p.ready[k].precedes(p.turns.of[a], p.turns.of[b])
}
