package fairqueue_test

import (
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
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

func TestOrder(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 3, 2, 1)
	for k, want := range []int{0, 1, 2, 0, 1, 0, 0, 1, 2} {
		if got := serve(t, q, 1); got != want {
			t.Errorf("weights 3, 2, 1: service %d goes to %d, want %d", k, got, want)
		}
	}
}

// tree returns a queue of nodes 1, 2, ..., node i under parents[i-1] or, at 0, directly under the
// root.
func tree(t failer, o fairqueue.Options, parents ...int) *fairqueue.Queue[int] {
	t.Helper()
	q, err := fairqueue.New[int](o)
	must(t, err)
	for i, p := range parents {
		if p == 0 {
			must(t, q.Join(i+1, 1))
		} else {
			must(t, q.JoinUnder(p, i+1, 1))
		}
	}
	return q
}

// wantLevel compares the tags of a flow among its siblings.
func wantLevel(t failer, q *fairqueue.Queue[int], key int, virtual, start float64) {
	t.Helper()
	levels, err := q.Why(nil, key)
	must(t, err)
	if l := levels[len(levels)-1]; l.Virtual != virtual || l.Start != start {
		t.Fatalf("Why(%d) ends in %+v, want Virtual %v and Start %v", key, l, virtual, start)
	}
}

// A tenant whose only active flow moves between two of its parts stays active as it is.
func TestMoveInside(t *testing.T) {
	const tenant, a, b, x, other = 1, 2, 3, 4, 5
	for _, o := range []fairqueue.Options{{}, {Join: fairqueue.ToLeast}} {
		q := tree(t, o, 0, tenant, tenant, a, 0)
		must(t, q.SetActive(x, true))
		serve(t, q, 10)
		for _, parent := range []int{b, tenant, a} {
			must(t, q.MoveUnder(parent, x))
			wantLevel(t, q, tenant, 0, 10)
		}
		q = tree(t, o, 0, tenant, tenant, a, 0)
		must(t, q.SetActive(x, true))
		must(t, q.SetActive(other, true))
		for range 2 {
			if key, _ := q.Next(func(k int) bool { return k == x }); key != other {
				t.Fatalf("Next without %d = %d, want %d", x, key, other)
			}
			must(t, q.Charge(other, 10))
		}
		must(t, q.MoveUnder(b, x))
		virtual := 10. // among the tenant and the other
		if o.Join == fairqueue.ToLeast {
			virtual = 0
		}
		wantLevel(t, q, tenant, virtual, 0)
	}
}

// The only active child of a node takes what it is behind along, to siblings that wait and to those
// that do not.
func TestMoveOnlyChild(t *testing.T) {
	const a, b, x, y, z = 1, 2, 3, 4, 5
	q := tree(t, fairqueue.Options{}, 0, 0, a, b, b)
	must(t, q.SetActive(x, true))
	must(t, q.SetActive(y, true))
	for k, want := range []int{x, y, y} {
		if got := serve(t, q, []float64{10, 4, 4}[k]); got != want {
			t.Fatalf("service %d goes to %d, want %d", k, got, want)
		}
	}
	must(t, q.MoveUnder(b, x))
	wantLevel(t, q, x, 4, 14)
	wantLevel(t, q, y, 4, 8)

	q = tree(t, fairqueue.Options{}, 0, 0, a, b, b)
	must(t, q.SetActive(x, true))
	serve(t, q, 10)
	must(t, q.MoveUnder(b, x))
	must(t, q.SetActive(z, true))
	wantLevel(t, q, x, 0, 10)
	wantLevel(t, q, z, 0, 0)
}

// Under ToLeast the virtual time is the least start tag of those that wait at the move.
func TestMoveToLeast(t *testing.T) {
	const a, b, x, v, y, w = 1, 2, 3, 4, 5, 6
	q := tree(t, fairqueue.Options{Join: fairqueue.ToLeast}, 0, 0, a, a, b, b)
	for _, k := range []int{x, v, y, w} {
		must(t, q.SetActive(k, true))
	}
	for range 4 {
		serve(t, q, 10)
	}
	must(t, q.MoveUnder(b, x))
	wantLevel(t, q, x, 10, 10)
	wantLevel(t, q, y, 10, 10)
}
