package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// Ranker orders the jobs that have a task of one kind to start, the job to serve first at the front. A policy that only
// chooses among jobs is a Ranker, which Greedy makes a Policy.
//
// A Ranker with settings is also a slotmodel.Checker. A Ranker with state is also a slotmodel.Beginner, to forget the previous run, and a slotmodel.Observer,
// to learn from events; it must see every event of a run. Whoever holds a Ranker hands both on. The order must be that of the state of v at Begin.
type Ranker interface {
	// Begin starts a walk. It is called again after every action, since an action
	// may change the order. The walk goes on for one node after another until then.
	Begin(v *slotmodel.View, k slotmodel.Kind)
	// Next returns the next job of the walk, slotmodel.None at its end. Every job comes at most once.
	Next(v *slotmodel.View) slotmodel.Job
}

// ByArrival is the Ranker that takes jobs in the order of arrival (slotmodel.View.Arrival). It has no state beyond a walk. A step
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

// ahead reports whether job a arrived before job b.
func (*ByArrival) ahead(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) bool {
	return earlier(v, a, b)
}

// comparer is a Ranker that knows without a walk which of two jobs with a task to start comes first.
type comparer interface {
	// ahead reports whether a walk gives job a before job b.
	ahead(v *slotmodel.View, k slotmodel.Kind, a, b slotmodel.Job) bool
}

// comparerOf returns a Ranker, nil standing for ByArrival, as a comparer, nil if it is none. A type that embeds a comparer may have an order of
// its own, and is none.
func comparerOf(r Ranker) comparer {
	switch r := r.(type) {
	case nil:
		return (*ByArrival)(nil)
	case *ByArrival, *Fair, *SRPT:
		return r.(comparer)
	case *HFSP:
		if r != nil && r.options.Late != LateNext {
			return (*hfspTurns)(r)
		}
	}
	return nil
}

// By returns the Ranker that orders jobs by ascending key, ties by arrival. A key of NaN counts as +Inf; with a nil function all keys
// are equal.
//
// The key is asked for anew at each Begin, of every job with a task of the kind to start, so it
// may change in any way. Under Greedy that is once a decision and once more after each start,
// however many nodes and jobs a Filter refuses. With n such jobs Begin costs O(n) calls and
// comparisons on average, the first m steps O(m log n). Nothing is allocated in the steady state.
func By(key func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64) Ranker {
	if key == nil {
		return new(ByArrival)
	}
	return &byKey{key: key}
}

// byKey is the Ranker of a key function.
type byKey struct {
	key   func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64
	order order // ranks of the jobs with a task to start
}

// Begin asks for the keys.
func (r *byKey) Begin(v *slotmodel.View, k slotmodel.Kind) {
	r.order.clear()
	if len(r.order.at) < v.Jobs() {
		r.order.at = places(v.Jobs())
	}
	for j := v.NextRunnable(k, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(k, j) {
		key := r.key(v, j, k)
		if key != key {
			key = math.Inf(1)
		}
		r.order.set(rank(v, j), key)
	}
}

// Next returns the next job of the walk.
func (r *byKey) Next(v *slotmodel.View) slotmodel.Job {
	if i := r.order.next(); i != absent {
		return v.Arrived(int(i))
	}
	return slotmodel.None
}
