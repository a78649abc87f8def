// Package linear states linear programmes row by row and solves them by gonum's simplex method.
package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// Row is what each variable is multiplied by.
type Row map[int]float64

// A Programme has variables of at least 0 and linear constraints.
type Programme struct {
	variables int
	rows      []Row
	right     []float64
	basis     []int // the slack of each row; of no use if there is an equation
}

// Variables adds n variables and returns the number of the first.
func (p *Programme) Variables(n int) (first int) {
	p.variables += n
	return p.variables - n
}

// Equal adds the constraint that r is b.
func (p *Programme) Equal(r Row, b float64) {
	p.rows, p.right = append(p.rows, r), append(p.right, b)
}

// AtMost adds the constraint that r is at most b.
func (p *Programme) AtMost(r Row, b float64) {
	slack := p.Variables(1)
	r[slack] = 1
	p.basis = append(p.basis, slack)
	p.Equal(r, b)
}

// Least returns the least value of cost, +Inf if the constraints exclude each other. What it costs
// to leave all variables at 0 begins the search where that is allowed.
func (p *Programme) Least(cost Row, tolerance float64) (float64, error) {
	used := make(map[int]bool) // the simplex method wants no column of zeros
	for _, r := range p.rows {
		for v, x := range r {
			used[v] = used[v] || x != 0
		}
	}
	column, c := make(map[int]int), []float64(nil)
	for v := range p.variables {
		if used[v] {
			column[v] = len(c)
			c = append(c, cost[v])
		}
	}
	a := mat.NewDense(len(p.rows), len(c), nil)
	start := len(p.basis) == len(p.rows)
	for i, r := range p.rows {
		for v, x := range r {
			if used[v] {
				a.Set(i, column[v], x)
			}
		}
		start = start && p.right[i] >= 0
	}
	var basis []int
	if start {
		for _, v := range p.basis {
			basis = append(basis, column[v])
		}
	}
	value, _, err := lp.Simplex(c, a, p.right, tolerance, basis)
	if errors.Is(err, lp.ErrInfeasible) {
		return math.Inf(1), nil
	}
	return value, err
}
