package estimate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/estimate"
)

type (
	task     = estimate.Task[string]
	options  = estimate.RequirementOptions[string]
	snapshot = estimate.RequirementsSnapshot[string]
)

// mean is a Fit whose predictors show what they were given: the mean time of the runs, scaled by the question.
func mean(runs []estimate.Run) estimate.Predict {
	return func(x []float64) estimate.Guess {
		sum := 0.0
		for _, r := range runs {
			sum += r.Time
		}
		return estimate.Guess{Value: sum/float64(len(runs)) + x[0] + 10*x[1] + 100*x[2], Low: -inf, High: inf, Known: true, Outside: x[0] > 5}
	}
}

// listed is one run of a plain list of all that happened.
type listed struct {
	task task
	run  estimate.Run
}

// plainRequirement answers from the list of all runs.
func plainRequirement(all []listed, o options, t task, bytes float64) estimate.Requirement {
	keep := 1000
	if o.Window > 0 {
		keep = o.Window
	}
	if o.HalfLife > 0 {
		keep = min(keep, max(1, int(math.Ceil(10*o.HalfLife))))
	}
	for _, pooled := range []bool{false, true} {
		var runs []estimate.Run
		for _, x := range all {
			if x.task.Class == t.Class && x.task.Kind == t.Kind && (pooled || x.task.Worker == t.Worker) {
				runs = append(runs, x.run)
			}
		}
		runs = runs[max(0, len(runs)-keep):]
		if len(runs) < max(1, o.Least) {
			continue
		}
		var cpu, memory []float64
		for _, r := range runs {
			cpu, memory = append(cpu, r.CPU), append(memory, r.Memory)
		}
		r := estimate.Requirement{Runs: len(runs), Basis: estimate.WorkerHistory}
		if pooled {
			r.Basis = estimate.ClassHistory
		}
		r.CPU, _ = estimate.ModeOf(cpu, o.CPU)
		r.Memory, _ = estimate.ModeOf(memory, o.Memory)
		r.P50, r.P95 = plainQuantile(runs, o.HalfLife, .5), plainQuantile(runs, o.HalfLife, .95)
		r.Time = estimate.Guess{Value: r.P50, Known: true}
		if o.Fit != nil {
			r.Time = o.Fit(runs)([]float64{bytes, r.CPU, r.Memory})
		}
		return r
	}
	if o.Prior != nil {
		return estimate.Requirement{Time: o.Prior(t, bytes), Basis: estimate.Prior}
	}
	return estimate.Requirement{}
}

// plainQuantile asks each run time whether enough of the weight is at or below it.
func plainQuantile(runs []estimate.Run, halfLife, p float64) float64 {
	best := inf
	for _, c := range runs {
		below, all := 0.0, 0.0
		for i, r := range runs {
			w := 1.0
			if halfLife > 0 {
				w = math.Pow(.5, float64(len(runs)-1-i)/halfLife)
			}
			if all += w; r.Time <= c.Time {
				below += w
			}
		}
		if below >= p*all*(1-1e-12) {
			best = min(best, c.Time)
		}
	}
	return best
}

// TestRequirements drives an estimator beside a plain list, restores it from its snapshot now and then, and forgets.
func TestRequirements(t *testing.T) {
	counts := map[estimate.Basis]int{}
	property := func(t *rapid.T) {
		whole := func(most int, name string) float64 { return float64(rapid.IntRange(0, most).Draw(t, name)) }
		o := options{
			Window:   rapid.IntRange(0, 6).Draw(t, "window"),
			HalfLife: whole(3, "half-life") / 3,
			Least:    rapid.IntRange(0, 3).Draw(t, "least"),
			CPU:      estimate.ModeOptions{Bins: 4, Tie: estimate.NewestBin},
			Memory:   estimate.ModeOptions{Range: estimate.Quantiles, Hi: .5},
		}
		if rapid.Bool().Draw(t, "fit") {
			o.Fit = mean
		}
		if rapid.Bool().Draw(t, "prior") {
			o.Prior = func(t task, bytes float64) estimate.Guess {
				return estimate.Guess{Value: bytes + float64(t.Worker) + 9, Known: true}
			}
		}
		q, err := estimate.NewRequirements(o)
		if err != nil {
			t.Fatal(err)
		}
		var all []listed
		draw := func(least int) task {
			return task{rapid.SampledFrom([]string{"a", "b"}).Draw(t, "class"), estimate.Kind(rapid.IntRange(0, 1).Draw(t, "kind")), rapid.IntRange(least, 2).Draw(t, "worker")}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 20).Draw(t, "step"); {
			case step < 12:
				x := listed{draw(0), estimate.Run{Bytes: whole(9, "bytes"), CPU: whole(100, "cpu"), Memory: whole(100, "memory"), Time: whole(30, "time")}}
				if err := q.Add(x.task, x.run); err != nil {
					t.Fatal(err)
				}
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
				if err != nil {
					t.Fatal(err)
				}
				var back snapshot
				if err := json.Unmarshal(text, &back); err != nil {
					t.Fatal(err)
				}
				if q, err = estimate.RestoreRequirements(back, o); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(s, q.Snapshot()); diff != "" {
					t.Fatalf("a snapshot of what was restored differs (-want +got):\n%s", diff)
				}
			default:
				at, bytes := draw(-1), whole(9, "bytes")
				got, err := q.Estimate(at, bytes)
				want := plainRequirement(all, o, at, bytes)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Fatalf("Estimate(%+v, %v) after %v: %v (-want +got):\n%s", at, bytes, all, err, diff)
				}
				counts[got.Basis]++
			}
		}
	}
	rapid.Check(t, property)
	clear(counts)
	counted(100, property)
	if len(counts) < 4 {
		t.Errorf("bases %v were drawn, want all four", counts)
	}
}

// A worker's history goes, and its runs stay in the class's.
func TestForgetWorker(t *testing.T) {
	var q estimate.Requirements[string]
	for w := range 3 {
		must(t, q.Add(task{"a", estimate.Map, w}, estimate.Run{Time: float64(w)}))
		must(t, q.Add(task{"b", estimate.Reduce, w}, estimate.Run{Time: float64(w)}))
	}
	if !q.ForgetWorker(1) || q.ForgetWorker(1) || q.Forget("c") {
		t.Error("ForgetWorker(1), again, and Forget of an unknown class: want true, false, false")
	}
	for _, c := range []struct {
		worker int
		basis  estimate.Basis
		value  float64
	}{{0, estimate.WorkerHistory, 0}, {1, estimate.ClassHistory, 1}, {2, estimate.WorkerHistory, 2}, {7, estimate.ClassHistory, 1}, {estimate.AllWorkers, estimate.ClassHistory, 1}} {
		for _, at := range []task{{"a", estimate.Map, c.worker}, {"b", estimate.Reduce, c.worker}} {
			if got, err := q.Estimate(at, 1); err != nil || got.Basis != c.basis || !got.Time.Known || got.Time.Value != c.value {
				t.Errorf("Estimate(%+v) = %+v, %v, want %v on basis %d", at, got, err, c.value, c.basis)
			}
		}
	}
	if !q.ForgetWorker(estimate.AllWorkers) {
		t.Error("ForgetWorker(AllWorkers) = false, want true")
	}
	if got, err := q.Estimate(task{"a", estimate.Map, 1}, 1); err != nil || got != (estimate.Requirement{}) {
		t.Errorf("Estimate without a history = %+v, %v, want the zero answer", got, err)
	}
}

// What a predictor says that is no time counts as unknown, and the next basis is asked.
func TestRequirementsOddPredictors(t *testing.T) {
	at := task{"a", estimate.Map, 0}
	for name, g := range map[string]estimate.Guess{"unknown": {Value: 3}, "NaN": {Value: nan, Known: true}, "negative": {Value: -1, Known: true}, "infinite": {Value: inf, Known: true},
		"outside its interval": {Value: 3, Low: 4, High: 5, Known: true}, "an interval of NaN": {Value: 3, Low: nan, High: 5, Known: true}} {
		q, err := estimate.NewRequirements(options{
			Fit:   func([]estimate.Run) estimate.Predict { return func([]float64) estimate.Guess { return g } },
			Prior: func(task, float64) estimate.Guess { return estimate.Guess{Value: 5, Known: true} },
		})
		must(t, err)
		must(t, q.Add(at, estimate.Run{Time: 2}))
		if got, err := q.Estimate(at, 1); err != nil || got != (estimate.Requirement{Time: estimate.Guess{Value: 5, Known: true}, Basis: estimate.Prior}) {
			t.Errorf("%s: Estimate = %+v, %v, want the prior", name, got, err)
		}
		if q, err = estimate.NewRequirements(options{Prior: func(task, float64) estimate.Guess { return g }}); err != nil {
			t.Fatal(err)
		}
		if got, err := q.Estimate(at, 1); err != nil || got != (estimate.Requirement{}) {
			t.Errorf("%s as a prior: Estimate = %+v, %v, want the zero answer", name, got, err)
		}
	}
	q, err := estimate.NewRequirements(options{Fit: func([]estimate.Run) estimate.Predict { return nil }})
	must(t, err)
	must(t, q.Add(at, estimate.Run{Time: 2}))
	if got, err := q.Estimate(at, 1); err != nil || got.Time.Known {
		t.Errorf("Estimate with a Fit that returns nil = %+v, %v, want unknown", got, err)
	}
	q, err = estimate.NewRequirements(options{CPU: estimate.ModeOptions{Range: estimate.Fixed, Lo: 0, Hi: 1}})
	must(t, err)
	for _, cpu := range []float64{7, 3, 5} {
		must(t, q.Add(at, estimate.Run{CPU: cpu}))
	}
	if got, err := q.Estimate(at, 1); err != nil || got.CPU != 5 {
		t.Errorf("Estimate with all cpu outside the range = %+v, %v, want the median 5", got, err)
	}
}

func TestRequirementsErrors(t *testing.T) {
	for _, o := range []estimate.RequirementOptions[float64]{{Window: -1}, {Window: math.MaxInt32}, {HalfLife: -1}, {HalfLife: nan}, {HalfLife: inf}, {Least: -1},
		{CPU: estimate.ModeOptions{Bins: -1}}, {Memory: estimate.ModeOptions{Tie: 9}}} {
		q, err := estimate.NewRequirements(o)
		wantInput(t, err, fmt.Sprintf("NewRequirements(%+v)", o), "estimate.NewRequirements", "o", -1)
		r, err := estimate.RestoreRequirements(estimate.RequirementsSnapshot[float64]{Version: 1}, o)
		wantInput(t, err, fmt.Sprintf("RestoreRequirements(%+v)", o), "estimate.RestoreRequirements", "o", -1)
		if q != nil || r != nil {
			t.Errorf("an estimator with the options %+v beside an error", o)
		}
	}
	var q estimate.Requirements[float64]
	good := estimate.Task[float64]{Class: 1, Kind: estimate.Reduce, Worker: 2}
	must(t, q.Add(good, estimate.Run{Bytes: 1, Time: 3}))
	before := q.Snapshot()
	for _, at := range []estimate.Task[float64]{{Class: nan}, {Kind: 2}, {Worker: -2}} {
		wantInput(t, q.Add(at, estimate.Run{}), fmt.Sprintf("Add(%+v)", at), "estimate.Requirements.Add", "t", -1)
		got, err := q.Estimate(at, 1)
		wantInput(t, err, fmt.Sprintf("Estimate(%+v)", at), "estimate.Requirements.Estimate", "t", -1)
		if got != (estimate.Requirement{}) {
			t.Errorf("Estimate(%+v) = %+v beside an error", at, got)
		}
	}
	wantInput(t, q.Add(estimate.Task[float64]{Worker: estimate.AllWorkers}, estimate.Run{}), "Add for all workers", "estimate.Requirements.Add", "t", -1)
	for _, bad := range []float64{nan, -1, inf, huge} {
		for i := range 4 {
			var r estimate.Run
			*[]*float64{&r.Bytes, &r.CPU, &r.Memory, &r.Time}[i] = bad
			wantInput(t, q.Add(good, r), fmt.Sprintf("Add(%+v)", r), "estimate.Requirements.Add", "r", -1)
		}
		_, err := q.Estimate(good, bad)
		wantInput(t, err, "Estimate", "estimate.Requirements.Estimate", "bytes", -1)
	}
	if diff := cmp.Diff(before, q.Snapshot()); diff != "" {
		t.Errorf("errors have changed the estimator:\n%s", diff)
	}
	var none *estimate.Requirements[float64]
	wantInput(t, none.Add(good, estimate.Run{}), "Add to nil", "estimate.Requirements.Add", "q", -1)
	if got, err := none.Estimate(good, 1); err != nil || got != (estimate.Requirement{}) || none.Forget(1) || none.ForgetWorker(1) || len(none.Snapshot().Histories) != 0 {
		t.Errorf("a nil estimator: Estimate = %+v, %v, want the zero answer and no history", got, err)
	}
	for _, c := range []struct {
		index int
		spoil func(*estimate.RequirementsSnapshot[float64])
	}{
		{-1, func(s *estimate.RequirementsSnapshot[float64]) { s.Version = 2 }},
		{0, func(s *estimate.RequirementsSnapshot[float64]) { s.Histories[0].Class = nan }},
		{1, func(s *estimate.RequirementsSnapshot[float64]) { s.Histories[1].Kind = 2 }},
		{1, func(s *estimate.RequirementsSnapshot[float64]) { s.Histories[1].Worker = -2 }},
		{1, func(s *estimate.RequirementsSnapshot[float64]) { s.Histories[1].Worker = s.Histories[0].Worker }},
		{1, func(s *estimate.RequirementsSnapshot[float64]) { s.Histories[1].Runs = nil }},
		{0, func(s *estimate.RequirementsSnapshot[float64]) { s.Histories[0].Runs[0].Time = nan }},
	} {
		s := q.Snapshot()
		c.spoil(&s)
		r, err := estimate.RestoreRequirements(s, estimate.RequirementOptions[float64]{})
		wantInput(t, err, fmt.Sprintf("RestoreRequirements(%+v)", s), "estimate.RestoreRequirements", "s", c.index)
		if r != nil {
			t.Error("an estimator beside an error")
		}
	}
}

// FuzzRestoreRequirements restores what any text decodes to; what is accepted has the snapshot that it was made from.
func FuzzRestoreRequirements(f *testing.F) {
	f.Add([]byte(`{"version":1,"histories":[{"class":"a","kind":1,"worker":-1,"runs":[{"bytes":1,"cpu":2,"memory":3,"time":4}]}]}`))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s snapshot
		if json.Unmarshal(text, &s) != nil {
			return
		}
		q, err := estimate.RestoreRequirements(s, options{Window: math.MaxInt32 / 4})
		if err != nil {
			return
		}
		if got := q.Snapshot(); len(got.Histories) != len(s.Histories) || len(s.Histories) > 0 && !cmp.Equal(got, s) {
			t.Errorf("restored %+v, and its snapshot is %+v", s, got)
		}
		for _, h := range s.Histories {
			if r, err := q.Estimate(task{h.Class, h.Kind, h.Worker}, 1); err != nil || r.Runs == 0 {
				t.Errorf("Estimate of a restored history = %+v, %v", r, err)
			}
		}
	})
}

// Asking allocates nothing while the histories stand.
func TestEstimateAllocates(t *testing.T) {
	q, err := estimate.NewRequirements(options{})
	must(t, err)
	at := task{"a", estimate.Map, 1}
	for i := range 50 {
		must(t, q.Add(at, estimate.Run{Time: float64(i)}))
	}
	_, err = q.Estimate(at, 1)
	must(t, err)
	if n := testing.AllocsPerRun(100, func() { _, err = q.Estimate(at, 2) }); n != 0 || err != nil {
		t.Errorf("Estimate allocates %v times, %v, want 0", n, err)
	}
}
