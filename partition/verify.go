package partition

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Verify checks a plan from its assignment alone, whoever made it: each partition is on a machine
// that is not away, and has a reason; one of unknown size is on the machine that holds it, or where
// no machine has two fewer of them; the numbers of the Plan follow from Of, the cost and o, to
// 1e-9; and the Critical partition, fetched and alone on its best machine, ends at the Bound. That
// no assignment ends before Bound is not checked.
//
// The first fault names the partition or machine and does not wrap schedmath.ErrInput.
func Verify(machines int, sizes []float64, cost Cost, o Options, p Plan) error {
	const fn = "partition.Verify"
	known := sizes
	if o.Unknown {
		known = withoutNaN(sizes)
	}
	if err := check(fn, machines, known, cost, &o); err != nil {
		return err
	}
	v := &verification{
		machines: machines, sizes: sizes, known: known, cost: cost, o: o, p: p,
		ready: make([]float64, machines), held: slices.Repeat([]int{-1}, len(sizes)),
		load: make([]float64, machines), moved: make([]float64, machines), extra: make([]float64, machines),
	}
	copy(v.ready, o.Ready)
	for _, check := range []func() error{v.shape, v.place, v.spread, v.finish, v.whole} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// A verification compares a plan with what follows from its assignment.
type verification struct {
	machines     int
	sizes, known []float64 // NaN and 0 where unknown
	cost         Cost
	o            Options
	p            Plan
	ready        []float64
	held         []int // of each partition, the machine that holds it; -1: none that is up

	load, moved, extra []float64 // of each machine; extra is the time of fetching
	moves              int
	makespan, net      float64
	alone              float64 // when the critical partition could end alone
	late               bool
	wrong              error // the first Cost or Extra that is no time
}

// broken is the verdict on a plan; partition and machine are -1 where none is at fault.
func broken(partition, machine int, format string, args ...any) error {
	at := ""
	switch {
	case partition >= 0:
		at = fmt.Sprintf("partition %d: ", partition)
	case machine >= 0:
		at = fmt.Sprintf("machine %d: ", machine)
	}
	return fmt.Errorf("partition: broken plan: "+at+format, args...)
}

// time is what machine i takes for total.
func (v *verification) time(i int, total float64) float64 {
	t := v.cost(i, total)
	if v.wrong == nil && !(t >= 0 && t <= most) {
		v.wrong = input.Bad("partition.Verify", "cost", i, "%v for a total of %v, want a time in [0, 2^200]", t, total)
	}
	return t
}

// fetch is what fetching partition k adds on machine i.
func (v *verification) fetch(k, i int) (t float64) {
	if v.o.Extra != nil && v.known[k] > 0 {
		t = v.o.Extra(k, i)
	}
	if v.wrong == nil && !(t >= 0 && t <= most) {
		v.wrong = input.Bad("partition.Verify", "o", k, "Extra is %v on machine %d, want a time in [0, 2^200]", t, i)
	}
	return t
}

// away reports whether machine i takes nothing.
func (v *verification) away(i int) bool { return math.IsInf(v.ready[i], 1) }

// shape checks the lengths of the plan's lists.
func (v *verification) shape() error {
	p, n := &v.p, len(v.known)
	switch {
	case len(p.Of) != n || len(p.Why) != n:
		return broken(-1, -1, "Of and Why have %d and %d elements, want %d partitions", len(p.Of), len(p.Why), n)
	case len(p.Load) != v.machines || len(p.Finish) != v.machines:
		return broken(-1, -1, "Load and Finish have %d and %d elements, want %d machines", len(p.Load), len(p.Finish), v.machines)
	case p.Critical < -1 || p.Critical >= n:
		return broken(-1, -1, "Critical is %d, want a partition or -1", p.Critical)
	}
	return nil
}

// place checks where each partition is, and sums up what each machine has.
func (v *verification) place() error {
	for k, i := range v.p.Of {
		switch {
		case i < 0 || i >= v.machines:
			return broken(k, -1, "is on machine %d, want 0 to %d", i, v.machines-1)
		case v.away(i):
			return broken(k, -1, "is on machine %d, which is away", i)
		case v.p.Why[k] >= reasons:
			return broken(k, -1, "has reason %d, want one of the package", v.p.Why[k])
		}
		v.load[i] += v.known[k]
		v.extra[i] += v.fetch(k, i)
		if v.o.Previous != nil && v.o.Previous[k] >= 0 && !v.away(v.o.Previous[k]) {
			v.held[k] = v.o.Previous[k]
		}
		if v.held[k] >= 0 && v.held[k] != i {
			v.moves++
			v.moved[i] += v.known[k]
		}
	}
	return nil
}

// spread checks the partitions of unknown size: on the machine that holds them, or even.
func (v *verification) spread() error {
	unknown, fewest := make([]int, v.machines), len(v.sizes)
	for k, i := range v.p.Of {
		if math.IsNaN(v.sizes[k]) {
			unknown[i]++
		}
	}
	for i, n := range unknown {
		if !v.away(i) {
			fewest = min(fewest, n)
		}
	}
	for k, i := range v.p.Of {
		if math.IsNaN(v.sizes[k]) && v.held[k] != i && (v.held[k] >= 0 || unknown[i] > fewest+1) {
			return broken(k, -1, "of unknown size is on machine %d, want that which holds it or has fewest of them", i)
		}
	}
	return nil
}

// finish checks the load and the finish of each machine.
func (v *verification) finish() error {
	v.alone = math.Inf(1)
	for i, load := range v.load {
		if !near(v.p.Load[i], load) || v.p.Load[i] > 0 != (load > 0) {
			return broken(-1, i, "Load is %v, want %v", v.p.Load[i], load)
		}
		end := v.ready[i]
		if load > 0 {
			end += v.time(i, v.p.Load[i]) + v.extra[i]
			v.net = max(v.net, end)
			end += v.o.MoveCost * v.moved[i]
			v.makespan = max(v.makespan, v.p.Finish[i])
			v.late = v.late || v.o.Deadlines != nil && !(v.p.Finish[i]*(1-0x1p-40) <= v.o.Deadlines[i])
		}
		if c := v.p.Critical; c >= 0 && v.known[c] > 0 && !v.away(i) {
			v.alone = min(v.alone, v.ready[i]+v.time(i, v.known[c])+v.fetch(c, i))
		}
		if v.wrong != nil {
			return v.wrong
		}
		if !near(v.p.Finish[i], end) {
			return broken(-1, i, "Finish is %v, want %v", v.p.Finish[i], end)
		}
	}
	return nil
}

// whole checks what the plan says of all machines together.
func (v *verification) whole() error {
	p := &v.p
	switch {
	case !near(p.Makespan, v.makespan):
		return broken(-1, -1, "Makespan is %v, want %v", p.Makespan, v.makespan)
	case !near(p.NetMakespan, v.net):
		return broken(-1, -1, "NetMakespan is %v, want %v", p.NetMakespan, v.net)
	case p.Moves != v.moves:
		return broken(-1, -1, "Moves is %d, want %d", p.Moves, v.moves)
	case p.Feasible == v.late:
		return broken(-1, -1, "Feasible is %t, want %t", p.Feasible, !v.late)
	case !(p.Bound >= 0 && (p.Bound <= v.net || near(p.Bound, v.net))):
		return broken(-1, -1, "Bound is %v, want 0 to the NetMakespan, %v", p.Bound, v.net)
	case p.Critical >= 0 && !near(p.Bound, v.alone):
		return broken(p.Critical, -1, "is Critical, want a Bound of %v, its time alone", v.alone)
	}
	return nil
}

// near reports whether two numbers are equal to within 1e-9 of the larger, or both +Inf.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) && !math.IsInf(a-b, 0)
}
