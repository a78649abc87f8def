package malleable_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// TestLarge packs many jobs with random works, verifies the schedules and checks their bounds.
func TestLarge(t *testing.T) {
	const n, slots = 20_000, 100
	for _, length := range []int{1, 20} {
		r := random(uint64(length))
		jobs := make([]malleable.Job, n)
		for j := range jobs {
			jobs[j] = malleable.Job{Work: math.Exp(4 * r.NormFloat64()), Max: r.IntN(slots)}
		}
		g, err := precedence.Chains(slices.Repeat([]int{length}, n/length)...)
		must(t, err)
		priority := g.Topological(nil)
		s, err := malleable.Pack(slots, jobs, g, priority)
		must(t, err)
		if err := malleable.Verify(slots, jobs, g, s); err != nil {
			t.Errorf("chains of %d: %v", length, err)
		}
		limits, err := malleable.Bounds(slots, jobs, g, priority)
		must(t, err)
		for j, c := range s.Completion(nil) {
			if c > limits.Latest[j]*(1+1e-9) {
				t.Fatalf("chains of %d: job %d completes at %v, after %v", length, j, c, limits.Latest[j])
			}
		}
	}
}
