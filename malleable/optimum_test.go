package malleable_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/linear"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// simplex is what the linear programmes are good to, relative to the data, which are small
// integers.
const simplex = 1e-7

func least(t *testing.T, p *linear.Programme, cost linear.Row) float64 {
	t.Helper()
	z, err := p.Least(cost, 1e-10)
	must(t, err)
	return z // +Inf if this order of completions needs more than the slots for the minima
}

// newProgramme is a linear programme over all malleable schedules of jobs that complete in a given
// order. Its variables are the lengths of the n intervals between completions, which come first,
// and the work of each job in each interval between the completion of its last predecessor and
// its own.
func newProgramme(in *instance, order []int) *linear.Programme {
	n := len(order)
	place := make([]int, n)
	for at, j := range order {
		place[j] = at
	}
	p := new(linear.Programme)
	p.Variables(n)
	all := make([]linear.Row, n)
	for k := range all {
		all[k] = linear.Row{k: -float64(in.slots)}
	}
	for at, j := range order {
		ready := 0
		for _, a := range in.arcs {
			if a[1] == j {
				ready = max(ready, place[a[0]]+1)
			}
		}
		whole, job := linear.Row{}, in.jobs[j]
		for k := ready; k <= at; k++ {
			x := p.Variables(1)
			all[k][x], whole[x] = 1, 1
			p.AtMost(linear.Row{x: 1, k: -float64(cmp.Or(job.Max, in.slots))}, 0)
			if job.Min > 0 && job.Work > 0 {
				p.AtMost(linear.Row{x: -1, k: float64(job.Min)}, 0)
			}
		}
		p.Equal(whole, job.Work)
	}
	for _, r := range all {
		p.AtMost(r, 0)
	}
	return p
}

// overOrders returns the least of f over all orders that respect the arcs.
func overOrders(in *instance, f func(order []int) float64) float64 {
	best := math.Inf(1)
	var order []int
	var extend func(used int)
	extend = func(used int) {
		if len(order) == len(in.jobs) {
			best = min(best, f(order))
			return
		}
		for j := range in.jobs {
			waits := slices.ContainsFunc(in.arcs, func(a [2]int) bool { return a[1] == j && used&(1<<a[0]) == 0 })
			if used&(1<<j) == 0 && !waits {
				order = append(order, j)
				extend(used | 1<<j)
				order = order[:len(order)-1]
			}
		}
	}
	extend(0)
	return best
}

// leastLateness returns the least maximum lateness of any malleable schedule of independent jobs.
func leastLateness(t *testing.T, slots int, jobs []malleable.Job, deadlines []float64) float64 {
	t.Helper()
	in := &instance{slots: slots, jobs: jobs}
	shift := 0.0 // lateness is z - shift, z >= 0
	for _, d := range deadlines {
		shift = max(shift, d)
	}
	return overOrders(in, func(order []int) float64 {
		p := newProgramme(in, order)
		z := p.Variables(1)
		for at, j := range order {
			late := linear.Row{z: -1}
			for k := range at + 1 {
				late[k] = 1
			}
			p.AtMost(late, deadlines[j]-shift)
		}
		return least(t, p, linear.Row{z: 1}) - shift
	})
}

// leastWeighted returns the least total weighted completion time of any malleable schedule.
func leastWeighted(t *testing.T, in *instance, weight []float64) float64 {
	t.Helper()
	return overOrders(in, func(order []int) float64 {
		cost := linear.Row{}
		for at, j := range order {
			for k := range at + 1 {
				cost[k] += weight[j]
			}
		}
		return least(t, newProgramme(in, order), cost)
	})
}

// TestAgainstOptimum compares with the best of all malleable schedules: a packed optimal order is
// within twice it on chains without minima, and equals it, as the optimum of one machine does, when
// all slots are for all jobs; and the bounds of Plan hold with minima too, on all kinds of graphs.
func TestAgainstOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("long: an enumeration a case")
	}
	chains, fluids, minima := 0, 0, 0
	for seed := range uint64(450) {
		r := random(seed)
		in := randomInstance(r, seed%3 == 0)
		if len(in.jobs) > 4 {
			continue
		}
		fluid := seed%3 == 1
		weight := make([]float64, len(in.jobs))
		work := make([]float64, len(in.jobs))
		for j := range in.jobs {
			if fluid {
				in.jobs[j].Max = 0
			}
			in.jobs[j].Max = min(in.jobs[j].Max, in.slots)
			weight[j] = float64(r.IntN(5))
			work[j] = in.jobs[j].Work / float64(in.slots)
		}
		g := in.graph(t)
		obj, err := precedence.SumWeightedResponse(weight)
		must(t, err)
		_, report, err := malleable.Plan(in.slots, in.jobs, g, obj, malleable.PlanOptions{})
		var tooMany *malleable.MinimaError
		if errors.As(err, &tooMany) {
			continue
		}
		must(t, err)
		least := leastWeighted(t, &in, weight)
		off := simplex * (1 + least)
		if report.Value < least-off || report.Bound > least+off || report.Exact && report.Value > least+off || report.Value > report.Factor*least+off {
			t.Errorf("seed %d: Plan(%+v) = %+v, the least of all schedules is %v", seed, in, report, least)
		}
		if slices.ContainsFunc(in.jobs, func(j malleable.Job) bool { return j.Min > 0 && j.Work > 0 }) {
			minima++
			continue
		}
		one, err := precedence.Minimize(g, work, obj, precedence.Options{})
		if err != nil || !one.Exact {
			t.Fatalf("seed %d: Minimize(%v) = %+v, %v, want an exact solution", seed, work, one, err)
		}
		if fluid {
			fluids++
			if math.Abs(one.Value-least) > off || math.Abs(report.Value-least) > off {
				t.Errorf("seed %d: one machine %v, Plan(%+v) %v, want both to be the least of all schedules, %v", seed, one.Value, in, report.Value, least)
			}
		}
		if g == nil || g.Shape() <= precedence.ShapeChains {
			chains++
			if report.Value > 2*least+off {
				t.Errorf("seed %d: Plan(%+v) = %+v, more than twice %v", seed, in, report, least)
			}
		}
	}
	if chains < 60 || fluids < 40 || minima < 20 {
		t.Errorf("%d on chains, %d with all slots for all, %d with minima: the cases are too one-sided", chains, fluids, minima)
	}
}
