package malleable_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestReplanKeepsThePlan re-plans at random times without news: the schedule that comes about is
// the first plan. Handovers turn what is held into what the new plan holds, with the fewest slots
// moved.
func TestReplanKeepsThePlan(t *testing.T) {
	s := new(malleable.Schedule)
	for seed := range uint64(2000) {
		r := random(seed)
		in := randomInstance(r, seed%2 == 0)
		g := in.graph(t)
		whole, err := malleable.Pack(in.slots, in.jobs, g, in.priority)
		if err != nil {
			continue
		}
		want := whole.Completion(nil)
		jobs := slices.Clone(in.jobs)
		held := make([]int, len(jobs))
		for now := 0.0; now <= whole.Makespan(); {
			if r.IntN(2) == 0 { // the cluster is not as the plan has it
				for j, idle := 0, in.slots; j < len(held); j++ {
					held[j] = r.IntN(idle + 1)
					idle -= held[j]
				}
			}
			moves, err := malleable.Replan(nil, s, in.slots, jobs, held, g, in.priority, nil, math.Inf(1))
			if err != nil {
				t.Fatalf("seed %d: Replan(%v): %v", seed, jobs, err)
			}
			checkHandovers(t, seed, in.slots, held, s.At(nil, 0), moves)
			for j, c := range s.Completion(nil) {
				if jobs[j].Work > 0 && !near(now+c, want[j]) {
					t.Fatalf("seed %d: re-planned at %v, job %d of %+v completes at %v, want %v", seed, now, j, in, now+c, want[j])
				}
			}
			step := r.Float64() * (whole.Makespan() + 1) / 3
			held = s.At(held[:0], step)
			if jobs, err = malleable.Advance(jobs[:0:0], s, jobs, step); err != nil {
				t.Fatal(err)
			}
			now += step
			for j := range jobs {
				if near(want[j], now) {
					jobs[j].Work = 0
				}
			}
		}
	}
}

func checkHandovers(t *testing.T, seed uint64, slots int, held, want []int, moves []malleable.Handover) {
	t.Helper()
	got := slices.Clone(held)
	idle := slots
	least, moved := 0, 0
	for j, h := range held {
		idle -= h
		least += max(0, want[j]-h)
	}
	passed := 0 // from job to job
	for _, m := range moves {
		if m.Slots <= 0 || m.From == m.To {
			t.Fatalf("seed %d: handover %v", seed, m)
		}
		if m.From >= 0 {
			got[m.From] -= m.Slots
		} else {
			idle -= m.Slots
		}
		if m.To >= 0 {
			got[m.To] += m.Slots
			moved += m.Slots
			if m.From >= 0 {
				passed += m.Slots
			}
		}
	}
	if !slices.Equal(got, want) || idle < 0 || moved != least {
		t.Fatalf("seed %d: handovers %v of %v with %d slots give %v (%d moved), want %v (%d moved)", seed, moves, held, slots, got, moved, want, least)
	}
	if passed > 0 && idle > 0 {
		t.Fatalf("seed %d: handovers %v of %v take slots from jobs although %d were idle", seed, moves, held, idle)
	}
}

func TestReplanErrors(t *testing.T) {
	jobs := []malleable.Job{{Work: 1}, {Work: 1}}
	order := []int{0, 1}
	for _, c := range []struct {
		s       *malleable.Schedule
		held    []int
		horizon float64
		arg     string
		index   int
	}{
		{nil, []int{0, 0}, 1, "s", -1},
		{new(malleable.Schedule), []int{0}, 1, "held", -1},
		{new(malleable.Schedule), []int{0, -1}, 1, "held", 1},
		{new(malleable.Schedule), []int{2, 2}, 1, "held", 1},
		{new(malleable.Schedule), []int{0, 0}, 0, "horizon", -1},
		{new(malleable.Schedule), []int{0, 0}, math.NaN(), "horizon", -1},
	} {
		dst, err := malleable.Replan([]malleable.Handover{{}}, c.s, 3, jobs, c.held, nil, order, nil, c.horizon)
		expect.InputError(t, fmt.Sprintf("Replan(held %v, horizon %v)", c.held, c.horizon), err, "malleable.Replan", c.arg, c.index)
		if len(dst) != 1 {
			t.Errorf("Replan(held %v, horizon %v) = %v beside its error, want dst", c.held, c.horizon, dst)
		}
	}
	s := new(malleable.Schedule)
	for name, err := range map[string]error{
		"s":       second(malleable.Advance(nil, nil, jobs, 1)),
		"jobs":    second(malleable.Advance(nil, s, jobs, 1)),
		"elapsed": second(malleable.Advance(nil, s, nil, math.NaN())),
	} {
		expect.InputError(t, "Advance", err, "malleable.Advance", name, -1)
	}
}

func second[A any](_ A, err error) error { return err }

// replanInput is 100 active jobs in 20 chains.
func replanInput(tb testing.TB) ([]malleable.Job, *precedence.Graph, []float64, []float64) {
	tb.Helper()
	r := random(5)
	lengths := slices.Repeat([]int{5}, 20)
	g, err := precedence.Chains(lengths...)
	if err != nil {
		tb.Fatal(err)
	}
	jobs := make([]malleable.Job, 100)
	work, weight := make([]float64, 100), make([]float64, 100)
	for j := range jobs {
		jobs[j] = malleable.Job{Work: 1 + 50*r.Float64(), Max: 40}
		work[j], weight[j] = jobs[j].Work/100, float64(1+r.IntN(4))
	}
	return jobs, g, work, weight
}

// BenchmarkReplan is one step of an epoch-based scheduler: priorities by Smith's rule on 20 chains,
// packing, handovers.
func BenchmarkReplan(b *testing.B) {
	jobs, g, work, weight := replanInput(b)
	for _, horizon := range []float64{1, math.Inf(1)} {
		b.Run(fmt.Sprintf("n=100/horizon=%v", horizon), func(b *testing.B) {
			s := new(malleable.Schedule)
			held := make([]int, len(jobs))
			var moves []malleable.Handover
			for b.Loop() {
				sol, err := precedence.Smith(g, work, weight)
				if err != nil {
					b.Fatal(err)
				}
				if moves, err = malleable.Replan(moves[:0], s, 100, jobs, held, g, sol.Order, nil, horizon); err != nil || len(moves) == 0 {
					b.Fatal(moves, err)
				}
			}
		})
	}
}

// TestSteadyStateAllocatesNothing pins that packing and re-planning into a used schedule allocate
// nothing.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	jobs, g, _, _ := replanInput(t)
	s := new(malleable.Schedule)
	order := g.Topological(nil)
	held := make([]int, len(jobs))
	var moves []malleable.Handover
	var done []float64
	step := func() {
		if err := malleable.PackInto(s, 100, jobs, g, order, math.Inf(1)); err != nil {
			t.Fatal(err)
		}
		var err error
		if moves, err = malleable.Replan(moves[:0], s, 100, jobs, held, g, order, nil, 1); err != nil {
			t.Fatal(err)
		}
		done = s.Completion(done[:0])
		held = s.At(held[:0], 1)
		clear(held)
	}
	step()
	step()
	if n := testing.AllocsPerRun(20, step); n != 0 {
		t.Errorf("PackInto and Replan allocate %v times, want 0", n)
	}
}
