package knn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/knn"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func TestNewErrors(t *testing.T) {
	for _, dim := range []int{0, -1, math.MinInt} {
		e, err := knn.New(dim, knn.Options{})
		expect.InputError(t, "New", err, "knn.New", "dim", -1)
		if e != nil {
			t.Error("an estimator beside the error")
		}
	}
	for _, o := range []knn.Options{{Scaling: 3}, {Bandwidth: 2}, {Kernel: 2}, {Window: -1}, {Alpha: nan}, {Alpha: 1}, {Alpha: -.1}, {Alpha: inf}, {Scaling: 255}} {
		e, err := knn.New(2, o)
		expect.InputError(t, "New", err, "knn.New", "o", -1)
		if e != nil {
			t.Error("an estimator beside the error")
		}
	}
	if e, err := knn.New(math.MaxInt, knn.Options{Window: math.MaxInt}); err != nil || e.Len() != 0 {
		t.Errorf("New(MaxInt) = %v", err)
	}
}

func TestRegressErrors(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	y, query := []float64{5, 6}, []float64{7, 8}
	for _, c := range []struct {
		name     string
		x        mat.Matrix
		y, query []float64
		k        int
		arg      string
		index    int
	}{
		{"nil x", nil, y, query, 1, "x", -1},
		{"typed nil x", (*mat.Dense)(nil), y, query, 1, "x", -1},
		{"empty x", &mat.Dense{}, nil, query, 1, "x", -1},
		{"no query", &mat.Dense{}, nil, nil, 1, "x", -1},
		{"wide query", x, y, []float64{1, 2, 3}, 1, "x", -1},
		{"short query", x, y, []float64{1}, 1, "x", -1},
		{"NaN in x", mat.NewDense(2, 2, []float64{1, 2, 3, nan}), y, query, 1, "x", 1},
		{"Inf in x", mat.NewDense(2, 2, []float64{1, inf, 3, nan}), y, query, 1, "x", 0},
		{"short y", x, y[:1], query, 1, "y", -1},
		{"NaN in y", x, []float64{1, nan}, query, 1, "y", 1},
		{"NaN in query", x, y, []float64{nan, 1}, 1, "query", 0},
		{"Inf in query", x, y, []float64{1, -inf}, 1, "query", 1},
		{"k 0", x, y, query, 0, "k", -1},
		{"k -1", x, y, query, -1, "k", -1},
	} {
		p, err := knn.Regress(c.x, c.y, c.query, c.k)
		expect.InputError(t, "Regress with "+c.name, err, "knn.Regress", c.arg, c.index)
		if p != (knn.Prediction{}) {
			t.Errorf("%s: %+v beside the error", c.name, p)
		}
	}
}

func TestEstimatorErrors(t *testing.T) {
	dst, floats := []knn.Prediction{{Value: 3}}, []float64{4}
	type call struct {
		fn  string
		run func(e *knn.Estimator) (clean bool, err error)
	}
	ok := []float64{1, 2}
	calls := map[string]call{
		"add":     {"knn.Estimator.Add", func(e *knn.Estimator) (bool, error) { return true, e.Add(ok, 1) }},
		"predict": {"knn.Estimator.Predict", func(e *knn.Estimator) (bool, error) { p, err := e.Predict(ok); return p == knn.Prediction{}, err }},
		"all": {"knn.Estimator.PredictAll", func(e *knn.Estimator) (bool, error) {
			p, err := e.PredictAll(dst, mat.NewDense(1, 2, nil))
			return slices.Equal(p, dst), err
		}},
		"leave": {"knn.Estimator.LeaveOneOut", func(e *knn.Estimator) (bool, error) {
			r, err := e.LeaveOneOut(floats)
			return slices.Equal(r, floats), err
		}},
	}
	empty, err := knn.New(2, knn.Options{})
	must(t, err)
	one := estimator(t, []observation{{ok, 1}}, knn.Options{})
	for _, c := range []struct {
		name string
		e    *knn.Estimator
		fail []string
	}{
		{"zero", new(knn.Estimator), []string{"add", "predict", "all", "leave"}},
		{"empty", empty, []string{"predict", "all", "leave"}},
		{"one observation", one, []string{"leave"}},
	} {
		for _, name := range c.fail {
			clean, err := calls[name].run(c.e)
			expect.InputError(t, c.name+", "+name, err, calls[name].fn, "e", -1)
			if !clean {
				t.Errorf("%s, %s: a result beside the error", c.name, name)
			}
		}
	}

	e := estimator(t, []observation{{ok, 1}, {[]float64{2, 1}, 2}}, knn.Options{})
	was := e.Snapshot()
	expect.InputError(t, "Add", e.Add([]float64{1}, 1), "knn.Estimator.Add", "x", -1)
	expect.InputError(t, "Add", e.Add(nil, 1), "knn.Estimator.Add", "x", -1)
	expect.InputError(t, "Add", e.Add([]float64{1, nan}, 1), "knn.Estimator.Add", "x", 1)
	expect.InputError(t, "Add", e.Add([]float64{-inf, 1}, 1), "knn.Estimator.Add", "x", 0)
	expect.InputError(t, "Add", e.Add(ok, nan), "knn.Estimator.Add", "y", -1)
	expect.InputError(t, "Add", e.Add(ok, inf), "knn.Estimator.Add", "y", -1)
	_, err = e.Predict([]float64{1, 2, 3})
	expect.InputError(t, "Predict", err, "knn.Estimator.Predict", "x", -1)
	_, err = e.Predict([]float64{nan, 2})
	expect.InputError(t, "Predict", err, "knn.Estimator.Predict", "x", 0)
	for _, c := range []struct {
		queries mat.Matrix
		index   int
	}{{nil, -1}, {(*mat.Dense)(nil), -1}, {mat.NewDense(1, 3, nil), -1}, {mat.NewDense(2, 2, []float64{0, 0, 0, nan}), 1}} {
		p, err := e.PredictAll(dst, c.queries)
		expect.InputError(t, "PredictAll", err, "knn.Estimator.PredictAll", "queries", c.index)
		if !slices.Equal(p, dst) {
			t.Errorf("PredictAll returned %v beside the error", p)
		}
	}
	if p, err := e.PredictAll(dst, &mat.Dense{}); err != nil || !slices.Equal(p, dst) {
		t.Errorf("PredictAll of no rows = %v, %v", p, err)
	}
	if now := e.Snapshot(); !slices.Equal(now.X, was.X) || !slices.Equal(now.Y, was.Y) || now.Added != was.Added {
		t.Errorf("errors changed the estimator: %+v, was %+v", now, was)
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[knn.Scaling]string{knn.ZScore: "z-score", knn.MinMax: "min-max", knn.Unscaled: "unscaled"})
	expect.Words(t, map[knn.Bandwidth]string{knn.KthNeighbour: "k-th neighbour", knn.NextNeighbour: "next neighbour"})
	expect.Words(t, map[knn.Kernel]string{knn.Epanechnikov: "Epanechnikov", knn.Uniform: "uniform"})
}
