package knn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath/internal/oracle/mutate"
	"github.com/schedmath/schedmath/knn"
)

// sameAgain fails unless Snapshot gives back what Restore has taken, Restore takes that too,
// and the estimator goes on.
func sameAgain(t testing.TB, s knn.Snapshot, o knn.Options) (taken bool) {
	t.Helper()
	restore := func(s knn.Snapshot) (*knn.Estimator, error) { return knn.Restore(s, o) }
	diff := func(want, got knn.Snapshot) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }
	e, f, taken := mutate.Restored(t, s, restore, (*knn.Estimator).Snapshot, diff)
	if !taken {
		return false
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
	mutate.Snapshots(t, 3000, 50, 1500, 500, func(n int, r *rand.Rand) (knn.Snapshot, func(knn.Snapshot) bool) {
		o := knn.Options{Window: r.IntN(5), Alpha: []float64{0, .2}[n%2]}
		dim := 1 + r.IntN(3)
		e, err := knn.New(dim, o)
		must(t, err)
		for range r.IntN(9) {
			must(t, e.Add(cloud(1, dim, r.Uint64()), r.NormFloat64()))
		}
		return e.Snapshot(), func(s knn.Snapshot) bool {
			o.Window = max(o.Window, len(s.Y)) // with a smaller one the oldest would be forgotten
			return sameAgain(t, s, o)
		}
	})
}
