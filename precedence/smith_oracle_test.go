package precedence_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// sumCase is a random problem in whole numbers small enough for int64 whatever the order.
type sumCase struct {
	kind         string
	n            int
	arcs         [][2]int
	work, weight []int64
}

// newSumCase draws an instance of the kind, values 0 to most (0 often).
func newSumCase(r *rand.Rand, kind string, n int, most int64) sumCase {
	in := sumCase{kind: kind, n: n, arcs: orders.Draw(r, kind, n), work: make([]int64, n), weight: make([]int64, n)}
	for j := range n {
		in.work[j], in.weight[j] = r.Int64N(most+1), r.Int64N(most+1)
		if r.IntN(8) == 0 {
			in.work[j] = 0
		}
		if r.IntN(8) == 0 {
			in.weight[j] = 0
		}
	}
	return in
}

func (in sumCase) graph(t testing.TB) *precedence.Graph {
	t.Helper()
	g, err := precedence.NewGraph(in.n, in.arcs)
	if err != nil {
		t.Fatalf("NewGraph(%d, %v) = %v, want no error", in.n, in.arcs, err)
	}
	return g
}

func floats(xs []int64) []float64 {
	f := make([]float64, len(xs))
	for k, x := range xs {
		f[k] = float64(x)
	}
	return f
}

// tableSum is the least sum of weight times completion over every linear extension.
func (in sumCase) tableSum() int64 {
	least, _ := orders.Least(in.n, in.arcs, in.work, func(j int, end int64) int64 { return in.weight[j] * end }, false)
	return least
}

// bruteBlocks is the coarsest Sidney decomposition by its definition: among all initial sets of
// what is left, the union of those with the greatest weight/work, 0/0 counting as 0.
func (in sumCase) bruteBlocks() [][]int {
	before := orders.Ancestors(in.n, in.arcs)
	left := uint64(1<<in.n - 1)
	var blocks [][]int
	for left != 0 {
		var bestW, bestP int64 = -1, 1
		best := uint64(0)
		for set := left; set != 0; set = (set - 1) & left {
			var w, p int64
			ok := true
			for j := range in.n {
				if set>>j&1 != 0 {
					w += in.weight[j]
					p += in.work[j]
					ok = ok && before[j]&left&^set == 0
				}
			}
			if !ok {
				continue
			}
			if p == 0 && w == 0 {
				p = 1
			}
			switch cmp.Compare(w*bestP, bestW*p) {
			case 1:
				bestW, bestP, best = w, p, set
			case 0:
				best |= set
			}
		}
		var b []int
		for j := range in.n {
			if best>>j&1 != 0 {
				b = append(b, j)
			}
		}
		blocks = append(blocks, b)
		left &^= best
	}
	return blocks
}

// checkOrder fails unless order has each job once, after its predecessors, and costs value.
func (in sumCase) checkOrder(t testing.TB, call string, order []int, value float64) {
	t.Helper()
	before, done := orders.Ancestors(in.n, in.arcs), uint64(0)
	sum, now := int64(0), int64(0)
	for _, j := range order {
		if done>>j&1 == 1 || before[j]&^done != 0 {
			t.Fatalf("%s: order %v has job %d twice or before a predecessor", call, order, j)
		}
		done |= 1 << j
		now += in.work[j]
		sum += in.weight[j] * now
	}
	if len(order) != in.n || float64(sum) != value {
		t.Fatalf("%s: Value = %v, but its order %v of %d jobs costs %d", call, value, order, in.n, sum)
	}
}

func (in sumCase) String() string {
	return fmt.Sprintf("%s: NewGraph(%d, %v), work %v, weight %v", in.kind, in.n, in.arcs, in.work, in.weight)
}
