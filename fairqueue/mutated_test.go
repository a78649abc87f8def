package fairqueue_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/mutate"
)

// change does one thing that may be refused.
func change(q *fairqueue.Queue[int], r *rand.Rand) {
	a, b, cost := r.IntN(6), r.IntN(6), 0x1p60*r.Float64()
	switch r.IntN(10) {
	case 0:
		_ = q.JoinUnder(a, b, 0x1p-60)
	case 1:
		_ = q.Join(a, 1)
	case 2:
		q.Leave(a)
	case 3, 4:
		_ = q.SetActive(a, r.IntN(3) > 0)
	case 5:
		_ = q.Charge(a, cost)
	case 6:
		_, _ = q.Start(a, cost)
	case 7:
		_ = q.SetLimit(a, r.IntN(3))
		_ = q.Elsewhere(b, cost)
	case 8:
		for s := range q.Services() {
			if r.IntN(2) == 0 {
				_ = q.Grow(s, cost)
			} else {
				_ = q.End(s, cost)
			}
			break
		}
	default:
		q.Next(nil)
	}
}

// goesOn fails unless Snapshot gives back what Restore has taken, Restore takes that too, and the
// queue goes on to snapshots that Restore takes.
func goesOn(t testing.TB, s fairqueue.Snapshot[int], r *rand.Rand) (taken bool) {
	t.Helper()
	diff := func(want, got fairqueue.Snapshot[int]) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }
	q, _, taken := mutate.Restored(t, s, fairqueue.Restore[int], (*fairqueue.Queue[int]).Snapshot, diff)
	for k := 0; taken && k < 40; k++ {
		change(q, r)
		if _, err := fairqueue.Restore(q.Snapshot()); err != nil {
			t.Fatalf("a queue restored from %+v leads to %+v: %v", s, q.Snapshot(), err)
		}
	}
	return taken
}

// Snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	mutate.Snapshots(t, 6000, 9, 2500, 1000, func(n int, r *rand.Rand) (fairqueue.Snapshot[int], func(fairqueue.Snapshot[int]) bool) {
		q, err := fairqueue.New[int](fairqueue.Options{Return: fairqueue.Return(n % 2), Lag: float64(n % 3), Least: float64(n%4) / 4})
		must(t, err)
		for range 60 {
			change(q, r)
		}
		return q.Snapshot(), func(s fairqueue.Snapshot[int]) bool { return goesOn(t, s, r) }
	})
}

// FuzzRestore: what Restore takes, Snapshot gives back, and it goes on.
func FuzzRestore(f *testing.F) {
	q := flows(f, fairqueue.Options{}, 1, 2)
	must(f, q.Charge(0, 3))
	q.Leave(0)
	must(f, q.Join(2, 1))
	must(f, q.JoinUnder(2, 3, 2))
	_, err := q.Start(3, 5)
	must(f, err)
	text, err := json.Marshal(q.Snapshot())
	must(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var s fairqueue.Snapshot[int]
		if json.Unmarshal(text, &s) == nil {
			goesOn(t, s, rand.New(rand.NewPCG(1, 2)))
		}
	})
}
