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

type keyed struct {
	key uint64
	job int
}

// sortStable sorts the jobs by ascending key, equal keys in the given order: radix sort from the least digit, 11 bits a
// pass, without the passes in which all digits agree. Keys may be infinite but not NaN.
func sortStable(jobs []int, key []float64) []int {
	const digit = 11
	from := make([]keyed, len(jobs))
	diff := uint64(0)
	for i, j := range jobs {
		k := uint64(rank(key[j])) ^ 1<<63
		from[i] = keyed{k, j}
		diff |= k ^ from[0].key
	}
	if len(jobs) < 256 {
		slices.SortStableFunc(from, func(a, b keyed) int {
			switch {
			case a.key < b.key:
				return -1
			case a.key > b.key:
				return 1
			}
			return 0
		})
		diff = 0
	}
	var to []keyed
	for shift := 0; shift < 64; shift += digit {
		if diff>>shift&(1<<digit-1) == 0 {
			continue
		}
		if to == nil {
			to = make([]keyed, len(jobs))
		}
		var begin [1 << digit]int
		for i := range from {
			begin[from[i].key>>shift&(1<<digit-1)]++
		}
		at := 0
		for d := range begin {
			begin[d], at = at, at+begin[d]
		}
		for i := range from {
			d := from[i].key >> shift & (1<<digit - 1)
			to[begin[d]] = from[i]
			begin[d]++
		}
		from, to = to, from
	}
	for i := range from {
		jobs[i] = from[i].job
	}
	return jobs
}
