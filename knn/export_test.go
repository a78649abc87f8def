package knn

import (
	"slices"

	"github.com/schedmath/schedmath/internal/kdtree"
)

// Len returns the number of observations that count now.
func (e *Estimator) Len() int { return len(e.ys) }

// Gather is what one of the two methods finds for x.
func (e *Estimator) Gather(x []float64, rank, skip int, tree bool) (near []kdtree.Neighbour, r2 float64, closed bool) {
	e.refresh()
	m := &e.model
	e.predict(x) // scales
	if !tree {
		r2, closed = m.gatherAll(e.query, rank, skip)
	} else {
		if m.tree == nil {
			m.tree = kdtree.New(m.points, m.dim)
		}
		r2, closed = m.gatherTree(e.query, rank, skip)
	}
	return slices.Clone(m.near), r2, closed
}
