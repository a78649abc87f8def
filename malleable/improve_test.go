package malleable_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// Work at hand delays the long job that the last one waits for, unless the critical path counts.
func TestPlanCriticalPath(t *testing.T) {
	jobs := []malleable.Job{{Work: 4, Max: 2}, {Work: 4, Max: 2}, {Work: 8, Max: 2}, {Work: 4, Max: 4}}
	g, err := precedence.NewGraph(4, [][2]int{{0, 3}, {1, 3}, {2, 3}})
	must(t, err)
	obj, err := precedence.MaxResponse(4)
	must(t, err)
	for packs, want := range map[int]float64{0: 5, 1: 7, 2: 5} {
		s, r, err := malleable.Plan(4, jobs, g, obj, malleable.PlanOptions{Packs: packs})
		if err != nil || r.Value != want || s.Makespan() != want || r.Exact != (want == 5) || r.Bound != 5 {
			t.Errorf("Plan(4, %v, Packs %d) = %+v, %v, want %v, and 5 as the bound", jobs, packs, r, err, want)
		}
	}
}

// drawLayers draws jobs in layers, each job after all of the layer before, and the least makespan:
// a layer takes the longer of all its work on all slots and its longest job.
func drawLayers(t testing.TB, r *rand.Rand, slots, layers, each int) ([]malleable.Job, *precedence.Graph, float64) {
	var jobs []malleable.Job
	var arcs [][2]int
	least := 0.0
	for range layers {
		first, work, longest := len(jobs), 0.0, 0.0
		for j := first; j < first+each; j++ {
			job := malleable.Job{Work: float64(1 + r.IntN(20)), Max: 1 + r.IntN(slots/2)}
			jobs = append(jobs, job)
			work += job.Work
			longest = max(longest, job.Work/float64(job.Max))
			for i := max(0, first-each); i < first; i++ {
				arcs = append(arcs, [2]int{i, j})
			}
		}
		least += max(work/float64(slots), longest)
	}
	g, err := precedence.NewGraph(len(jobs), arcs)
	must(t, err)
	return jobs, g, least
}

// On 200 instances of four full layers the makespan is 1.5% above the least on average.
func TestPlanLayers(t *testing.T) {
	r := random(48)
	gap, scheme := 0.0, 0.0
	const draws = 200
	for range draws {
		jobs, g, least := drawLayers(t, r, 8, 4, 6)
		obj, err := precedence.MaxResponse(len(jobs))
		must(t, err)
		s, report, err := malleable.Plan(8, jobs, g, obj, malleable.PlanOptions{})
		must(t, err)
		must(t, malleable.Verify(8, jobs, g, s))
		must(t, precedence.Verify(g, report.Order))
		if again, err := malleable.Pack(8, jobs, g, report.Order); err != nil || again.Makespan() != s.Makespan() || report.Value != s.Makespan() {
			t.Errorf("Plan(8, %v) = %+v, but its order packs to %v, %v", jobs, report, again.Makespan(), err)
		}
		if report.Value < least*(1-1e-9) || report.Bound > least*(1+1e-9) {
			t.Errorf("Plan(8, %v) = %+v, the least is %v", jobs, report, least)
		}
		gap += (report.Value/least - 1) / draws
		_, report, err = malleable.Plan(8, jobs, g, obj, malleable.PlanOptions{Packs: 1})
		must(t, err)
		scheme += (report.Value/least - 1) / draws
	}
	if gap > .015 || scheme < .1 {
		t.Errorf("%.2f%% above the least on average, want at most 1.5%%; with one packing %.2f%%, want a tenth or more", 100*gap, 100*scheme)
	}
}

// More packings never do harm: not to any maximum, and not where minima fit in the first order and
// not in another.
func TestPlanMorePacks(t *testing.T) {
	r := random(49)
	better := 0
	for range 2000 {
		n, slots := 3+r.IntN(8), 2+r.IntN(4)
		jobs := make([]malleable.Job, n)
		var arcs [][2]int
		obj := precedence.Objective{Aggregate: precedence.Max}
		for j := range jobs {
			jobs[j] = malleable.Job{Work: float64(r.IntN(20)), Max: 1 + r.IntN(slots)}
			if r.IntN(3) == 0 {
				jobs[j].Min = jobs[j].Max
			}
			for i := range j {
				if r.IntN(3) == 0 {
					arcs = append(arcs, [2]int{i, j})
				}
			}
			obj.Penalties = append(obj.Penalties, precedence.Tardiness{Deadline: float64(r.IntN(20)), Weight: float64(1 + r.IntN(3))})
		}
		g, err := precedence.NewGraph(n, arcs)
		must(t, err)
		_, one, first := malleable.Plan(slots, jobs, g, obj, malleable.PlanOptions{Packs: 1})
		s, more, err := malleable.Plan(slots, jobs, g, obj, malleable.PlanOptions{})
		var minima *malleable.MinimaError
		if errors.As(first, &minima) && errors.As(err, &minima) {
			continue
		}
		must(t, first)
		must(t, err)
		must(t, malleable.Verify(slots, jobs, g, s))
		if more.Value > one.Value || more.Bound > more.Value || one.Bound > more.Value*(1+1e-9) {
			t.Fatalf("Plan(%d, %v, %v, %v) = %+v, with one packing %+v", slots, jobs, arcs, obj, more, one)
		}
		if more.Value < one.Value {
			better++
		}
	}
	if better < 100 {
		t.Errorf("more packings are better in %d cases, want some", better)
	}
}
