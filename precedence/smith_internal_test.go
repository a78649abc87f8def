package precedence

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/internal/u128"
)

// Ratios compare by their cross products, nothing over nothing as 0.
func TestRatio(t *testing.T) {
	of := func(weight, work uint64) ratio { return ratio{u128.Of(weight), u128.Of(work)} }
	ascending := [][]ratio{{of(0, 0), of(0, 1), of(0, 9)}, {of(1, 3), of(2, 6)}, {of(1<<62, 1<<62-1), of(1<<63, 1<<63-2)}, {of(1, 0), of(7, 0)}}
	for i, as := range ascending {
		for k, bs := range ascending {
			for _, a := range as {
				for _, b := range bs {
					if got := a.compare(b); got != cmp.Compare(i, k) {
						t.Errorf("%v.compare(%v) = %d, want %d", a, b, got, cmp.Compare(i, k))
					}
				}
			}
		}
	}
}

// What a look promises a move must save.
func TestLookAndMove(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	moved := 0
	for range 500 {
		n := 2 + r.IntN(20)
		arcs := orders.Random(r, n, 2/float64(n))
		g, err := NewGraph(n, arcs)
		must(t, err)
		b := &sidneyBlock{sidney: sidney{g: g, works: make([]uint64, n), weights: make([]uint64, n)}}
		for j := range n {
			b.works[j], b.weights[j] = r.Uint64N(10), r.Uint64N(10)
		}
		m := mover{sidneyBlock: b, order: g.Topological(nil), met: make([]int, n)}
		for at := range n {
			for _, step := range []int{1, -1} {
				steps := 0
				before := b.cost(m.order)
				to, gain := m.look(at, step, &steps)
				if gain.IsZero() {
					continue
				}
				moved++
				old := slices.Clone(m.order)
				m.move(at, to, step)
				if err := Verify(g, m.order); err != nil {
					t.Fatalf("moving place %d of %v to %d, arcs %v: %v", at, old, to, arcs, err)
				}
				if after := b.cost(m.order); before.Minus(after) != gain {
					t.Fatalf("moving place %d of %v to %d costs %v after %v, want a gain of %v", at, old, to, after, before, gain)
				}
			}
		}
	}
	if moved < 500 {
		t.Errorf("only %d moves, want 500", moved)
	}
}

// layers returns two layers, work without weight before weight without work: a large block where
// what an order gains is the arcs' alone; and the least cost.
func layers(t *testing.T, r *rand.Rand, half int) (*sidneyBlock, int64) {
	t.Helper()
	n := 2 * half
	b := &sidneyBlock{sidney: sidney{works: make([]uint64, n), weights: make([]uint64, n)}}
	work, arcs := make([]int64, n), [][2]int{}
	for i := range half {
		b.works[i], b.weights[half+i] = 1+r.Uint64N(3), 1+r.Uint64N(3)
		work[i] = int64(b.works[i])
		b.work += b.works[i]
		b.weight += b.weights[half+i]
		for k := range 2 + r.IntN(2) {
			arcs = append(arcs, [2]int{(i + k*(1+r.IntN(2))) % half, half + i})
		}
	}
	g, err := NewGraph(n, arcs)
	must(t, err)
	b.g = g
	least, _ := orders.Least(n, arcs, work, func(j int, end int64) int64 { return int64(b.weights[j]) * end }, false)
	return b, least
}

// From any order the moves lead to the least cost in most cases, and never below.
func TestImprove(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 2))
	best := 0
	for range 200 {
		b, least := layers(t, r, 6)
		order, steps := b.g.Topological(nil), smithSteps
		b.improve(order, &steps)
		switch got := b.cost(order).Approx(); {
		case Verify(b.g, order) != nil || got < float64(least):
			t.Fatalf("improve ends with %v, cost %v, least %d", order, got, least)
		case got == float64(least):
			best++
		}
	}
	if best < 150 {
		t.Errorf("%d of 200 orders cost the least, want 150", best)
	}
}

// Where a block is too wide to be solved exactly, the least cost is between the bound and the
// order's, which is at most twice the bound.
func TestApproximate(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 3))
	tried := 0
	for range 200 {
		whole, least := layers(t, r, 6)
		if whole.cutAlone() > 1 { // the bound holds for a block alone
			continue
		}
		steps := smithSteps
		order, low := whole.approximate(&steps)
		cost, bound := whole.cost(order).Approx(), low.Approx()
		if Verify(whole.g, order) != nil || !(bound <= float64(least) && float64(least) <= cost && cost <= 2*bound) {
			t.Fatalf("approximate = %v, cost %v, bound %v, least %d", order, cost, bound, least)
		}
		tried++
	}
	if tried < 50 {
		t.Errorf("%d blocks, want 50", tried)
	}
}

// cutAlone returns the number of blocks that Sidney's decomposition makes of b.
func (b *sidneyBlock) cutAlone() int {
	d := b.sidney
	d.jobs = slices.Clone(b.g.topo)
	d.cut()
	return len(d.ends)
}
