package partition

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Verify checks a plan from its assignment alone, whoever made it. It returns nil if
//
//   - each partition is on one of the machines, none on one that is away, and has a reason;
//   - a partition of unknown size is on the machine that holds it, or where no machine has two
//     fewer such partitions;
//   - Load, Finish, Makespan, NetMakespan, Moves and Feasible are what follows from Of, the cost
//     and o;
//   - 0 <= Bound <= NetMakespan, and the Critical partition, fetched and alone on its best machine,
//     ends at the Bound.
//
// Sums and times are compared to within 1e-9, a Finish and its deadline to within 2^-40. Method and
// Steps do not matter. That no assignment ends before Bound is not checked: it takes all of them.
//
// The first fault found is an error that says the partition or the machine at fault. It is a
// verdict on the plan, no misuse of Verify, and does not wrap schedmath.ErrInput.
func Verify(machines int, sizes []float64, cost Cost, o Options, p Plan) error {
	const fn = "partition.Verify"
	known := sizes
	if o.Unknown {
		known = withoutNaN(sizes)
	}
	if err := check(fn, machines, known, cost, &o); err != nil {
		return err
	}
	broken := func(partition, machine int, format string, args ...any) error {
		at := ""
		switch {
		case partition >= 0:
			at = fmt.Sprintf("partition %d: ", partition)
		case machine >= 0:
			at = fmt.Sprintf("machine %d: ", machine)
		}
		return fmt.Errorf("partition: broken plan: "+at+format, args...)
	}
	if len(p.Of) != len(sizes) || len(p.Why) != len(sizes) {
		return broken(-1, -1, "Of and Why have %d and %d elements, want %d partitions", len(p.Of), len(p.Why), len(sizes))
	}
	if len(p.Load) != machines || len(p.Finish) != machines {
		return broken(-1, -1, "Load and Finish have %d and %d elements, want %d machines", len(p.Load), len(p.Finish), machines)
	}
	if p.Critical < -1 || p.Critical >= len(sizes) {
		return broken(-1, -1, "Critical is %d, want a partition or -1", p.Critical)
	}
	ready := make([]float64, machines)
	copy(ready, o.Ready)
	var wrong error // the first Cost or Extra that is no time
	ask := func(i int, total float64) float64 {
		t := cost(i, total)
		if wrong == nil && !(t >= 0 && t <= most) {
			wrong = input.Bad(fn, "cost", i, "%v for a total of %v, want a time in [0, 2^200]", t, total)
		}
		return t
	}
	fetch := func(k, i int) (t float64) {
		if o.Extra != nil && known[k] > 0 {
			t = o.Extra(k, i)
		}
		if wrong == nil && !(t >= 0 && t <= most) {
			wrong = input.Bad(fn, "o", k, "Extra is %v on machine %d, want a time in [0, 2^200]", t, i)
		}
		return t
	}
	load, moved, extra, unknown := make([]float64, machines), make([]float64, machines), make([]float64, machines), make([]int, machines)
	held := slices.Repeat([]int{-1}, len(sizes))
	moves := 0
	for k, i := range p.Of {
		if i < 0 || i >= machines {
			return broken(k, -1, "is on machine %d, want 0 to %d", i, machines-1)
		}
		if math.IsInf(ready[i], 1) {
			return broken(k, -1, "is on machine %d, which is away", i)
		}
		if p.Why[k] >= reasons {
			return broken(k, -1, "has reason %d, want one of the package", p.Why[k])
		}
		load[i] += known[k]
		extra[i] += fetch(k, i)
		if o.Previous != nil && o.Previous[k] >= 0 && !math.IsInf(ready[o.Previous[k]], 1) {
			held[k] = o.Previous[k]
		}
		if held[k] >= 0 && held[k] != i {
			moves++
			moved[i] += known[k]
		}
		if math.IsNaN(sizes[k]) {
			unknown[i]++
		}
	}
	fewest := len(sizes)
	for i, n := range unknown {
		if !math.IsInf(ready[i], 1) {
			fewest = min(fewest, n)
		}
	}
	for k, i := range p.Of {
		if math.IsNaN(sizes[k]) && held[k] != i && (held[k] >= 0 || unknown[i] > fewest+1) {
			return broken(k, -1, "of unknown size is on machine %d, want that which holds it or has fewest of them", i)
		}
	}
	makespan, net, feasible, alone := 0.0, 0.0, true, math.Inf(1)
	for i := range machines {
		if !near(p.Load[i], load[i]) || p.Load[i] > 0 != (load[i] > 0) {
			return broken(-1, i, "Load is %v, want %v", p.Load[i], load[i])
		}
		end := ready[i]
		if load[i] > 0 {
			end += ask(i, p.Load[i]) + extra[i]
			net = max(net, end)
			end += o.MoveCost * moved[i]
			makespan = max(makespan, p.Finish[i])
			feasible = feasible && (o.Deadlines == nil || p.Finish[i]*(1-0x1p-40) <= o.Deadlines[i])
		}
		if c := p.Critical; c >= 0 && known[c] > 0 && !math.IsInf(ready[i], 1) {
			alone = min(alone, ready[i]+ask(i, known[c])+fetch(c, i))
		}
		if wrong != nil {
			return wrong
		}
		if !near(p.Finish[i], end) {
			return broken(-1, i, "Finish is %v, want %v", p.Finish[i], end)
		}
	}
	switch {
	case !near(p.Makespan, makespan):
		return broken(-1, -1, "Makespan is %v, want %v", p.Makespan, makespan)
	case !near(p.NetMakespan, net):
		return broken(-1, -1, "NetMakespan is %v, want %v", p.NetMakespan, net)
	case p.Moves != moves:
		return broken(-1, -1, "Moves is %d, want %d", p.Moves, moves)
	case p.Feasible != feasible:
		return broken(-1, -1, "Feasible is %t, want %t", p.Feasible, feasible)
	case !(p.Bound >= 0 && (p.Bound <= net || near(p.Bound, net))):
		return broken(-1, -1, "Bound is %v, want 0 to the NetMakespan, %v", p.Bound, net)
	case p.Critical >= 0 && !near(p.Bound, alone):
		return broken(p.Critical, -1, "is Critical, want a Bound of %v, its time alone", alone)
	}
	return nil
}

// near reports whether two numbers are equal to within 1e-9 of the larger, or both +Inf.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) && !math.IsInf(a-b, 0)
}
