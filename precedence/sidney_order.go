package precedence

import (
	"slices"

	"github.com/schedmath/schedmath/internal/u128"
)

// blockStates is how many down-sets a block may have to be ordered exactly.
const blockStates = 1 << 16

// general orders by Sidney's decomposition: block after block, each exactly where that is easy.
func (s *smith) general() (Solution, error) {
	d := s.sidney()
	r := Solution{Order: make([]int, 0, s.g.n), Exact: !d.down, Method: methodSidney}
	var bound u128.T // in whole numbers
	begin, from := uint64(0), int32(0)
	steps := s.steps
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
	order, least = b.approximate(steps)
	return order, least, b.cost(order) == least
}

// approximate returns an order within twice the least cost, and a lower bound of that: in the
// two-dimensional Gantt chart no initial set rises above the diagonal of the block, whatever the
// order.
func (b *sidneyBlock) approximate(steps *int) (order []int, least u128.T) {
	urgent, _ := b.easy(&Graph{n: b.g.n, predBegin: make([]int32, b.g.n+1), succBegin: make([]int32, b.g.n+1)})
	rank := make([]float64, b.g.n)
	for k, j := range urgent {
		rank[j] = float64(k)
	}
	order = ints(b.g.listBy(func(j int32) float64 { return rank[j] }))
	b.improve(order, steps)
	return order, b.diagonal()
}

// easy orders by g if g is series-parallel.
func (b *sidneyBlock) easy(g *Graph) ([]int, bool) {
	s := smith{g: g, whole: b}
	return s.series()
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
