package precedence

import (
	"cmp"
	"math"
	"slices"
)

var negInf, posInf = math.Inf(-1), math.Inf(1)

// Lawler returns an order that minimises the largest penalty, for any precedence, nil for none [9].
// Jobs with NoPenalty count for nothing; a maximum over no others is -Inf. Method names the form:
// by modified due dates if all are Lateness, Tardiness or Response of one type and weight; by
// thresholds, in at most some 130 passes, if all are of this package or have a Latest; else the
// backward dynamic programme, which puts last the highest index that does not raise the maximum, or
// the job of least penalty.
//
// The first is exact for works and deadlines in multiples of one power of two, below 2^53 of it,
// the others for the completion times of Evaluate. Errors: those of Minimize.
func Lawler(g *Graph, work []float64, penalties []Penalty) (Solution, error) {
	p, err := newProblem("precedence.Lawler", "penalties", g, work, penalties, Max)
	if err != nil {
		return Solution{}, err
	}
	return p.lawler()
}

// lawler picks the form. The paper's pseudo-code (B.2) prints two slips: line 2 asks for jobs
// without predecessors, where it must be jobs without successors among the jobs left; line 6 must
// recompute that set, not the set of jobs left. The maximum starts at -Inf, so that it may be
// negative.
func (p *problem) lawler() (Solution, error) {
	var order []int
	method, ok := methodDueDates, p.oneWeight()
	if ok {
		order = p.dueDates()
	} else if p.allLatest() {
		method = methodThresholds
		order, ok = p.thresholds()
	}
	if !ok {
		order, method = p.backward(), methodBackward
	}
	value := p.maximum(order)
	if err := p.userError(value); err != nil {
		return Solution{}, err
	}
	return Solution{Order: order, Value: value, Bound: value, Exact: true, Method: method}, nil
}

func (p *problem) allLatest() bool {
	return !slices.ContainsFunc(p.cost, func(c cost) bool { return !c.hasLatest() })
}

// backward is the general form: of the jobs that may go last, by descending index, the first that
// does not raise the maximum, or else the one of least penalty.
func (p *problem) backward() []int {
	n := len(p.work)
	order := make([]int, n)
	waiting := make([]int, n) // successors not yet placed
	var free []int            // jobs that may go last, ascending
	for j := range n {
		if waiting[j] = len(p.g.Succs(j)); waiting[j] == 0 {
			free = append(free, j)
		}
	}
	t := p.total
	most := negInf
	for place := n - 1; place >= 0; place-- {
		best, least := -1, posInf
		for k, j := range slices.Backward(free) {
			v := p.cost[j].at(t.Hi)
			if best < 0 || v < least || v <= most {
				best, least = k, v
			}
			if v <= most {
				break
			}
		}
		j := free[best]
		free = slices.Delete(free, best, best+1)
		most = max(most, least)
		order[place] = j
		t = t.AddFloat(-p.work[j])
		for _, i := range p.g.Preds(j) {
			if waiting[i]--; waiting[i] == 0 {
				k, _ := slices.BinarySearch(free, int(i))
				free = slices.Insert(free, k, int(i))
			}
		}
	}
	return order
}

// oneWeight says whether all penalties are of one weight and all Tardiness, or all Lateness or
// Response.
func (p *problem) oneWeight() bool {
	for j := range p.cost {
		c := &p.cost[j]
		if c.kind != kindTardiness && c.kind != kindLinear || c.kind != p.cost[0].kind || c.weight != p.cost[0].weight {
			return false
		}
	}
	return true
}

// dueDates returns the jobs by modified due date, ties by topological rank: a feasible order,
// because a job's modified due date is never after that of its successor, whatever the rounding.
// Ties by index alone would break precedence when works are 0.
func (p *problem) dueDates() []int {
	due := make([]float64, len(p.cost))
	for j := range p.cost {
		due[j] = p.cost[j].deadline
	}
	return p.byDue(due)
}

// byDue is dueDates for the given due dates, which it modifies.
func (p *problem) byDue(due []float64) []int {
	order := p.g.Topological(make([]int, 0, len(due)))
	for _, j := range slices.Backward(order) {
		d := due[j]
		for _, k := range p.g.Succs(j) {
			d = min(d, due[k]-p.work[k])
		}
		due[j] = d
	}
	keys := make([]float64, len(order))
	for i, j := range order {
		keys[i] = due[j]
	}
	sorted := make([]int, len(order))
	for i, at := range sortBy(keys, func(a, b int32) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) }) {
		sorted[i] = order[at]
	}
	return sorted
}
