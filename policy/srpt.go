package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// SRPT serves the job with the least work left, knowing the true work of every task, ties to the
// job that arrived first: a reference that no scheduler can reach. On one server, with jobs of one
// task and preemption that loses no work, it has the least mean sojourn time of all policies [3,
// 5].
//
// Work, of maps and reduces together, is in seconds on a node of speed 1. With PreemptWait a task
// that runs counts in full until it ends: on one slot with jobs of one task this is shortest job
// first. Otherwise what attempts have done counts as done. When no slot is free, a job that waits
// takes one of the job with the most left, its newest attempt first, if it has less left itself.
// The task of a killed attempt starts over, and a long job may starve. An attempt is suspended only
// if it computes and its node has the memory; it is resumed when a slot of its node is free and no
// job that waits has less left. Jobs are compared at calls of Decide only.
//
// Rigid jobs are treated as under Greedy, and neither preempt nor are preempted. As a Ranker SRPT
// preempts nobody. With preemption each call costs O(a log a) besides for a attempts under way.
type SRPT struct {
	Preempt Preemption // what happens to running tasks when a job with less work left waits

	broken  bool // a setting is out of range: nothing starts
	steps   internal.Steps
	left    [][2]float64      // work of the tasks that have not ended, by job and kind
	ready   [2]internal.Order // ranks of the jobs with a task of a kind to start, by key
	kind    slotmodel.Kind    // of the walk
	changed internal.JobSet   // jobs with events since the last Begin

	// With preemption:
	at      float64         // the time for which the keys in ready hold
	busy    internal.JobSet // jobs with attempts, and some whose attempts are over
	asleep  internal.Suspended
	taker   internal.Taker
	victims []srptVictim // scratch
}

// srptVictim is a job that may lose slots.
type srptVictim struct {
	job  slotmodel.Job
	left float64
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Preempt.
func (p *SRPT) Check() error {
	if p.Preempt > PreemptSuspend {
		return input.Bad("policy.SRPT.Check", "Preempt", -1, "%d, want PreemptWait, PreemptKill or PreemptSuspend", p.Preempt)
	}
	return nil
}

// BeginRun forgets the previous run.
func (p *SRPT) BeginRun(v *slotmodel.View) {
	p.broken = p.Check() != nil
	p.left = make([][2]float64, v.Jobs())
	for j := range p.left {
		s := v.Spec(slotmodel.Job(j))
		p.left[j] = [2]float64{internal.TotalWork(&s.Maps), internal.TotalWork(&s.Reduces)}
	}
	p.ready = [2]internal.Order{{At: internal.Places(v.Jobs())}, {At: internal.Places(v.Jobs())}}
	p.changed = internal.NewJobSet(v.Jobs())
	p.at, p.busy = v.Now(), internal.NewJobSet(v.Jobs())
	p.asleep.Begin(v)
	p.taker.Begin(v)
}

// Decide fills the free slots, maps first, and then preempts.
func (p *SRPT) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.broken {
		return
	}
	p.steps.Inner = p
	for k := range slotmodel.Kind(2) {
		p.asleep.Fill(v, a, k, &p.steps, (*srptOrder)(p))
		if p.Preempt != PreemptWait {
			p.preempt(v, a, k)
		}
	}
}

// Observe keeps the order.
func (p *SRPT) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.asleep.Observe(e)
	if v.Spec(e.Job) == nil || int(e.Job) >= len(p.left) {
		return
	}
	switch e.Type {
	case slotmodel.Started:
		if p.Preempt != PreemptWait {
			p.busy.Add(e.Job)
		}
	case slotmodel.Ended:
		p.count(v, e, -1)
	case slotmodel.OutputLost:
		p.count(v, e, 1)
	}
	p.changed.Add(e.Job)
}

// count adds the work of an event's task to the work left, sign times.
func (p *SRPT) count(v *slotmodel.View, e slotmodel.Event, sign float64) {
	s := v.Spec(e.Job)
	k := e.Kind & 1
	phase := internal.PhaseOf(s, k)
	left := &p.left[e.Job][k]
	if c := v.Count(e.Job, k); phase.Works == nil {
		*left = float64(float64(c.Tasks-c.Done) * phase.Work)
	} else {
		_, _, i := v.Index(e.Task)
		*left = max(0, *left+sign*phase.Of(i))
	}
}

// key returns what orders a job.
func (p *SRPT) key(v *slotmodel.View, j slotmodel.Job) float64 {
	if p.Preempt != PreemptWait {
		return v.WorkLeft(j, slotmodel.Map) + v.WorkLeft(j, slotmodel.Reduce)
	}
	return p.left[j][0] + p.left[j][1]
}

// update gives a job its place in the order.
func (p *SRPT) update(v *slotmodel.View, j slotmodel.Job) {
	r := internal.Rank(v, j)
	if r == internal.Absent {
		return
	}
	for k := range slotmodel.Kind(2) {
		if v.Runnable(j, k) {
			p.ready[k].Set(r, p.key(v, j))
		} else {
			p.ready[k].Remove(r)
		}
	}
}

// Begin starts a walk.
func (p *SRPT) Begin(v *slotmodel.View, k slotmodel.Kind) {
	p.changed.Filter(func(j slotmodel.Job) bool {
		p.update(v, j)
		return false
	})
	if p.at < v.Now() { // the work left of jobs with attempts falls as time passes
		p.at = v.Now()
		p.busy.Filter(func(j slotmodel.Job) bool {
			p.update(v, j)
			return v.Newest(j, slotmodel.Map) != slotmodel.None || v.Newest(j, slotmodel.Reduce) != slotmodel.None
		})
	}
	p.kind = k & 1
	p.ready[p.kind].Begin()
}

// Next returns the next job of the walk.
func (p *SRPT) Next(v *slotmodel.View) slotmodel.Job {
	if p.broken {
		return slotmodel.None
	}
	if r := p.ready[p.kind].Next(); r != internal.Absent {
		return v.Arrived(int(r))
	}
	return slotmodel.None
}

// Ahead reports whether job a has less left than b, or as much and arrived first.
func (p *SRPT) Ahead(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	r, s := internal.Rank(v, a), internal.Rank(v, b)
	if len(p.left) != v.Jobs() || r == internal.Absent || s == internal.Absent {
		return false, false
	}
	return cmp.Or(cmp.Compare(p.key(v, a), p.key(v, b)), cmp.Compare(r, s)) < 0, true
}

// srptOrder is the order of SRPT among all jobs, those with suspended attempts included.
type srptOrder SRPT

// Precedes reports whether job a has less left than b, or as much and arrived first.
func (o *srptOrder) Precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool {
	first, _ := (*SRPT)(o).Ahead(v, k, a, b)
	return first
}

// Yields reports whether job next, which waits, comes before the owner of a suspended attempt.
func (o *srptOrder) Yields(v *slotmodel.View, k slotmodel.Kind, owner, next slotmodel.Job) bool {
	return o.Precedes(v, k, next, owner)
}

// preempt takes slots from the jobs with the most left for waiting jobs that have less left.
func (p *SRPT) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	next := p.steps.Waiting(v, k)
	if next == slotmodel.None {
		return
	}
	p.victims = p.victims[:0]
	for _, j := range p.busy.Jobs {
		if v.Count(j, k).Running > 0 && internal.Width(v, j) == 1 {
			p.victims = append(p.victims, srptVictim{j, p.key(v, j)})
		}
	}
	slices.SortFunc(p.victims, func(x, y srptVictim) int {
		return cmp.Or(cmp.Compare(y.left, x.left), cmp.Compare(internal.Rank(v, y.job), internal.Rank(v, x.job)))
	})
	for _, w := range p.victims {
		for x := internal.NewestRunning(v, v.Newest(w.job, k)); x != slotmodel.None; {
			if !(p.key(v, w.job) > p.key(v, next)) {
				break
			}
			older := internal.NewestRunning(v, v.Older(x))
			if taken, started := p.taker.Replace(v, a, x, p.Preempt, next); started {
				next = p.steps.Waiting(v, k)
			} else if taken {
				return
			}
			if next == slotmodel.None {
				return
			}
			x = older
		}
	}
}
