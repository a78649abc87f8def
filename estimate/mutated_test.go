package estimate_test

import (
	"encoding/json"
	"errors"
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
	a, err := estimate.RestoreTrainer(s)
	if err != nil {
		if !errors.Is(err, schedmath.ErrInput) || a != nil {
			t.Fatalf("RestoreTrainer(%+v) = %v, %v, want an InputError", s, a, err)
		}
		return false
	}
	again := a.Snapshot()
	if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("RestoreTrainer(%+v) and its Snapshot (-want +got):\n%s", s, diff)
	}
	b, err := estimate.RestoreTrainer(again)
	if err != nil {
		t.Fatalf("RestoreTrainer refuses the Snapshot of what it has taken, %+v: %v", again, err)
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
	refused, taken := 0, 0
	for n := range 3000 {
		r := rand.New(rand.NewPCG(uint64(n), 53))
		tr := newTrainer[int](t, r.IntN(6), estimate.TrainerOptions{Samples: r.IntN(4), Limit: float64(r.IntN(11)) / 10})
		train(tr, uint64(n), r.IntN(40))
		text, err := json.Marshal(tr.Snapshot())
		must(t, err)
		for range n % 3 {
			text = mutate.JSON(text, r.IntN)
		}
		var s estimate.TrainerSnapshot[int]
		if json.Unmarshal(text, &s) != nil {
			continue
		}
		if sameTrainer(t, s) {
			taken++
		} else if refused++; n%3 == 0 {
			t.Fatalf("RestoreTrainer refuses %s", text)
		}
	}
	if taken < 1500 || refused < 500 {
		t.Errorf("%d snapshots were taken and %d refused, want 1,500 and 500", taken, refused)
	}
}

// TestRestoredCount: a count beyond 2^53 is refused, and the mean of the greatest that is taken
// stands.
func TestRestoredCount(t *testing.T) {
	s := estimate.TrainerSnapshot[int]{Version: 2, Samples: 1, Limit: 1, Past: estimate.PastSnapshot{Count: 1 << 53, Hi: 0x1p54}}
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
			q.ForgetWorker(r.IntN(3) - 1)
		}
	}
}

// sameRequirements fails unless Snapshot gives back what RestoreRequirements
// has taken, which is then taken again, and the estimator goes on.
func sameRequirements(t testing.TB, s snapshot) (taken bool) {
	t.Helper()
	o := options{Window: 1 << 20, Fit: mean}
	for _, h := range s.Histories {
		o.Every = max(o.Every, h.Since+1, 2) // with smaller ones it would learn at once
	}
	a, err := estimate.RestoreRequirements(s, o)
	if err != nil {
		if !errors.Is(err, schedmath.ErrInput) || a != nil {
			t.Fatalf("RestoreRequirements(%+v) = %v, %v, want an InputError", s, a, err)
		}
		return false
	}
	again := a.Snapshot()
	if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("RestoreRequirements(%+v) and its Snapshot (-want +got):\n%s", s, diff)
	}
	b, err := estimate.RestoreRequirements(again, o)
	if err != nil {
		t.Fatalf("RestoreRequirements refuses the Snapshot of what it has taken, %+v: %v", again, err)
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
	if _, err := estimate.RestoreRequirements(last, o); err != nil {
		t.Fatalf("restored from %+v the estimator goes on to %+v: %v", s, last, err)
	}
	return true
}

// TestRestoreRequirementsMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreRequirementsMutated(t *testing.T) {
	refused, taken := 0, 0
	for n := range 1200 {
		r := rand.New(rand.NewPCG(uint64(n), 55))
		q, err := estimate.NewRequirements(options{Window: r.IntN(6), Every: r.IntN(4)})
		must(t, err)
		record(q, uint64(n), r.IntN(30))
		text, err := json.Marshal(q.Snapshot())
		must(t, err)
		for range n % 3 {
			text = mutate.JSON(text, r.IntN)
		}
		var s snapshot
		if json.Unmarshal(text, &s) != nil {
			continue
		}
		if sameRequirements(t, s) {
			taken++
		} else if refused++; n%3 == 0 {
			t.Fatalf("RestoreRequirements refuses %s", text)
		}
	}
	if taken < 600 || refused < 150 {
		t.Errorf("%d snapshots were taken and %d refused, want 600 and 150", taken, refused)
	}
}
