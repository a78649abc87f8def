package precedence

import (
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// countsTardy says whether the problem is to count tardy jobs: every penalty Tardy of one weight,
// or none.
func (p *problem) countsTardy() bool {
	weight := -1.0
	for j := range p.cost {
		c := &p.cost[j]
		if c.kind == kindNone || c.kind == kindTardy && c.weight == 0 {
			continue
		}
		if c.kind != kindTardy || weight >= 0 && c.weight != weight {
			return false
		}
		weight = c.weight
	}
	return true
}

// mooreHodgson returns an order with the fewest tardy jobs, without precedence (Moore 1968, in
// Hodgson's form): take the jobs by deadline, ties by index, and whenever one would be late drop
// the longest taken so far, ties to the higher index. The jobs kept come first, by deadline; the
// dropped jobs and the jobs without penalty follow by index. O(n log n).
func (p *problem) mooreHodgson() []int {
	n := len(p.work)
	due := make([]float64, n)
	for j := range due {
		if due[j] = p.cost[j].deadline; p.cost[j].weight == 0 {
			due[j] = posInf
		}
	}
	order := p.byDue(due)
	var kept heap.Heap // by work, the longest first, ties to the higher index
	dropped := make([]bool, n)
	var t dd.T
	for _, j := range order {
		if due[j] == posInf {
			dropped[j] = true
			continue
		}
		t = t.AddFloat(p.work[j])
		kept.Push(heap.Entry{Key: -p.work[j], ID: int32(j)}, nil, heap.HighID{})
		if t.Hi > due[j] {
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
