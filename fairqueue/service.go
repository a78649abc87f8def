package fairqueue

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Service names a service in flight: a plain number, for a database or a log. 0 names none. Its
// upper half is the Epoch of the queue's snapshots.
type Service uint64

// service is one in flight.
type service struct {
	node    int32
	charged fixed
	started uint64 // place in the order of Start
}

// Charge adds a cost to a flow and to all nodes above it: that of a service which is over at once.
// An inactive flow is charged from its last start tag, or from the virtual time less Options.Lag
// if that is greater. While nothing waits and nothing is in flight a charge counts for nothing. A
// charge cannot be undone: who may put a request back uses Start, and End with 0. A flow whose
// services cost 0 stays first.
//
// Errors: a key that is neither joined nor remembered, or has children; a cost that is neither 0
// nor in [2^-60, 2^60].
func (q *Queue[K]) Charge(key K, cost float64) error {
	i, err := q.payer("fairqueue.Queue.Charge", key, cost, true)
	if err != nil {
		return err
	}
	q.charge(i, fixedOf(cost), true)
	q.reap(q.nodes[i].parent)
	return nil
}

// payer returns the leaf that is to be charged a cost.
func (q *Queue[K]) payer(fn string, key K, cost float64, away bool) (int32, error) {
	i, err := q.find(fn, "key", key, away)
	switch {
	case err != nil:
		return 0, err
	case !q.nodes[i].leaf():
		return 0, input.Bad(fn, "key", -1, "%v has children, which are charged", key)
	case !validCost(cost):
		return 0, input.Bad(fn, "cost", -1, badCost)
	}
	return i, nil
}

// Start begins a service of a flow and charges what it is expected to cost, as Charge does. The
// service is in flight until End. It need not be of the flow that Next has returned.
//
// Errors: those of Charge; a flow that has left; a flow at its limit, or below a node that is.
func (q *Queue[K]) Start(key K, cost float64) (Service, error) {
	const fn = "fairqueue.Queue.Start"
	i, err := q.payer(fn, key, cost, false)
	if err != nil {
		return 0, err
	}
	for k := i; k != root; k = q.nodes[k].parent {
		if n := &q.nodes[k]; n.full() {
			return 0, input.Bad(fn, "key", -1, "%v has its limit of %d services in flight", n.key, n.limit)
		}
	}
	charged := fixedOf(cost)
	q.charge(i, charged, false)
	q.started++
	s := q.issue()
	q.open[s] = service{i, charged, q.started}
	q.reap(q.nodes[i].parent)
	return s, nil
}

// issue returns a Service that is not in flight.
func (q *Queue[K]) issue() Service {
	for {
		q.issued++
		s := Service(q.epoch)<<32 | Service(q.issued)
		if _, used := q.open[s]; !used && s != 0 {
			return s
		}
	}
}

// Grow charges a service more while it runs, as if it had been charged at Start.
//
// Errors: a service that is not in flight; more that is neither 0 nor in [2^-60, 2^60], or leads
// beyond 2^60 in all.
func (q *Queue[K]) Grow(s Service, more float64) error {
	const fn = "fairqueue.Queue.Grow"
	v, err := q.flight(fn, s, "more", more)
	if err != nil {
		return err
	}
	all, most := v.charged.add(fixedOf(more)), fixedOf(maxCost)
	if all.cmp(&most) > 0 {
		return input.Bad(fn, "more", -1, "%v: with it the service costs more than 2^60", more)
	}
	q.recharge(v, all, false)
	v.charged = all
	q.open[s] = v
	return nil
}

// End ends a service, and says what it cost in truth. If no flow was served or became active since
// its Start, the queue is then as if that had been charged at the start. Otherwise what a flow gets
// back is worth at most Options.Lag to it, from all its services together. A cost of 0 gives all of
// it back: a flow whose services end at 0 stays first.
//
// Errors: a service that is not in flight, since it has ended for example; a cost that is neither 0
// nor in [2^-60, 2^60].
func (q *Queue[K]) End(s Service, cost float64) error {
	v, err := q.flight("fairqueue.Queue.End", s, "cost", cost)
	if err != nil {
		return err
	}
	q.recharge(v, fixedOf(cost), true)
	delete(q.open, s)
	q.reap(q.nodes[v.node].parent)
	return nil
}

// flight returns a service in flight that is to be charged a cost.
func (q *Queue[K]) flight(fn string, s Service, arg string, cost float64) (service, error) {
	v, ok := q.open[s]
	switch {
	case !ok:
		return v, input.Bad(fn, "s", -1, "%d is not in flight", s)
	case !validCost(cost):
		return v, input.Bad(fn, arg, -1, badCost)
	}
	return v, nil
}

// Services yields what is in flight, with the key of its flow, in the order of Start. Who restarts
// from a snapshot ends those that are lost. The loop's body may end services.
func (q *Queue[K]) Services() iter.Seq2[Service, K] {
	return func(yield func(Service, K) bool) {
		for _, s := range q.inOrder() {
			if v, ok := q.open[s]; ok && !yield(s, q.nodes[v.node].key) {
				return
			}
		}
	}
}

// inOrder returns the services in flight in the order of Start.
func (q *Queue[K]) inOrder() []Service {
	return slices.SortedFunc(maps.Keys(q.open), func(a, b Service) int {
		return cmp.Compare(q.open[a].started, q.open[b].started)
	})
}

// Elsewhere tells of a service of a flow at another replica: its finish tag, and those of all nodes
// above it, grow by cost / weight, up to Options.Least, so that its next service here starts later.
// While nothing waits and nothing is in flight here it counts for nothing.
//
// Errors: those of Charge.
func (q *Queue[K]) Elsewhere(key K, cost float64) error {
	i, err := q.payer("fairqueue.Queue.Elsewhere", key, cost, true)
	if err != nil {
		return err
	}
	q.elsewhere(i, fixedOf(cost))
	q.reap(q.nodes[i].parent)
	return nil
}
