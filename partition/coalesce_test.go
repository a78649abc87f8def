package partition_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

func TestCoalesce(t *testing.T) {
	for _, c := range []struct {
		sizes  []float64
		target float64
		want   []int
	}{
		{nil, 5, nil},
		{[]float64{.1, .2, .3, .7, .1, .8}, .3, []int{0, 0, 1, 2, 3, 4}},
		{[]float64{.7, .1, .1}, .8, []int{0, 0, 1}},
		{[]float64{1, 2, 3, 4, 9, 1, 0}, 5, []int{0, 0, 1, 2, 3, 4, 4}},
		{[]float64{1, 1, 1}, 0, []int{0, 1, 2}},
		{[]float64{0, 0, 0}, 0, []int{0, 0, 0}},
		{[]float64{0, 9, 0}, 1, []int{0, 1, 2}},
		{[]float64{1, 2, 3}, inf, []int{0, 0, 0}},
		{[]float64{0x1p200, 0x1p200}, inf, []int{0, 0}},
	} {
		got, err := partition.Coalesce([]int{7}, c.sizes, c.target)
		if err != nil || !slices.Equal(got, append([]int{7}, c.want...)) {
			t.Errorf("Coalesce([7], %v, %v) = %v, %v, want 7 and %v", c.sizes, c.target, got, err, c.want)
		}
	}
}

func TestCoalesceErrors(t *testing.T) {
	var calls []expect.Call
	for _, x := range []float64{nan, -1, inf, -inf, math.Nextafter(0x1p200, inf)} {
		calls = append(calls, expect.Bad("sizes", 1, []int{3}, []float64{1, x}, 1))
	}
	for _, x := range []float64{nan, -1, -inf} {
		calls = append(calls, expect.Bad("target", -1, []int{3}, []float64{1}, x))
	}
	expect.Refused(t, "partition.Coalesce", partition.Coalesce, nil, calls...)
}
