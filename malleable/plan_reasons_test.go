package malleable_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestPlanReasons looks at each reason that a report gives.
func TestPlanReasons(t *testing.T) {
	r := random(1)
	free, capped, held := make([]malleable.Job, 40), make([]malleable.Job, 40), make([]malleable.Job, 40)
	deadlines, weights := make([]float64, 40), make([]float64, 40)
	for j := range free {
		free[j] = malleable.Job{Work: float64(1 + r.IntN(50))}
		capped[j], held[j] = free[j], free[j]
		capped[j].Max = 2
		held[j].Min = j & 1
		deadlines[j], weights[j] = float64(r.IntN(40)), float64(1+r.IntN(9))
	}
	objective := func(o precedence.Objective, err error) precedence.Objective {
		t.Helper()
		must(t, err)
		return o
	}
	response := objective(precedence.SumResponse(40))
	tardiness := objective(precedence.SumWeightedTardiness(deadlines, weights))
	lateness := objective(precedence.MaxLateness(deadlines))
	// fewer slots than there are, and more than a third
	tight := slices.Repeat([]malleable.Job{{Work: 10, Max: 19}}, 3)
	late := objective(precedence.MaxLateness([]float64{0, 0, 1}))
	chains, err := precedence.Chains(20, 20)
	must(t, err)
	for _, c := range []struct {
		jobs  []malleable.Job
		g     *precedence.Graph
		obj   precedence.Objective
		exact bool
		why   string
		steps []int // allowed counts of slots
	}{
		{free, nil, response, true, "all jobs can use all slots", nil},
		{free, nil, tardiness, false, "the order is only known to be near one", nil},
		{capped, nil, response, false, "adds at most the least value", nil},
		{capped, chains, lateness, true, "the value meets the lower bound", nil},
		{capped, nil, tardiness, false, "near the best only for response times", nil},
		{tight, nil, late, true, "water-filling at its deadlines fails", nil},
		{held, nil, response, false, "no guarantee", nil},
		{capped, nil, response, false, "what rounding costs", []int{1, 7, 20}},
	} {
		s, report, err := malleable.Plan(20, c.jobs, c.g, c.obj, malleable.PlanOptions{Allowed: c.steps})
		if err != nil || report.Exact != c.exact || !strings.Contains(report.Why, c.why) {
			t.Errorf("Plan(20, %v, %T) = %+v, %v, want exact %t because %q", c.jobs, c.obj.Penalties[0], report, err, c.exact, c.why)
			continue
		}
		if err := malleable.Verify(20, c.jobs, c.g, s); err != nil {
			t.Errorf("Plan(20, %v) fails Verify: %v", c.jobs, err)
		}
	}
}

// never is a penalty without bound from its deadline on.
type never float64

func (n never) At(t float64) float64 {
	if t > float64(n) {
		return math.Inf(1)
	}
	return 0
}

// TestPlanInfinite: penalties of a maximum may be infinite. Water-filling finds the schedule
// without, if there is one; where every schedule costs +Inf, nothing is known to be best.
func TestPlanInfinite(t *testing.T) {
	jobs := []malleable.Job{{Work: 2, Max: 2}, {Work: 2, Max: 1}}
	for _, c := range []struct {
		deadlines [2]never
		value     float64
		exact     bool
		why       string
	}{
		{[2]never{2, 2}, 0, true, "water-filling"},
		// possible on one machine
		{[2]never{1, 2}, math.Inf(1), false, "the penalties are infinite"},
	} {
		obj := precedence.Objective{Aggregate: precedence.Max, Penalties: []precedence.Penalty{c.deadlines[0], c.deadlines[1]}}
		_, r, err := malleable.Plan(2, jobs, nil, obj, malleable.PlanOptions{})
		if err != nil || r.Value != c.value || r.Bound != 0 || r.Exact != c.exact || !strings.Contains(r.Why, c.why) {
			t.Errorf("Plan(2, %v, infinite after %v) = %+v, %v, want %v because %s", jobs, c.deadlines, r, err, c.value, c.why)
		}
	}
	for _, aggregate := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
		obj := precedence.Objective{Aggregate: aggregate, Penalties: []precedence.Penalty{never(2.5)}}
		_, r, err := malleable.Plan(2, []malleable.Job{{Work: 3, Max: 1}}, nil, obj, malleable.PlanOptions{})
		if err != nil || !math.IsInf(r.Value, 1) || r.Exact || !math.IsInf(r.Factor, 1) {
			t.Errorf("Plan with an infinite penalty, %v = %+v, %v, want +Inf, not exact, factor +Inf", aggregate, r, err)
		}
	}
}

// TestPlanOnTime: a deadline that the works before it fill exactly is met, in whatever order the
// sums are rounded.
func TestPlanOnTime(t *testing.T) {
	jobs := []malleable.Job{{Work: .1}, {Work: .2}, {Work: .3}}
	obj, err := precedence.SumTardy([]float64{.6, .6, .6})
	must(t, err)
	for _, slots := range []int{1, 4} {
		scaled := slices.Clone(jobs)
		for j := range scaled {
			scaled[j].Work *= float64(slots)
		}
		_, r, err := malleable.Plan(slots, scaled, nil, obj, malleable.PlanOptions{})
		if err != nil || r.Value != 0 || r.Bound != 0 || !r.Exact {
			t.Errorf("Plan(%d, %v, tardy after .6) = %+v, %v, want 0, exactly", slots, scaled, r, err)
		}
	}
}

// TestPlanPointers: a pointer to a penalty counts as the penalty.
func TestPlanPointers(t *testing.T) {
	jobs := []malleable.Job{{Work: 4, Max: 1}, {Work: 4, Max: 3}, {Work: 6, Max: 2}}
	none, response, lateness := precedence.NoPenalty{}, precedence.Response{Weight: 1}, precedence.Lateness{Deadline: 20, Weight: 1}
	for _, c := range []struct {
		aggregate       precedence.Aggregate
		values, pointed []precedence.Penalty
	}{
		{precedence.Max, []precedence.Penalty{none, lateness, lateness}, []precedence.Penalty{&none, &lateness, &lateness}},
		{precedence.Sum, []precedence.Penalty{none, response, response}, []precedence.Penalty{&none, &response, &response}},
	} {
		_, want, err := malleable.Plan(3, jobs, nil, precedence.Objective{Aggregate: c.aggregate, Penalties: c.values}, malleable.PlanOptions{})
		must(t, err)
		_, got, err := malleable.Plan(3, jobs, nil, precedence.Objective{Aggregate: c.aggregate, Penalties: c.pointed}, malleable.PlanOptions{})
		if err != nil || !slices.Equal(got.Order, want.Order) || got.Value != want.Value || got.Bound != want.Bound || got.Exact != want.Exact || got.Why != want.Why {
			t.Errorf("Plan with pointers to penalties, %v = %+v, %v, want %+v", c.aggregate, got, err, want)
		}
	}
}

// TestPlanOfNothing: the sum over no jobs is 0 and the maximum -Inf.
func TestPlanOfNothing(t *testing.T) {
	for aggregate, want := range map[precedence.Aggregate]float64{precedence.Sum: 0, precedence.Max: math.Inf(-1)} {
		s, r, err := malleable.Plan(2, nil, nil, precedence.Objective{Aggregate: aggregate}, malleable.PlanOptions{})
		if err != nil || s.Len() != 0 || r.Value != want || r.Bound != want || !r.Exact || r.Factor != 1 {
			t.Errorf("Plan of no jobs, %v = %+v, %v, want %v", aggregate, r, err, want)
		}
	}
}
