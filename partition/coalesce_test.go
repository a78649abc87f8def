package partition_test

import (
	"math"
	"math/rand/v2"
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

// TestCoalesceFewest compares the number of groups with dynamic programming over all divisions into
// neighbours.
func TestCoalesceFewest(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(15, seed))
		sizes := make([]float64, 1+rng.IntN(25))
		for k := range sizes {
			sizes[k] = float64(rng.IntN(12))
		}
		target := float64(rng.IntN(20))
		got, err := partition.Coalesce(nil, sizes, target)
		must(t, err)
		sums := make([]float64, got[len(got)-1]+1)
		members := make([]int, len(sums))
		for k, g := range got {
			if g < 0 || k == 0 && g != 0 || k > 0 && g != got[k-1] && g != got[k-1]+1 {
				t.Fatalf("Coalesce(%v, %v) = %v: groups are not neighbours from 0 up", sizes, target, got)
			}
			sums[g] += sizes[k]
			members[g]++
		}
		for g := range sums {
			if members[g] > 1 && sums[g] > target {
				t.Fatalf("Coalesce(%v, %v) = %v: group %d sums to %v", sizes, target, got, g, sums[g])
			}
		}
		fewest := make([]int, len(sizes)+1)
		for end := 1; end <= len(sizes); end++ {
			fewest[end] = math.MaxInt
			sum := 0.0
			for begin := end - 1; begin >= 0; begin-- {
				if sum += sizes[begin]; begin == end-1 || sum <= target {
					fewest[end] = min(fewest[end], fewest[begin]+1)
				}
			}
		}
		if len(sums) != fewest[len(sizes)] {
			t.Fatalf("Coalesce(%v, %v) = %v, want %d groups", sizes, target, got, fewest[len(sizes)])
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
