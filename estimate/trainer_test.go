package estimate_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var must = expect.Must

func newTrainer[K comparable](t *testing.T, slots int, o estimate.TrainerOptions) *estimate.Trainer[K] {
	t.Helper()
	tr, err := estimate.NewTrainer[K](slots, o)
	must(t, err)
	return tr
}

// start starts a sample of the job that Next names, which must be want.
func start(t *testing.T, tr *estimate.Trainer[string], want string, number int) {
	t.Helper()
	key, ok := tr.Next()
	if !ok || key != want {
		t.Fatalf("Next() = %q, %v, want %q", key, ok, want)
	}
	if n, err := tr.Started(key); err != nil || n != number {
		t.Fatalf("Started(%q) = %d, %v, want %d", key, n, err, number)
	}
}

func TestTrainerLife(t *testing.T) {
	tr := newTrainer[string](t, 4, estimate.TrainerOptions{})
	must(t, tr.Add("large", 100))
	must(t, tr.Add("a", 3)) // before b
	must(t, tr.Add("b", 3))
	if tr.Done("a") || tr.Done("nobody") {
		t.Error("Done before any sample, want false")
	}

	// Fewest tasks first, ties by the order of Add; a job of s tasks or fewer runs all of them as
	// samples.
	start(t, tr, "a", 0)
	start(t, tr, "a", 1)
	start(t, tr, "a", 2)
	start(t, tr, "b", 0)
	if key, ok := tr.Next(); ok {
		t.Errorf("Next() = %q on a full cluster, want none", key)
	}
	must(t, tr.Finished("a", 1, 10))
	start(t, tr, "b", 1)
	must(t, tr.Failed("b", 0)) // its number is the next to be given out
	start(t, tr, "b", 0)
	must(t, tr.Finished("a", 0, 20))
	must(t, tr.Finished("a", 2, 30))
	if size, ok := tr.Size("a"); !ok || size != 60 || !tr.Done("a") {
		t.Errorf("Size(a) = %v, %v, want 60", size, ok)
	}
	start(t, tr, "b", 2)
	start(t, tr, "large", 0)

	// The job leaves: the samples of b no longer count.
	if !tr.Remove("b") || tr.Remove("b") {
		t.Error("Remove(b) twice: want true, then false")
	}
	if tr.Running() != 1 || tr.Room() != 3 {
		t.Errorf("Running() = %d, Room() = %d, want 1 and 3", tr.Running(), tr.Room())
	}
	if mean, ok := tr.MeanTask(); !ok || mean != 20 {
		t.Errorf("MeanTask() = %v, %v, want 20", mean, ok)
	}
	must(t, tr.Observe(60))
	if mean, ok := tr.MeanTask(); !ok || mean != 30 {
		t.Errorf("MeanTask() = %v, %v, want 30", mean, ok)
	}
	if got, ok := tr.Job("large"); !ok || got != (estimate.Training{Tasks: 100, Samples: 5, Waiting: 4, Running: 1}) {
		t.Errorf("Job(large) = %+v, %v", got, ok)
	}
	if _, ok := tr.Job("b"); ok || tr.Len() != 2 {
		t.Errorf("Job(b) found after Remove, Len() = %d", tr.Len())
	}
}

// A REDUCE phase: slow samples get an extrapolated time at the timeout, and their true one later.
func TestTrainerExtrapolated(t *testing.T) {
	tr := newTrainer[string](t, 2, estimate.TrainerOptions{Samples: 2})
	must(t, tr.Add("r", 10))
	start(t, tr, "r", 0)
	start(t, tr, "r", 1)
	must(t, tr.Finished("r", 1, 8))
	late, err := estimate.Extrapolate(10, 0.25)
	must(t, err)
	must(t, tr.Extrapolated("r", 0, 1))
	must(t, tr.Extrapolated("r", 0, late))
	if size, ok := tr.Size("r"); !ok || size != 240 { // (40 + 8) / 2 * 10
		t.Errorf("Size(r) = %v, %v, want 240", size, ok)
	}
	if tr.Running() != 1 {
		t.Errorf("Running() = %d with an extrapolated sample, want 1: its task still runs", tr.Running())
	}
	if mean, ok := tr.MeanTask(); !ok || mean != 8 {
		t.Errorf("MeanTask() = %v, %v, want 8: an extrapolated time is no past task", mean, ok)
	}
	if got := tr.Durations([]float64{-1}, "r"); !slices.Equal(got, []float64{-1, 40, 8}) {
		t.Errorf("Durations = %v, want [-1 40 8]", got)
	}
	must(t, tr.Finished("r", 0, 32))
	if size, ok := tr.Size("r"); !ok || size != 200 || tr.Running() != 0 {
		t.Errorf("Size(r) = %v, %v, want 200", size, ok)
	}

	// A failure forgets the extrapolated time and the job is no longer done.
	must(t, tr.Add("q", 1))
	start(t, tr, "q", 0)
	must(t, tr.Extrapolated("q", 0, 5))
	if !tr.Done("q") {
		t.Error("Done(q) = false with all samples extrapolated, want true")
	}
	must(t, tr.Failed("q", 0))
	if size, ok := tr.Size("q"); ok || tr.Done("q") || len(tr.Durations(nil, "q")) != 0 {
		t.Errorf("Size(q) = %v, %v after Failed, want none", size, ok)
	}
	start(t, tr, "q", 0)
}

func TestTrainerLimit(t *testing.T) {
	for _, c := range []struct {
		slots int
		limit float64
		want  int // the least integer >= limit * slots: running < limit * slots allows one more
	}{
		{0, 1, 0}, {1, 1, 1}, {72, 0, 72}, {72, 1, 72}, {72, 0.5, 36}, {36, 0.1, 4}, {10, 0.01, 1}, {100, 0.07, 7},
		{100, 0.29, 29}, {1000, 0.001, 1}, {3, 1.0 / 3, 1}, {1, tiny, 1}, {49, 1.0 / 49, 1},
		{math.MaxInt, 1, math.MaxInt}, {7, math.Nextafter(1, 0), 7},
	} {
		tr := newTrainer[int](t, c.slots, estimate.TrainerOptions{Limit: c.limit})
		if got := tr.Room(); got != c.want {
			t.Errorf("Room() with %d slots and limit %v = %d, want %d", c.slots, c.limit, got, c.want)
		}
	}
	// Every whole percentage of every cluster size allows what integer arithmetic says.
	for slots := range 300 {
		for percent := 1; percent <= 100; percent++ {
			tr := newTrainer[int](t, slots, estimate.TrainerOptions{Limit: float64(percent) / 100})
			if got, want := tr.Room(), (slots*percent+99)/100; got != want {
				t.Fatalf("Room() with %d slots and limit %d%% = %d, want %d", slots, percent, got, want)
			}
		}
	}

	tr := newTrainer[int](t, 8, estimate.TrainerOptions{Limit: 0.5})
	must(t, tr.Add(1, 100))
	for range 4 {
		if _, ok := tr.Next(); !ok {
			t.Fatal("Next() = none below the limit")
		}
		_, err := tr.Started(1)
		must(t, err)
	}
	if _, ok := tr.Next(); ok {
		t.Error("Next() names a job at the limit")
	}
	if n, err := tr.Started(1); err != nil || n != 4 { // a fact, limit or not
		t.Errorf("Started(1) beyond the limit = %d, %v, want 4", n, err)
	}
	must(t, tr.Add(2, 100))
	must(t, tr.SetCapacity(2))
	if _, ok := tr.Next(); ok || tr.Room() != 0 || tr.Running() != 5 {
		t.Errorf("after SetCapacity(2): Room() = %d, Running() = %d, want 0 and 5", tr.Room(), tr.Running())
	}
	must(t, tr.SetCapacity(11))
	if key, ok := tr.Next(); !ok || key != 2 || tr.Room() != 1 {
		t.Errorf("after SetCapacity(11): Next() = %d, %v, Room() = %d, want 2, true, 1", key, ok, tr.Room())
	}
}

func TestTrainerWaiting(t *testing.T) {
	tr := newTrainer[int](t, 0, estimate.TrainerOptions{}) // whatever the limit
	var want []int
	for i := range 200 {
		key := i * 77 % 200
		must(t, tr.Add(key, 1+key%7))
	}
	for tasks := 1; tasks <= 7; tasks++ {
		for i := range 200 {
			if key := i * 77 % 200; key%7 == tasks-1 {
				want = append(want, key)
			}
		}
	}
	if got := waiting(tr); !slices.Equal(got, want) {
		t.Errorf("jobs come in the order %v, want %v", got, want)
	}
}

// waiting lists the jobs with samples waiting in the order of Next, whatever the limit.
func waiting[K comparable](t *estimate.Trainer[K]) (keys []K) {
	t, err := estimate.RestoreTrainer(t.Snapshot())
	if err == nil {
		err = t.SetCapacity(1 << 30)
	}
	if err != nil {
		panic(err)
	}
	for key, ok := t.Next(); ok; key, ok = t.Next() {
		keys = append(keys, key)
		t.Remove(key)
	}
	return keys
}

func TestTrainerEdges(t *testing.T) {
	var zeroValue estimate.Trainer[string] // no slots, HFSP's settings
	must(t, zeroValue.Add("x", 9))
	if _, ok := zeroValue.Next(); ok || zeroValue.Room() != 0 || zeroValue.Remove("y") {
		t.Error("a zero Trainer without slots names a job")
	}
	must(t, zeroValue.SetCapacity(1))
	start(t, &zeroValue, "x", 0)
	if _, ok := zeroValue.MeanTask(); ok {
		t.Error("MeanTask() before any task, want none")
	}

	tr := newTrainer[string](t, 10, estimate.TrainerOptions{Samples: math.MaxInt})
	must(t, tr.Add("empty", 0))
	if size, ok := tr.Size("empty"); !ok || size != 0 || !tr.Done("empty") {
		t.Errorf("Size of a job without tasks = %v, %v, want 0, true", size, ok)
	}
	if _, ok := tr.Next(); ok {
		t.Error("a job without tasks waits for a sample")
	}
	// memory grows with the samples started, not with those to be started
	must(t, tr.Add("many", math.MaxInt))
	must(t, tr.Add("one", 1))
	start(t, tr, "one", 0)
	start(t, tr, "many", 0)
	must(t, tr.Finished("one", 0, zero))
	if size, ok := tr.Size("one"); !ok || size != 0 || math.Signbit(size) {
		t.Errorf("Size(one) = %v, %v, want 0", size, ok)
	}
	if d := tr.Durations([]float64{1}, "nobody"); len(d) != 1 {
		t.Errorf("Durations([1], nobody) = %v, want [1]", d)
	}
	if d := tr.Durations(nil, "one"); len(d) != 1 || math.Signbit(d[0]) {
		t.Errorf("Durations(one) = %v, want [0]", d)
	}

	big := newTrainer[float64](t, 10, estimate.TrainerOptions{Samples: 1})
	must(t, big.Add(math.Inf(-1), math.MaxInt)) // an infinite key is a key
	must(t, big.Add(2, math.MaxInt-1))          // both numbers of tasks are the same float64
	if key, ok := big.Next(); !ok || key != 2 {
		t.Errorf("Next() = %v, %v, want 2, which has a task less", key, ok)
	}
	n, err := big.Started(2)
	must(t, err)
	must(t, big.Finished(2, n, most))
	if size, ok := big.Size(2); ok || !big.Done(2) {
		t.Errorf("Size beyond 2^200 = %v, %v, want none", size, ok)
	}
	for range 3 {
		must(t, big.Observe(most))
	}
	if mean, ok := big.MeanTask(); !ok || mean != most {
		t.Errorf("MeanTask() = %v, %v, want %v", mean, ok, most)
	}
}

// A key can be any comparable value: a job and its phase, say.
func TestTrainerStructKeys(t *testing.T) {
	type phase struct {
		job  string
		kind int
	}
	tr := newTrainer[phase](t, 2, estimate.TrainerOptions{})
	must(t, tr.Add(phase{"b", 1}, 4))
	must(t, tr.Add(phase{"b", 0}, 4))
	must(t, tr.Add(phase{"a", 0}, 4))
	if got, want := waiting(tr), []phase{{"b", 1}, {"b", 0}, {"a", 0}}; !slices.Equal(got, want) {
		t.Errorf("jobs come in the order %v, want that of Add, %v", got, want)
	}
	tr.Remove(phase{"b", 1})
	must(t, tr.Add(phase{"b", 1}, 4)) // last now, though it has its old place in memory
	if key, ok := tr.Next(); !ok || key != (phase{"b", 0}) {
		t.Errorf("Next() = %v, %v, want {b 0}", key, ok)
	}
}
