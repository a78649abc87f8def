package fairqueue_test

import (
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// failer is what failer and rapid.T have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// must fails the test at an error.
func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// flows returns a queue of active flows 0, 1, ... of these weights.
func flows(t failer, o fairqueue.Options, weights ...float64) *fairqueue.Queue[int] {
	t.Helper()
	q, err := fairqueue.New[int](o)
	must(t, err)
	for i, w := range weights {
		must(t, q.Join(i, w))
		must(t, q.SetActive(i, true))
	}
	return q
}

// serve serves the next flow at a cost and returns it.
func serve(t failer, q *fairqueue.Queue[int], cost float64) int {
	t.Helper()
	key, ok := q.Next(nil)
	if !ok {
		t.Fatal("Next() = false, want a flow")
	}
	must(t, q.Charge(key, cost))
	return key
}

// amounts are the weights and costs of tests: decimals, whole numbers, reals, and all of them up to
// 10^6 apart.
var amounts = rapid.OneOf(
	rapid.SampledFrom([]float64{.1, .3, 7.1, 1, 2, 3, 10, 1. / 3, 1e6, 1e-3}),
	rapid.Map(rapid.IntRange(1, 9), func(i int) float64 { return float64(i) }),
	rapid.Float64Range(.001, 1000),
)

// Without a skip function that passes over somebody, nothing is allocated.
func TestAllocations(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1, 2, 3)
	must(t, q.Join(9, 1))
	must(t, q.JoinUnder(9, 10, 1))
	must(t, q.SetActive(10, true))
	skip := func(k int) bool { return k == 2 }
	if n := testing.AllocsPerRun(1000, func() {
		key, _ := q.Next(skip)
		_ = q.Charge(key, 3)
		_ = q.SetActive(key, false)
		_ = q.SetActive(key, true)
		s, _ := q.Start(key, 3)
		_ = q.Grow(s, 1)
		_ = q.End(s, 2)
		_ = q.Set(key, 2)
	}); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}

// What a flow was charged before all were idle is forgotten when it leaves afterwards, also beside
// one that left and is remembered.
func TestLeavingAfterIdle(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1)
	must(t, q.Charge(0, 100))
	must(t, q.SetActive(0, false)) // idle
	for key := 1; key <= 2; key++ {
		must(t, q.Join(key, 1))
		must(t, q.SetActive(key, true))
	}
	must(t, q.Charge(1, 5))
	if !q.Leave(1) || !q.Leave(0) {
		t.Fatal("Leave = false")
	}
	if kept := q.Snapshot().Flows; len(kept) != 2 || kept[0].Key != 1 || kept[1].Key != 2 {
		t.Errorf("%+v are kept, want flow 1 with its debt and flow 2", kept)
	}
}
