package precedence

import (
	"slices"
)

// oneWeight says whether all penalties are of one weight and all Tardiness, or all Lateness or Response.
func (p *problem) oneWeight() bool {
	for j := range p.cost {
		c := &p.cost[j]
		if c.kind != kindTardiness && c.kind != kindLinear || c.kind != p.cost[0].kind || c.weight != p.cost[0].weight {
			return false
		}
	}
	return true
}

// dueDates returns the jobs by modified due date, ties by topological rank: a feasible order, because a job's modified due
// date is never after that of its successor, whatever the rounding. Ties by index alone would break precedence when works are 0.
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
	return sortStable(order, due)
}
