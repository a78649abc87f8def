package apportion_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/apportion"
	"pgregory.net/rapid"
)

// Package market tests divisions against rational arithmetic.

func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 50).Draw(t, "keys")
		n := rapid.IntRange(1, len(keys)).Draw(t, "n")
		list := make([]int32, len(keys))
		for i := range list {
			list[i] = int32(i)
		}
		before := func(a, b int32) bool { return keys[a] > keys[b] || keys[a] == keys[b] && a < b }
		apportion.Select(list, n, before)
		for _, a := range list[:n] {
			for _, b := range list[n:] {
				if !before(a, b) {
					t.Fatalf("Select(%v, %d) = %v: %d is not before %d", keys, n, list, a, b)
				}
			}
		}
		slices.Sort(list)
		for i, x := range list {
			if int(x) != i {
				t.Fatalf("Select(%v, %d) lost %d", keys, n, i)
			}
		}
	})
}

// The same Division divides again.
func TestRunAgain(t *testing.T) {
	d := apportion.Division{Min: []int{0, 0, 0}, Cap: []int{9, 9, 2}, Words: []uint64{1, 2, 5}}
	seats := make([]int, 3)
	for range 2 {
		d.Seats = 9
		if d.Run(seats); !slices.Equal(seats, []int{2, 5, 2}) {
			t.Errorf("Run = %v, want [2 5 2]", seats)
		}
	}
}
