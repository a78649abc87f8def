package malleable_test

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/malleable"
)

// TestCompletions compares the tree with the definition in exact arithmetic on small cases.
func TestCompletions(t *testing.T) {
	for seed := range uint64(5000) {
		r := random(seed)
		in := randomInstance(r, false)
		if seed%3 == 0 {
			r.Shuffle(len(in.priority), func(i, k int) { in.priority[i], in.priority[k] = in.priority[k], in.priority[i] })
		}
		want, _, _ := exactPack(in.slots, in.jobs, in.arcs, in.priority)
		got, err := malleable.Completions([]float64{-1}, in.slots, in.jobs, in.graph(t), in.priority)
		if err != nil || len(got) != 1+len(in.jobs) || got[0] != -1 {
			t.Fatalf("seed %d: Completions([-1], %+v) = %v, %v", seed, in, got, err)
		}
		for j, c := range got[1:] {
			if !near(c, float(want[j])) {
				t.Fatalf("seed %d: Completions(%+v): job %d completes at %v, want %v", seed, in, j, c, want[j])
			}
		}
	}
}

// TestCompletionsLarge compares the tree with Pack where there are thousands of changes.
func TestCompletionsLarge(t *testing.T) {
	slots, jobs, g, priority := quadratic(t, 300)
	s, err := malleable.Pack(slots, jobs, g, priority)
	if err != nil {
		t.Fatal(err)
	}
	if s.NumPieces() < 300*300/4 {
		t.Errorf("the quadratic family has %d pieces, want at least %d", s.NumPieces(), 300*300/4)
	}
	got, err := malleable.Completions(nil, slots, jobs, g, priority)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range s.Completion(nil) {
		if !near(got[j], want) {
			t.Errorf("Completions: job %d completes at %v, want %v", j, got[j], want)
		}
	}
}

func BenchmarkCompletions(b *testing.B) {
	for _, length := range []int{1, 20} {
		for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("chain=%d/n=%d", length, n), func(b *testing.B) {
				jobs, g, priority := benchJobs(b, n, length, 100, false)
				var dst []float64
				for b.Loop() {
					var err error
					if dst, err = malleable.Completions(dst[:0], 100, jobs, g, priority); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("quadratic/n=4000", func(b *testing.B) {
		slots, jobs, g, priority := quadratic(b, 2000)
		var dst []float64
		for b.Loop() {
			var err error
			if dst, err = malleable.Completions(dst[:0], slots, jobs, g, priority); err != nil {
				b.Fatal(err)
			}
		}
	})
}
