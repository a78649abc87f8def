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
// and that the largest sum on a machine is at most factor times the least possible, which
// exhaustive search finds: 4/3 for longest first (Graham 1969), 1 for what is exact. factor and
// the machines are at least 1, sizes >= 0 and finite. assign must not change its arguments.
func Assignment(t testing.TB, assign func(sizes []float64, machines int) []int, factor float64) {
	t.Helper()
	check(t, func(r *rapid.T) {
		// Lists of small whole numbers have many sums in common, where greedy rules go wrong.
		size := rapid.SampledFrom([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
		if rapid.IntRange(0, 2).Draw(r, "decimals") == 2 {
			size = number(0)
		}
		n := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(r, "pieces")
		sizes := rapid.SliceOfN(size, n, n).Draw(r, "sizes")
		machines := rapid.SampledFrom([]int{2, 3, 1}).Draw(r, "machines")
		given := slices.Clone(sizes)
		of := assign(given, machines)
		fault := ""
		if !slices.Equal(sizes, given) {
			fault = words("what is given stays as it is: sizes are now %v", given)
		} else {
			fault = misassigned(sizes, machines, of, factor)
		}
		if fault != "" {
			r.Fatalf("%s\nsizes %v on %d machines: %v", fault, sizes, machines, of)
		}
	})
}

// misassigned is the law that an assignment breaks, and how; "": none.
func misassigned(sizes []float64, machines int, of []int, factor float64) string {
	if len(of) != len(sizes) {
		return words("each piece is on one machine: %d machines are named for %d pieces", len(of), len(sizes))
	}
	for i, m := range of {
		if m < 0 || m >= machines {
			return words("each piece is on a machine that there is: piece %d is on machine %d", i, m)
		}
	}
	least := math.Inf(1)
	every := make([]int, len(sizes)) // counts through all assignments
	for {
		least = math.Min(least, makespan(sizes, machines, every))
		i := 0
		for ; i < len(every) && every[i] == machines-1; i++ {
			every[i] = 0
		}
		if i == len(every) {
			break
		}
		every[i]++
	}
	if got := makespan(sizes, machines, of); got > factor*least*(1+1e-9) {
		return words("the busiest machine has at most %v times the least possible: it has %v, and %v would do", factor, got, least)
	}
	return ""
}

// makespan is the largest sum on a machine.
func makespan(sizes []float64, machines int, of []int) float64 {
	loads := make([]float64, machines)
	for i, m := range of {
		loads[m] += sizes[i]
	}
	return slices.Max(loads)
}
