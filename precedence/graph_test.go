package precedence_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// closure says whether i comes before j.
func (in sumCase) closure() func(i, j int) bool {
	before := orders.Ancestors(in.n, in.arcs)
	return func(i, j int) bool { return before[j]>>i&1 == 1 }
}

// shapeOf is the class of the order by definition; an order is series-parallel exactly when no four
// jobs form an N.
func shapeOf(n int, c func(i, j int) bool) precedence.Shape {
	apart := func(i, j int) bool { return i != j && !c(i, j) && !c(j, i) }
	in, out, arcs, hasN := 0, 0, 0, false
	for j := range n {
		ins, outs := 0, 0
		for i := range n {
			cover := func(a, b int) bool {
				if !c(a, b) {
					return false
				}
				for k := range n {
					if c(a, k) && c(k, b) {
						return false
					}
				}
				return true
			}
			if cover(i, j) {
				ins++
			}
			if cover(j, i) {
				outs++
			}
		}
		in, out, arcs = max(in, ins), max(out, outs), arcs+ins
	}
	for a := range n {
		for b := range n {
			for x := range n {
				for y := range n {
					hasN = hasN || c(a, x) && c(b, x) && c(b, y) && apart(a, b) && apart(x, y) && apart(a, y)
				}
			}
		}
	}
	switch {
	case arcs == 0:
		return precedence.ShapeIndependent
	case in <= 1 && out <= 1:
		return precedence.ShapeChains
	case in <= 1:
		return precedence.ShapeOutForest
	case out <= 1:
		return precedence.ShapeInForest
	case !hasN:
		return precedence.ShapeSeriesParallel
	}
	return precedence.ShapeGeneral
}

func TestGraphByDefinition(t *testing.T) {
	seen := map[precedence.Shape]int{}
	for _, kind := range orders.Kinds {
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, 5))
			in := newSumCase(r, kind, r.IntN(10), 1)
			in.arcs = append(in.arcs, in.arcs[:len(in.arcs)/2]...) // twice
			g, c := in.graph(t), in.closure()
			in.checkGraph(t, g)
			in.checkArcs(t, g.Reduce(), func(i, j int) bool {
				for k := range in.n {
					if c(i, k) && c(k, j) {
						return false
					}
				}
				return c(i, j)
			})
			want := shapeOf(in.n, c)
			seen[want]++
			if got := g.Shape(); got != want {
				t.Fatalf("%v: Shape() = %v, want %v", in, got, want)
			}
			in.checkTree(t, g, c, want != precedence.ShapeGeneral)
		}
	}
	for k := precedence.ShapeIndependent; k <= precedence.ShapeGeneral; k++ {
		if want := 20; seen[k] < want {
			t.Errorf("only %d instances are of shape %v, want %d", seen[k], k, want)
		}
	}
}

func (in sumCase) checkGraph(t *testing.T, g *precedence.Graph) {
	t.Helper()
	if g.Len() != in.n {
		t.Fatalf("%v: Len() = %d, want %d", in, g.Len(), in.n)
	}
	in.checkArcs(t, g, func(i, j int) bool { return slices.Contains(in.arcs, [2]int{i, j}) })
	in.checkTopological(t, g)
}

func (in sumCase) checkArcs(t *testing.T, g *precedence.Graph, arc func(i, j int) bool) {
	t.Helper()
	arcs := 0
	for i := range in.n {
		var succs, preds []int32
		for j := range in.n {
			if arc(i, j) {
				succs = append(succs, int32(j))
				arcs++
			}
			if arc(j, i) {
				preds = append(preds, int32(j))
			}
		}
		if !slices.Equal(g.Succs(i), succs) || !slices.Equal(g.Preds(i), preds) {
			t.Fatalf("%v: Preds(%d), Succs(%d) = %v, %v, want %v, %v", in, i, i, g.Preds(i), g.Succs(i), preds, succs)
		}
	}
	if g.Arcs() != arcs {
		t.Fatalf("%v: Arcs() = %d, want %d", in, g.Arcs(), arcs)
	}
}

// checkTopological checks that the first job of which no ancestor is left is always next.
func (in sumCase) checkTopological(t *testing.T, g *precedence.Graph) {
	t.Helper()
	before, done, want := orders.Ancestors(in.n, in.arcs), uint64(0), []int{-7}
	for range in.n {
		j := 0
		for done>>j&1 == 1 || before[j]&^done != 0 {
			j++
		}
		done |= 1 << j
		want = append(want, j)
	}
	if got := g.Topological([]int{-7}); !slices.Equal(got, want) {
		t.Fatalf("%v: Topological([-7]) = %v, want %v", in, got, want)
	}
}

// checkTree expands the decomposition tree to the pairs it puts in order.
func (in sumCase) checkTree(t *testing.T, g *precedence.Graph, c func(i, j int) bool, want bool) {
	t.Helper()
	tree, ok := g.Decompose()
	if ok != want || ok && len(tree) != max(0, in.n-1) || !ok && tree != nil {
		t.Fatalf("%v: Decompose() = %v, %v, want %v", in, tree, ok, want)
	}
	if !ok {
		return
	}
	jobs := make([][]int, in.n, 2*in.n)
	for j := range in.n {
		jobs[j] = []int{j}
	}
	pairs := 0
	for k, node := range tree {
		if int(max(node.Left, node.Right)) >= in.n+k {
			t.Fatalf("%v: Decompose() = %v: composite %d comes before its child", in, tree, k)
		}
		if node.Series {
			for _, i := range jobs[node.Left] {
				for _, j := range jobs[node.Right] {
					if !c(i, j) {
						t.Fatalf("%v: Decompose() = %v puts %d before %d, want no order", in, tree, i, j)
					}
					pairs++
				}
			}
		}
		jobs = append(jobs, slices.Concat(jobs[node.Left], jobs[node.Right]))
	}
	for i := range in.n {
		for j := range in.n {
			if c(i, j) {
				pairs--
			}
		}
	}
	if pairs != 0 || in.n > 0 && len(jobs[len(jobs)-1]) != in.n {
		t.Fatalf("%v: Decompose() = %v: %d pairs too few and root %v, want all", in, tree, -pairs, jobs[len(jobs)-1])
	}
}

// Beyond 512 jobs Reduce works in several passes.
func TestReduceLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{511, 513, 1300} {
		var arcs [][2]int
		for j := range n {
			for i := range j {
				if r.IntN(n) < 4 || i >= j-6 && r.IntN(2) == 0 {
					arcs = append(arcs, [2]int{n - 1 - i, n - 1 - j})
				}
			}
		}
		g := mustGraph(t, n, arcs)
		reduced := g.Reduce()
		// above[j]: all ancestors, by topological order.
		above := make([][]bool, n)
		want := 0
		for _, j := range g.Topological(nil) {
			implied := make([]bool, n)
			for _, i := range g.Preds(j) {
				for k, yes := range above[i] {
					implied[k] = implied[k] || yes
				}
			}
			for _, i := range g.Preds(j) {
				has := slices.Contains(reduced.Preds(j), i)
				if has == implied[i] {
					t.Fatalf("n = %d: Reduce keeps the arc (%d, %d): %v, want %v", n, i, j, has, !implied[i])
				}
				if !implied[i] {
					want++
				}
			}
			for _, i := range g.Preds(j) {
				implied[i] = true
			}
			above[j] = implied
		}
		if got := reduced; got.Arcs() != want || got.Reduce() != got {
			t.Errorf("n = %d: Reduce leaves %d arcs, want %d, and itself when reduced", n, got.Arcs(), want)
		}
	}
}
