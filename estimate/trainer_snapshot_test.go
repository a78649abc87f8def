package estimate_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var trainers = expect.RoundTrip[estimate.TrainerSnapshot[int], *estimate.Trainer[int]]{
	Func: "estimate.RestoreTrainer", Restore: estimate.RestoreTrainer[int], Snapshot: (*estimate.Trainer[int]).Snapshot,
	GoOn: func(t testing.TB, tr *estimate.Trainer[int], seed uint64) {
		train(tr, seed, 40)
		if mean, ok := tr.MeanTask(); ok && !(mean >= 0 && mean <= 0x1p200) || ok != (tr.Snapshot().Past.Count > 0) {
			t.Errorf("MeanTask() = %v, %t of %+v", mean, ok, tr.Snapshot())
		}
	},
}

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

func TestTrainersComeBack(t *testing.T) {
	trainers.Drawn(t, 1200, func(rng *rand.Rand) *estimate.Trainer[int] {
		tr := newTrainer[int](t, rng.IntN(6), estimate.TrainerOptions{Samples: rng.IntN(4), Limit: float64(rng.IntN(11)) / 10})
		train(tr, rng.Uint64(), rng.IntN(40))
		return tr
	})
}

// The mean of the greatest count that is taken stands.
func TestRestoredMean(t *testing.T) {
	s := estimate.TrainerSnapshot[int]{Version: 1, Samples: 1, Limit: 1, Past: estimate.PastSnapshot{Count: 1 << 53, Hi: 0x1p54}}
	tr, err := estimate.RestoreTrainer(s)
	must(t, err)
	must(t, tr.Observe(100))
	if mean, ok := tr.MeanTask(); !ok || mean != 2 {
		t.Errorf("MeanTask() = %v, %t, want 2", mean, ok)
	}
	s.Past = estimate.PastSnapshot{Count: 1, Hi: zero, Lo: zero} // a zero sum may be -0
	s.Jobs = []estimate.TrainerJobSnapshot[int]{{Tasks: 1, Samples: []estimate.SampleSnapshot{{State: estimate.SampleFinished, Duration: zero}}}}
	tr, err = estimate.RestoreTrainer(s)
	must(t, err)
	mean, ok := tr.MeanTask()
	if d := tr.Durations(nil, 0); !ok || mean != 0 || math.Signbit(mean) || len(d) != 1 || d[0] != 0 || math.Signbit(d[0]) {
		t.Errorf("MeanTask() = %v, %t, Durations = %v, want 0", mean, ok, d)
	}
}

func TestRestoreTrainerErrors(t *testing.T) {
	type snapshot = estimate.TrainerSnapshot[float64]
	good := func() snapshot {
		return snapshot{
			Version: 1, Samples: 3, Limit: 1, Slots: 9,
			Past: estimate.PastSnapshot{Count: 2, Hi: 12, Lo: 0x1p-57},
			Jobs: []estimate.TrainerJobSnapshot[float64]{
				{Key: 1, Tasks: 2, Samples: []estimate.SampleSnapshot{{State: estimate.SampleFinished, Duration: 2}}},
				{Key: 2, Tasks: 9, Samples: []estimate.SampleSnapshot{{State: estimate.SampleWaiting}, {State: estimate.SampleRunning}, {State: estimate.SampleExtrapolated, Duration: 2}}},
			},
		}
	}
	bad := expect.Spoilt[snapshot]
	r := expect.RoundTrip[snapshot, *estimate.Trainer[float64]]{Func: "estimate.RestoreTrainer", Restore: estimate.RestoreTrainer[float64]}
	r.Refuses(t, good,
		bad("no samples", -1, func(s *snapshot) { s.Samples = 0 }),
		bad("limit 0", -1, func(s *snapshot) { s.Limit = 0 }),
		bad("limit 2", -1, func(s *snapshot) { s.Limit = 2 }),
		bad("slots -1", -1, func(s *snapshot) { s.Slots = -1 }),
		bad("count beyond 2^53", -1, func(s *snapshot) { s.Past.Count = 1<<53 + 1 }),
		bad("count -1", -1, func(s *snapshot) { s.Past.Count = -1 }),
		bad("count 0 of a sum", -1, func(s *snapshot) { s.Past.Count = 0 }),
		bad("count below the finished samples", -1, func(s *snapshot) { s.Past = estimate.PastSnapshot{} }),
		bad("Hi -1", -1, func(s *snapshot) { s.Past.Hi = -1 }),
		bad("Hi above what two tasks take", -1, func(s *snapshot) { s.Past.Hi = 0x1.1p201 }),
		bad("Hi 0 below Lo", -1, func(s *snapshot) { s.Past.Hi = 0 }),
		bad("Lo too large", -1, func(s *snapshot) { s.Past.Lo = 0x1p-49 }),
		bad("key NaN", 1, func(s *snapshot) { s.Jobs[1].Key = nan }),
		bad("key twice", 1, func(s *snapshot) { s.Jobs[1].Key = 1 }),
		bad("tasks -1", 0, func(s *snapshot) { s.Jobs[0].Tasks = -1 }),
		bad("more samples than tasks", 0, func(s *snapshot) { s.Jobs[0].Tasks = 0 }),
		bad("more samples than s", 1, func(s *snapshot) { s.Samples = 2 }),
		bad("state unknown", 0, func(s *snapshot) { s.Jobs[0].Samples[0].State = estimate.SampleFinished + 1 }),
		bad("duration -1", 1, func(s *snapshot) { s.Jobs[1].Samples[2].Duration = -1 }),
		bad("duration too large", 0, func(s *snapshot) { s.Jobs[0].Samples[0].Duration = math.Nextafter(0x1p200, inf) }),
		bad("duration of a waiting sample", 1, func(s *snapshot) { s.Jobs[1].Samples[0].Duration = 1 }),
		bad("duration of a running sample", 1, func(s *snapshot) { s.Jobs[1].Samples[1].Duration = 1 }),
		bad("a waiting sample at the end", 1, func(s *snapshot) { s.Jobs[1].Samples = s.Jobs[1].Samples[:1] }),
	)
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[estimate.SampleState]string{
		estimate.SampleWaiting: "waiting", estimate.SampleRunning: "running",
		estimate.SampleExtrapolated: "extrapolated", estimate.SampleFinished: "finished",
	})
}

func FuzzRestoreTrainer(f *testing.F) {
	f.Add([]byte(`{"version":1,"samples":1,"limit":1}`))
	f.Add([]byte(`{"version":1,"samples":9223372036854775807,"limit":5e-324,"slots":9,"past":{"count":9,"hi":9,"lo":0},"jobs":[{"key":7,"tasks":5,"samples":[{"state":"finished","duration":1.6e60}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s estimate.TrainerSnapshot[int]
		if json.Unmarshal(data, &s) == nil {
			trainers.Same(t, s)
		}
	})
}
