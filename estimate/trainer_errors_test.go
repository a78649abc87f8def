package estimate_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/estimate"
)

func TestTrainerErrors(t *testing.T) {
	for _, c := range []struct {
		slots int
		o     estimate.TrainerOptions
		arg   string
	}{
		{-1, estimate.TrainerOptions{}, "slots"},
		{1, estimate.TrainerOptions{Samples: -1}, "o"},
		{1, estimate.TrainerOptions{Limit: nan}, "o"},
		{1, estimate.TrainerOptions{Limit: -tiny}, "o"},
		{1, estimate.TrainerOptions{Limit: math.Nextafter(1, 2)}, "o"},
		{1, estimate.TrainerOptions{Limit: inf}, "o"},
	} {
		tr, err := estimate.NewTrainer[int](c.slots, c.o)
		wantInput(t, err, "NewTrainer", "estimate.NewTrainer", c.arg, -1)
		if tr != nil {
			t.Errorf("NewTrainer(%d, %+v) = %v beside an error", c.slots, c.o, tr)
		}
	}

	tr := newTrainer[float64](t, 9, estimate.TrainerOptions{Samples: 3})
	must(t, tr.Add(1, 2))
	must(t, tr.Add(2, 7))
	for _, key := range []float64{1, 1, 2, 2, 2} {
		_, err := tr.Started(key)
		must(t, err)
	}
	must(t, tr.Finished(1, 0, 4))
	must(t, tr.Extrapolated(2, 1, 4))
	must(t, tr.Failed(2, 2))
	before := tr.Snapshot()
	_, startedUnknown := tr.Started(3)
	_, startedAll := tr.Started(1)
	for _, c := range []struct {
		call, method, arg string
		err               error
	}{
		{"Add(1, 5), present", "Add", "key", tr.Add(1, 5)},
		{"Add(NaN, 5)", "Add", "key", tr.Add(nan, 5)},
		{"Add(3, -1)", "Add", "tasks", tr.Add(3, -1)},
		{"SetCapacity(-1)", "SetCapacity", "slots", tr.SetCapacity(-1)},
		{"Started(3), unknown", "Started", "key", startedUnknown},
		{"Started(1), none waiting", "Started", "key", startedAll},
		{"Finished(3, 0, 1), unknown", "Finished", "key", tr.Finished(3, 0, 1)},
		{"Finished(NaN, 0, 1)", "Finished", "key", tr.Finished(nan, 0, 1)},
		{"Finished(1, -1, 1)", "Finished", "number", tr.Finished(1, -1, 1)},
		{"Finished(1, 2, 1)", "Finished", "number", tr.Finished(1, 2, 1)},
		{"Finished(1, 0, 1), finished", "Finished", "number", tr.Finished(1, 0, 1)},
		{"Finished(2, 2, 1), failed", "Finished", "number", tr.Finished(2, 2, 1)},
		{"Finished(1, 1, NaN)", "Finished", "duration", tr.Finished(1, 1, nan)},
		{"Finished(1, 1, +Inf)", "Finished", "duration", tr.Finished(1, 1, inf)},
		{"Finished(1, 1, -1)", "Finished", "duration", tr.Finished(1, 1, -1)},
		{"Extrapolated(3, 0, 1)", "Extrapolated", "key", tr.Extrapolated(3, 0, 1)},
		{"Extrapolated(1, 0, 1), finished", "Extrapolated", "number", tr.Extrapolated(1, 0, 1)},
		{"Extrapolated(2, 2, 1), failed", "Extrapolated", "number", tr.Extrapolated(2, 2, 1)},
		{"Extrapolated(2, 0, NaN)", "Extrapolated", "duration", tr.Extrapolated(2, 0, nan)},
		{"Extrapolated(2, 1, -1)", "Extrapolated", "duration", tr.Extrapolated(2, 1, -1)},
		{"Failed(3, 0)", "Failed", "key", tr.Failed(3, 0)},
		{"Failed(1, 0), finished", "Failed", "number", tr.Failed(1, 0)},
		{"Failed(2, 2), failed", "Failed", "number", tr.Failed(2, 2)},
		{"Failed(2, MaxInt)", "Failed", "number", tr.Failed(2, math.MaxInt)},
		{"Observe(NaN)", "Observe", "duration", tr.Observe(nan)},
		{"Observe(-1)", "Observe", "duration", tr.Observe(-1)},
	} {
		wantInput(t, c.err, c.call, "estimate.Trainer."+c.method, c.arg, -1)
	}
	if diff := cmp.Diff(before, tr.Snapshot()); diff != "" {
		t.Errorf("calls that failed changed the trainer (-before +after):\n%s", diff)
	}
}

func TestTrainerAllocations(t *testing.T) {
	tr := newTrainer[int](t, 1000, estimate.TrainerOptions{})
	for key := range 1000 {
		must(t, tr.Add(key, 1+key%50))
	}
	buffer := make([]float64, 0, 8)
	round := func() {
		key, _ := tr.Next()
		info, _ := tr.Job(key)
		for range info.Waiting {
			n, _ := tr.Started(key)
			_ = tr.Failed(key, n)
			n, _ = tr.Started(key)
			_ = tr.Extrapolated(key, n, 2)
			_ = tr.Finished(key, n, 3)
		}
		if size, ok := tr.Size(key); !ok || size != 3*float64(info.Tasks) {
			t.Fatalf("Size(%d) = %v, %v, want %d", key, size, ok, 3*info.Tasks)
		}
		buffer = tr.Durations(buffer[:0], key)
		tr.MeanTask()
		tr.Remove(key)
		_ = tr.Add(key, info.Tasks)
	}
	for range 2000 { // every index has held samples
		round()
	}
	if got := testing.AllocsPerRun(1000, round); got != 0 {
		t.Errorf("the life of a job allocates %v times, want 0", got)
	}
}
