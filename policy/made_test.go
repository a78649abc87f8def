package policy_test

import (
	"slices"

	"github.com/schedmath/schedmath/policy/hfsp"
)

// known is HFSP that knows the sizes.
func known() *hfsp.Policy { return &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true} }

// laggards names the laxities that are farther below the greatest than 2 s: a Stragglers for tests.
func laggards(dst []int, laxity []float64) []int {
	most := slices.Max(laxity)
	for i, x := range laxity {
		if x < most-2 {
			dst = append(dst, i)
		}
	}
	return dst
}
