package nearest_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/knn"
)

var inf = math.Inf(1)

var must = expect.Must

func fitted(t testing.TB, o knn.Options, runs []estimate.Run) estimate.Predict {
	t.Helper()
	fit, err := nearest.Fit(o)
	must(t, err)
	return fit(runs)
}

// TestFitAgainstRegress: without scaling a guess is the pure function's value, and it outlives its
// runs.
func TestFitAgainstRegress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tenth := rapid.Map(rapid.IntRange(0, 90), func(k int) float64 { return float64(k) / 10 })
		features, n := rapid.IntRange(1, 3).Draw(t, "features"), rapid.IntRange(1, 12).Draw(t, "n")
		k := rapid.IntRange(1, 5).Draw(t, "k")
		var runs []estimate.Run
		x, y := mat.NewDense(n, features, nil), make([]float64, n)
		for i := range n {
			r := estimate.Run{X: rapid.SliceOfN(tenth, features, features).Draw(t, "x"), Time: tenth.Draw(t, "time")}
			runs, y[i] = append(runs, r), r.Time
			x.SetRow(i, r.X)
		}
		query := rapid.SliceOfN(tenth, features, features).Draw(t, "query")
		want, err := knn.Regress(x, y, query, k)
		must(t, err)
		fit, err := nearest.Fit(knn.Options{Scaling: knn.Unscaled, K: knn.Fixed(k)})
		must(t, err)
		guess := fit(runs)
		for _, r := range runs {
			clear(r.X)
		}
		clear(runs)
		if got := guess(query); got != (estimate.Guess{Value: want.Value, Low: -inf, High: inf, Known: true, Outside: want.Outside}) {
			t.Fatalf("guess(%v) = %+v, want %+v", query, got, want)
		}
	})
}

// TestIntervals: a guess has the interval of the estimator.
func TestIntervals(t *testing.T) {
	o := knn.Options{Alpha: .2}
	e, err := knn.New(1, o)
	must(t, err)
	var runs []estimate.Run
	for i := range 60 {
		x, y := []float64{float64(i * 7 % 60)}, float64(i*11%60)
		must(t, e.Add(x, y))
		runs = append(runs, estimate.Run{X: x, Time: y})
	}
	want, err := e.Predict([]float64{30})
	must(t, err)
	if got := fitted(t, o, runs)([]float64{30}); got != (estimate.Guess{Value: want.Value, Low: want.Low, High: want.High, Known: true}) || math.IsInf(want.Low, 0) {
		t.Errorf("guess(30) = %+v, want %+v", got, want)
	}
}

// TestNoTimeBelowZero: a line that falls below 0 beyond the data gives 0, which Requirements takes
// for a time.
func TestNoTimeBelowZero(t *testing.T) {
	fit, err := nearest.Fit(knn.Options{Extrapolate: true, Alpha: .5})
	must(t, err)
	q, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit})
	must(t, err)
	at := estimate.Task[string]{Class: "a"}
	for x := range 20 {
		must(t, q.Add(at, estimate.Run{X: []float64{float64(x)}, Time: float64(20 - x)}))
	}
	got, err := q.Estimate(at, []float64{100})
	if err != nil || !got.Time.Known || got.Time.Value != 0 || !got.Time.Outside || !math.IsInf(got.Time.Low, -1) || !math.IsInf(got.Time.High, 1) {
		t.Errorf("Estimate(100) = %+v, %v, want 0, outside and without an interval", got, err)
	}
}

func TestUnknown(t *testing.T) {
	good := []estimate.Run{{X: []float64{1, 2}, Time: 3}, {X: []float64{2, 3}, Time: 4}}
	unknown := func(name string, runs []estimate.Run, x ...float64) {
		t.Helper()
		if got := fitted(t, knn.Options{}, runs)(x); got != (estimate.Guess{}) {
			t.Errorf("%s: guess(%v) = %+v, want none", name, x, got)
		}
	}
	if got := fitted(t, knn.Options{}, good)([]float64{1, 2}); !got.Known {
		t.Errorf("guess(1, 2) = %+v, want a guess", got)
	}
	unknown("no runs", nil, 1, 2)
	unknown("a question without features", good)
	unknown("a feature missing", good, 1)
	unknown("a feature too many", good, 1, 2, 3)
	unknown("NaN", good, 1, math.NaN())
	unknown("runs without features", []estimate.Run{{Time: 1}})
	unknown("runs of several lengths", append(slices.Clone(good), estimate.Run{X: []float64{1}}), 1, 2)
	unknown("a run of NaN", append(slices.Clone(good), estimate.Run{X: []float64{1, math.NaN()}}), 1, 2)
	unknown("an infinite time", append(slices.Clone(good), estimate.Run{X: []float64{1, 1}, Time: inf}), 1, 2)
}

func TestFitErrors(t *testing.T) {
	for _, o := range []knn.Options{{Alpha: 1}, {Alpha: math.NaN()}, {Window: -1}, {Kernel: 9}, {Scaling: 9}, {Bandwidth: 9}} {
		fit, err := nearest.Fit(o)
		expect.InputError(t, "Fit", err, "nearest.Fit", "o", -1)
		if fit != nil || !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("Fit(%+v): a function beside the error %v", o, err)
		}
	}
}

// BenchmarkEstimate is an Add and a question of a history of 1,000 runs of three features, learnt
// anew every so many runs.
func BenchmarkEstimate(b *testing.B) {
	for _, every := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("every=%d", every), func(b *testing.B) {
			fit, err := nearest.Fit(knn.Options{})
			must(b, err)
			q, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit, Period: every})
			must(b, err)
			at := estimate.Task[string]{Class: "a"}
			rng := rand.New(rand.NewPCG(1, 1))
			add := func() {
				x := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
				must(b, q.Add(at, estimate.Run{X: x, Time: 1 + x[0] + rng.Float64()/9}))
			}
			for range 1000 {
				add()
			}
			x := []float64{.5}
			for b.Loop() {
				add()
				if r, err := q.Estimate(at, x); err != nil || !r.Time.Known {
					b.Fatal(r, err)
				}
			}
		})
	}
}
