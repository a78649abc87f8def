package precedence

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Tails appends to dst, for each job, the longest path of work from it to the end, its own
// included: no schedule ends sooner after it begins the job. A nil g has no arcs. g.Topological
// sorted stably by descending tails is the priority of critical-path list scheduling, which
// malleable.Pack carries out if each job's Max is 1: on m machines it takes at most 2 - 1/m times
// the least time [13], and the least if all works are equal and each job has at most one successor
// [14].
//
// Errors: those of Evaluate for work; work of another length than g.
func Tails(dst []float64, g *Graph, work []float64) ([]float64, error) {
	const fn = "precedence.Tails"
	if g != nil && g.Len() != len(work) {
		return dst, input.Bad(fn, "work", -1, "length is %d, want one element for each of the %d jobs of g", len(work), g.Len())
	}
	if err := checkSum(fn, "work", work, math.MaxFloat64/2); err != nil {
		return dst, err
	}
	n := len(dst)
	dst = append(dst, work...)
	if g == nil {
		return dst, nil
	}
	tails := dst[n:]
	for _, j := range slices.Backward(g.topo) {
		rest := 0.0
		for _, k := range g.Succs(int(j)) {
			rest = max(rest, tails[k])
		}
		tails[j] += rest
	}
	return dst, nil
}
