package precedence

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// Verify returns nil if order has each job of g once and none before a predecessor, whatever made
// it. A nil g has no arcs and as many jobs as order. O(n + e).
//
// Errors: an order of another length, with an index out of range, a job twice, or a job before its
// predecessor; Index is the place in order.
func Verify(g *Graph, order []int) error {
	const fn = "precedence.Verify"
	if g != nil && len(order) != g.Len() {
		return input.Bad(fn, "order", -1, "length is %d, want one place for each of the %d jobs of g", len(order), g.Len())
	}
	return verify(fn, g, order)
}

func verify(fn string, g *Graph, order []int) error {
	done := make([]bool, len(order))
	for i, j := range order {
		if j < 0 || j >= len(order) {
			return input.Bad(fn, "order", i, "is %d, want a job from 0 to %d", j, len(order)-1)
		}
		if done[j] {
			return input.Bad(fn, "order", i, "is %d, which an earlier place has already, want each job once", j)
		}
		if g != nil {
			for _, before := range g.Preds(j) {
				if !done[before] {
					return input.Bad(fn, "order", i, "is %d, which comes before its predecessor %d", j, before)
				}
			}
		}
		done[j] = true
	}
	return nil
}

// Evaluate returns the value of the objective when the jobs run in the given order, whatever made
// it; Verify checks the precedence. A job completes at the sum of the works up to it, rounded once:
// it depends on which jobs come before, not on their order. A sum of penalties is rounded once.
// O(n).
//
// Errors: a work negative, NaN or infinite; works whose sum overflows; an order that is no
// permutation of the jobs; another number of penalties than jobs; an unknown Aggregate; a penalty
// with fields out of range, or whose At is NaN or, in a sum, infinite; a sum of penalties beyond
// float64 (Index is -1).
func Evaluate(work []float64, obj Objective, order []int) (float64, error) {
	const fn = "precedence.Evaluate"
	if obj.Aggregate != Sum && obj.Aggregate != Max {
		return 0, input.Bad(fn, "obj", -1, "Aggregate is %d, want Sum or Max", int(obj.Aggregate))
	}
	p, err := newProblem(fn, "obj", nil, work, obj.Penalties, obj.Aggregate)
	if err != nil {
		return 0, err
	}
	if len(order) != len(work) {
		return 0, input.Bad(fn, "order", -1, "length is %d, want one place for each of the %d jobs", len(order), len(work))
	}
	if err := verify(fn, nil, order); err != nil {
		return 0, err
	}
	v := p.evaluate(order)
	if err := p.userError(v); err != nil {
		return 0, err
	}
	return v, nil
}

// evaluate returns the objective's value for the order.
func (p *problem) evaluate(order []int) float64 {
	if !p.sum {
		return p.maximum(order)
	}
	var t, v dd.T
	for _, j := range order {
		t = t.AddFloat(p.work[j])
		v = v.AddFloat(p.cost[j].at(t.Hi))
	}
	return v.Hi
}

func (p *problem) maximum(order []int) float64 {
	var t dd.T
	most := negInf
	for _, j := range order {
		t = t.AddFloat(p.work[j])
		most = max(most, p.cost[j].at(t.Hi))
	}
	return most
}
