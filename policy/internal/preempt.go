package internal

import (
	"slices"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/slotmodel"
)

// Preemption says what happens to running tasks when a job that goes before their own waits.
type Preemption uint8

const (
	PreemptWait Preemption = iota // nothing: the job waits for the next free slot
	PreemptKill                   // attempts are killed; their work is lost
	// Attempts are suspended, and resumed on their node when it is their turn.
	PreemptSuspend
)

// String returns "wait", "kill" or "suspend", "Preemption(7)" for what is none of them.
func (p Preemption) String() string { return enum.Name(p, "Preemption", "wait", "kill", "suspend") }

// MarshalText returns the word as text.
func (p Preemption) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// NewestRunning returns attempt x if it holds a slot, else the newest older attempt of the same job
// and kind that does; None if there is none.
func NewestRunning(v *slotmodel.View, x slotmodel.Attempt) slotmodel.Attempt {
	for x != slotmodel.None && v.Attempt(x).Suspended {
		x = v.Older(x)
	}
	return x
}

// Taker takes slots from attempts for jobs that wait.
type Taker struct {
	// Vain tells, by job, that a slot was taken for a reduce of the job which then could not start,
	// because too many reduces wait for maps (slotmodel.Cluster.EarlyReduces).
	Vain []bool
}

// Begin forgets the previous run.
func (t *Taker) Begin(v *slotmodel.View) { t.Vain = make([]bool, v.Jobs()) }

// Replace takes the slot of attempt x and starts a task of job j there. taken reports whether x
// lost its slot, started whether the task started. Nothing happens if x cannot be suspended, or if
// the node would not have the memory for the task. If a slot is taken for a reduce and the reduce
// cannot start, no more slots are taken for reduces of job j in this run.
func (t *Taker) Replace(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt, how Preemption, j slotmodel.Job) (taken, started bool) {
	info := v.Attempt(x)
	_, free := v.Memory(info.Node)
	if how == PreemptKill {
		// A suspended attempt goes on holding its memory.
		free += PhaseOf(v.Spec(info.Job), info.Kind).Memory
	}
	switch {
	case free < PhaseOf(v.Spec(j), info.Kind).Memory || info.Kind == slotmodel.Reduce && t.Vain[j]:
	case how == PreemptKill:
		taken = a.Kill(x)
	case how == PreemptSuspend && v.CanSuspend(x):
		taken = a.Suspend(x)
	}
	started = taken && v.Fits(j, info.Kind, info.Node) && a.Start(j, info.Kind, info.Node)
	if taken && !started {
		t.Vain[j] = t.Vain[j] || info.Kind == slotmodel.Reduce
		if how == PreemptSuspend && v.AtRest() {
			a.Resume(x) // no later decision of this run may come to resume it
		}
	}
	return taken, started
}

// Preemptible is an order of jobs in which jobs with suspended attempts have a place too.
type Preemptible interface {
	// Yields reports whether a suspended attempt of job owner goes on waiting while job next has a
	// task of kind k to start. next is the first job of the walk.
	Yields(v *slotmodel.View, k slotmodel.Kind, owner, next slotmodel.Job) bool
	// Precedes reports whether suspended attempts of job a are resumed before those of job b.
	Precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool
}

// Suspended are the suspended attempts of a run, and how their nodes' free slots are filled.
type Suspended struct {
	on    [][]slotmodel.Attempt // by node, in the order in which they were suspended
	count [2]int                // by kind
}

// Begin forgets the previous run.
func (s *Suspended) Begin(v *slotmodel.View) {
	*s = Suspended{on: make([][]slotmodel.Attempt, v.Nodes())}
}

// Observe follows an event.
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

// next returns the suspended attempt of node n and kind k that is resumed first, None if there is
// none, and whether that attempt waits for a job with a task to start.
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

// Fill fills the free slots of one kind, node by node, with suspended attempts or new ones,
// whichever come first in the order r, which must be that of g.Inner. An attempt that waits for
// a job is resumed too if no job can start on its node, where the attempt holds memory.
func (s *Suspended) Fill(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, g *Steps, r Preemptible) {
	if s.count[k&1] == 0 {
		g.Fill(v, a, k)
		return
	}
	g.rest = v.AtRest()
	next := func(n slotmodel.Node) slotmodel.Node { return v.NextFree(k, n) }
	Offer(next, func(n slotmodel.Node) Served {
		g.Rewind() // an attempt may have been resumed, which can change the order
		x, waits := s.next(v, r, g, n, k)
		result := Refused
		if x == slotmodel.None || waits {
			result = g.serve(v, a, k, n)
		}
		if x != slotmodel.None && result == Refused && a.Resume(x) {
			return Started
		}
		return min(result, Refused) // not Nobody: attempts on the nodes after n may be resumed
	})
}
