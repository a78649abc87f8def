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

func TestErrors(t *testing.T) {
	type list = []float64
	type o = knn.Options
	var news []expect.Call
	for _, dim := range []int{0, -1, math.MinInt} {
		news = append(news, expect.Bad("dim", -1, dim, o{}))
	}
	for _, x := range []o{{Scaling: 3}, {Bandwidth: 2}, {Kernel: 2}, {Window: -1}, {Alpha: nan}, {Alpha: 1}, {Alpha: -.1}, {Alpha: inf}, {Scaling: 255}} {
		news = append(news, expect.Bad("o", -1, 2, x))
	}
	expect.Refused(t, "knn.New", knn.New, nil, news...)
	if e, err := knn.New(math.MaxInt, o{Window: math.MaxInt}); err != nil || e.Len() != 0 {
		t.Errorf("New(MaxInt) = %v", err)
	}

	x := mat.NewDense(2, 2, list{1, 2, 3, 4})
	y, query := list{5, 6}, list{7, 8}
	expect.Refused(t, "knn.Regress", knn.Regress, nil,
		expect.Bad("x", -1, nil, y, query, 1),
		expect.Bad("x", -1, (*mat.Dense)(nil), y, query, 1),
		expect.Bad("x", -1, &mat.Dense{}, nil, query, 1),
		expect.Bad("x", -1, &mat.Dense{}, nil, nil, 1),
		expect.Bad("x", -1, x, y, list{1, 2, 3}, 1),
		expect.Bad("x", -1, x, y, list{1}, 1),
		expect.Bad("x", 1, mat.NewDense(2, 2, list{1, 2, 3, nan}), y, query, 1),
		expect.Bad("x", 0, mat.NewDense(2, 2, list{1, inf, 3, nan}), y, query, 1),
		expect.Bad("y", -1, x, y[:1], query, 1),
		expect.Bad("y", 1, x, list{1, nan}, query, 1),
		expect.Bad("query", 0, x, y, list{nan, 1}, 1),
		expect.Bad("query", 1, x, y, list{1, -inf}, 1),
		expect.Bad("k", -1, x, y, query, 0),
		expect.Bad("k", -1, x, y, query, -1))

	refused := func(e *knn.Estimator, method string, f any, calls ...expect.Call) {
		t.Helper()
		expect.Refused(t, "knn.Estimator."+method, f, func() any { return e.Snapshot() }, calls...)
	}
	dst, floats, ok := []knn.Prediction{{Value: 3}}, list{4}, list{1, 2}
	empty, err := knn.New(2, o{})
	must(t, err)
	for k, e := range []*knn.Estimator{new(knn.Estimator), empty, estimator(t, []observation{{ok, 1}}, o{})} {
		refused(e, "LeaveOneOut", e.LeaveOneOut, expect.Bad("e", -1, floats))
		if k < 2 {
			refused(e, "Predict", e.Predict, expect.Bad("e", -1, ok))
			refused(e, "PredictAll", e.PredictAll, expect.Bad("e", -1, dst, mat.NewDense(1, 2, nil)))
		}
		if k < 1 {
			refused(e, "Add", e.Add, expect.Bad("e", -1, ok, 1))
		}
	}
	e := estimator(t, []observation{{ok, 1}, {list{2, 1}, 2}}, o{})
	refused(e, "Add", e.Add,
		expect.Bad("x", -1, list{1}, 1), expect.Bad("x", -1, nil, 1), expect.Bad("x", 1, list{1, nan}, 1), expect.Bad("x", 0, list{-inf, 1}, 1),
		expect.Bad("y", -1, ok, nan), expect.Bad("y", -1, ok, inf))
	refused(e, "Predict", e.Predict, expect.Bad("x", -1, list{1, 2, 3}), expect.Bad("x", 0, list{nan, 2}))
	refused(e, "PredictAll", e.PredictAll,
		expect.Bad("queries", -1, dst, nil), expect.Bad("queries", -1, dst, (*mat.Dense)(nil)),
		expect.Bad("queries", -1, dst, mat.NewDense(1, 3, nil)), expect.Bad("queries", 1, dst, mat.NewDense(2, 2, list{0, 0, 0, nan})))
	if p, err := e.PredictAll(dst, &mat.Dense{}); err != nil || !slices.Equal(p, dst) {
		t.Errorf("PredictAll of no rows = %v, %v", p, err)
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[knn.Scaling]string{knn.ZScore: "z-score", knn.MinMax: "min-max", knn.Unscaled: "unscaled"})
	expect.Words(t, map[knn.Bandwidth]string{knn.KthNeighbour: "k-th neighbour", knn.NextNeighbour: "next neighbour"})
	expect.Words(t, map[knn.Kernel]string{knn.Epanechnikov: "Epanechnikov", knn.Uniform: "uniform"})
}
