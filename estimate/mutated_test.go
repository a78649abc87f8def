package estimate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/mutate"
)

// train makes random calls, the same for the same seed; errors are part of the game.
func train(tr *estimate.Trainer[int], seed uint64, steps int) {
	r := rand.New(rand.NewPCG(seed, 52))
	times := []float64{0, .1, .3, 7.1, 1e-300, 1e60, 0x1p200}
	for range steps {
		key, number, time := r.IntN(4), r.IntN(3), times[r.IntN(len(times))]
		switch r.IntN(9) {
		case 0, 1:
			_ = tr.Add(key, r.IntN(5))
		case 2, 3:
			if next, ok := tr.Next(); ok {
				_, _ = tr.Started(next)
			}
		case 4:
			_, _ = tr.Started(key)
		case 5:
			_ = tr.Finished(key, number, time)
		case 6:
			_ = tr.Extrapolated(key, number, time)
		case 7:
			_ = tr.Failed(key, number)
		default:
			if _ = tr.Observe(time); r.IntN(3) == 0 {
				tr.Remove(key)
			}
		}
	}
}

// sameTrainer fails unless Snapshot gives back what RestoreTrainer has taken, which is then taken
// again, and the trainer goes on.
func sameTrainer(t testing.TB, s estimate.TrainerSnapshot[int]) (taken bool) {
	t.Helper()
	a, b, taken := mutate.Restored(t, s, estimate.RestoreTrainer[int], (*estimate.Trainer[int]).Snapshot, difference)
	if !taken {
		return false
	}
	train(a, 7, 40)
	train(b, 7, 40)
	last := a.Snapshot()
	if diff := cmp.Diff(last, b.Snapshot()); diff != "" {
		t.Fatalf("a trainer restored twice from %+v goes another way:\n%s", s, diff)
	}
	if mean, ok := a.MeanTask(); ok && !(mean >= 0 && mean <= 0x1p200) || ok != (last.Past.Count > 0) {
		t.Fatalf("restored from %+v: MeanTask() = %v, %t", s, mean, ok)
	}
	if _, err := estimate.RestoreTrainer(last); err != nil {
		t.Fatalf("restored from %+v the trainer goes on to %+v: %v", s, last, err)
	}
	return true
}

// TestRestoreTrainerMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreTrainerMutated(t *testing.T) {
	type snapshot = estimate.TrainerSnapshot[int]
	mutate.Snapshots(t, 3000, 53, 1500, 500, func(n int, r *rand.Rand) (snapshot, func(snapshot) bool) {
		tr := newTrainer[int](t, r.IntN(6), estimate.TrainerOptions{Samples: r.IntN(4), Limit: float64(r.IntN(11)) / 10})
		train(tr, uint64(n), r.IntN(40))
		return tr.Snapshot(), func(s snapshot) bool { return sameTrainer(t, s) }
	})
}

// difference returns how two snapshots differ; nil and empty lists are equal.
func difference[S any](want, got S) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

// TestRestoredCount: a count beyond 2^53 is refused, and the mean of the greatest that is taken
// stands.
func TestRestoredCount(t *testing.T) {
	s := estimate.TrainerSnapshot[int]{Version: 1, Samples: 1, Limit: 1, Past: estimate.PastSnapshot{Count: 1 << 53, Hi: 0x1p54}}
	tr, err := estimate.RestoreTrainer(s)
	must(t, err)
	must(t, tr.Observe(100))
	if mean, ok := tr.MeanTask(); !ok || mean != 2 {
		t.Errorf("MeanTask() = %v, %t, want 2", mean, ok)
	}
	for _, count := range []int64{1<<53 + 1, 1<<63 - 1} {
		s.Past.Count = count
		tr, err := estimate.RestoreTrainer(s)
		wantInput(t, err, "RestoreTrainer", "estimate.RestoreTrainer", "s", -1)
		if tr != nil {
			t.Error("a trainer beside the error")
		}
	}
}

// record adds random runs, the same for the same seed; errors are part of the game.
func record(q *estimate.Requirements[string], seed uint64, steps int) {
	r := rand.New(rand.NewPCG(seed, 54))
	numbers := []float64{0, .1, .3, 7.1, -2, 1e-300, 1e60, 0x1p200}
	for range steps {
		at := task{[]string{"a", "b"}[r.IntN(2)], schedmath.Kind(r.IntN(2)), r.IntN(2)}
		var x []float64
		for range int(at.Kind) + r.IntN(20)/19 {
			x = append(x, numbers[r.IntN(len(numbers))])
		}
		if _ = q.Add(at, estimate.Run{X: x, Time: numbers[r.IntN(len(numbers))]}); r.IntN(20) == 0 {
			q.Forget([]string{"a", "b"}[r.IntN(2)])
		}
	}
}

// sameRequirements fails unless Snapshot gives back what RestoreRequirements
// has taken, which is then taken again, and the estimator goes on.
func sameRequirements(t testing.TB, s snapshot) (taken bool) {
	t.Helper()
	o := options{Window: 1 << 20, Fit: mean}
	for _, h := range s.Histories {
		o.Period = max(o.Period, h.Since+1, 2) // with smaller ones it would learn at once
	}
	restore := func(s snapshot) (*estimate.Requirements[string], error) { return estimate.RestoreRequirements(s, o) }
	a, b, taken := mutate.Restored(t, s, restore, (*estimate.Requirements[string]).Snapshot, difference)
	if !taken {
		return false
	}
	for range 2 {
		for _, h := range s.Histories {
			at := task{h.Class, h.Kind, h.Worker}
			x, err := a.Estimate(at, nil)
			must(t, err)
			if y, err := b.Estimate(at, nil); err != nil || x != y {
				t.Fatalf("an estimator restored twice from %+v answers %+v and %+v, %v", s, x, y, err)
			}
		}
		record(a, 7, 20)
		record(b, 7, 20)
	}
	last := a.Snapshot()
	if diff := cmp.Diff(last, b.Snapshot()); diff != "" {
		t.Fatalf("an estimator restored twice from %+v goes another way:\n%s", s, diff)
	}
	if _, err := restore(last); err != nil {
		t.Fatalf("restored from %+v the estimator goes on to %+v: %v", s, last, err)
	}
	return true
}

// TestRestoreRequirementsMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreRequirementsMutated(t *testing.T) {
	mutate.Snapshots(t, 1200, 55, 600, 150, func(n int, r *rand.Rand) (snapshot, func(snapshot) bool) {
		q, err := estimate.NewRequirements(options{Window: r.IntN(6), Period: r.IntN(4)})
		must(t, err)
		record(q, uint64(n), r.IntN(30))
		return q.Snapshot(), func(s snapshot) bool { return sameRequirements(t, s) }
	})
}
