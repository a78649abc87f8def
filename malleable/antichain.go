package malleable

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/maxflow"
	"github.com/schedmath/schedmath/internal/u128"
	"github.com/schedmath/schedmath/precedence"
)

// heaviestAntichain returns the largest sum of Min over jobs with work, none of which precedes
// another. Without arcs these are all jobs. On forests it chooses between each job and what is
// below it. In general the sum is that of a minimum flow that passes each job with at least Min
// units, the weighted form of Dilworth's theorem [5]. Whatever the works, the jobs of an antichain
// may all be ready at once; so the minima can always be kept if the sum is at most the slots there
// are.
func heaviestAntichain(fn string, jobs []Job, g *precedence.Graph) (int, error) {
	sum := 0
	weight := make([]int, len(jobs))
	for j := range jobs {
		if jobs[j].Work == 0 {
			continue
		}
		weight[j] = jobs[j].Min
		if sum = addClamped(sum, jobs[j].Min); sum > math.MaxInt/4 {
			return 0, input.Bad(fn, "jobs", j, "the minima up to here add up to more than %d", math.MaxInt/4)
		}
	}
	if g == nil {
		return sum, nil
	}
	switch g.Shape() {
	case precedence.ShapeIndependent:
		return sum, nil
	case precedence.ShapeChains, precedence.ShapeInForest:
		g = g.Reduce() // Shape looks through arcs that others imply
		return antichainOfForest(weight, g.Topological(nil), g.Preds, g.Succs), nil
	case precedence.ShapeOutForest:
		g = g.Reduce()
		order := g.Topological(nil)
		slices.Reverse(order)
		return antichainOfForest(weight, order, g.Succs, g.Preds), nil
	}
	return sum - sharedWeight(weight, g), nil
}

// antichainOfForest chooses between each job and the heaviest antichain below it. A job can have
// many children and has at most one parent. order has children first.
func antichainOfForest(weight, order []int, children, parents func(int) []int32) int {
	best := make([]int, len(weight))
	sum := 0
	for _, j := range order {
		for _, c := range children(j) {
			best[j] += best[c]
		}
		best[j] = max(best[j], weight[j])
		if len(parents(j)) == 0 {
			sum += best[j]
		}
	}
	return sum
}

// sharedWeight returns how much of the jobs' weights can share a path with that of a later job, a
// maximum flow. Each job has a left side, which has its weight to send, and a right side, which
// takes as much; an arc leads from the left of i to the right of j, and from the right of j on to
// its left, so that flow may pass jobs by. The weight that is left is what disjoint paths must
// carry.
func sharedWeight(weight []int, g *precedence.Graph) int {
	var network maxflow.Network
	n := int32(len(weight))
	var right []int32
	for j, w := range weight {
		right = right[:0]
		for _, k := range g.Succs(j) {
			right = append(right, n+k)
		}
		network.Add(u128.Of(uint64(w)), u128.T{}, right...)
	}
	for j, w := range weight {
		network.Add(u128.T{}, u128.Of(uint64(w)), int32(j))
	}
	return int(network.Run().Lo)
}
