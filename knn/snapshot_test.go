package knn_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/knn"
)

// A history of additions and queries: the estimator answers, to the bit, as one that was just
// restored or has seen only what counts, whatever it was asked before.
func TestHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 3).Draw(t, "dim")
		o := drawOptions(t)
		o.K, o.Window = nil, rapid.SampledFrom([]int{0, 1, 2, 300, 500}).Draw(t, "window")
		o.Alpha, o.Extrapolate = float64(rapid.IntRange(0, 3).Draw(t, "tenths"))/10, rapid.Bool().Draw(t, "extrapolate")
		e, err := knn.New(dim, o)
		must(t, err)
		points := cloud(700, dim, rapid.Uint64().Draw(t, "seed"))
		next := func() []float64 {
			x := points[:dim]
			points = points[dim:]
			return x
		}
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			for range rapid.SampledFrom([]int{1, 2, 100}).Draw(t, "adds") {
				x := next()
				if rapid.Bool().Draw(t, "round") {
					x[0] = math.Round(x[0])
				}
				must(t, e.Add(x, x[0]*3+x[dim-1]))
			}
			query := next()
			for range rapid.SampledFrom([]int{0, 1, 50}).Draw(t, "asked") {
				_, err := e.Predict(query)
				must(t, err)
			}
			got, err := e.Predict(query)
			must(t, err)
			restored, err := knn.Restore(e.Snapshot(), o)
			must(t, err)
			if p, err := restored.Predict(query); err != nil || p != got {
				t.Fatalf("%+v: Predict = %+v, restored %+v, %v", o, got, p, err)
			}
			if e.Len() > 4 {
				a, err := e.LeaveOneOut(nil)
				must(t, err)
				if b, err := restored.LeaveOneOut(nil); err != nil || !slices.Equal(a, b) {
					t.Fatalf("%+v: LeaveOneOut = %v, restored %v, %v", o, a, b, err)
				}
			}
			if diff := cmp.Diff(e.Snapshot(), restored.Snapshot()); diff != "" {
				t.Fatalf("snapshot and that of its restoration:\n%s", diff)
			}
			if rapid.Bool().Draw(t, "go on with the restored one") {
				e = restored
			}
		}
	})
}

func TestWindowOfSnapshot(t *testing.T) {
	e := estimator(t, []observation{{[]float64{1}, 2}, {[]float64{3}, 4}, {[]float64{5}, 6}}, knn.Options{Window: 2})
	s := e.Snapshot()
	if diff := cmp.Diff(knn.Snapshot{Version: 1, Dim: 1, Added: 3, X: []float64{3, 5}, Y: []float64{4, 6}}, s); diff != "" {
		t.Errorf("Snapshot (-want +got):\n%s", diff)
	}
	r, err := knn.Restore(s, knn.Options{Window: 1})
	must(t, err)
	if diff := cmp.Diff(knn.Snapshot{Version: 1, Dim: 1, Added: 3, X: []float64{5}, Y: []float64{6}}, r.Snapshot()); diff != "" {
		t.Errorf("restored with a smaller window (-want +got):\n%s", diff)
	}
}

func estimators(o knn.Options) expect.RoundTrip[knn.Snapshot, *knn.Estimator] {
	return expect.RoundTrip[knn.Snapshot, *knn.Estimator]{
		Func: "knn.Restore", Snapshot: (*knn.Estimator).Snapshot,
		Restore: func(s knn.Snapshot) (*knn.Estimator, error) { return knn.Restore(s, o) },
		GoOn: func(t testing.TB, e *knn.Estimator, _ uint64) {
			dim := e.Snapshot().Dim
			if dim > 100 {
				return
			}
			x := make([]float64, dim)
			for i := range 5 {
				x[0] = float64(i)
				must(t, e.Add(x, x[0]))
				_, err := e.Predict(x)
				must(t, err)
			}
		},
	}
}

func TestEstimatorsComeBack(t *testing.T) {
	for _, o := range []knn.Options{{Window: 20}, {Alpha: .2}} {
		estimators(o).Drawn(t, 600, func(rng *rand.Rand) *knn.Estimator {
			dim := 1 + rng.IntN(3)
			e, err := knn.New(dim, o)
			must(t, err)
			for range rng.IntN(9) * rng.IntN(5) {
				must(t, e.Add(cloud(1, dim, rng.Uint64()), rng.NormFloat64()))
			}
			return e
		})
	}
}

func TestRestoreErrors(t *testing.T) {
	sound := func() knn.Snapshot {
		return knn.Snapshot{Version: 1, Dim: 2, Added: 9, X: []float64{1, 2, 3, 4}, Y: []float64{5, 6}}
	}
	bad := expect.Spoilt[knn.Snapshot]
	estimators(knn.Options{}).Refuses(t, sound,
		bad("s.Dim = 0", -1, func(s *knn.Snapshot) { s.Dim = 0 }),
		bad("s.Dim = -2", -1, func(s *knn.Snapshot) { s.Dim = -2 }),
		bad("s.Dim = 1", -1, func(s *knn.Snapshot) { s.Dim = 1 }),
		bad("s.Dim = math.MaxInt", -1, func(s *knn.Snapshot) { s.Dim = math.MaxInt }),
		bad("s.X = s.X[:3]", -1, func(s *knn.Snapshot) { s.X = s.X[:3] }),
		bad("s.Y = nil", -1, func(s *knn.Snapshot) { s.Y = nil }),
		bad("s.X = nil", -1, func(s *knn.Snapshot) { s.X = nil }),
		bad("s.Added = 1", -1, func(s *knn.Snapshot) { s.Added = 1 }),
		bad("s.Added = -1", -1, func(s *knn.Snapshot) { s.Added = -1 }),
		bad("s.Added = math.MaxInt64", -1, func(s *knn.Snapshot) { s.Added = math.MaxInt64 }),
	)
	expect.Refused(t, "knn.Restore", knn.Restore, nil, expect.Bad("o", -1, knn.Snapshot{Version: 1, Dim: 1}, knn.Options{Alpha: 1}))
}

func FuzzRestore(f *testing.F) {
	for _, s := range []knn.Snapshot{
		{Version: 1, Dim: 1, Added: 3, X: []float64{1, 2, 3}, Y: []float64{4, 5, 6}},
		{Version: 1, Dim: 2, Added: 7, X: []float64{1e300, 5e-324, -1e308, 1e308}, Y: []float64{1.7e308, -1.7e308}},
		{Version: 1, Dim: math.MaxInt},
	} {
		data, err := json.Marshal(s)
		must(f, err)
		f.Add(data, 0.2, 1.5)
	}
	f.Fuzz(func(t *testing.T, data []byte, alpha, query float64) {
		var s knn.Snapshot
		o := knn.Options{Alpha: alpha, Extrapolate: true}
		if _, err := knn.New(1, o); err != nil {
			return
		}
		if json.Unmarshal(data, &s) != nil || !estimators(o).Same(t, s) || len(s.Y) == 0 || s.Dim > 100 {
			return
		}
		e, err := knn.Restore(s, o)
		must(t, err)
		p, err := e.Predict(slices.Repeat([]float64{query}, s.Dim))
		if err == nil && (math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || !(p.Radius >= 0) || math.IsNaN(p.Low) || math.IsNaN(p.High)) {
			t.Fatalf("Predict(%v) = %+v of %+v", query, p, s)
		}
	})
}
