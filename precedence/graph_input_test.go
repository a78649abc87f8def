package precedence_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/precedence"
)

func TestNewGraphCycle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 6))
		n := rapid.IntRange(1, 30).Draw(rt, "n")
		var arcs [][2]int
		for range r.IntN(2 * n) {
			arcs = append(arcs, [2]int{r.IntN(n), r.IntN(n)})
		}
		in := sumCase{n: n, arcs: arcs}
		cyclic := false
		before := in.closure()
		for j := range n {
			cyclic = cyclic || before(j, j)
		}
		g, err := precedence.NewGraph(n, arcs)
		if !cyclic {
			if err != nil || g == nil {
				t.Fatalf("NewGraph(%d, %v) = %v, want no error", n, arcs, err)
			}
			return
		}
		var ce *precedence.CycleError
		if g != nil || !errors.As(err, &ce) || !errors.Is(err, schedmath.ErrInput) {
			t.Fatalf("NewGraph(%d, %v) = %v, %v, want a *CycleError", n, arcs, g, err)
		}
		if len(ce.Cycle) <= 12 && !strings.HasSuffix(err.Error(), fmt.Sprint(ce.Cycle)) {
			t.Fatalf("NewGraph(%d, %v) = %q, want all of the cycle %v in it", n, arcs, err, ce.Cycle)
		}
		for k, i := range ce.Cycle {
			j := ce.Cycle[(k+1)%len(ce.Cycle)]
			if !slices.Contains(arcs, [2]int{i, j}) || slices.Index(ce.Cycle, i) != k {
				t.Fatalf("NewGraph(%d, %v): Cycle %v, want distinct jobs joined by arcs", n, arcs, ce.Cycle)
			}
		}
	})
	var long [][2]int
	for j := range 100 {
		long = append(long, [2]int{j, (j + 1) % 100})
	}
	_, err := precedence.NewGraph(100, long)
	var ce *precedence.CycleError
	if !errors.As(err, &ce) || len(ce.Cycle) != 100 || len(err.Error()) > 120 || !strings.Contains(err.Error(), "100 jobs") {
		t.Errorf("NewGraph of a ring of 100 = %v, want all 100 jobs in Cycle and a short message", err)
	}
}

func TestChainsGraph(t *testing.T) {
	g, err := precedence.Chains(2, 0, 1, 3)
	must(t, err)
	if g.Arcs() != 3 || g.Shape() != precedence.ShapeChains || g.Reduce() != g {
		t.Errorf("Chains(2, 0, 1, 3): %d arcs, %v, want 3, reduced", g.Arcs(), g.Shape())
	}
	sumCase{n: 6, arcs: [][2]int{{0, 1}, {3, 4}, {4, 5}}}.checkGraph(t, g)
}

// The zero value and jobs out of range answer with nothing.
func TestGraphZero(t *testing.T) {
	empty, err := precedence.Chains()
	must(t, err)
	for name, g := range map[string]*precedence.Graph{"zero": {}, "Chains()": empty, "NewGraph(0)": mustGraph(t, 0, nil)} {
		tree, ok := g.Decompose()
		if g.Len() != 0 || g.Arcs() != 0 || g.Preds(0) != nil || g.Succs(-1) != nil || g.Topological(nil) != nil ||
			g.Reduce() != g || g.Shape() != precedence.ShapeIndependent || tree != nil || !ok {
			t.Errorf("%s: not empty", name)
		}
		s, err := precedence.Smith(g, nil, nil)
		if err != nil || len(s.Order) != 0 || s.Value != 0 || s.Bound != 0 || !s.Exact {
			t.Errorf("Smith(%s, nil, nil) = %+v, %v, want nothing, exactly", name, s, err)
		}
		b, err := precedence.SidneyBlocks(g, nil, nil)
		if err != nil || len(b) != 0 {
			t.Errorf("SidneyBlocks(%s, nil, nil) = %v, %v, want none", name, b, err)
		}
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[precedence.Shape]string{
		precedence.ShapeIndependent: "independent", precedence.ShapeChains: "chains",
		precedence.ShapeOutForest: "out-forest", precedence.ShapeInForest: "in-forest",
		precedence.ShapeSeriesParallel: "series-parallel", precedence.ShapeGeneral: "general",
	})
	expect.Words(t, map[precedence.Aggregate]string{precedence.Sum: "sum", precedence.Max: "max"})
	expect.Words(t, map[precedence.Method]string{
		precedence.MethodSmith: "Smith", precedence.MethodSidney: "Sidney",
		precedence.MethodDueDates: "modified due dates", precedence.MethodThresholds: "thresholds",
		precedence.MethodBackward:     "backward dynamic programme",
		precedence.MethodMooreHodgson: "Moore-Hodgson", precedence.MethodLawlerMoore: "Lawler-Moore",
		precedence.MethodDownSets: "down-sets", precedence.MethodSearch: "local search",
	})
}
