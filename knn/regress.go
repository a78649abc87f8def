package knn

import (
	"github.com/schedmath/schedmath/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Regress returns the paper's regression at query from the observations y[i] at row i of x: the
// mean of y over the k nearest, by distances as given, with Epanechnikov's kernel whose bandwidth
// is the distance of the k-th. A k above the number of rows counts as that; k = 1 is always
// Degenerate. An Estimator with Unscaled and Fixed(k) gives the same to the bit, and many queries
// sooner.
//
// Errors: a nil or empty x, another length of y or query, k < 1; Index is the row of x.
func Regress(x mat.Matrix, y, query []float64, k int) (Prediction, error) {
	const fn = "knn.Regress"
	rows, err := checkMatrix(fn, "x", x, len(query))
	if err != nil {
		return Prediction{}, err
	}
	if rows == 0 || len(query) == 0 {
		return Prediction{}, input.Bad(fn, "x", -1, "empty, want one row at least")
	}
	if err := checkVector(fn, "y", y, rows); err != nil {
		return Prediction{}, err
	}
	if err := checkVector(fn, "query", query, len(query)); err != nil {
		return Prediction{}, err
	}
	if k < 1 {
		return Prediction{}, input.Bad(fn, "k", -1, "%d, want >= 1", k)
	}
	e := &Estimator{dim: len(query), options: Options{Scaling: Unscaled, K: Fixed(k)}}
	row := make([]float64, e.dim)
	for i, v := range y {
		for j := range row {
			row[j] = x.At(i, j)
		}
		e.add(row, v)
	}
	e.refresh()
	return e.predict(query), nil
}
