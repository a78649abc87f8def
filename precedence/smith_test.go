package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// The order's cost and the blocks of random instances of each kind with up to eight jobs.
func TestSmithBruteForce(t *testing.T) {
	for _, kind := range orders.Kinds {
		rapid.Check(t, func(rt *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
			for range 5 {
				in := newSumCase(r, kind, r.IntN(9), []int64{1, 4, 1 << 20}[r.IntN(3)])
				in.checkSmith(t, in.tableSum())
				g := in.graph(t)
				if kind == "independent" {
					g = nil
				}
				got, err := precedence.SidneyBlocks(g, floats(in.work), floats(in.weight))
				if want := in.bruteBlocks(); err != nil || !slices.EqualFunc(got, want, slices.Equal) {
					t.Fatalf("SidneyBlocks(%v) = %v, %v, want %v", in, got, err, want)
				}
			}
		})
	}
}

// Two ratios whose cross products, near 2^80, differ by 1: the higher one goes before, and is a
// block of its own where it may.
func TestSidneyNearTies(t *testing.T) {
	const x = 1 << 40
	work, weight := []float64{x + 1, x}, []float64{x, x - 1}
	for _, c := range []struct {
		arc  [2]int
		want [][]int
	}{{[2]int{0, 1}, [][]int{{0}, {1}}}, {[2]int{1, 0}, [][]int{{0, 1}}}} {
		got, err := precedence.SidneyBlocks(mustGraph(t, 2, [][2]int{c.arc}), work, weight)
		if err != nil || !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("SidneyBlocks(arc %v) = %v, %v, want %v", c.arc, got, err, c.want)
		}
	}
}

func (in sumCase) checkSmith(t testing.TB, want int64) precedence.Solution {
	t.Helper()
	s, err := precedence.Smith(in.graph(t), floats(in.work), floats(in.weight))
	call := fmt.Sprintf("Smith(%v)", in)
	if err != nil {
		t.Fatalf("%s = %v, want no error", call, err)
	}
	in.checkOrder(t, call, s.Order, s.Value)
	if s.Exact && (s.Value != float64(want) || s.Bound != s.Value) {
		t.Fatalf("%s: Value %v, Bound %v, Exact, method %s, want %d", call, s.Value, s.Bound, s.Method, want)
	}
	if s.Bound > float64(want) || s.Value < float64(want) || s.Value > 2*s.Bound {
		t.Fatalf("%s: Value %v, Bound %v, want the optimum %d between them and Value <= 2 Bound", call, s.Value, s.Bound, want)
	}
	if !s.Exact && (s.Method != precedence.MethodSidney || in.n <= 14) {
		t.Fatalf("%s: Exact is false by %v, want true", call, s.Method)
	}
	return s
}

// The exact programme, for which the penalties are any functions, finds the same values on 20 jobs.
func TestSmithEqualsDownsets(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 12))
		in := newSumCase(r, orders.Kinds[1+seed%10], 20, 9)
		penalties := make([]precedence.Penalty, in.n)
		for j, w := range in.weight {
			penalties[j] = hidden{precedence.Response{Weight: float64(w)}}
		}
		s, err := precedence.Minimize(in.graph(t), floats(in.work), precedence.Objective{Penalties: penalties}, precedence.Options{})
		if err != nil || !s.Exact || s.Method != precedence.MethodDownSets {
			t.Fatalf("Minimize(%v) = %+v, %v, want an exact solution by down-sets", in, s, err)
		}
		in.checkSmith(t, int64(s.Value))
	}
}

// With weights equal to works all orders cost half of the square of the sum and half of the sum of
// squares: the diagonal of a block is tight, and Bound must find that.
func TestSmithDiagonal(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for range 40 {
		in := newSumCase(r, "dag", 16+r.IntN(30), 9)
		in.weight = in.work
		var sum, squares int64
		for _, p := range in.work {
			sum += p
			squares += p * p
		}
		if s := in.checkSmith(t, (sum*sum+squares)/2); !s.Exact {
			t.Errorf("Smith(%v) = %+v, want Exact", in, s)
		}
	}
}

// Two layers, work without weight before weight without work, make large blocks: what an order
// gains is the arcs' alone. They have few enough down-sets for an exact order.
func TestSmithLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for range 250 {
		const half = 8
		in := newSumCase(r, "independent", 2*half, 1)
		for i := range half {
			in.work[i], in.weight[i] = 1+r.Int64N(3), 0
			in.work[half+i], in.weight[half+i] = 0, 1+r.Int64N(3)
			for k := range 2 + r.IntN(2) {
				in.arcs = append(in.arcs, [2]int{(i + k*(1+r.IntN(2))) % half, half + i})
			}
		}
		if s := in.checkSmith(t, in.tableSum()); !s.Exact {
			t.Errorf("Smith(%v) = %+v, want Exact", in, s)
		}
	}
}
