package precedence

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Options bound what Minimize spends, in counts, so that the same input gives the same order on
// every machine. The zero value is the recommended default.
type Options struct {
	// States is the most down-sets that the exact programme may look at; 0 means 2^20. Chains of
	// lengths a, b, ... have (a+1)(b+1)... of them. Each takes 8 bytes, and so does each node of
	// the tree that finds them. States also bounds the table of Lawler and Moore, in words of 8
	// bytes: the lesser sum, of works or of weights, times the jobs in bits. Up to 20 jobs are
	// solved exactly whatever States is.
	States int
	// Steps is the most moves that local search evaluates; 0 means 300,000 for up to 50 jobs and
	// 30,000 for each job of more (2^31 at most). The moves within Sidney's blocks, for sums of
	// response times, pass at most as many jobs, and 50 million by default, also in Smith.
	Steps int
}

const (
	defaultStates = 1 << 20
	alwaysExact   = 20 // up to so many jobs the exact programme runs whatever States is
)

// Minimize returns an order with the least value of the objective, or a good one with a lower
// bound; Exact says that no order has less. A nil g is no precedence. The package comment says
// which method is taken for what.
//
// Exact and Bound hold where works, deadlines and weights are multiples of a power of two with sums
// below 2^53 of it, otherwise to the rounding of the sums.
//
// Errors: those of Evaluate; lengths that differ; a penalty that decreases where it was evaluated
// (Index is the job); negative options.
func Minimize(g *Graph, work []float64, obj Objective, o Options) (Solution, error) {
	const fn = "precedence.Minimize"
	switch {
	case obj.Aggregate != Sum && obj.Aggregate != Max:
		return Solution{}, input.Bad(fn, "obj", -1, "Aggregate is %d, want Sum or Max", int(obj.Aggregate))
	case o.States < 0:
		return Solution{}, input.Bad(fn, "o", -1, "States is %d, want at least 0", o.States)
	case o.Steps < 0:
		return Solution{}, input.Bad(fn, "o", -1, "Steps is %d, want at least 0", o.Steps)
	}
	if o.States == 0 {
		o.States = defaultStates
	}
	p, err := newProblem(fn, "obj", g, work, obj.Penalties, obj.Aggregate)
	if err != nil {
		return Solution{}, err
	}
	var s Solution
	if p.sum {
		s, err = p.minimizeSum(o)
	} else {
		s, err = p.lawler()
	}
	if err == nil {
		err = p.userError(s.Value)
	}
	if err != nil {
		return Solution{}, err
	}
	return s, nil
}

// defaultSteps is the default of Options.Steps for n jobs, within 32 bits.
func defaultSteps(n int) int {
	if n <= 50 {
		return 300_000
	}
	return 30_000 * min(n, math.MaxInt32/30_000)
}

func (p *problem) minimizeSum(o Options) (Solution, error) {
	var first []int
	bound := negInf
	if p.linear() {
		if s, ok := p.smith(o.Steps); ok {
			if s.Exact {
				return s, nil
			}
			first, bound = s.Order, s.Bound
		}
	}
	if only, alike := p.tardy(); p.arcless() && only {
		if alike {
			return p.exact(p.mooreHodgson(), methodMooreHodgson), nil
		}
		if order, ok := p.lawlerMoore(o.States); ok {
			return p.exact(order, methodLawlerMoore), nil
		}
	}
	if len(p.work) <= alwaysExact {
		o.States = max(o.States, 1<<alwaysExact)
	}
	if order, ok := p.downsets(o.States); ok {
		return p.exact(order, methodDownSets), nil
	}
	if o.Steps == 0 {
		o.Steps = defaultSteps(len(p.work))
	}
	if !p.linear() && !p.signed() && p.allLatest() {
		if order, ok := p.thresholds(); ok { // no sum is less than the greatest penalty
			if bound = p.maximum(order); p.evaluate(order) <= bound {
				return p.exact(order, methodThresholds), nil
			}
		}
	}
	order := p.search(o.Steps, first)
	value := p.evaluate(order)
	bound = max(bound, p.lagrange(order, value, o.Steps))
	return Solution{Order: order, Value: value, Bound: min(bound, value), Exact: bound >= value, Method: methodSearch}, nil
}

func (p *problem) exact(order []int, method Method) Solution {
	v := p.evaluate(order)
	return Solution{Order: order, Value: v, Bound: v, Exact: true, Method: method}
}

// arcless says whether there is no precedence.
func (p *problem) arcless() bool { return len(p.g.succ) == 0 }

// linear says whether every penalty is a weight times the completion time, except for a constant.
func (p *problem) linear() bool {
	return !slices.ContainsFunc(p.cost, func(c cost) bool {
		return c.kind != kindLinear && c.kind != kindNone
	})
}

// smith minimises a linear sum, or returns false if Smith finds the sum to be out of its range. 0
// steps are the default.
func (p *problem) smith(steps int) (Solution, bool) {
	weight := make([]float64, len(p.cost))
	for j := range weight {
		weight[j] = p.cost[j].weight
	}
	in, err := newSmith(p.fn, p.g, p.work, weight)
	if err != nil {
		return Solution{}, false
	}
	if steps > 0 {
		in.steps = steps
	}
	s, err := in.solve()
	if err != nil {
		return Solution{}, false
	}
	// The constant, minus the weighted deadlines, is left to evaluate.
	gap := s.Value - s.Bound
	s.Value = p.evaluate(s.Order)
	s.Bound = s.Value
	if !s.Exact {
		s.Bound = s.Value - gap
	}
	return s, true
}
