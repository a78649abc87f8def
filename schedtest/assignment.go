package schedtest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// words is what happened, as a sentence.
func words(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// Assignment checks that assign puts each piece of work on one of equal machines, numbered from 0,
// and that the largest sum on a machine is at most factor times the least that is possible, which
// exhaustive search finds. factor is at least 1: 4/3 for longest first (Graham 1969), 1 for what is
// exact.
//
// Sizes are >= 0 and finite, machines at least 1. assign must leave sizes as they are.
func Assignment(t testing.TB, assign func(sizes []float64, machines int) []int, factor float64) {
	t.Helper()
	check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(r, "pieces")
		sizes := rapid.SliceOfN(number(0), n, n).Draw(r, "sizes")
		machines := rapid.IntRange(1, 3).Draw(r, "machines")
		given := slices.Clone(sizes)
		of := assign(sizes, machines)
		story := words("sizes %v on %d machines: %v", given, machines, of)
		if !slices.Equal(sizes, given) {
			r.Fatalf("what is given stays as it is: sizes are now %v\n%s", sizes, story)
		}
		if len(of) != n {
			r.Fatalf("each piece is on one machine: %d machines are named for %d pieces\n%s", len(of), n, story)
		}
		for i, m := range of {
			if m < 0 || m >= machines {
				r.Fatalf("each piece is on a machine that there is: piece %d is on machine %d\n%s", i, m, story)
			}
		}
		least := math.Inf(1)
		every := make([]int, n) // counts through all assignments
		for {
			least = math.Min(least, makespan(sizes, machines, every))
			i := 0
			for ; i < n && every[i] == machines-1; i++ {
				every[i] = 0
			}
			if i == n {
				break
			}
			every[i]++
		}
		if got := makespan(sizes, machines, of); got > factor*least*(1+1e-9) {
			r.Fatalf("the busiest machine has at most %v times the least possible: it has %v, and %v would do\n%s", factor, got, least, story)
		}
	})
}

// makespan is the largest sum on a machine.
func makespan(sizes []float64, machines int, of []int) float64 {
	loads := make([]float64, machines)
	for i, m := range of {
		loads[m] += sizes[i]
	}
	return slices.Max(loads)
}
