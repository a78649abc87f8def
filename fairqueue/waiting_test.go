package fairqueue_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// byHand is a Queue with slices, as hosts write it.
type byHand struct {
	q     fairqueue.Queue[int]
	items map[int][]int
	of    map[fairqueue.Service]int
}

func (h *byHand) leave(key int) {
	flying := 0
	for _, k := range h.of {
		if k == key {
			flying++
		}
	}
	if len(h.items[key]) == 0 {
		h.q.SetActive(key, false)
		if flying == 0 {
			h.q.Leave(key)
		}
	}
}

// TestWaitingIsAQueueWithSlices: items, keys and services are those of a Queue with slices,
// whatever is called, errors and requeues included.
func TestWaitingIsAQueueWithSlices(t *testing.T) {
	ops := 1_000_000
	if testing.Short() {
		ops = 50_000
	}
	r := rand.New(rand.NewPCG(5, 6))
	weights := []float64{1, 2, 1, .5, 3, 1}
	cost := func(key, item int) float64 { return float64(item%5 + 1) }
	var w *fairqueue.Waiting[int, int]
	var h *byHand
	var open []fairqueue.Service
	for op := range ops {
		if op%2000 == 0 {
			var err error
			w, err = fairqueue.NewWaiting(func(key int) float64 { return weights[key] }, cost, fairqueue.Options{Lag: 3})
			must(t, err)
			q, err := fairqueue.New[int](fairqueue.Options{Lag: 3})
			must(t, err)
			h, open = &byHand{*q, map[int][]int{}, map[fairqueue.Service]int{}}, nil
		}
		key := r.IntN(len(weights))
		calm := op%2000 > 1000 && r.IntN(2) == 0 // then the queue empties now and then
		switch k := r.IntN(10); {
		case k < 3 && !calm: // Push
			must(t, w.Push(key, op))
			must(t, h.q.Set(key, weights[key]))
			h.items[key] = append(h.items[key], op)
			must(t, h.q.SetActive(key, true))
		case k < 6: // Pop
			skip := func(key, item int) bool { return item%7 == op%7 }
			gotKey, got, s, ok := w.Pop(skip)
			want, wantOK := h.q.Next(func(key int) bool { return skip(key, h.items[key][0]) })
			if ok != wantOK || ok && (gotKey != want || got != h.items[want][0]) {
				t.Fatalf("op %d: Pop = %d, %d, %v, want a %v of %d", op, gotKey, got, ok, wantOK, want)
			}
			if !ok {
				break
			}
			hs, err := h.q.Start(want, cost(want, got))
			if must(t, err); hs != s {
				t.Fatalf("op %d: service %d, want %d", op, s, hs)
			}
			h.items[want] = h.items[want][1:]
			h.of[s] = want
			h.leave(want)
			open = append(open, s)
		case k < 8 && len(open) > 0: // End, Grow, PushFront
			i := r.IntN(len(open))
			s := open[i]
			if r.IntN(4) == 0 {
				must(t, w.Grow(s, 1))
				must(t, h.q.Grow(s, 1))
				break
			}
			open = slices.Delete(open, i, i+1)
			if k == 6 {
				must(t, w.PushFront(s, op))
				h.items[h.of[s]] = slices.Insert(h.items[h.of[s]], 0, op)
				must(t, h.q.SetActive(h.of[s], true))
				must(t, h.q.End(s, 0))
			} else {
				must(t, w.End(s, 2))
				must(t, h.q.End(s, 2))
			}
			key := h.of[s]
			delete(h.of, s)
			h.leave(key)
			if w.PushFront(s, op) == nil || w.End(s, 1) == nil || w.Grow(s, 1) == nil {
				t.Fatalf("op %d: an ended service is taken", op)
			}
		case k == 8: // Remove
			drop := func(item int) bool { return item%3 == op%3 }
			before := len(h.items[key])
			h.items[key] = slices.DeleteFunc(slices.Clone(h.items[key]), drop)
			if got, want := w.Remove(key, drop), before-len(h.items[key]); got != want {
				t.Fatalf("op %d: Remove = %d, want %d", op, got, want)
			}
			if before > 0 {
				h.leave(key)
			}
		case k == 9:
			weights[key] = float64(r.IntN(4) + 1)
		}
		n := 0
		var got, want []int
		for key := range weights {
			if n += len(h.items[key]); w.LenOf(key) != len(h.items[key]) {
				t.Fatalf("op %d: LenOf(%d) = %d, want %d", op, key, w.LenOf(key), len(h.items[key]))
			}
		}
		if w.Len() != n {
			t.Fatalf("op %d: Len = %d, want %d", op, w.Len(), n)
		}
		if op%10 == 0 {
			for key, item := range w.All() {
				got = append(got, key, item)
			}
			for _, key := range h.q.Order(nil) {
				for _, item := range h.items[key] {
					want = append(want, key, item)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("op %d: All yields %v, want %v", op, got, want)
			}
		}
	}
}

// Every documented error of a Waiting, and keys that are gone when nothing of them is left.
func TestWaitingErrors(t *testing.T) {
	weight, cost := func(key float64) float64 { return key }, func(_, item float64) float64 { return item }
	expect.Refused(t, "fairqueue.NewWaiting", fairqueue.NewWaiting[float64, float64], nil, expect.Bad("weight", -1, nil, cost, fairqueue.Options{}),
		expect.Bad("cost", -1, weight, nil, fairqueue.Options{}))
	w, err := fairqueue.NewWaiting(weight, cost, fairqueue.Options{})
	must(t, err)
	must(t, w.Push(1, 5))
	must(t, w.Push(1, 6))
	_, item, s, ok := w.Pop(nil)
	if !ok || item != 5 {
		t.Fatalf("Pop = %v, %v, want 5", item, ok)
	}
	kept := func() any { return fmt.Sprint(w.Len(), w.LenOf(1), w.LenOf(2)) }
	expect.Refused(t, "fairqueue.Waiting.Push", w.Push, kept, expect.Bad("weight", -1, 0., 1.), expect.Bad("key", -1, math.NaN(), 1.),
		expect.Bad("item", -1, 2., 0.), expect.Bad("item", -1, 2., math.NaN()))
	expect.Refused(t, "fairqueue.Waiting.PushFront", w.PushFront, kept, expect.Bad("s", -1, fairqueue.Service(9), 1.), expect.Bad("item", -1, s, 0.))
	if w.Remove(2, func(float64) bool { return true }) != 0 || w.Remove(1, func(float64) bool { return true }) != 1 {
		t.Error("Remove took other items than those that wait")
	}
	if _, _, _, ok := w.Pop(nil); ok || w.Len() != 0 {
		t.Error("something waits in an empty Waiting")
	}
	must(t, w.End(s, 5))
}
