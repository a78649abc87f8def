// Package fairworkqueue is a workqueue.Queue that shares among tenants, and among what is below
// them, so that one tenant with many objects does not hold up the others. For a controller of
// controller-runtime:
//
//	type request = reconcile.Request
//	type limiter = workqueue.TypedRateLimiter[request]
//	type queue = workqueue.TypedRateLimitingInterface[request]
//	fair, err := fairworkqueue.New(fairworkqueue.Options[request]{
//		Path: func(r request) []string { return []string{r.Namespace} }})
//	options := controller.Options{NewQueue: func(name string, l limiter) queue {
//		return fairworkqueue.RateLimiting(name, l, fair)
//	}}
package fairworkqueue

import (
	"cmp"
	"errors"
	"strings"
	"sync"

	"github.com/schedmath/schedmath/fairqueue"
	"k8s.io/client-go/util/workqueue"
)

// Options says who shares.
type Options[T comparable] struct {
	// Path returns the tenants of an item from the top of the tree down, as cluster and namespace.
	// All paths are equally long, at least 1; names hold no slash.
	Path func(item T) []string
	// Weights are the shares of nodes of the tree among their siblings, by their paths joined by
	// slashes; of others 1.
	Weights map[string]float64
	// Cost returns what it costs to serve an item, in any unit; nil: 1.
	Cost func(item T) float64
}

// Queue is a workqueue.Queue by start-time fair queueing, first in first out within a path. Its
// methods may be called at the same time.
type Queue[T comparable] struct {
	path    func(item T) []string
	cost    func(item T) float64
	mu      sync.Mutex
	weights map[string]float64
	flows   fairqueue.Queue[string] // by path
	items   map[string][]T          // of the paths that have any
	n       int
}

// New returns an empty queue. Errors: no Path; a weight outside [2^-60, 2^60].
func New[T comparable](o Options[T]) (*Queue[T], error) {
	q := &Queue[T]{path: o.Path, cost: o.Cost, weights: map[string]float64{}, items: map[string][]T{}}
	if q.path == nil {
		return nil, errors.New("fairworkqueue: Options.Path is nil")
	}
	if q.cost == nil {
		q.cost = func(T) float64 { return 1 }
	}
	for path, weight := range o.Weights {
		if err := q.SetWeight(path, weight); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// SetWeight changes the share of a node of the tree, by its path joined by slashes, also while
// items wait there. Errors: a weight outside [2^-60, 2^60].
func (q *Queue[T]) SetWeight(path string, weight float64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.flows.Has(path) {
		if err := q.flows.SetWeight(path, weight); err != nil {
			return err
		}
	} else if err := new(fairqueue.Queue[string]).Join(path, weight); err != nil {
		return err
	}
	q.weights[path] = weight
	return nil
}

// RateLimiting returns a workqueue on a Queue that delays as the limiter says.
func RateLimiting[T comparable](name string, limiter workqueue.TypedRateLimiter[T], q *Queue[T]) workqueue.TypedRateLimitingInterface[T] {
	fair := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[T]{Name: name, Queue: q})
	delaying := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[T]{Name: name, Queue: fair})
	return workqueue.NewTypedRateLimitingQueueWithConfig(limiter, workqueue.TypedRateLimitingQueueConfig[T]{Name: name, DelayingQueue: delaying})
}

// Touch implements workqueue.Queue: an item that is added again keeps its place.
func (q *Queue[T]) Touch(T) {}

// Push implements workqueue.Queue. It panics if Path breaks its promise.
func (q *Queue[T]) Push(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	names := q.path(item)
	path := strings.Join(names, "/")
	if len(q.items[path]) == 0 {
		for depth := range names {
			node, parent := strings.Join(names[:depth+1], "/"), strings.Join(names[:depth], "/")
			weight, err := cmp.Or(q.weights[node], 1), error(nil)
			switch {
			case q.flows.Has(node):
			case depth == 0:
				err = q.flows.Join(node, weight)
			default:
				err = q.flows.JoinUnder(parent, node, weight)
			}
			if err != nil {
				panic(err)
			}
		}
		if err := q.flows.SetActive(path, true); err != nil {
			panic(err)
		}
	}
	q.items[path] = append(q.items[path], item)
	q.n++
}

// Len implements workqueue.Queue.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n
}

// Pop implements workqueue.Queue. It panics if the queue is empty or a cost is out of range.
func (q *Queue[T]) Pop() (item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	path, ok := q.flows.Next(nil)
	if !ok {
		panic("fairworkqueue: Pop of an empty queue")
	}
	item, q.items[path] = q.items[path][0], q.items[path][1:]
	q.n--
	if err := q.flows.Charge(path, q.cost(item)); err != nil {
		panic(err)
	}
	if len(q.items[path]) == 0 { // what it was charged is remembered as long as it matters
		delete(q.items, path)
		for path != "" && q.flows.Leave(path) {
			path = path[:max(0, strings.LastIndexByte(path, '/'))]
		}
	}
	return item
}
