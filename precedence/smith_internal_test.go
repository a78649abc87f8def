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
