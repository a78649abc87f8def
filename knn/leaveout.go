package knn

import (
	"math"
	"slices"
)

// heldEvery is the share of the observations that serve the intervals alone: one in four. It costs
// the prediction little (k-NN's error falls as n^(-2/(4+dim))) and gives intervals of level 1-Alpha
// from about 4/Alpha observations on.
const heldEvery = 4

// held reports whether the i-th oldest observation is held out: with Alpha the fourth to be added
// and every fourth from there, whatever its values, unless it is the only one.
func (e *Estimator) held(i int) bool {
	return e.options.Alpha > 0 && len(e.ys) > 1 && (e.added-int64(len(e.ys)-i))%heldEvery == heldEvery-1
}

// calibrate sets the margin: the rank-th least of the m absolute residuals of the observations held
// out, rank being ceil((m+1)(1-Alpha)), +Inf if that is more than m.
func (e *Estimator) calibrate() {
	e.margin = math.Inf(1)
	m := len(e.ys) - e.model.n
	rank := m + 1 - int(math.Floor(float64(m+1)*e.options.Alpha))
	if e.options.Alpha == 0 || rank > m {
		return
	}
	e.model.expect(m, e.rank)
	e.residuals = e.residuals[:0]
	for i, s := range e.model.siteOf {
		if s < 0 {
			e.residuals = append(e.residuals, math.Abs(e.residual(i, e.rank)))
		}
	}
	slices.Sort(e.residuals)
	e.margin = e.residuals[rank-1]
}

// LeaveOneOut appends to dst, for each observation that counts, oldest first, its residual: y less
// the value predicted at its x from the others, by the rule K for one observation fewer, under the
// scale of all. With Alpha the residual of an observation held out is y less Predict's value.
//
// The mean of the residuals estimates the bias of Predict, their root mean square its error; for
// intervals Options.Alpha is better. Fewer than two observations (with Alpha, not held out) are an
// error.
func (e *Estimator) LeaveOneOut(dst []float64) ([]float64, error) {
	const fn = "knn.Estimator.LeaveOneOut"
	if err := e.ready(fn, 2); err != nil {
		return dst, err
	}
	rank := e.rankAmong(e.model.n - 1)
	e.model.expect(len(e.ys), rank)
	for i := range e.ys {
		dst = append(dst, e.residual(i, rank))
	}
	return dst, nil
}

// residual returns y of the i-th oldest observation less the value predicted by the model without
// it. rank is of that model; one held out is not in it, and predicted as any x.
func (e *Estimator) residual(i, rank int) float64 {
	m := &e.model
	x, y := e.observation(i)
	s, skip := m.siteOf[i], -1
	if s < 0 {
		return y - e.predict(x).Value
	}
	outside := false
	for j := range m.columns {
		c := &m.columns[j]
		outside = outside || x[j] == c.lo && c.atLo == 1 || x[j] == c.hi && c.atHi == 1
	}
	was := m.sites[s]
	m.sites[s] = site{was.count - 1, was.sum.AddFloat(float64(-y * m.yUnit))}
	if was.count == 1 {
		skip = s
	}
	p := m.predict(m.points[s*m.dim:][:m.dim], outside, rank, skip)
	m.sites[s] = was
	return y - p.Value
}
