package estimate_test

import (
	"math"
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

	// Started is a fact, limit or not; without room Room is 0.
	tr := newTrainer[int](t, 8, estimate.TrainerOptions{Limit: 0.5})
	must(t, tr.Add(1, 100))
	for n := range 5 {
		if got, err := tr.Started(1); err != nil || got != n {
			t.Errorf("Started(1) = %d, %v, want %d", got, err, n)
		}
	}
	must(t, tr.Add(2, 100))
	for slots, want := range map[int]int{8: 0, 2: 0, 11: 1} {
		must(t, tr.SetCapacity(slots))
		if _, ok := tr.Next(); ok != (want > 0) || tr.Room() != want || tr.Running() != 5 {
			t.Errorf("with %d slots: Next() = %t, Room() = %d, Running() = %d, want %t, %d, 5", slots, ok, tr.Room(), tr.Running(), want > 0, want)
		}
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

func TestTrainerErrors(t *testing.T) {
	type o = estimate.TrainerOptions
	expect.Refused(t, "estimate.NewTrainer", estimate.NewTrainer[int], nil,
		expect.Bad("slots", -1, -1, o{}),
		expect.Bad("o", -1, 1, o{Samples: -1}),
		expect.Bad("o", -1, 1, o{Limit: nan}),
		expect.Bad("o", -1, 1, o{Limit: -tiny}),
		expect.Bad("o", -1, 1, o{Limit: math.Nextafter(1, 2)}),
		expect.Bad("o", -1, 1, o{Limit: inf}))

	tr := newTrainer[float64](t, 9, o{Samples: 3})
	must(t, tr.Add(1, 2))
	must(t, tr.Add(2, 7))
	for _, key := range []float64{1, 1, 2, 2, 2} {
		_, err := tr.Started(key)
		must(t, err)
	}
	must(t, tr.Finished(1, 0, 4))
	must(t, tr.Extrapolated(2, 1, 4))
	must(t, tr.Failed(2, 2))
	refused := func(method string, f any, calls ...expect.Call) {
		t.Helper()
		expect.Refused(t, "estimate.Trainer."+method, f, func() any { return tr.Snapshot() }, calls...)
	}
	refused("Add", tr.Add, expect.Bad("key", -1, 1, 5), expect.Bad("key", -1, nan, 5), expect.Bad("tasks", -1, 3, -1))
	refused("SetCapacity", tr.SetCapacity, expect.Bad("slots", -1, -1))
	refused("Started", tr.Started, expect.Bad("key", -1, 3), expect.Bad("key", -1, 1))
	ended := []expect.Call{
		expect.Bad("key", -1, 3, 0, 1), expect.Bad("key", -1, nan, 0, 1), expect.Bad("number", -1, 1, -1, 1), expect.Bad("number", -1, 1, 2, 1),
		expect.Bad("number", -1, 1, 0, 1), expect.Bad("number", -1, 2, 2, 1), // finished, failed
		expect.Bad("duration", -1, 1, 1, nan), expect.Bad("duration", -1, 1, 1, inf), expect.Bad("duration", -1, 2, 1, -1),
	}
	refused("Finished", tr.Finished, ended...)
	refused("Extrapolated", tr.Extrapolated, ended...)
	refused("Failed", tr.Failed, expect.Bad("key", -1, 3, 0), expect.Bad("number", -1, 1, 0), expect.Bad("number", -1, 2, 2), expect.Bad("number", -1, 2, math.MaxInt))
	refused("Observe", tr.Observe, expect.Bad("duration", -1, nan), expect.Bad("duration", -1, -1))
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
