package orderstat_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/orderstat"
)

type item = orderstat.Item[int]

func compare(a, b item) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index))
}

// Select puts at k what sorting puts there, with smaller elements alone in front, and loses no
// element. Keys tie.
func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		indices := rapid.SliceOfNDistinct(rapid.IntRange(0, 300), 1, 200, rapid.ID[int]).Draw(t, "indices")
		a := make([]item, len(indices))
		for i, index := range indices {
			a[i] = item{Index: index, Key: rapid.IntRange(0, 40).Draw(t, "key")}
		}
		k := rapid.IntRange(0, len(a)-1).Draw(t, "k")
		want := slices.SortedFunc(slices.Values(a), compare)
		got := slices.Clone(a)
		orderstat.Select(got, k)
		front := slices.SortedFunc(slices.Values(got[:k]), compare)
		behind := slices.SortedFunc(slices.Values(got[k:]), compare)
		if got[k] != want[k] || !slices.Equal(slices.Concat(front, behind), want) {
			t.Fatalf("Select(%v, %d) = %v", a, k, got)
		}
	})
}

// Orders that occur in practice are not quadratic: the test would take minutes.
func TestSelectLinear(t *testing.T) {
	const n = 1 << 18
	for name, at := range map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return -i },
		"organ pipe": func(i int) int { return min(i, n-i) },
		"equal":      func(i int) int { return 0 },
	} {
		a := make([]item, n)
		for i := range a {
			a[i] = item{Index: i, Key: at(i)}
		}
		orderstat.Select(a, n/2)
		if want := slices.SortedFunc(slices.Values(a), compare)[n/2]; a[n/2] != want {
			t.Errorf("%s: Select puts %v at %d, want %v", name, a[n/2], n/2, want)
		}
	}
}

func TestSelectAllocates(t *testing.T) {
	a := make([]item, 7)
	for i := range a {
		a[i] = item{Index: i, Key: 5 * i % 7}
	}
	if got := testing.AllocsPerRun(100, func() { orderstat.Select(a, 3) }); got != 0 {
		t.Errorf("Select allocates %v times, want 0", got)
	}
}
