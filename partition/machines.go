package partition

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/internal/input"
)

// MachinesFor returns a plan by Best on few equal machines, len(Load) of them, that all meet a
// deadline, +Inf for none, and a bound: no fewer machines meet it [MT]; 1 where cost was seen to
// decrease. At most 2^20 sizes, none unknown; cost is asked for machine 0 alone.
//
// A partition that alone misses the deadline is an error that does not wrap schedmath.ErrInput.
func MachinesFor(sizes []float64, deadline float64, cost Cost) (Plan, int, error) {
	const fn = "partition.MachinesFor"
	switch {
	case len(sizes) > maxMachines:
		return Plan{}, 0, input.Bad(fn, "sizes", -1, "%d elements, want at most 2^20", len(sizes))
	case math.IsNaN(deadline):
		return Plan{}, 0, input.Bad(fn, "deadline", -1, "is NaN, want a time or +Inf")
	case cost == nil:
		return Plan{}, 0, input.Bad(fn, "cost", -1, "is nil")
	}
	on := func(machines int) (*problem, error) {
		return newProblem(fn, machines, sizes, func(_ int, total float64) float64 { return cost(0, total) },
			Options{Method: Best, Deadlines: slices.Repeat([]float64{deadline}, machines)})
	}
	all, err := on(max(1, len(sizes)))
	if err != nil {
		return Plan{}, 0, err
	}
	bound, machines := 1, 1
	if all.total > 0 {
		largest := all.order[0]
		if t := all.time(0, sizes[largest]); less(deadline, t) {
			return Plan{}, 0, fmt.Errorf("partition: no number of machines meets the deadline, %v: partition %d alone takes %v", deadline, largest, t)
		}
		bound, machines = all.fewest(all.capacity(0, deadline)), len(sizes)
		if s := all.pack(deadline); s != nil {
			machines = max(bound, 1+slices.Max(s.of))
		}
	}
	// From first fit on, one machine fewer as long as Best meets the deadline.
	var best *state
	for machines >= bound {
		problem, err := on(machines)
		if err != nil {
			return Plan{}, 0, err
		}
		s := problem.solve()
		all.decreases = all.decreases || problem.decreases
		if err := cmp.Or(all.err, problem.err); err != nil {
			return Plan{}, 0, err
		}
		switch {
		case !s.worst().late:
			best = s
			machines--
		case best != nil:
			machines = 0
		case machines < len(sizes):
			machines++ // the packing was late by no more than the tolerance allows a room
		default:
			return Plan{}, 0, input.Bad(fn, "cost", 0, "decreases, want a time that does not")
		}
	}
	p, err := best.plan()
	if err != nil {
		return Plan{}, 0, err
	}
	if p.Bound == 0 || all.decreases {
		bound = 1
	}
	return p, bound, nil
}

// fewest returns a lower bound of the number of machines of a capacity that hold the partitions. Of
// the partitions larger than half of it no two share a machine. For each least size that counts,
// those that leave less room than that fill a machine each, and the others fill the rest [MT].
func (p *problem) fewest(capacity float64) int {
	capacity = max(p.size(0), capacity) // less than the largest if the cost decreases
	half := sort.Search(len(p.order), func(r int) bool { return p.size(r) <= capacity/2 })
	slack := p.total * float64(len(p.order)) * 0x1p-50 // more than sums round off
	bound, full, sum := max(1, half), 0, p.total
	for r := len(p.order) - 1; r >= half; r-- {
		for full < half && p.size(full)+p.size(r) > capacity {
			sum -= p.size(full)
			full++
		}
		bound = max(bound, full+int(math.Ceil((sum-slack)/capacity)))
		sum -= p.size(r)
	}
	return bound
}
