package apportion_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/apportion"
)

// Package market tests divisions against rational arithmetic.

// The same Division divides again.
func TestRunAgain(t *testing.T) {
	d := apportion.Division{Min: []int{0, 0, 0}, Cap: []int{9, 9, 2}, Weights: []float64{1, 2, 5}}
	seats := make([]int, 3)
	for range 2 {
		d.Seats = 9
		if d.Run(seats); !slices.Equal(seats, []int{2, 5, 2}) {
			t.Errorf("Run = %v, want [2 5 2]", seats)
		}
	}
}
