package malleable_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestPackingAgainKeepsThePlan packs what is left at random times without news: the schedule that
// comes about is the first one.
func TestPackingAgainKeepsThePlan(t *testing.T) {
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
		for now := 0.0; now <= whole.Makespan(); {
			step := r.Float64() * (whole.Makespan() + 1) / 3
			if err := malleable.PackInto(s, in.slots, jobs, g, in.priority, step); err != nil {
				t.Fatalf("seed %d: PackInto(%v): %v", seed, jobs, err)
			}
			for j, c := range s.Completion(nil) {
				if jobs[j].Work > 0 && !near(now+c, want[j]) && (c <= step || want[j] < now+step && !near(want[j], now+step)) {
					t.Fatalf("seed %d: packed again at %v, job %d of %+v completes at %v, want %v", seed, now, j, in, now+c, want[j])
				}
			}
			now += step
			for j, left := range s.Remaining(nil) {
				if jobs[j].Work = left; near(want[j], now) {
					jobs[j].Work = 0
				}
			}
		}
	}
}

func second[A any](_ A, err error) error { return err }

func countPieces(s *malleable.Schedule) int { return len(slices.Collect(s.Pieces())) }

// epochInput is 100 active jobs in 20 chains.
func epochInput(tb testing.TB) ([]malleable.Job, *precedence.Graph, []float64, []float64) {
	tb.Helper()
	r := random(5)
	lengths := slices.Repeat([]int{5}, 20)
	g, err := precedence.Chains(lengths...)
	must(tb, err)
	jobs := make([]malleable.Job, 100)
	work, weight := make([]float64, 100), make([]float64, 100)
	for j := range jobs {
		jobs[j] = malleable.Job{Work: 1 + 50*r.Float64(), Max: 40}
		work[j], weight[j] = jobs[j].Work/100, float64(1+r.IntN(4))
	}
	return jobs, g, work, weight
}

// BenchmarkPackInto is one step of an epoch-based scheduler: priorities by Smith's rule on 20
// chains, and packing.
func BenchmarkPackInto(b *testing.B) {
	jobs, g, work, weight := epochInput(b)
	b.Run("n=100/horizon=1", func(b *testing.B) {
		s := new(malleable.Schedule)
		for b.Loop() {
			sol, err := precedence.Smith(g, work, weight)
			must(b, err)
			if err := malleable.PackInto(s, 100, jobs, g, sol.Order, 1); err != nil || s.Len() != 100 {
				b.Fatal(s.Len(), err)
			}
		}
	})
}

// TestSteadyStateAllocatesNothing pins that packing into a used schedule allocates nothing.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	jobs, g, _, _ := epochInput(t)
	s := new(malleable.Schedule)
	order := g.Topological(nil)
	held := make([]int, len(jobs))
	var done, left []float64
	step := func() {
		for _, horizon := range []float64{math.Inf(1), 1} {
			must(t, malleable.PackInto(s, 100, jobs, g, order, horizon))
		}
		done, left = s.Completion(done[:0]), s.Remaining(left[:0])
		held = s.At(held[:0], 1)
	}
	step()
	step()
	if n := testing.AllocsPerRun(20, step); n != 0 {
		t.Errorf("PackInto allocates %v times, want 0", n)
	}
}
