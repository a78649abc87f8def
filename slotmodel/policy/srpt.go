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
// Tasks that run are never taken away, so that a long task delays whatever comes after it; on one slot with jobs of one task this is
// shortest job first without preemption. With one server and no tasks SRPT has the least mean sojourn time of all policies [3]; of
// jobs whose tasks need many slots that is not so, but it remains the yardstick.
//
// Rigid jobs are treated as under Greedy. A task that ends costs O(log jobs), the first job of a walk O(1) and the first m O(m log m).
// Nothing is allocated in the steady state. Works that add up to more than a float64 holds count as the largest.
type SRPT struct {
	PerKind  bool // order each kind of slots by the work left of that kind alone
	Overtake bool // as for Greedy

	filler
	turns turns
	jobs  []srptJob // by turn
	first []int32   // the number of each job's first task
	ready [2]order
	kind  slotmodel.Kind
}

// srptJob is the work left of one job: sums in two parts, so that what comes and goes leaves nothing behind.
type srptJob struct {
	sum, rest [2]float64
}

// Decide fills the free slots, maps first.
func (p *SRPT) Decide(v *slotmodel.View, a *slotmodel.Actions) { p.fillAll(v, a, p, p.Overtake) }

// Observe keeps the order.
func (p *SRPT) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Job != slotmodel.None && p.turns.unknown(e.Job) {
		p.arrive(v, e.Job)
	}
	switch e.Type {
	case slotmodel.Ended, slotmodel.OutputLost:
		p.count(v, e)
		p.update(v, e.Job)
	case slotmodel.Ready, slotmodel.Started, slotmodel.Killed, slotmodel.Crashed, slotmodel.JobEnded:
		p.update(v, e.Job)
	}
}

// arrive lays out what is known of a job.
func (p *SRPT) arrive(v *slotmodel.View, j slotmodel.Job) {
	if p.jobs == nil {
		p.jobs = make([]srptJob, 0, v.Jobs())
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
	p.turns.take(v, j)
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
		x.add(int(e.Kind), -phase.Works[int32(e.Task)-first])
	default:
		x.add(int(e.Kind), phase.Works[int32(e.Task)-first])
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
func (x *srptJob) left(k int) float64 { return max(0, x.sum[k]+x.rest[k]) }

// update puts a job to its place.
func (p *SRPT) update(v *slotmodel.View, j slotmodel.Job) {
	t := p.turns.of[j]
	x := &p.jobs[t]
	for k := range p.ready {
		switch {
		case !v.Runnable(j, slotmodel.Kind(k)):
			p.ready[k].remove(t)
		case p.PerKind:
			p.ready[k].set(t, x.left(k))
		default:
			p.ready[k].set(t, x.left(0)+x.left(1))
		}
	}
}

// Begin starts a walk.
func (p *SRPT) Begin(v *slotmodel.View, k slotmodel.Kind) {
	p.kind = k
	p.ready[k].begin()
}

// Next returns the next job of the walk.
func (p *SRPT) Next(v *slotmodel.View) slotmodel.Job {
	if t := p.ready[p.kind].next(); t != absent {
		return p.turns.job[t]
	}
	return slotmodel.None
}
