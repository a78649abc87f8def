package partition

import (
	"fmt"
	"math"
)

// PlanError says what is wrong with a plan: the partition or the machine at fault, -1 if it is none. It is Verify's verdict on
// a plan, not a call that Verify cannot work with, so it does not wrap schedmath.ErrInput.
type PlanError struct {
	Partition, Machine int
	Reason             string
}

// Error says the partition or machine at fault and the reason.
func (e *PlanError) Error() string {
	switch {
	case e == nil:
		return "partition: broken plan"
	case e.Partition >= 0:
		return fmt.Sprintf("partition: broken plan: partition %d: %s", e.Partition, e.Reason)
	case e.Machine >= 0:
		return fmt.Sprintf("partition: broken plan: machine %d: %s", e.Machine, e.Reason)
	}
	return "partition: broken plan: " + e.Reason
}

// Verify checks a plan from its assignment alone, whoever made it. It returns nil if
//
//   - each partition is on one of the machines, none on one that is away, and has a reason;
//   - Load, Finish, Makespan and Feasible are what follows from Of, the cost and o;
//   - 0 <= Bound <= Makespan, and no machine processes the largest partition alone in less than the Bound where that partition is Critical.
//
// Sums and times are compared to within 1e-9, a Finish and its deadline to within 2^-40. Method and Steps do not matter. That no assignment ends before Bound is not
// checked: it takes all of them.
//
// Cost O(n + m). Errors: PlanError for the first fault found, *schedmath.InputError for arguments that Assign refuses.
func Verify(sizes []float64, machines int, cost Cost, o Options, p Plan) error {
	if err := check("partition.Verify", sizes, machines, cost, &o); err != nil {
		return err
	}
	broken := func(partition, machine int, format string, args ...any) error {
		return &PlanError{partition, machine, fmt.Sprintf(format, args...)}
	}
	if len(p.Of) != len(sizes) || len(p.Why) != len(sizes) {
		return broken(-1, -1, "Of and Why have %d and %d elements, want %d partitions", len(p.Of), len(p.Why), len(sizes))
	}
	if len(p.Load) != machines || len(p.Finish) != machines {
		return broken(-1, -1, "Load and Finish have %d and %d elements, want %d machines", len(p.Load), len(p.Finish), machines)
	}
	load, moved := make([]float64, machines), make([]float64, machines)
	largest := -1
	for k, i := range p.Of {
		if i < 0 || i >= machines {
			return broken(k, -1, "is on machine %d, want 0 to %d", i, machines-1)
		}
		if o.Ready != nil && math.IsInf(o.Ready[i], 1) {
			return broken(k, -1, "is on machine %d, which is away", i)
		}
		if p.Why[k] >= reasons {
			return broken(k, -1, "has reason %d, want one of the package", p.Why[k])
		}
		load[i] += sizes[k]
		if o.Previous != nil && o.Previous[k] >= 0 && o.Previous[k] != i {
			moved[i] += sizes[k]
		}
		if largest < 0 || sizes[k] > sizes[largest] {
			largest = k
		}
	}
	makespan, feasible, alone := 0.0, true, math.Inf(1)
	for i := range machines {
		ready := 0.0
		if o.Ready != nil {
			ready = o.Ready[i]
		}
		ask := func(total float64) (float64, error) {
			t := cost(i, total)
			if !(t >= 0 && t <= most) {
				return 0, badInput("partition.Verify", "cost", i, "%v for a total of %v, want a time in [0, 2^200]", t, total)
			}
			return t, nil
		}
		if !near(p.Load[i], load[i]) || p.Load[i] > 0 != (load[i] > 0) {
			return broken(-1, i, "Load is %v, want %v", p.Load[i], load[i])
		}
		end := ready
		if load[i] > 0 {
			t, err := ask(p.Load[i])
			if err != nil {
				return err
			}
			end += t + o.MoveCost*moved[i]
			makespan = max(makespan, p.Finish[i])
			feasible = feasible && (o.Deadlines == nil || p.Finish[i]*(1-0x1p-40) <= o.Deadlines[i])
		}
		if !near(p.Finish[i], end) {
			return broken(-1, i, "Finish is %v, want %v", p.Finish[i], end)
		}
		if p.Critical >= 0 && largest >= 0 && sizes[largest] > 0 && !math.IsInf(ready, 1) {
			t, err := ask(sizes[largest])
			if err != nil {
				return err
			}
			alone = min(alone, ready+t)
		}
	}
	switch {
	case !near(p.Makespan, makespan):
		return broken(-1, -1, "Makespan is %v, want %v", p.Makespan, makespan)
	case p.Feasible != feasible:
		return broken(-1, -1, "Feasible is %t, want %t", p.Feasible, feasible)
	case !(p.Bound >= 0 && (p.Bound <= makespan || near(p.Bound, makespan))):
		return broken(-1, -1, "Bound is %v, want 0 to the Makespan, %v", p.Bound, makespan)
	case p.Critical < -1 || p.Critical >= len(sizes):
		return broken(-1, -1, "Critical is %d, want a partition or -1", p.Critical)
	case p.Critical >= 0 && (sizes[p.Critical] < sizes[largest] || !near(p.Bound, alone)):
		return broken(p.Critical, -1, "is Critical, want one of the largest and a Bound of %v, its time alone", alone)
	}
	return nil
}

// near reports whether two numbers are equal to within 1e-9 of the larger, or both +Inf.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) && !math.IsInf(a-b, 0)
}
