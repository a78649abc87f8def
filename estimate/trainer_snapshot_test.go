package estimate_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// sound returns a snapshot with a bit of everything.
func sound(t testing.TB) estimate.TrainerSnapshot[string] {
	tr, err := estimate.NewTrainer[string](10, estimate.TrainerOptions{Samples: 3, Limit: 0.5})
	try := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	try(err)
	try(tr.Add("b", 8))
	try(tr.Add("a", 2))
	try(tr.Add("none", 0))
	for _, key := range []string{"a", "b", "b", "b"} {
		_, err := tr.Started(key)
		try(err)
	}
	try(tr.Failed("b", 0))
	try(tr.Extrapolated("b", 1, 0.1))
	try(tr.Finished("b", 2, 1e50))
	try(tr.Observe(1.0 / 3))
	return tr.Snapshot()
}

func TestTrainerSnapshotForm(t *testing.T) {
	text, err := json.Marshal(sound(t))
	must(t, err)
	const want = `{"version":1,"samples":3,"limit":0.5,"slots":10,` +
		`"past":{"count":2,"hi":1e50,"lo":0.3333333333333333},` +
		`"jobs":[{"key":"b","tasks":8,"samples":[{"state":"waiting","duration":0},{"state":"extrapolated","duration":0.1},{"state":"finished","duration":1e50}]},` +
		`{"key":"a","tasks":2,"samples":[{"state":"running","duration":0}]},` +
		`{"key":"none","tasks":0}]}`
	var a, b any
	must(t, json.Unmarshal(text, &a))
	must(t, json.Unmarshal([]byte(want), &b))
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("snapshot (-want +got):\n%s", diff)
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
	if _, err := estimate.RestoreTrainer(good()); err != nil {
		t.Fatalf("RestoreTrainer(good) = %v", err)
	}
	for _, c := range []struct {
		name  string
		index int
		spoil func(*snapshot)
	}{
		{"no version", -1, func(s *snapshot) { s.Version = 0 }},
		{"a later version", -1, func(s *snapshot) { s.Version = 2 }},
		{"no samples", -1, func(s *snapshot) { s.Samples = 0 }},
		{"limit 0", -1, func(s *snapshot) { s.Limit = 0 }},
		{"limit NaN", -1, func(s *snapshot) { s.Limit = nan }},
		{"limit 2", -1, func(s *snapshot) { s.Limit = 2 }},
		{"slots -1", -1, func(s *snapshot) { s.Slots = -1 }},
		{"count -1", -1, func(s *snapshot) { s.Past.Count = -1 }},
		{"count 0 of a sum", -1, func(s *snapshot) { s.Past.Count = 0 }},
		{"count below the finished samples", -1, func(s *snapshot) { s.Past = estimate.PastSnapshot{} }},
		{"Hi NaN", -1, func(s *snapshot) { s.Past.Hi = nan }},
		{"Hi +Inf", -1, func(s *snapshot) { s.Past.Hi = inf }},
		{"Hi -1", -1, func(s *snapshot) { s.Past.Hi = -1 }},
		{"Hi above what two tasks take", -1, func(s *snapshot) { s.Past.Hi = 0x1.1p201 }},
		{"Hi 0 below Lo", -1, func(s *snapshot) { s.Past.Hi = 0 }},
		{"Lo NaN", -1, func(s *snapshot) { s.Past.Lo = nan }},
		{"Lo Inf", -1, func(s *snapshot) { s.Past.Lo = -inf }},
		{"Lo too large", -1, func(s *snapshot) { s.Past.Lo = 0x1p-49 }},
		{"key NaN", 1, func(s *snapshot) { s.Jobs[1].Key = nan }},
		{"key twice", 1, func(s *snapshot) { s.Jobs[1].Key = 1 }},
		{"tasks -1", 0, func(s *snapshot) { s.Jobs[0].Tasks = -1 }},
		{"more samples than tasks", 0, func(s *snapshot) { s.Jobs[0].Tasks = 0 }},
		{"more samples than s", 1, func(s *snapshot) { s.Samples = 2 }},
		{"state unknown", 0, func(s *snapshot) { s.Jobs[0].Samples[0].State = estimate.SampleFinished + 1 }},
		{"duration NaN", 0, func(s *snapshot) { s.Jobs[0].Samples[0].Duration = nan }},
		{"duration -1", 1, func(s *snapshot) { s.Jobs[1].Samples[2].Duration = -1 }},
		{"duration too large", 0, func(s *snapshot) { s.Jobs[0].Samples[0].Duration = math.Nextafter(0x1p200, inf) }},
		{"duration +Inf", 1, func(s *snapshot) { s.Jobs[1].Samples[2].Duration = inf }},
		{"duration of a waiting sample", 1, func(s *snapshot) { s.Jobs[1].Samples[0].Duration = 1 }},
		{"duration of a running sample", 1, func(s *snapshot) { s.Jobs[1].Samples[1].Duration = 1 }},
		{"a waiting sample at the end", 1, func(s *snapshot) { s.Jobs[1].Samples = s.Jobs[1].Samples[:1] }},
	} {
		s := good()
		c.spoil(&s)
		tr, err := estimate.RestoreTrainer(s)
		wantInput(t, err, "RestoreTrainer with "+c.name, "estimate.RestoreTrainer", "s", c.index)
		if tr != nil {
			t.Errorf("RestoreTrainer with %s: a trainer beside the error", c.name)
		}
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[estimate.SampleState]string{
		estimate.SampleWaiting: "waiting", estimate.SampleRunning: "running",
		estimate.SampleExtrapolated: "extrapolated", estimate.SampleFinished: "finished",
	})
}

// The order of a snapshot's jobs breaks ties as the order of Add did, a zero sum may be -0, and
// nothing is shared with the snapshot.
func TestRestoreTrainerForgiving(t *testing.T) {
	want, given := sound(t), sound(t)
	tr, err := estimate.RestoreTrainer(given)
	must(t, err)
	given.Jobs[1].Samples = nil
	given.Jobs[0].Samples[2].Duration = 5
	if diff := cmp.Diff(want, tr.Snapshot()); diff != "" {
		t.Errorf("restored, after a change of what it was restored from (-want +got):\n%s", diff)
	}
	ties := newTrainer[string](t, 1, estimate.TrainerOptions{})
	must(t, ties.Add("b", 7))
	must(t, ties.Add("a", 7))
	ties, err = estimate.RestoreTrainer(ties.Snapshot())
	must(t, err)
	must(t, ties.Add("0", 7))
	if order := waiting(ties); !slices.Equal(order, []string{"b", "a", "0"}) {
		t.Errorf("jobs of equal size wait in the order %v, want the order of Add", order)
	}

	s := estimate.TrainerSnapshot[int]{Version: 1, Samples: 1, Limit: 1, Past: estimate.PastSnapshot{Count: 1, Hi: zero, Lo: zero},
		Jobs: []estimate.TrainerJobSnapshot[int]{{Tasks: 1, Samples: []estimate.SampleSnapshot{{State: estimate.SampleFinished, Duration: zero}}}}}
	zeroSum, err := estimate.RestoreTrainer(s)
	must(t, err)
	if mean, ok := zeroSum.MeanTask(); !ok || mean != 0 || math.Signbit(mean) {
		t.Errorf("MeanTask() = %v, %v, want 0", mean, ok)
	}
	if d := zeroSum.Durations(nil, 0); len(d) != 1 || d[0] != 0 || math.Signbit(d[0]) {
		t.Errorf("Durations = %v, want [0]", d)
	}
}

// A restored trainer and its original, with awkward run times, agree to the bit for thousands of
// events.
func TestRestoredGoesOn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	a := newTrainer[int](t, 40, estimate.TrainerOptions{Samples: 4, Limit: 0.6})
	b := newTrainer[int](t, 40, estimate.TrainerOptions{Samples: 4, Limit: 0.6})
	type run struct{ key, number int }
	var running []run
	for event := range 20000 {
		if event%97 == 0 {
			var err error
			b, err = estimate.RestoreTrainer(a.Snapshot())
			must(t, err)
		}
		switch x := rng.IntN(10); {
		case x == 0:
			key, tasks := rng.IntN(200), rng.IntN(30)
			if e, f := a.Add(key, tasks), b.Add(key, tasks); (e == nil) != (f == nil) {
				t.Fatalf("Add(%d, %d) = %v, restored %v", key, tasks, e, f)
			} else if e != nil { // present: it leaves
				a.Remove(key)
				b.Remove(key)
				running = slices.DeleteFunc(running, func(x run) bool { return x.key == key })
			}
		case x < 6:
			key, ok := a.Next()
			if k, o := b.Next(); k != key || o != ok {
				t.Fatalf("Next() = %d, %v, restored %d, %v", key, ok, k, o)
			}
			if ok {
				n, _ := a.Started(key)
				if m, err := b.Started(key); err != nil || m != n {
					t.Fatalf("Started(%d) = %d, restored %d, %v", key, n, m, err)
				}
				running = append(running, run{key, n})
			}
		case len(running) > 0:
			i := rng.IntN(len(running))
			r := running[i]
			d := math.Exp(10 * rng.NormFloat64())
			var e, f error
			switch {
			case x == 6:
				e, f = a.Failed(r.key, r.number), b.Failed(r.key, r.number)
			case x == 7:
				e, f = a.Extrapolated(r.key, r.number, d), b.Extrapolated(r.key, r.number, d)
			default:
				e, f = a.Finished(r.key, r.number, d), b.Finished(r.key, r.number, d)
			}
			must(t, e)
			must(t, f)
			if x != 7 {
				running = slices.Delete(running, i, i+1)
			}
			s, ok := a.Size(r.key)
			if z, o := b.Size(r.key); z != s || o != ok {
				t.Fatalf("Size(%d) = %v, %v, restored %v, %v", r.key, s, ok, z, o)
			}
			m, _ := a.MeanTask()
			if n, _ := b.MeanTask(); n != m {
				t.Fatalf("MeanTask() = %v, restored %v", m, n)
			}
			if ok && rng.IntN(2) == 0 {
				a.Remove(r.key)
				b.Remove(r.key)
				running = slices.DeleteFunc(running, func(x run) bool { return x.key == r.key })
			}
		}
	}
	if a.Len() == 0 || len(running) == 0 {
		t.Errorf("the run ended with %d jobs and %d samples running: it tested little", a.Len(), len(running))
	}
	if diff := cmp.Diff(a.Snapshot(), b.Snapshot()); diff != "" {
		t.Errorf("snapshots at the end (-original +restored):\n%s", diff)
	}
}

func FuzzRestoreTrainer(f *testing.F) {
	seed, err := json.Marshal(sound(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"version":1,"samples":1,"limit":1}`))
	f.Add([]byte(`{"version":1,"samples":9223372036854775807,"limit":5e-324,"slots":9,"past":{"count":9,"hi":9,"lo":0},"jobs":[{"key":"","tasks":5,"samples":[{"state":"finished","duration":1.6e60}]}]}`))
	f.Add([]byte(`{"version":1,"samples":2,"limit":1,"slots":2,"jobs":[{"key":"x","tasks":2,"samples":[{"state":"waiting"}]}]}`))
	f.Add([]byte(`{"version":1,"samples":2,"limit":1,"slots":-1,"past":{"count":1,"hi":-0.5}}`))
	f.Add([]byte(`{"version":1,"samples":1,"limit":1,"past":{"count":9223372036854775807,"hi":1e30},"jobs":[{"key":1,"tasks":2}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var whole estimate.TrainerSnapshot[int]
		if json.Unmarshal(data, &whole) == nil {
			sameTrainer(t, whole)
		}
		var s estimate.TrainerSnapshot[string]
		if json.Unmarshal(data, &s) != nil {
			return
		}
		tr, err := estimate.RestoreTrainer(s)
		if err != nil {
			return
		}
		// What was accepted is written again the same, but for signs of zeros, which == does not
		// see.
		again := tr.Snapshot()
		if len(again.Jobs) != len(s.Jobs) || again.Past != s.Past || again.Slots != s.Slots || again.Limit != s.Limit {
			t.Fatalf("Snapshot() = %+v, restored from %+v", again, s)
		}
		for i := range s.Jobs {
			if a, b := again.Jobs[i], s.Jobs[i]; a.Key != b.Key || a.Tasks != b.Tasks || !slices.Equal(a.Samples, b.Samples) {
				t.Fatalf("Snapshot().Jobs[%d] = %+v, restored from %+v", i, a, b)
			}
		}
		// It works: everything can be started, finished, sized and removed.
		if mean, ok := tr.MeanTask(); ok && !(mean >= 0 && mean <= huge) {
			t.Fatalf("MeanTask() = %v of %+v", mean, s.Past)
		}
		for _, j := range s.Jobs {
			for range min(3, j.Tasks) {
				if n, err := tr.Started(j.Key); err == nil {
					must(t, tr.Finished(j.Key, n, 1))
				}
			}
			if size, ok := tr.Size(j.Key); ok && !(size >= 0 && size <= huge) {
				t.Fatalf("Size(%q) = %v", j.Key, size)
			}
			if !tr.Remove(j.Key) {
				t.Fatalf("Remove(%q) = false", j.Key)
			}
		}
		if tr.Len() != 0 || tr.Running() != 0 {
			t.Fatalf("all removed: Len() = %d, Running() = %d", tr.Len(), tr.Running())
		}
	})
}

func TestSnapshotVersion(t *testing.T) {
	text := []byte(`{"Version": 99}`)
	var trainer estimate.TrainerSnapshot[int]
	var requirements estimate.RequirementsSnapshot[int]
	if err := errors.Join(json.Unmarshal(text, &trainer), json.Unmarshal(text, &requirements)); err != nil {
		t.Fatal(err)
	}
	_, err := estimate.RestoreTrainer(trainer)
	expect.InputError(t, "a later version", err, "estimate.RestoreTrainer", "s", -1)
	_, err = estimate.RestoreRequirements(requirements, estimate.RequirementOptions[int]{})
	expect.InputError(t, "a later version", err, "estimate.RestoreRequirements", "s", -1)
}
