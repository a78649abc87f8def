package policy

import (
	"math"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Ranker orders the jobs that have a task of one kind to start, the job to serve first at the
// front. A policy that only chooses among jobs is a Ranker, which Greedy makes a Policy.
//
// A Ranker with settings is also a slotmodel.Checker. A Ranker with state is also a
// slotmodel.Beginner, to forget the previous run, and a slotmodel.Observer, to learn from events;
// it must see every event of a run. Whoever holds a Ranker hands both on. The order must be that of
// the state of v at Begin.
type Ranker interface {
	// Begin starts a walk. It is called again after every action, since an action may change the
	// order. Until then one walk may serve several nodes.
	Begin(v *slotmodel.View, k slotmodel.Kind)
	// Next returns the next job of the walk, slotmodel.None at its end. Every job comes at most
	// once.
	Next(v *slotmodel.View) slotmodel.Job
}

// Comparer is an optional interface of a Ranker that knows without a walk which of two jobs comes
// first. Delay asks it instead of walking, so that a start costs as little behind many jobs as
// behind few.
//
// A type that embeds a Ranker of this package and changes Begin or Next must change Ahead too: the
// Ahead that it inherits compares by the order of the embedded Ranker.
type Comparer interface {
	// Ahead reports whether a walk gives job a before job b. Both have a task of kind k to start.
	// It is asked after a Begin for k and before the next action. The order is that at Begin, and
	// the walk stays where it is. If known is false, only a walk shows which comes first.
	Ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) (first, known bool)
}

// Alarm is an optional interface of a Ranker, Filter, Users or Chooser some of whose answers change
// as time passes, with no event. Greedy, Delay and PerUser ask for a call of Decide at that time.
type Alarm interface {
	// Alarm returns the next time at which an answer may change by itself, +Inf if none will. It is
	// asked at the end of a Decide.
	Alarm(v *slotmodel.View) float64
}

// ByArrival is the Ranker that takes jobs in the order of arrival (slotmodel.View.Arrival). It has
// no state beyond a walk. A step costs O(log jobs).
type ByArrival struct {
	kind slotmodel.Kind
	last slotmodel.Job
	done bool
}

// Begin starts a walk.
func (r *ByArrival) Begin(v *slotmodel.View, k slotmodel.Kind) {
	r.kind, r.last, r.done = k, slotmodel.None, false
}

// Next returns the next job of the walk.
func (r *ByArrival) Next(v *slotmodel.View) slotmodel.Job {
	if r.done {
		return slotmodel.None
	}
	r.last = v.NextRunnable(r.last, r.kind)
	r.done = r.last == slotmodel.None
	return r.last
}

// Ahead reports whether job a arrived before job b. Both must have arrived.
func (*ByArrival) Ahead(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	return internal.Earlier(v, a, b), true
}

// By returns the Ranker that orders jobs by ascending key, ties by arrival. A key of NaN counts as
// +Inf; with a nil function all keys are equal.
//
// The key is asked for anew at each Begin, of every job with a task of the kind to start, so it may
// change in any way. With n such jobs Begin costs O(n) calls and comparisons on average, the first
// m steps O(m log n). Nothing is allocated in the steady state.
func By(key func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64) Ranker {
	if key == nil {
		return new(ByArrival)
	}
	return &byKey{key: key}
}

// byKey is the Ranker of a key function.
type byKey struct {
	key   func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64
	order internal.Order // ranks of the jobs with a task to start
}

// Begin asks for the keys.
func (r *byKey) Begin(v *slotmodel.View, k slotmodel.Kind) {
	r.order.Clear()
	if len(r.order.At) < v.Jobs() {
		r.order.At = internal.Places(v.Jobs())
	}
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		key := r.key(v, j, k)
		if key != key {
			key = math.Inf(1)
		}
		r.order.Set(internal.Rank(v, j), key)
	}
}

// Ahead compares the keys of the last Begin.
func (r *byKey) Ahead(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	return r.order.Precedes(internal.Rank(v, a), internal.Rank(v, b)), true
}

// Next returns the next job of the walk.
func (r *byKey) Next(v *slotmodel.View) slotmodel.Job {
	if i := r.order.Next(); i != internal.Absent {
		return v.Arrived(int(i))
	}
	return slotmodel.None
}
