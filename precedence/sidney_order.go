package precedence

import (
	"slices"

	"github.com/schedmath/schedmath/internal/u128"
)

const (
	blockStates = 1 << 14    // blocks of at most so many down-sets are ordered exactly
	lookSteps   = 50_000_000 // places looked at by the moves of one call
)

// general orders by Sidney's decomposition: block after block, each exactly where that is easy.
func (s *smith) general() (Solution, error) {
	d := s.sidney()
	r := Solution{Order: make([]int, 0, s.g.n), Exact: !d.down, Method: methodSidney}
	var bound u128.T // in whole numbers
	begin, from := uint64(0), int32(0)
	steps := lookSteps
	local := make([]int32, s.g.n)
	for _, to := range d.ends {
		b := d.block(d.jobs[from:to], local)
		order, least, exact := b.solve(&steps)
		for _, k := range order {
			r.Order = append(r.Order, int(d.jobs[from+int32(k)]))
		}
		r.Exact = r.Exact && exact
		bound = bound.Plus(least).PlusProduct(b.weight, begin)
		begin += b.work
		from = to
	}
	r.Value = s.value(r.Order)
	r.Bound = min(r.Value, bound.Float(d.exponent, d.down))
	if r.Exact || !d.down && r.Bound == r.Value && d.cost(r.Order) == bound {
		r.Bound, r.Exact = r.Value, true
	}
	return r, s.checkValue(&r)
}

// cost returns the sum of weighted completion times in whole numbers.
func (d *sidney) cost(order []int) (sum u128.T) {
	t := uint64(0)
	for _, j := range order {
		t += d.works[j]
		sum = sum.PlusProduct(d.weights[j], t)
	}
	return sum
}

// sidneyBlock is the order among the jobs of one block, which have numbers of their own, ascending
// along every arc.
type sidneyBlock struct {
	sidney
	work, weight uint64 // of all jobs
}

// block takes the jobs, in topological order, out of the whole.
func (d *sidney) block(jobs []int32, local []int32) *sidneyBlock {
	n := len(jobs)
	b := &sidneyBlock{sidney: sidney{works: make([]uint64, n), weights: make([]uint64, n)}}
	g := &Graph{n: n, predBegin: make([]int32, n+1), topo: make([]int32, n), isReduced: true}
	for k, j := range jobs {
		local[j] = int32(k)
		g.topo[k] = int32(k)
		g.pred = d.inside(g.pred, jobs, local, j)
		slices.Sort(g.pred[g.predBegin[k]:])
		g.predBegin[k+1] = int32(len(g.pred))
		b.works[k], b.weights[k] = d.works[j], d.weights[j]
		b.work += b.works[k]
		b.weight += b.weights[k]
	}
	g.succBegin, g.succ = transpose(n, g.predBegin, g.pred)
	b.g = g
	return b
}

// solve returns an order, a lower bound of its cost, and whether the cost is the least.
func (b *sidneyBlock) solve(steps *int) (order []int, least u128.T, exact bool) {
	if b.g.n == 1 {
		least = least.PlusProduct(b.works[0], b.weights[0])
		return []int{0}, least, true
	}
	if order, ok := b.easy(b.g); ok {
		return order, b.cost(order), true
	}
	if order, ok := b.downsets(); ok {
		return order, b.cost(order), true
	}
	// Two bounds. In the two-dimensional Gantt chart no initial set rises above the diagonal of the
	// block, whatever the order. And a forest of some of the arcs allows more orders; its best also
	// says which jobs are urgent.
	least = b.diagonal()
	var cost u128.T
	try := func(o []int) {
		if c := b.cost(o); order == nil || c.Less(cost) {
			order, cost = o, c
		}
	}
	for _, in := range [2]bool{false, true} {
		relaxed, _ := b.easy(b.g.forest(in))
		if c := b.cost(relaxed); least.Less(c) {
			least = c
		}
		try(b.list(relaxed))
	}
	independent, _ := b.easy(&Graph{n: b.g.n, predBegin: make([]int32, b.g.n+1), succBegin: make([]int32, b.g.n+1)})
	try(b.list(independent))
	b.improve(order, steps)
	return order, least, b.cost(order) == least
}

// easy orders by g if g is series-parallel.
func (b *sidneyBlock) easy(g *Graph) ([]int, bool) {
	s := smith{g: g, whole: b}
	return s.series()
}

// forest keeps of each job's arcs one: that from its last predecessor or, in, that to its first
// successor.
func (g *Graph) forest(in bool) *Graph {
	f := &Graph{n: g.n, topo: g.topo, isReduced: true, predBegin: make([]int32, g.n+1), succBegin: make([]int32, g.n+1)}
	begin, list := f.predBegin, &f.pred
	if in {
		begin, list = f.succBegin, &f.succ
	}
	for j := range g.n {
		if a := g.Preds(j); !in && len(a) > 0 {
			*list = append(*list, a[len(a)-1])
		} else if a := g.Succs(j); in && len(a) > 0 {
			*list = append(*list, a[0])
		}
		begin[j+1] = int32(len(*list))
	}
	if in {
		f.predBegin, f.pred = transpose(g.n, f.succBegin, f.succ)
	} else {
		f.succBegin, f.succ = transpose(g.n, f.predBegin, f.pred)
	}
	return f
}

// diagonal is half of work times weight, and half of each job's own product, rounded up: no initial
// set of a block has a higher ratio than the block, so the running sums of any order stay on
// one side of the diagonal.
func (b *sidneyBlock) diagonal() u128.T {
	var sum u128.T
	sum = sum.PlusProduct(b.work, b.weight)
	for j := range b.works {
		sum = sum.PlusProduct(b.works[j], b.weights[j])
	}
	half := u128.T{Hi: sum.Hi >> 1, Lo: sum.Lo>>1 | sum.Hi<<63}
	return half.Plus(u128.Of(sum.Lo & 1))
}

// list takes at each step the job that comes first in urgent among those whose predecessors are
// done.
func (b *sidneyBlock) list(urgent []int) []int {
	rank := make([]int, b.g.n)
	for k, j := range urgent {
		rank[j] = k
	}
	return ints(b.g.listBy(func(j int32) float64 { return float64(rank[j]) }))
}

// downsets orders the block exactly by the programme over down-sets if these are few. Its sums are
// float64: exact up to 2^53, and otherwise right to their rounding.
func (b *sidneyBlock) downsets() ([]int, bool) {
	p := &problem{g: b.g, work: make([]float64, b.g.n), cost: make([]cost, b.g.n), sum: true}
	for j := range p.work {
		p.work[j] = float64(b.works[j])
		p.cost[j] = cost{kind: kindLinear, weight: float64(b.weights[j])}
	}
	return p.downsets(blockStates)
}
