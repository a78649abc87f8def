package precedence

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/u128"
)

// Smith returns an order that makes the sum of weight[j] times the completion time of job j least:
// exactly up to series-parallel; otherwise within twice the least by Sidney's blocks [6, 7], each
// exact if it is series-parallel or has at most 2^16 down-sets. A nil g is no precedence. Of equal
// ratios the block of the lower first job comes first (in an in-forest, of the lower last job).
//
// Ratios of weight to work are compared exactly, where sums need at most 127 bits, within blocks
// 63; otherwise jobs are rounded down: Exact is then false, Bound still holds.
//
// Errors: lengths that differ; an element negative, NaN or infinite; a sum or a value beyond
// float64.
func Smith(g *Graph, work, weight []float64) (Solution, error) {
	s, err := newSmith("precedence.Smith", g, work, weight)
	if err != nil {
		return Solution{}, err
	}
	return s.solve()
}

func (s *smith) solve() (Solution, error) {
	order, ok := s.series()
	if !ok {
		return s.general()
	}
	r := Solution{Order: order, Value: s.value(order)}
	r.Bound, r.Exact = r.Value, true
	if len(s.work) > 1 && (s.works.down || s.weights.down) {
		r.Bound, r.Exact = s.boundOfRounded(r.Order, r.Value), false
	}
	return r, s.checkValue(&r)
}

// series orders exactly if the order of the jobs is series-parallel. It takes implied arcs away
// where they matter.
func (s *smith) series() ([]int, bool) {
	switch s.g.shapeByDegree() {
	case ShapeIndependent, ShapeChains:
		return s.chains(), true
	case ShapeOutForest:
		return s.forest(false), true
	case ShapeInForest:
		return s.forest(true), true
	}
	tree := decompose(s.g)
	if tree == nil {
		if reduced := s.g.Reduce(); reduced.Arcs() != s.g.Arcs() {
			s.g = reduced
			tree = decompose(reduced)
		}
	}
	if tree == nil {
		return nil, false
	}
	return s.seriesParallel(tree), true
}

// smith is one call: the jobs and the units in which they are whole.
type smith struct {
	fn             string
	g              *Graph
	work, weight   []float64
	works, weights scale
	steps          int          // places that the moves within blocks may pass
	whole          *sidneyBlock // where the whole numbers are, if it is not nil
}

const (
	most       = 127        // bits that the sums of works and of weights may have
	smithSteps = 50_000_000 // the default of steps
)

func newSmith(fn string, g *Graph, work, weight []float64) (*smith, error) {
	if err := checkSum(fn, "work", work, math.MaxFloat64/4); err != nil {
		return nil, err
	}
	if err := checkSum(fn, "weight", weight, math.MaxFloat64/4); err != nil {
		return nil, err
	}
	if g == nil {
		g, _ = NewGraph(len(work), nil)
	}
	if len(work) != g.n {
		return nil, input.Bad(fn, "work", -1, "%d elements, want %d, one a job", len(work), g.n)
	}
	if len(weight) != g.n {
		return nil, input.Bad(fn, "weight", -1, "%d elements, want %d, one a job", len(weight), g.n)
	}
	return &smith{fn: fn, g: g, work: work, weight: weight, steps: smithSteps,
		works: newScale(work, most), weights: newScale(weight, most)}, nil
}

// ratio returns job j in whole numbers.
func (s *smith) ratio(j int32) ratio {
	if s.whole != nil {
		return ratio{weight: u128.Of(s.whole.weights[j]), work: u128.Of(s.whole.works[j])}
	}
	return ratio{weight: s.weights.whole(s.weight[j]), work: s.works.whole(s.work[j])}
}

// value returns the sum of weighted completion times: in whole numbers, if they suffice.
func (s *smith) value(order []int) float64 {
	if s.works.bits <= 63 && s.weights.bits <= 63 { // then neither is rounded down
		var sum u128.T
		t := uint64(0)
		for _, j := range order {
			t += s.works.whole64(s.work[j])
			sum = sum.PlusProduct(s.weights.whole64(s.weight[j]), t)
		}
		return sum.Float(s.works.exp+s.weights.exp, false)
	}
	return weighted(order, s.work, s.weight)
}

// weighted returns the sum of weighted completion times to a few parts in 2^53.
func weighted(order []int, work, weight []float64) float64 {
	var sum, t dd.T
	for _, j := range order {
		t = t.AddFloat(work[j])
		sum = sum.Add(t.Mul(weight[j]))
	}
	return sum.Hi
}

// boundOfRounded returns what the order, which is best for the jobs rounded down, costs them: a
// lower bound for the jobs themselves.
func (s *smith) boundOfRounded(order []int, value float64) float64 {
	rounded := func(k scale, xs []float64) []float64 {
		down := make([]float64, len(xs))
		for j, x := range xs {
			down[j] = math.Ldexp(k.whole(x).Approx(), k.exp)
		}
		return down
	}
	bound := weighted(order, rounded(s.works, s.work), rounded(s.weights, s.weight))
	const slack = 1 - 1e-14 // weighted and approx are off by a few parts in 2^53
	return math.Max(0, math.Min(value, bound*slack))
}

func (s *smith) checkValue(r *Solution) error {
	if r.Value <= math.MaxFloat64 {
		return nil
	}
	*r = Solution{}
	return input.Bad(s.fn, "weight", -1, "the sum of weighted completion times is above %v", math.MaxFloat64)
}

// chains lays out each chain as blocks of falling ratio and sorts the blocks of all chains by
// ratio. The blocks of a chain are the lower hull of its running sums: a new job is a block, and
// swallows the block before it for as long as that has no higher ratio.
func (s *smith) chains() []int {
	n := s.g.n
	next := make([]int32, n)
	for j := range next {
		next[j] = -1
		if a := s.g.succBegin[j]; a < s.g.succBegin[j+1] {
			next[j] = s.g.succ[a]
		}
	}
	// chain after chain; a block begins at seq[first] and ends where the next begins
	seq := make([]int32, 0, n)
	heads := 0
	for j := range n {
		if s.g.predBegin[j] == s.g.predBegin[j+1] {
			heads++
			for k := int32(j); k >= 0; k = next[k] {
				seq = append(seq, k)
			}
		}
	}
	blocks := make([]block, 0, min(n, 2*heads+64))
	bottom := 0 // the first block of this chain
	for k, j := range seq {
		if s.g.predBegin[j] == s.g.predBegin[j+1] {
			bottom = len(blocks)
		}
		b := block{ratio: s.ratio(j), first: int32(k)}
		for len(blocks) > bottom && blocks[len(blocks)-1].ratio.compare(b.ratio) <= 0 {
			top := &blocks[len(blocks)-1]
			b.ratio, b.first = b.ratio.plus(top.ratio), top.first
			blocks = blocks[:len(blocks)-1]
		}
		b.tie = seq[b.first]
		blocks = append(blocks, b)
	}
	first := make([]int32, len(blocks)+1) // small enough for a cache
	for b := range blocks {
		first[b] = blocks[b].first
	}
	first[len(blocks)] = int32(n)
	order := make([]int, 0, n)
	for _, b := range sortBlocks(blocks) {
		for _, j := range seq[first[b]:first[b+1]] {
			order = append(order, int(j))
		}
	}
	return order
}
