package knn

import (
	"math"
	"reflect"

	"github.com/schedmath/schedmath/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Estimator predicts y at a point from the nearest of the observations added so far, or of the last
// Window of them. What it answers depends on these, their order and the Options alone.
//
// The zero Estimator has no coordinates, and takes no observation; use New.
type Estimator struct {
	dim     int
	options Options
	xs, ys  []float64 // a ring once Window observations are there
	oldest  int       // place of the oldest observation in the ring
	added   int64     // calls of Add so far, mostAdded at most

	fresh        bool // model and margin are those of the present observations
	model        model
	margin       float64   // half the width of the intervals
	residuals    []float64 // of the observations held out
	row, query   []float64 // buffers: one row of a matrix, a query scaled
	rankOf, rank int       // rank is of rankOf observations; 0: not computed
}

// New returns an estimator without observations for points of dim >= 1 coordinates.
func New(dim int, o Options) (*Estimator, error) {
	const fn = "knn.New"
	if dim < 1 {
		return nil, input.Bad(fn, "dim", -1, "%d, want >= 1", dim)
	}
	if err := o.check(fn); err != nil {
		return nil, err
	}
	return &Estimator{dim: dim, options: o}, nil
}

// Add adds the observation that y was seen at x. x is copied. Beyond the Window the oldest
// observation is forgotten.
//
// Errors: an x that does not have dim elements, a number that is not finite, a zero Estimator.
func (e *Estimator) Add(x []float64, y float64) error {
	const fn = "knn.Estimator.Add"
	if err := e.check(fn); err != nil {
		return err
	}
	if err := checkVector(fn, "x", x, e.dim); err != nil {
		return err
	}
	if !finite(y) {
		return input.Bad(fn, "y", -1, "%v, want a finite number", y)
	}
	e.add(x, y)
	return nil
}

func (e *Estimator) add(x []float64, y float64) {
	e.fresh = false
	e.added = min(e.added+1, mostAdded)
	if e.options.Window == 0 || len(e.ys) < e.options.Window {
		e.xs, e.ys = append(e.xs, x...), append(e.ys, y)
		return
	}
	copy(e.xs[e.oldest*e.dim:], x)
	e.ys[e.oldest] = y
	e.oldest = (e.oldest + 1) % len(e.ys)
}

// observation returns the i-th oldest observation.
func (e *Estimator) observation(i int) (x []float64, y float64) {
	if i += e.oldest; i >= len(e.ys) {
		i -= len(e.ys)
	}
	return e.xs[i*e.dim:][:e.dim], e.ys[i]
}

// Predict returns the regression at x. In steady state it allocates nothing, unless it builds the
// tree.
//
// Errors: those of Add; an Estimator without observations.
func (e *Estimator) Predict(x []float64) (Prediction, error) {
	const fn = "knn.Estimator.Predict"
	if err := e.ready(fn, 1); err != nil {
		return Prediction{}, err
	}
	if err := checkVector(fn, "x", x, e.dim); err != nil {
		return Prediction{}, err
	}
	e.model.expect(1, e.rank)
	return e.predict(x), nil
}

// PredictAll appends to dst the prediction for each row of queries, as Predict gives them. It knows
// the number of queries in advance, and builds the tree at once where that pays.
//
// Errors: those of Predict, Index being the row; a nil matrix, or one of another number of columns.
func (e *Estimator) PredictAll(dst []Prediction, queries mat.Matrix) ([]Prediction, error) {
	const fn = "knn.Estimator.PredictAll"
	if err := e.ready(fn, 1); err != nil {
		return dst, err
	}
	rows, err := checkMatrix(fn, "queries", queries, e.dim)
	if err != nil {
		return dst, err
	}
	e.model.expect(rows, e.rank)
	for i := range rows {
		for j := range e.row {
			e.row[j] = queries.At(i, j)
		}
		dst = append(dst, e.predict(e.row))
	}
	return dst, nil
}

// predict answers for an x that has been checked. The model is fresh.
func (e *Estimator) predict(x []float64) Prediction {
	m := &e.model
	outside := false
	for j := range m.columns {
		c := &m.columns[j]
		e.query[j] = c.scaled(x[j])
		outside = outside || !(c.lo <= x[j] && x[j] <= c.hi)
	}
	p := m.predict(e.query, outside, e.rank, -1)
	margin := e.margin
	if outside {
		margin = math.Inf(1)
	}
	p.Low, p.High = p.Value-margin, p.Value+margin
	return p
}

// refresh brings model and margin up to date. There is an observation.
func (e *Estimator) refresh() {
	if e.fresh {
		return
	}
	e.fit()
	m := &e.model
	if e.rankOf != m.n {
		e.rankOf, e.rank = m.n, e.rankAmong(m.n)
	}
	e.calibrate()
	e.fresh = true
}

// rankAmong returns how many of n observations lie within R.
func (e *Estimator) rankAmong(n int) int {
	k := e.options.K
	if k == nil {
		k = Rate
	}
	return e.options.rank(n, k(n, e.dim))
}

func (e *Estimator) check(fn string) error {
	if e.dim == 0 {
		return input.Bad(fn, "e", -1, "zero, want an Estimator from New")
	}
	return nil
}

// ready brings the model up to date, or reports an InputError unless it then has some observations,
// at least one.
func (e *Estimator) ready(fn string, some int) error {
	if err := e.check(fn); err != nil {
		return err
	}
	if len(e.ys) > 0 {
		if e.refresh(); e.model.n >= some {
			return nil
		}
	}
	return input.Bad(fn, "e", -1, "too few observations to predict from, want %d at least", some)
}

// checkMatrix reports an InputError unless x has cols columns of finite numbers.
func checkMatrix(fn, arg string, x mat.Matrix, cols int) (rows int, err error) {
	if v := reflect.ValueOf(x); x == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, input.Bad(fn, arg, -1, "nil, want a matrix")
	}
	rows, c := x.Dims()
	if c != cols && rows > 0 {
		return 0, input.Bad(fn, arg, -1, "has %d columns, want %d", c, cols)
	}
	for i := range rows {
		for j := range cols {
			if v := x.At(i, j); !finite(v) {
				return 0, input.Bad(fn, arg, i, "column %d is %v, want a finite number", j, v)
			}
		}
	}
	return rows, nil
}
