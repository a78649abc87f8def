package knn_test

import (
	"encoding/json"
	"math"
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
		o := knn.Options{
			Scaling:     knn.Scaling(rapid.IntRange(0, 2).Draw(t, "scaling")),
			Bandwidth:   knn.Bandwidth(rapid.IntRange(0, 1).Draw(t, "bandwidth")),
			Kernel:      knn.Kernel(rapid.IntRange(0, 1).Draw(t, "kernel")),
			Window:      rapid.SampledFrom([]int{0, 1, 2, 300, 500}).Draw(t, "window"),
			Alpha:       float64(rapid.IntRange(0, 3).Draw(t, "tenths")) / 10,
			Extrapolate: rapid.Bool().Draw(t, "extrapolate"),
		}
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

func TestSnapshotKeepsNothing(t *testing.T) {
	e := estimator(t, []observation{{[]float64{1}, 2}, {[]float64{3}, 4}, {[]float64{5}, 6}}, knn.Options{Window: 2})
	want := knn.Snapshot{Version: 1, Dim: 1, Added: 3, X: []float64{3, 5}, Y: []float64{4, 6}}
	s := e.Snapshot()
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("Snapshot (-want +got):\n%s", diff)
	}
	r, err := knn.Restore(s, knn.Options{Window: 1})
	must(t, err)
	s.X[1], s.Y[1] = 99, 99
	if diff := cmp.Diff(knn.Snapshot{Version: 1, Dim: 1, Added: 3, X: []float64{5}, Y: []float64{6}}, r.Snapshot()); diff != "" {
		t.Errorf("restored with a smaller window (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, e.Snapshot()); diff != "" {
		t.Errorf("after a change of its snapshot (-want +got):\n%s", diff)
	}
}

func TestRestoreErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		index int
		spoil func(*knn.Snapshot)
	}{
		{"no version", -1, func(s *knn.Snapshot) { s.Version = 0 }},
		{"a later version", -1, func(s *knn.Snapshot) { s.Version = 2 }},
		{"dim 0", -1, func(s *knn.Snapshot) { s.Dim = 0 }},
		{"dim -2", -1, func(s *knn.Snapshot) { s.Dim = -2 }},
		{"another dim", -1, func(s *knn.Snapshot) { s.Dim = 1 }},
		{"a huge dim", -1, func(s *knn.Snapshot) { s.Dim = math.MaxInt }},
		{"a number missing in X", -1, func(s *knn.Snapshot) { s.X = s.X[:3] }},
		{"X without Y", -1, func(s *knn.Snapshot) { s.Y = nil }},
		{"Y without X", -1, func(s *knn.Snapshot) { s.X = nil }},
		{"fewer added than there are", -1, func(s *knn.Snapshot) { s.Added = 1 }},
		{"added -1", -1, func(s *knn.Snapshot) { s.Added = -1 }},
		{"added too large", -1, func(s *knn.Snapshot) { s.Added = math.MaxInt64 }},
		{"X NaN", 2, func(s *knn.Snapshot) { s.X[2] = math.NaN() }},
		{"X Inf", 0, func(s *knn.Snapshot) { s.X[0] = math.Inf(-1) }},
		{"Y NaN", 1, func(s *knn.Snapshot) { s.Y[1] = math.NaN() }},
	} {
		s := knn.Snapshot{Version: 1, Dim: 2, Added: 9, X: []float64{1, 2, 3, 4}, Y: []float64{5, 6}}
		if _, err := knn.Restore(s, knn.Options{}); err != nil {
			t.Fatal(err)
		}
		c.spoil(&s)
		e, err := knn.Restore(s, knn.Options{})
		expect.InputError(t, "Restore with "+c.name, err, "knn.Restore", "s", c.index)
		if e != nil {
			t.Errorf("Restore with %s: an estimator beside the error", c.name)
		}
	}
	_, err := knn.Restore(knn.Snapshot{Version: 1, Dim: 1}, knn.Options{Alpha: 1})
	expect.InputError(t, "Restore with Alpha 1", err, "knn.Restore", "o", -1)
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
		if json.Unmarshal(data, &s) != nil {
			return
		}
		e, err := knn.Restore(s, knn.Options{Alpha: alpha, Extrapolate: true})
		if err != nil {
			return
		}
		sameAgain(t, s, knn.Options{Alpha: alpha, Extrapolate: true})
		if e.Len() == 0 || s.Dim > 100 {
			return
		}
		p, err := e.Predict(slices.Repeat([]float64{query}, s.Dim))
		if err == nil && (math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || !(p.Radius >= 0) || math.IsNaN(p.Low) || math.IsNaN(p.High)) {
			t.Fatalf("Predict(%v) = %+v of %+v", query, p, s)
		}
		if residuals, err := e.LeaveOneOut(nil); err == nil && slices.ContainsFunc(residuals, math.IsNaN) {
			t.Fatalf("LeaveOneOut = %v of %+v", residuals, s)
		}
	})
}

func TestSnapshotVersion(t *testing.T) {
	var s knn.Snapshot
	if err := json.Unmarshal([]byte(`{"Version": 99}`), &s); err != nil {
		t.Fatal(err)
	}
	_, err := knn.Restore(s, knn.Options{})
	expect.InputError(t, "a later version", err, "knn.Restore", "s", -1)
}
