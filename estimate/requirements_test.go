package estimate_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

type (
	task     = estimate.Task[string]
	options  = estimate.RequirementOptions[string]
	snapshot = estimate.RequirementsSnapshot[string]
)

// mean is a Fit whose predictors show what they were given: the mean time of the runs, scaled by
// the question. It spoils the runs.
func mean(runs []estimate.Run) estimate.Predict {
	sum := 0.0
	for i, r := range runs {
		sum += r.Time
		for j := range r.X {
			sum += r.X[j] / float64(7+j)
			r.X[j] = -1
		}
		runs[i] = estimate.Run{}
	}
	return func(x []float64) estimate.Guess {
		value := sum / float64(len(runs))
		for j := range x {
			value += math.Pow(10, float64(j)) * x[j]
		}
		return estimate.Guess{Value: value, Low: -inf, High: inf, Known: true, Outside: len(x) > 0 && x[0] > 5}
	}
}

// listed is one run of a plain list of all that happened.
type listed struct {
	task task
	run  estimate.Run
}

// plainRequirement answers from the list of all runs, with the modes of the features.
func plainRequirement(all []listed, o options, t task, x []float64) (r estimate.Requirement, modes []float64) {
	window := 1000
	if o.Window > 0 {
		window = o.Window
	}
	for _, pooled := range []bool{false, true} {
		var runs []estimate.Run
		for _, x := range all {
			if x.task.Class == t.Class && x.task.Kind == t.Kind && (pooled || x.task.Worker == t.Worker) {
				runs = append(runs, x.run)
			}
		}
		if n := len(runs); o.Period > 0 && n > o.Period {
			runs = runs[:n/o.Period*o.Period]
		}
		runs = runs[max(0, len(runs)-window):]
		if len(runs) == 0 {
			continue
		}
		for j := range runs[0].X {
			var values []float64
			for _, r := range runs {
				values = append(values, r.X[j])
			}
			m := estimate.ModeOptions{}
			if j < len(o.Modes) {
				m = o.Modes[j]
			}
			mode, _ := estimate.ModeOf(values, m)
			modes = append(modes, mode)
		}
		r := estimate.Requirement{Runs: len(runs), Worker: t.Worker, P95: plainQuantile(runs, .95)}
		if pooled {
			r.Worker = estimate.AllWorkers
		}
		r.Time = estimate.Guess{Value: plainQuantile(runs, .5), Known: true}
		if o.Fit != nil {
			var copies []estimate.Run
			for _, r := range runs {
				copies = append(copies, estimate.Run{X: slices.Clone(r.X), Time: r.Time})
			}
			r.Time = o.Fit(copies)(append(slices.Clone(x), modes[len(x):]...))
		}
		return r, modes
	}
	if o.Prior != nil {
		return estimate.Requirement{Time: o.Prior(t, x)}, nil
	}
	return estimate.Requirement{}, nil
}

// plainQuantile asks each run time whether enough of the runs are at or below it.
func plainQuantile(runs []estimate.Run, p float64) float64 {
	best := inf
	for _, c := range runs {
		below := 0.0
		for _, r := range runs {
			if r.Time <= c.Time {
				below++
			}
		}
		if below >= p*float64(len(runs))*(1-1e-12) {
			best = min(best, c.Time)
		}
	}
	return best
}

// TestRequirements drives an estimator beside a plain list, restores it from its snapshot now and
// then, and forgets.
func TestRequirements(t *testing.T) {
	counts := map[[3]bool]int{} // known, by runs, by those of one worker
	property := func(t *rapid.T) {
		whole := func(most int, name string) float64 { return float64(rapid.IntRange(0, most).Draw(t, name)) }
		o := options{
			Window: rapid.IntRange(0, 6).Draw(t, "window"),
			Period: rapid.IntRange(0, 4).Draw(t, "every"),
			Modes:  []estimate.ModeOptions{{Bins: 4}, {Lo: 0, Hi: 10}},
		}
		if rapid.Bool().Draw(t, "fit") {
			o.Fit = mean
		}
		if rapid.Bool().Draw(t, "prior") {
			o.Prior = func(t task, x []float64) estimate.Guess {
				return estimate.Guess{Value: float64(len(x) + t.Worker + 9), Known: true}
			}
		}
		given := o
		given.Modes = slices.Clone(o.Modes)
		q, err := estimate.NewRequirements(given)
		must(t, err)
		given.Modes[0] = estimate.ModeOptions{} // that is the caller's
		features := rapid.IntRange(0, 3).Draw(t, "features")
		vector := func(n int) (x []float64) {
			for range n {
				x = append(x, whole(100, "x")/10)
			}
			return x
		}
		var all []listed
		draw := func(least int) task {
			return task{rapid.SampledFrom([]string{"a", "b"}).Draw(t, "class"), schedmath.Kind(rapid.IntRange(0, 1).Draw(t, "kind")), rapid.IntRange(least, 2).Draw(t, "worker")}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 20).Draw(t, "step"); {
			case step < 12:
				x := listed{draw(0), estimate.Run{X: vector(features), Time: whole(30, "time")}}
				kept := slices.Clone(x.run.X)
				must(t, q.Add(x.task, x.run))
				clear(x.run.X)
				x.run.X = kept
				all = append(all, x)
			case step == 12:
				class := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "class")
				before := len(all)
				all = slices.DeleteFunc(all, func(x listed) bool { return x.task.Class == class })
				if got := q.Forget(class); got != (len(all) < before) {
					t.Fatalf("Forget(%q) = %t with %d runs of it", class, got, before-len(all))
				}
			case step == 13:
				s := q.Snapshot()
				text, err := json.Marshal(s)
				must(t, err)
				var back snapshot
				must(t, json.Unmarshal(text, &back))
				if q, err = estimate.RestoreRequirements(back, o); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(s, q.Snapshot()); diff != "" {
					t.Fatalf("a snapshot of what was restored differs (-want +got):\n%s", diff)
				}
			default:
				at, x := draw(-1), vector(rapid.IntRange(0, features).Draw(t, "known"))
				got, err := q.Estimate(at, x)
				want, modes := plainRequirement(all, o, at, x)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Fatalf("Estimate(%+v, %v) after %v: %v (-want +got):\n%s", at, x, all, err, diff)
				}
				if got := q.Modes(nil, at); !slices.Equal(got, modes) {
					t.Fatalf("modes of %+v after %v = %v, want %v", at, all, got, modes)
				}
				counts[[3]bool{got.Time.Known, got.Runs > 0, got.Runs > 0 && got.Worker != estimate.AllWorkers}]++
			}
		}
	}
	rapid.Check(t, property)
	clear(counts)
	drawn.Counted(t, 100, property)
	if len(counts) < 4 {
		t.Errorf("answers %v were drawn, want them unknown, by the prior, a class and a worker", counts)
	}
}

// TestPeriod: with Period 3 a history learns its first three runs one by one and every third
// from there, whether it is asked or not, and whatever else the options say of a snapshot.
func TestPeriod(t *testing.T) {
	at, calls := task{"a", schedmath.Map, 0}, 0
	o := options{Period: 3, Window: 4, Fit: func(runs []estimate.Run) estimate.Predict {
		calls++
		return func([]float64) estimate.Guess {
			return estimate.Guess{Value: 100*runs[0].Time + runs[len(runs)-1].Time, Known: true}
		}
	}}
	q, err := estimate.NewRequirements(o)
	must(t, err)
	idle, err := estimate.NewRequirements(o)
	must(t, err)
	for i, want := range []float64{101, 102, 103, 103, 103, 306, 306, 306, 609, 609} {
		must(t, q.Add(at, estimate.Run{Time: float64(i + 1)}))
		must(t, idle.Add(at, estimate.Run{Time: float64(i + 1)}))
		for range 2 {
			if got, err := q.Estimate(at, nil); err != nil || got.Time.Value != want {
				t.Errorf("Estimate after %d runs = %+v, %v, want %v", i+1, got, err, want)
			}
		}
	}
	if calls != 5 {
		t.Errorf("Fit was called %d times, want 5", calls)
	}
	if got, err := idle.Estimate(at, nil); err != nil || got.Time.Value != 609 {
		t.Errorf("Estimate, asked for the first time after 10 runs, = %+v, %v, want 609", got, err)
	}
	s := q.Snapshot()
	if h := s.Histories[0]; len(h.Runs) != 6 || h.Runs[0].Time != 5 || h.Since != 1 {
		t.Errorf("Snapshot has %+v, want the runs 5 to 10 and Since 1", h)
	}
	for every, want := range map[int]float64{0: 710, 1: 710, 2: 609, 3: 609, 50: 609} {
		o.Period = every
		r, err := estimate.RestoreRequirements(s, o)
		must(t, err)
		if got, err := r.Estimate(at, nil); err != nil || got.Time.Value != want {
			t.Errorf("restored with Period %d: Estimate = %+v, %v, want %v", every, got, err, want)
		}
	}
}

// What a predictor says that is no time counts as unknown, and the next history, or the prior, is asked.
func TestRequirementsOddPredictors(t *testing.T) {
	at := task{"a", schedmath.Map, 0}
	for name, g := range map[string]estimate.Guess{"unknown": {Value: 3}, "NaN": {Value: nan, Known: true}, "negative": {Value: -1, Known: true}, "infinite": {Value: inf, Known: true},
		"outside its interval": {Value: 3, Low: 4, High: 5, Known: true}, "an interval of NaN": {Value: 3, Low: nan, High: 5, Known: true}} {
		q, err := estimate.NewRequirements(options{
			Fit:   func([]estimate.Run) estimate.Predict { return func([]float64) estimate.Guess { return g } },
			Prior: func(task, []float64) estimate.Guess { return estimate.Guess{Value: 5, Known: true} },
		})
		must(t, err)
		must(t, q.Add(at, estimate.Run{Time: 2}))
		if got, err := q.Estimate(at, nil); err != nil || got != (estimate.Requirement{Time: estimate.Guess{Value: 5, Known: true}}) {
			t.Errorf("%s: Estimate = %+v, %v, want the prior", name, got, err)
		}
		if q, err = estimate.NewRequirements(options{Prior: func(task, []float64) estimate.Guess { return g }}); err != nil {
			t.Fatal(err)
		}
		if got, err := q.Estimate(at, nil); err != nil || got != (estimate.Requirement{}) {
			t.Errorf("%s as a prior: Estimate = %+v, %v, want the zero answer", name, got, err)
		}
	}
	for _, g := range []estimate.Guess{{Value: 3, Low: 3, High: 4, Known: true}, {Value: 3, Low: 2, High: 3, Known: true}, {Value: 0x1p200, Known: true}} {
		q, err := estimate.NewRequirements(options{Prior: func(task, []float64) estimate.Guess { return g }})
		must(t, err)
		if got, err := q.Estimate(at, nil); err != nil || got.Time != g {
			t.Errorf("a prior at the end of its interval: Estimate = %+v, %v, want %+v", got, err, g)
		}
	}
	q, err := estimate.NewRequirements(options{Fit: func([]estimate.Run) estimate.Predict { return nil }})
	must(t, err)
	must(t, q.Add(at, estimate.Run{Time: 2}))
	if got, err := q.Estimate(at, nil); err != nil || got.Time.Known {
		t.Errorf("Estimate with a Fit that returns nil = %+v, %v, want unknown", got, err)
	}
	q, err = estimate.NewRequirements(options{Modes: []estimate.ModeOptions{{Lo: 0, Hi: 1}}})
	must(t, err)
	for _, cpu := range []float64{7, 3, 5} {
		must(t, q.Add(at, estimate.Run{X: []float64{cpu}}))
	}
	if got := q.Modes(nil, at); !slices.Equal(got, []float64{5}) {
		t.Errorf("modes with all values outside the range = %v, want the median 5", got)
	}
}

// TestRequirementsLimits: what lies at the end of a range is taken.
func TestRequirementsLimits(t *testing.T) {
	q, err := estimate.NewRequirements(options{Window: 1<<30 - 1, Period: 1<<30 - 1})
	must(t, err)
	at := task{"a", schedmath.Reduce, 0}
	must(t, q.Add(at, estimate.Run{X: []float64{0x1p200, -0x1p200}, Time: 0x1p200}))
	modes := q.Modes(nil, at)
	got, err := q.Estimate(at, modes)
	if err != nil || !slices.Equal(modes, []float64{0x1p200, -0x1p200}) || got.Time.Value != 0x1p200 {
		t.Errorf("Modes = %v and Estimate = %+v, %v, want 2^200, -2^200 and a time of 2^200", modes, got, err)
	}
}

func TestRequirementsErrors(t *testing.T) {
	type (
		o        = estimate.RequirementOptions[float64]
		snapshot = estimate.RequirementsSnapshot[float64]
		asked    = estimate.Task[float64]
	)
	for _, bad := range []o{{Window: -1}, {Window: math.MaxInt32}, {Period: -1}, {Period: math.MaxInt32},
		{Modes: []estimate.ModeOptions{{Bins: -1}}}, {Modes: []estimate.ModeOptions{{}, {Lo: 2, Hi: 1}}}} {
		expect.Refused(t, "estimate.NewRequirements", estimate.NewRequirements[float64], nil, expect.Bad("o", len(bad.Modes)-1, bad))
		expect.Refused(t, "estimate.RestoreRequirements", estimate.RestoreRequirements[float64], nil, expect.Bad("o", len(bad.Modes)-1, snapshot{Version: 1}, bad))
	}
	var q estimate.Requirements[float64]
	good := asked{Class: 1, Kind: schedmath.Reduce, Worker: 2}
	elsewhere := asked{Class: 1, Kind: schedmath.Reduce, Worker: 9}
	must(t, q.Add(good, estimate.Run{X: []float64{1, 2}, Time: 3}))
	add := []expect.Call{expect.Bad("t", -1, asked{Worker: estimate.AllWorkers}, estimate.Run{})}
	ask := []expect.Call{expect.Bad("x", -1, elsewhere, []float64{1, 2, 3})}
	for _, at := range []asked{{Class: nan}, {Kind: 2}, {Worker: -2}} {
		add = append(add, expect.Bad("t", -1, at, estimate.Run{}))
		ask = append(ask, expect.Bad("t", -1, at, nil))
	}
	for _, bad := range []float64{nan, -1, inf, -huge, huge} {
		add = append(add, expect.Bad("r", -1, good, estimate.Run{X: []float64{1, 2}, Time: bad}))
		if bad == -1 {
			continue // a feature may be negative
		}
		for i, x := range [][]float64{{bad, 0}, {0, bad}} {
			add = append(add, expect.Bad("r", -1, good, estimate.Run{X: x}))
			ask = append(ask, expect.Bad("x", i, good, x))
		}
	}
	for _, x := range [][]float64{nil, {1}, {1, 2, 3}} {
		add = append(add, expect.Bad("r", -1, good, estimate.Run{X: x}), expect.Bad("r", -1, elsewhere, estimate.Run{X: x}))
	}
	kept := func() any { return q.Snapshot() }
	expect.Refused(t, "estimate.Requirements.Add", q.Add, kept, add...)
	expect.Refused(t, "estimate.Requirements.Estimate", q.Estimate, kept, ask...)
	for index, list := range [2][]func(*estimate.HistorySnapshot[float64]){{
		func(h *estimate.HistorySnapshot[float64]) { h.Since = -1 },
		func(h *estimate.HistorySnapshot[float64]) { h.Class = nan },
	}, {
		func(h *estimate.HistorySnapshot[float64]) { h.Since = 1 },
		func(h *estimate.HistorySnapshot[float64]) { h.Runs = append(h.Runs, estimate.Run{X: []float64{1}}) },
		func(h *estimate.HistorySnapshot[float64]) { h.Runs = nil },
		func(h *estimate.HistorySnapshot[float64]) { h.Kind = 2 },
		func(h *estimate.HistorySnapshot[float64]) { h.Worker = -2 },
		func(h *estimate.HistorySnapshot[float64]) { h.Worker = q.Snapshot().Histories[0].Worker },
	}} {
		for _, spoil := range list {
			s := q.Snapshot()
			spoil(&s.Histories[index])
			expect.Refused(t, "estimate.RestoreRequirements", estimate.RestoreRequirements[float64], nil, expect.Bad("s", index, s, o{}))
		}
	}
}

var requirements = expect.RoundTrip[snapshot, *estimate.Requirements[string]]{
	Func: "estimate.RestoreRequirements",
	Restore: func(s snapshot) (*estimate.Requirements[string], error) {
		return estimate.RestoreRequirements(s, options{Window: 1 << 20, Period: 1 << 29, Fit: mean}) // with a short Period it would learn at once
	},
	Snapshot: (*estimate.Requirements[string]).Snapshot,
	GoOn:     func(_ testing.TB, q *estimate.Requirements[string], seed uint64) { record(q, seed, 20) },
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

func TestRequirementsComeBack(t *testing.T) {
	requirements.Drawn(t, 600, func(rng *rand.Rand) *estimate.Requirements[string] {
		q, err := estimate.NewRequirements(options{Window: rng.IntN(6), Period: rng.IntN(4)})
		must(t, err)
		record(q, rng.Uint64(), rng.IntN(30))
		return q
	})
}

// FuzzRestoreRequirements restores what any text decodes to; what is accepted has the snapshot that
// it was made from.
func FuzzRestoreRequirements(f *testing.F) {
	f.Add([]byte(`{"version":2,"histories":[{"class":"a","kind":1,"worker":-1,"runs":[{"x":[1,2,3],"time":4},{"x":[2,3,4],"time":5}],"since":1}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s snapshot
		if json.Unmarshal(text, &s) != nil {
			return
		}
		requirements.Same(t, s)
	})
}

// Asking allocates nothing while the histories stand.
func TestEstimateAllocates(t *testing.T) {
	q, err := estimate.NewRequirements(options{})
	must(t, err)
	at := task{"a", schedmath.Map, 1}
	for i := range 50 {
		must(t, q.Add(at, estimate.Run{X: []float64{1, 2, 3}, Time: float64(i)}))
	}
	x := []float64{2}
	_, err = q.Estimate(at, x)
	must(t, err)
	if n := testing.AllocsPerRun(100, func() { _, err = q.Estimate(at, x) }); n != 0 || err != nil {
		t.Errorf("Estimate allocates %v times, %v, want 0", n, err)
	}
}
