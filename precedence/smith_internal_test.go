package precedence

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
)

func (a u128) big() *big.Int {
	x := new(big.Int).SetUint64(a.hi)
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(a.lo))
}

// drawWide draws a number of 0 to 127 bits.
func drawWide(r *rand.Rand) u128 {
	x := u128{r.Uint64() >> 1, r.Uint64()}
	switch r.IntN(4) {
	case 0:
		return u128{0, x.lo >> r.IntN(64)}
	case 1:
		return u128{x.hi >> r.IntN(64), x.lo}
	case 2:
		return u128{x.hi, ^uint64(0)}
	}
	return u128{}
}

func TestWideArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := drawWide(r), drawWide(r)
		var words []uint64
		product := a.times(b)
		got := new(big.Int)
		for k := 3; k >= 0; k-- {
			words = append(words, product[k])
			got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(product[k]))
		}
		if want := new(big.Int).Mul(a.big(), b.big()); got.Cmp(want) != 0 {
			t.Fatalf("%v times %v = %x, want %x", a, b, words, want)
		}
		c, d := drawWide(r), drawWide(r)
		if r.IntN(3) == 0 { // nearly or quite the same ratio
			c, d = u128{a.hi >> 1, a.lo>>1 | a.hi<<63}, u128{b.hi >> 1, b.lo>>1 | b.hi<<63}
		}
		x, y := ratio{weight: a, work: b}, ratio{weight: c, work: d}
		of := func(x ratio) (w, p *big.Int) {
			if w, p = x.weight.big(), x.work.big(); w.Sign() == 0 && p.Sign() == 0 {
				p.SetInt64(1)
			}
			return w, p
		}
		w1, p1 := of(x)
		w2, p2 := of(y)
		if got, want := x.compare(y), w1.Mul(w1, p2).Cmp(w2.Mul(w2, p1)); got != want {
			t.Fatalf("%v compared with %v = %d, want %d", x, y, got, want)
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
				if gain.isZero() {
					continue
				}
				moved++
				old := slices.Clone(m.order)
				m.move(at, to, step)
				if err := Verify(g, m.order); err != nil {
					t.Fatalf("moving place %d of %v to %d, arcs %v: %v", at, old, to, arcs, err)
				}
				if after := b.cost(m.order); before.minus(after) != gain {
					t.Fatalf("moving place %d of %v to %d costs %v after %v, want a gain of %v", at, old, to, after, before, gain)
				}
			}
		}
	}
	if moved < 500 {
		t.Errorf("only %d moves, want 500", moved)
	}
}
