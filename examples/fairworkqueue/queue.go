// Package fairworkqueue is a workqueue.Queue that shares among tenants, and among what is below
// them, so that one tenant with many objects does not hold up the others. For a controller of
// controller-runtime:
//
//	type request = reconcile.Request
//	type limiter = workqueue.TypedRateLimiter[request]
//	type queue = workqueue.TypedRateLimitingInterface[request]
//	options := controller.Options{NewQueue: func(name string, l limiter) queue {
//		return fairworkqueue.RateLimiting(name, l, fairworkqueue.Options[request]{
//			Path: func(r request) []string { return []string{r.Namespace} }})
//	}}
package fairworkqueue

import (
	"cmp"
	"strings"

	"github.com/schedmath/schedmath/fairqueue"
	"k8s.io/client-go/util/workqueue"
)

// Options says who shares.
type Options[T comparable] struct {
	// Path returns the tenants of an item from the top of the tree down, as cluster and namespace.
	// All paths are equally long, at least 1; names hold no slash.
	Path func(item T) []string
	// Weight returns the share of a node of the tree among its siblings, by its path joined by
	// slashes; nil or 0: 1.
	Weight func(path string) float64
	// Cost returns what it costs to serve an item, in any unit; nil: 1.
	Cost func(item T) float64
}

// Queue is a workqueue.Queue by start-time fair queueing, first in first out within a path. As the
// workqueue expects, it is for one goroutine at a time.
type Queue[T comparable] struct {
	o     Options[T]
	flows fairqueue.Queue[string] // by path
	items map[string][]T          // of the paths that have any
	n     int
}

// New returns an empty queue.
func New[T comparable](o Options[T]) *Queue[T] { return &Queue[T]{o: o, items: map[string][]T{}} }

// RateLimiting returns a workqueue on a Queue that delays as the limiter says.
func RateLimiting[T comparable](name string, limiter workqueue.TypedRateLimiter[T], o Options[T]) workqueue.TypedRateLimitingInterface[T] {
	fair := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[T]{Name: name, Queue: New(o)})
	delaying := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[T]{Name: name, Queue: fair})
	return workqueue.NewTypedRateLimitingQueueWithConfig(limiter, workqueue.TypedRateLimitingQueueConfig[T]{Name: name, DelayingQueue: delaying})
}

// Touch implements workqueue.Queue: an item that is added again keeps its place.
func (q *Queue[T]) Touch(T) {}

// Push implements workqueue.Queue. It panics if a weight is out of range or Path breaks its
// promise.
func (q *Queue[T]) Push(item T) {
	names := q.o.Path(item)
	path := strings.Join(names, "/")
	if len(q.items[path]) == 0 {
		for depth := range names { // the ways that are there already are errors
			node, parent := strings.Join(names[:depth+1], "/"), strings.Join(names[:depth], "/")
			if weight := q.weight(node); depth == 0 {
				_ = q.flows.Join(node, weight)
			} else {
				_ = q.flows.JoinUnder(parent, node, weight)
			}
		}
		if err := q.flows.SetActive(path, true); err != nil {
			panic(err)
		}
	}
	q.items[path] = append(q.items[path], item)
	q.n++
}

func (q *Queue[T]) weight(path string) float64 {
	if q.o.Weight == nil {
		return 1
	}
	return cmp.Or(q.o.Weight(path), 1)
}

// Len implements workqueue.Queue.
func (q *Queue[T]) Len() int { return q.n }

// Pop implements workqueue.Queue. It panics if the queue is empty or a cost is out of range.
func (q *Queue[T]) Pop() (item T) {
	path, ok := q.flows.Next(nil)
	if !ok {
		panic("fairworkqueue: Pop of an empty queue")
	}
	item, q.items[path] = q.items[path][0], q.items[path][1:]
	q.n--
	cost := 1.0
	if q.o.Cost != nil {
		cost = q.o.Cost(item)
	}
	if err := q.flows.Charge(path, cost); err != nil {
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
