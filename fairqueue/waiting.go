package fairqueue

import (
	"iter"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Waiting is a [Queue] with the items that wait in it, first in first out within a key: what most
// dispatchers keep. A key joins below the root with its first item, and leaves once nothing of it
// waits or is in flight: let it be a tenant, not a request, for which [Queue.Join] says why.
// [NewWaiting] makes one. It is not safe for concurrent use.
type Waiting[K comparable, T any] struct {
	queue  *Queue[K]
	weight func(K) float64
	cost   func(K, T) float64
	lines  map[K]*line[T] // of the keys of which something waits
	n      int
}

// line is what waits of one key, from element head on.
type line[T any] struct {
	items []waiter[T]
	head  int
}

// waiter is an item that waits, with the guess of its cost.
type waiter[T any] struct {
	item T
	cost float64
}

// NewWaiting returns an empty Waiting. weight returns a key's weight; each Push asks it, so that a
// change counts from there on. cost returns a guess of what an item will cost, any typical cost
// where nothing is known; End tells the truth. A guess of 0, which would let a key have all servers
// at once, is refused by Push.
//
// Errors: those of New; a function that is nil.
func NewWaiting[K comparable, T any](weight func(K) float64, cost func(K, T) float64, o Options) (*Waiting[K, T], error) {
	const fn = "fairqueue.NewWaiting"
	q, err := New[K](o)
	switch {
	case weight == nil:
		return nil, input.Bad(fn, "weight", -1, "nil")
	case cost == nil:
		return nil, input.Bad(fn, "cost", -1, "nil")
	case err != nil:
		return nil, err
	}
	return &Waiting[K, T]{queue: q, weight: weight, cost: cost, lines: make(map[K]*line[T])}, nil
}

// Push adds an item behind the others of its key. Errors: those of Join for the key and its weight;
// a guess of the cost outside [2^-60, 2^60].
func (w *Waiting[K, T]) Push(key K, item T) error {
	const fn = "fairqueue.Waiting.Push"
	x, err := w.guess(fn, key, item)
	if err != nil {
		return err
	}
	if err := w.queue.set(fn, key, w.weight(key)); err != nil {
		return err
	}
	l := w.open(key)
	l.items = append(l.items, x)
	return nil
}

// PushFront puts an item back before the others of its key and ends its service at a cost of 0, as
// if it had not been started. Errors: a service that is not in flight, and then nothing is queued;
// a guess of the cost outside [2^-60, 2^60].
func (w *Waiting[K, T]) PushFront(s Service, item T) error {
	const fn = "fairqueue.Waiting.PushFront"
	v, err := w.queue.flight(fn, s, "s", 0)
	if err != nil {
		return err
	}
	key := w.queue.nodes[v.node].key
	x, err := w.guess(fn, key, item)
	if err != nil {
		return err
	}
	l := w.open(key) // before the end: with nothing waiting the queue could be idle, and level
	if l.head == 0 {
		l.items = slices.Insert(l.items, 0, x)
	} else {
		l.head--
		l.items[l.head] = x
	}
	return w.queue.End(s, 0)
}

// guess returns an item with its cost.
func (w *Waiting[K, T]) guess(fn string, key K, item T) (waiter[T], error) {
	cost := w.cost(key, item)
	if cost == 0 || !validCost(cost) {
		return waiter[T]{}, input.Bad(fn, "item", -1, "its cost is guessed at %v, want a number in [2^-60, 2^60]", cost)
	}
	return waiter[T]{item, cost}, nil
}

// open returns the line of a key that has joined, for one item more.
func (w *Waiting[K, T]) open(key K) *line[T] {
	l := w.lines[key]
	if l == nil {
		l = new(line[T])
		w.lines[key] = l
		_ = w.queue.SetActive(key, true) // it has joined, and has no children
	}
	w.n++
	return l
}

// Pop takes the first item of the key that is next and begins its service. skip, unless nil, is
// asked for the first items of keys, as in Next: it passes over a key, and must not change w. The
// item returned is the last for which it returned false. ok is false if nothing waits, or skip
// passes over all of it.
func (w *Waiting[K, T]) Pop(skip func(K, T) bool) (key K, item T, s Service, ok bool) {
	var pass func(K) bool
	if skip != nil {
		pass = func(key K) bool {
			l := w.lines[key]
			return skip(key, l.items[l.head].item)
		}
	}
	if key, ok = w.queue.Next(pass); !ok {
		return key, item, 0, false
	}
	l := w.lines[key]
	x := l.items[l.head]
	s, _ = w.queue.Start(key, x.cost) // without limits, and at a cost in range
	l.items[l.head] = waiter[T]{}
	l.head++
	w.n--
	if 2*l.head >= len(l.items) {
		l.items = slices.Delete(l.items, 0, l.head)
		l.head = 0
	}
	w.close(key)
	return key, x.item, s, true
}

// close takes a key out as far as nothing of it waits, or is in flight.
func (w *Waiting[K, T]) close(key K) {
	if l := w.lines[key]; l != nil {
		if len(l.items) > l.head {
			return
		}
		delete(w.lines, key)
		_ = w.queue.SetActive(key, false)
	}
	if w.queue.InFlight(key) == 0 {
		w.queue.Leave(key)
	}
}

// Grow charges a service more while it runs, as Queue.Grow does. Errors: those of Queue.Grow.
func (w *Waiting[K, T]) Grow(s Service, more float64) error { return w.queue.Grow(s, more) }

// End ends a service, and says what it cost in truth, as Queue.End does. Errors: those of
// Queue.End.
func (w *Waiting[K, T]) End(s Service, cost float64) error {
	v := w.queue.open[s]
	if err := w.queue.End(s, cost); err != nil {
		return err
	}
	w.close(w.queue.nodes[v.node].key)
	return nil
}

// Remove takes out the items of a key that wait and for which drop returns true, and returns their
// number. drop is asked in the order of the items.
func (w *Waiting[K, T]) Remove(key K, drop func(T) bool) (removed int) {
	l := w.lines[key]
	if l == nil {
		return 0
	}
	before := len(l.items)
	kept := slices.DeleteFunc(l.items[l.head:], func(x waiter[T]) bool { return drop(x.item) })
	l.items = l.items[:l.head+len(kept)]
	removed = before - len(l.items)
	w.n -= removed
	w.close(key)
	return removed
}

// Len returns the number of items that wait.
func (w *Waiting[K, T]) Len() int { return w.n }

// LenOf returns the number of items of a key that wait.
func (w *Waiting[K, T]) LenOf(key K) int {
	l := w.lines[key]
	if l == nil {
		return 0
	}
	return len(l.items) - l.head
}

// All yields what waits: the keys in the order of Queue.Order, and the items of each in theirs. The
// loop's body must not change w.
func (w *Waiting[K, T]) All() iter.Seq2[K, T] {
	return func(yield func(K, T) bool) {
		for _, key := range w.queue.Order(nil) {
			l := w.lines[key]
			for _, x := range l.items[l.head:] {
				if !yield(key, x.item) {
					return
				}
			}
		}
	}
}
