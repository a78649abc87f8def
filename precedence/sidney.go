package precedence

import (
	"slices"

	"github.com/schedmath/schedmath/internal/maxflow"
	"github.com/schedmath/schedmath/internal/u128"
)

// sidney is the coarsest decomposition of Sidney [6]: block k is jobs[ends[k-1]:ends[k]], in
// topological order. Each block is, among the jobs that the blocks before it leave, the largest
// initial set of the greatest ratio of weight to work, nothing over nothing counting as 0; ratios
// fall strictly. Some order that makes the sum of weighted completion times least finishes each
// block before it begins the next, and any order that does so costs at most twice as much [7].
//
// The jobs are cut in two at the ratio of the whole: a minimum cut finds the largest initial set of
// the greatest gain, its weight minus that ratio times its work. Each part is cut again, until none
// has an initial set of a higher ratio than its own. There are at most n levels, and about log n as
// a rule; a level takes minimum cuts of n jobs and e arcs in all, O(n^3) at worst and near O(n + e)
// as a rule.
type sidney struct {
	g        *Graph
	works    []uint64 // sums are below 2^63
	weights  []uint64
	jobs     []int32
	ends     []int32
	down     bool // the jobs are rounded
	exponent int  // the unit of work times weight is 2^exponent
}

// narrow returns the unit in which the sum of xs is below 2^63.
func (k scale) narrow(xs []float64) scale {
	if k.bits <= 63 {
		return k
	}
	return newScale(xs, 63)
}

func (s *smith) sidney() *sidney {
	n := s.g.n
	works, weights := s.works.narrow(s.work), s.weights.narrow(s.weight)
	d := &sidney{g: s.g, works: make([]uint64, n), weights: make([]uint64, n), jobs: slices.Clone(s.g.topo),
		down: works.down || weights.down, exponent: works.exp + weights.exp}
	for j := range n {
		d.works[j] = works.whole64(s.work[j])
		d.weights[j] = weights.whole64(s.weight[j])
	}
	if n > 0 {
		d.cut()
	}
	return d
}

// cut fills ends and sorts jobs by block.
func (d *sidney) cut() {
	var network maxflow.Network
	local := make([]int32, len(d.jobs))
	var preds, rest []int32
	type part struct{ from, to int32 }
	stack := []part{{0, int32(len(d.jobs))}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		jobs := d.jobs[p.from:p.to]
		var work, weight uint64
		for _, j := range jobs {
			work += d.works[j]
			weight += d.weights[j]
		}
		if len(jobs) == 1 || work == 0 || weight == 0 {
			d.ends = append(d.ends, p.to)
			continue
		}
		network.Clear()
		even := true // all ratios are that of the whole
		for k, j := range jobs {
			local[j] = int32(k)
			preds = d.inside(preds[:0], jobs, local, j)
			gain, loss := u128.T{}.PlusProduct(d.weights[j], work), u128.T{}.PlusProduct(weight, d.works[j])
			if loss.Less(gain) {
				gain, loss = gain.Minus(loss), u128.T{}
				even = false
			} else {
				gain, loss = u128.T{}, loss.Minus(gain)
			}
			network.Add(gain, loss, preds...)
		}
		if even {
			d.ends = append(d.ends, p.to)
			continue
		}
		network.Run()
		// The initial set first, each part in its topological order.
		rest = rest[:0]
		at := 0
		for k, j := range jobs {
			if network.Stuck(k) {
				jobs[at] = j
				at++
			} else {
				rest = append(rest, j)
			}
		}
		if len(rest) == 0 {
			d.ends = append(d.ends, p.to)
			continue
		}
		copy(jobs[at:], rest)
		mid := p.from + int32(at)
		stack = append(stack, part{mid, p.to}, part{p.from, mid})
	}
}

// inside appends the places in jobs, ascending along every arc, of the predecessors of j that are
// there; local holds the places of the jobs before j.
func (d *sidney) inside(dst, jobs, local []int32, j int32) []int32 {
	for _, i := range d.g.Preds(int(j)) {
		// Another part's number may stand in local; then it does not lead back to i.
		if l := local[i]; int(l) < int(local[j]) && jobs[l] == i {
			dst = append(dst, l)
		}
	}
	return dst
}
