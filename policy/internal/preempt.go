package internal

import (
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Preemption says what happens to running tasks when a job that goes before their own waits.
type Preemption int

const (
	PreemptWait    Preemption = iota // nothing: the job waits for the next free slot
	PreemptKill                      // attempts are killed; their work is lost
	PreemptSuspend                   // attempts are suspended, and resumed on their node when it is their turn
)

// newestRunning returns the first of an attempt and those of its job that started before it which holds a slot; None when there is none.
func NewestRunning(v *slotmodel.View, x slotmodel.Attempt) slotmodel.Attempt {
	for x != slotmodel.None && v.Attempt(x).Stage == slotmodel.Suspended {
		x = v.Older(x)
	}
	return x
}

// taker takes slots from attempts for jobs that wait.
type Taker struct {
	vain []bool // jobs for whose reduces a slot was taken in vain, since too many reduces wait for maps (slotmodel.Cluster.EarlyReduces)
}

// begin forgets the previous run.
func (t *Taker) Begin(v *slotmodel.View) { t.vain = make([]bool, v.Jobs()) }

// replace takes the slot of an attempt and starts a task of job j there. It does nothing when the attempt cannot be suspended or the node
// would not have the memory for the task. A job whose reduce cannot start in the slot gets no other slot for reduces in this way.
func (t *Taker) Replace(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt, how Preemption, j slotmodel.Job) (taken, started bool) {
	info := v.Attempt(x)
	_, free := v.Memory(info.Node)
	if how == PreemptKill {
		free += PhaseOf(v.Spec(info.Job), info.Kind).Memory // a suspended attempt goes on holding its memory
	}
	switch {
	case free < PhaseOf(v.Spec(j), info.Kind).Memory || info.Kind == slotmodel.Reduce && t.vain[j]:
	case how == PreemptKill:
		taken = a.Kill(x)
	case how == PreemptSuspend && v.CanSuspend(x):
		taken = a.Suspend(x)
	}
	started = taken && v.Fits(j, info.Kind, info.Node) && a.Start(j, info.Kind, info.Node)
	if taken && !started {
		t.vain[j] = true
		if how == PreemptSuspend && v.AtRest() {
			a.Resume(x) // no other decision may follow in which it would go on
		}
	}
	return taken, started
}

// preemptible is an order that covers jobs with suspended attempts too.
type Preemptible interface {
	// yields reports whether a suspended attempt of job owner waits while job next, the first of the walk, has a task of the kind to start.
	Yields(v *slotmodel.View, k slotmodel.Kind, owner, next slotmodel.Job) bool
	// precedes reports whether suspended attempts of job a go on before those of job b.
	Precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool
}

// suspended are the suspended attempts of a run, by node, in the order in which they were suspended.
type Suspended struct {
	on    [][]slotmodel.Attempt
	count [2]int // by kind
}

// begin forgets the previous run.
func (s *Suspended) Begin(v *slotmodel.View) {
	*s = Suspended{on: make([][]slotmodel.Attempt, v.Nodes())}
}

// observe follows an event.
func (s *Suspended) Observe(e slotmodel.Event) {
	if e.Node < 0 || int(e.Node) >= len(s.on) {
		return
	}
	switch here := &s.on[e.Node]; e.Type {
	case slotmodel.Suspends:
		*here = append(*here, e.Attempt)
		s.count[e.Kind&1]++
	case slotmodel.Resumes, slotmodel.Killed, slotmodel.Crashed:
		if i := slices.Index(*here, e.Attempt); i >= 0 {
			*here = slices.Delete(*here, i, i+1)
			s.count[e.Kind&1]--
		}
	}
}

// next returns the suspended attempt of a node that goes on first, None when there is none, and whether it waits for a job with a task to
// start.
func (s *Suspended) next(v *slotmodel.View, r Preemptible, g *Steps, n slotmodel.Node, k slotmodel.Kind) (x slotmodel.Attempt, waits bool) {
	best, owner := slotmodel.Attempt(slotmodel.None), slotmodel.Job(slotmodel.None)
	if len(s.on[n]) == 0 {
		return best, false
	}
	first := g.first(v, k)
	for _, x := range s.on[n] {
		info := v.Attempt(x)
		if info.Job != slotmodel.None && info.Kind == k && (best == slotmodel.None || r.Precedes(v, k, info.Job, owner)) {
			best, owner = x, info.Job
		}
	}
	return best, best != slotmodel.None && first != slotmodel.None && r.Yields(v, k, owner, first)
}

// fill fills the free slots of one kind, node by node, with suspended attempts or new ones, whichever go first by the order of the Ranker.
// An attempt goes on too where no job that waits fits on its node: it holds the memory there.
func (s *Suspended) Fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, g *Steps, r Preemptible) {
	if s.count[k&1] == 0 {
		g.Fill(v, a, k)
		return
	}
	g.rest = v.AtRest()
	next := func(n slotmodel.Node) slotmodel.Node { return v.NextFree(k, n) }
	Offer(next, func(n slotmodel.Node) Served {
		g.Rewind() // an attempt may have gone on
		x, waits := s.next(v, r, g, n, k)
		result := Refused
		if x == slotmodel.None || waits {
			result = g.serve(v, a, k, n)
		}
		if x != slotmodel.None && result == Refused && a.Resume(x) {
			return Started
		}
		return min(result, Refused) // where nobody starts, an attempt may go on
	})
}
