package malleable_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// goldenObjective makes the objective of a key of the golden file.
func goldenObjective(t *testing.T, c *goldenCase, key string, aggregate precedence.Aggregate) precedence.Objective {
	t.Helper()
	obj := precedence.Objective{Aggregate: aggregate}
	for _, j := range c.Jobs {
		w := 1.0
		if strings.HasPrefix(key, "w") {
			w = j.W
		}
		var p precedence.Penalty
		switch strings.TrimPrefix(key, "w") {
		case "C":
			p = precedence.Response{Weight: w}
		case "U":
			p = precedence.Tardy{Deadline: j.D, Weight: w}
		case "T":
			p = precedence.Tardiness{Deadline: j.D, Weight: w}
		case "L":
			p = precedence.Lateness{Deadline: j.D, Weight: w}
		case "SLA":
			sla := precedence.SLA{}
			for _, step := range j.SLA {
				sla.Deadlines, sla.Costs = append(sla.Deadlines, step[0]), append(sla.Costs, step[1])
			}
			p = sla
		default:
			t.Fatalf("objective %q", key)
		}
		obj.Penalties = append(obj.Penalties, p)
	}
	return obj
}

// TestPlanFluidGolden: with minima 0 and no maxima the optimum is that of one machine with works
// p/slots, for every objective. With the jobs' own minima and maxima it is a lower bound.
func TestPlanFluidGolden(t *testing.T) {
	all := readGolden(t)
	for i := range all.Cases {
		c := &all.Cases[i]
		in := c.instance()
		g := in.graph(t)
		fluid := make([]malleable.Job, c.N)
		for j := range fluid {
			fluid[j].Work = c.Jobs[j].P * float64(c.S)
		}
		for aggregate, optima := range map[precedence.Aggregate]map[string]float64{precedence.Sum: c.Optimum.Sum, precedence.Max: c.Optimum.Max} {
			for key, want := range optima {
				obj := goldenObjective(t, c, key, aggregate)
				s, r, err := malleable.Plan(c.S, fluid, g, obj, malleable.PlanOptions{})
				if err != nil {
					t.Fatalf("case %d %s %v: Plan: %v", c.ID, key, aggregate, err)
				}
				if !r.Exact || r.Factor != 1 || !near(r.Value, want) || r.Bound > r.Value || !near(r.Bound, want) {
					t.Errorf("case %d %s %v: Plan = %+v, want exactly %v", c.ID, key, aggregate, r, want)
				}
				if err := malleable.Verify(c.S, fluid, g, s); err != nil {
					t.Errorf("case %d: Plan fails Verify: %v", c.ID, err)
				}

				scaled := slices.Clone(fluid)
				free := true
				for j := range scaled {
					scaled[j].Min, scaled[j].Max = in.jobs[j].Min, in.jobs[j].Max
					free = free && scaled[j].Min == 0
				}
				s, r, err = malleable.Plan(c.S, scaled, g, obj, malleable.PlanOptions{})
				var minima *malleable.MinimaError
				if errors.As(err, &minima) {
					continue
				}
				if err != nil {
					t.Fatalf("case %d %s %v: Plan: %v", c.ID, key, aggregate, err)
				}
				if err := malleable.Verify(c.S, scaled, g, s); err != nil {
					t.Errorf("case %d: Plan fails Verify: %v", c.ID, err)
				}
				if r.Value < want && !near(r.Value, want) || r.Bound < want && !near(r.Bound, want) || r.Bound > r.Value {
					t.Errorf("case %d %s %v: Plan = %+v, want at least %v", c.ID, key, aggregate, r, want)
				}
				if strings.HasSuffix(key, "C") && free && !(r.Factor <= 2) {
					t.Errorf("case %d %s %v: Plan = %+v, want a factor of at most 2", c.ID, key, aggregate, r)
				}
			}
		}
	}
}

// TestPlanMaximum compares the bisection with the least lateness by linear programmes.
func TestPlanMaximum(t *testing.T) {
	better := 0
	for seed := range uint64(75) {
		r := random(seed)
		slots := 1 + r.IntN(4)
		jobs := make([]malleable.Job, 1+r.IntN(3))
		deadlines := make([]float64, len(jobs))
		for j := range jobs {
			jobs[j] = malleable.Job{Work: float64(1 + r.IntN(8)), Max: 1 + r.IntN(slots)}
			deadlines[j] = float64(r.IntN(8))
		}
		if seed%3 == 0 {
			jobs[0].Min = 1
		}
		obj := precedence.Objective{Aggregate: precedence.Max}
		for _, d := range deadlines {
			var p precedence.Penalty = precedence.Lateness{Deadline: d, Weight: 1}
			if seed%2 == 0 {
				p = justAt{p} // no Latest
			}
			obj.Penalties = append(obj.Penalties, p)
		}
		s, report, err := malleable.Plan(slots, jobs, nil, obj, malleable.PlanOptions{})
		must(t, err)
		if err := malleable.Verify(slots, jobs, nil, s); err != nil {
			t.Errorf("seed %d: Plan fails Verify: %v", seed, err)
		}
		want := leastLateness(t, slots, jobs, deadlines)
		if !report.Exact || math.Abs(report.Value-want) > simplex || report.Bound > report.Value {
			t.Errorf("seed %d: Plan(%d, %v, deadlines %v) = %+v, want %v", seed, slots, jobs, deadlines, report, want)
		}
		if report.Filled {
			better++
		}
	}
	if better < 2 {
		t.Errorf("water-filling was better than packing in %d cases, want some", better)
	}
}

type justAt struct{ p precedence.Penalty }

func (j justAt) At(t float64) float64 { return j.p.At(t) }

// TestPlanTwoSteps is the smallest case in which packing an optimal one-machine order is not
// optimal: lateness 1 instead of 0.
func TestPlanTwoSteps(t *testing.T) {
	jobs := []malleable.Job{{Work: 2, Max: 2}, {Work: 2, Max: 1}}
	obj := precedence.Objective{Aggregate: precedence.Max, Penalties: []precedence.Penalty{
		precedence.Lateness{Deadline: 2, Weight: 1}, precedence.Lateness{Deadline: 2, Weight: 1}}}
	s, err := malleable.Pack(2, jobs, nil, []int{0, 1})
	if err != nil || s.Makespan() != 3 {
		t.Errorf("Pack(2, %v, [0 1]) ends at %v, %v, want 3", jobs, s.Makespan(), err)
	}
	s, r, err := malleable.Plan(2, jobs, nil, obj, malleable.PlanOptions{})
	if err != nil || !near(s.Makespan(), 2) || !r.Exact || math.Abs(r.Value) > 1e-9 {
		t.Errorf("Plan(2, %v) = %+v, %v, want lateness 0", jobs, r, err)
	}
}

// BenchmarkPlan is the whole of it for 100 active jobs in 20 chains: priority, packing and report.
func BenchmarkPlan(b *testing.B) {
	jobs, g, _, weight := epochInput(b)
	alone := make([]float64, len(jobs))
	for j := range jobs {
		alone[j] = jobs[j].Work / float64(jobs[j].Max)
	}
	sum, err := precedence.SumWeightedResponse(weight)
	must(b, err)
	most, err := precedence.MaxStretch(alone)
	must(b, err)
	for name, obj := range map[string]precedence.Objective{"response": sum, "max-stretch": most} {
		b.Run(name+"/n=100", func(b *testing.B) {
			for b.Loop() {
				if _, r, err := malleable.Plan(100, jobs, g, obj, malleable.PlanOptions{}); err != nil || !(r.Value > 0) {
					b.Fatal(r, err)
				}
			}
		})
	}
}
