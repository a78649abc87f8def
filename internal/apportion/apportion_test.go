package apportion_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/apportion"
)

// Package market tests divisions against rational arithmetic. Here the same Division divides again:
// to a cap, from a minimum, and who has no weight gets its minimum.
func TestRunAgain(t *testing.T) {
	var d apportion.Division
	seats := make([]int, 3)
	for _, c := range []struct {
		min, cap, want []int
		weights        []float64
		quota          float64 // of index 2
	}{
		{[]int{0, 0, 0}, []int{9, 9, 9}, []int{1, 2, 6}, []float64{1, 2, 5}, 5.625},
		{[]int{0, 0, 0}, []int{9, 9, 2}, []int{2, 5, 2}, []float64{1, 2, 5}, 0},
		{[]int{1, 3, 0}, []int{9, 9, 9}, []int{1, 3, 5}, []float64{0, 1, 5}, 5},
	} {
		d.Seats, d.Min, d.Cap, d.Weights = 9, c.min, c.cap, c.weights
		if d.Run(seats); !slices.Equal(seats, c.want) || c.quota > 0 && d.Quota(2) != c.quota {
			t.Errorf("Run of %+v = %v, want %v and a quota of %v", d, seats, c.want, c.quota)
		}
	}
}
