package orderstat_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/orderstat"
)

// Select puts at k what sorting puts there, with smaller elements alone in front, and loses no
// element.
func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfNDistinct(rapid.IntRange(0, 300), 1, 200, rapid.ID[int]).Draw(t, "a")
		k := rapid.IntRange(0, len(a)-1).Draw(t, "k")
		want := slices.Sorted(slices.Values(a))
		got := slices.Clone(a)
		orderstat.Select(got, k, func(a, b int) bool { return a < b })
		front := slices.Sorted(slices.Values(got[:k]))
		behind := slices.Sorted(slices.Values(got[k:]))
		if got[k] != want[k] || !slices.Equal(slices.Concat(front, behind), want) {
			t.Fatalf("Select(%v, %d) = %v", a, k, got)
		}
	})
}

// Orders that occur in practice cost no more comparisons than a few for each element.
func TestSelectLinear(t *testing.T) {
	const n = 1 << 14
	for name, at := range map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return -i },
		"organ pipe": func(i int) int { return min(2*i, 2*(n-i)+1) },
	} {
		a := make([]int, n)
		for i := range a {
			a[i] = at(i)
		}
		calls := 0
		orderstat.Select(a, n/2, func(a, b int) bool { calls++; return a < b })
		if calls > 8*n {
			t.Errorf("%s: %d comparisons of %d elements", name, calls, n)
		}
	}
}

func TestSelectAllocates(t *testing.T) {
	a := []int{5, 3, 8, 1, 9, 2, 7}
	if got := testing.AllocsPerRun(100, func() { orderstat.Select(a, 3, func(a, b int) bool { return a < b }) }); got != 0 {
		t.Errorf("Select allocates %v times, want 0", got)
	}
}
