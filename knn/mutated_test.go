package knn_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/mutate"
	"github.com/schedmath/schedmath/knn"
)

// sameAgain fails unless Snapshot gives back what Restore has taken, Restore takes that too,
// and the estimator goes on.
func sameAgain(t testing.TB, s knn.Snapshot, o knn.Options) (taken bool) {
	t.Helper()
	e, err := knn.Restore(s, o)
	if err != nil {
		if !errors.Is(err, schedmath.ErrInput) || e != nil {
			t.Fatalf("Restore(%+v) = %v, %v, want an InputError", s, e, err)
		}
		return false
	}
	again := e.Snapshot()
	if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("Restore(%+v) and its Snapshot (-want +got):\n%s", s, diff)
	}
	f, err := knn.Restore(again, o)
	if err != nil {
		t.Fatalf("Restore refuses the Snapshot of what it has taken, %+v: %v", again, err)
	}
	if s.Dim > 100 {
		return true
	}
	x := make([]float64, s.Dim)
	for i := range 5 {
		x[0] = float64(i)
		must(t, e.Add(x, x[0]))
		must(t, f.Add(x, x[0]))
		a, err := e.Predict(x)
		must(t, err)
		if b, err := f.Predict(x); err != nil || a != b {
			t.Fatalf("an estimator restored twice from %+v: Predict(%v) = %+v and %+v, %v", s, x, a, b, err)
		}
	}
	if last, err := knn.Restore(e.Snapshot(), o); err != nil || !cmp.Equal(last.Snapshot(), f.Snapshot()) {
		t.Fatalf("restored from %+v the estimator goes on to %+v: %v", s, e.Snapshot(), err)
	}
	return true
}

// TestRestoreMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	refused, taken := 0, 0
	for n := range 3000 {
		r := rand.New(rand.NewPCG(uint64(n), 50))
		o := knn.Options{Window: r.IntN(5), Alpha: []float64{0, .2}[n%2]}
		dim := 1 + r.IntN(3)
		e, err := knn.New(dim, o)
		must(t, err)
		for range r.IntN(9) {
			must(t, e.Add(cloud(1, dim, r.Uint64()), r.NormFloat64()))
		}
		text, err := json.Marshal(e.Snapshot())
		must(t, err)
		for range n % 3 {
			text = mutate.JSON(text, r.IntN)
		}
		var s knn.Snapshot
		if json.Unmarshal(text, &s) != nil {
			continue
		}
		o.Window = max(o.Window, len(s.Y)) // with a smaller one the oldest would be forgotten
		if sameAgain(t, s, o) {
			taken++
		} else if refused++; n%3 == 0 {
			t.Fatalf("Restore refuses %s", text)
		}
	}
	if taken < 1500 || refused < 500 {
		t.Errorf("%d snapshots were taken and %d refused, want 1,500 and 500", taken, refused)
	}
}
