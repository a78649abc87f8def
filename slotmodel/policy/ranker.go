package policy

import "github.com/schedmath/schedmath/slotmodel"

// Ranker orders the jobs that have a task of some kind to start, the job to serve first at the front. A policy that only
// chooses among jobs is a Ranker; combinators such as Greedy and Delay wrap any of them.
//
// A Ranker that is a slotmodel.Observer too learns from events, and has to see every one of a run: a policy that holds a Ranker
// hands on the events that it sees. The order must be that of the state of v when Begin is called.
type Ranker interface {
	// Begin starts a walk. It is called again after every action, since an action may change the order.
	Begin(v *slotmodel.View, k slotmodel.Kind)
	// Next returns the next job of the walk, slotmodel.None at its end.
	Next(v *slotmodel.View) slotmodel.Job
}

// ByArrival is the Ranker that takes jobs in the order of arrival, those of one instant by index. It learns nothing. A step
// costs O(log jobs).
type ByArrival struct {
	kind slotmodel.Kind
	last slotmodel.Job
	done bool
}

// Begin starts a walk.
func (r *ByArrival) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if r != nil {
		r.kind, r.last, r.done = k, slotmodel.None, false
	}
}

// Next returns the next job of the walk.
func (r *ByArrival) Next(v *slotmodel.View) slotmodel.Job {
	if r == nil || r.done {
		return slotmodel.None
	}
	r.last = v.NextRunnable(r.kind, r.last)
	r.done = r.last == slotmodel.None
	return r.last
}

// comparer is a Ranker that knows which of two jobs with a task to start its walk gives first, from Begin to the next action.
type comparer interface {
	Ranker
	precedes(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool
}

// precedes reports whether job a arrived before job b.
func (r *ByArrival) precedes(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) bool {
	s, t := v.Spec(a), v.Spec(b)
	return s.Arrival < t.Arrival || s.Arrival == t.Arrival && a < b
}
