package precedence

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// tardy says whether every penalty is Tardy or none, and whether all that cost have one weight.
func (p *problem) tardy() (only, alike bool) {
	weight := 0.0
	alike = true
	for j := range p.cost {
		c := &p.cost[j]
		if c.kind != kindTardy && c.kind != kindNone {
			return false, false
		}
		if weight == 0 {
			weight = c.weight
		}
		alike = alike && (c.weight == 0 || c.weight == weight)
	}
	return true, alike
}

// mooreHodgson returns an order with the fewest tardy jobs, without precedence (Moore 1968, in
// Hodgson's form): take the jobs by deadline, ties by index, and whenever one would be late drop
// the longest taken so far, ties to the higher index. The jobs kept come first, by deadline; the
// dropped jobs and the jobs without penalty follow by index. O(n log n).
func (p *problem) mooreHodgson() []int {
	order := p.dueDates()
	var kept heap.Heap // by work, the longest first, ties to the higher index
	dropped := make([]bool, len(order))
	var t dd.T
	for _, j := range order {
		if p.cost[j].weight == 0 {
			dropped[j] = true
			continue
		}
		t = t.AddFloat(p.work[j])
		kept.Push(heap.Entry{Key: -p.work[j], ID: int32(j)}, nil, heap.HighID{})
		if t.Hi > p.cost[j].deadline {
			longest := kept.Pop(nil, heap.HighID{}).ID
			dropped[longest] = true
			t = t.AddFloat(-p.work[longest])
		}
	}
	return keptFirst(order, dropped)
}

// keptFirst returns the jobs of order that are not dropped, in that order, and then the dropped
// by index. It reuses order.
func keptFirst(order []int, dropped []bool) []int {
	kept := order[:0]
	for _, j := range order {
		if !dropped[j] {
			kept = append(kept, j)
		}
	}
	for j, d := range dropped {
		if d {
			kept = append(kept, j)
		}
	}
	return kept
}
