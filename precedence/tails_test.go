package precedence_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// Job 0 before 1 and 2, both before 3: the critical path goes through 2.
func ExampleTails() {
	g, err := precedence.NewGraph(4, [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tails, err := precedence.Tails(nil, g, []float64{1, 2, 5, 3})
	order := g.Topological(nil)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tails[b], tails[a]) })
	fmt.Println(tails, order, err)
	// Output: [9 5 8 3] [0 2 1 3] <nil>
}

// A tail is the greatest sum of works over all paths from a job.
func TestTails(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(r, "n")
		work := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(k int) float64 { return float64(k) }), n, n).Draw(r, "work")
		arcs := orders.Random(rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "arcs"), 0)), n, 1./3)
		g, err := precedence.NewGraph(n, arcs)
		expect.Must(r, err)
		var longest func(j int) float64
		longest = func(j int) (most float64) {
			for _, a := range arcs {
				if a[0] == j {
					most = max(most, longest(a[1]))
				}
			}
			return work[j] + most
		}
		got, err := precedence.Tails([]float64{7}, g, work)
		expect.Must(r, err)
		if len(got) != n+1 || got[0] != 7 {
			r.Fatalf("Tails([7], %v, %v) = %v, want 7 and %d tails", arcs, work, got, n)
		}
		for j := range n {
			if got[j+1] != longest(j) {
				r.Fatalf("Tails([7], %v, %v) = %v, want %v for job %d", arcs, work, got, longest(j), j)
			}
		}
	})
	if got, err := precedence.Tails(nil, nil, []float64{2, 3}); err != nil || len(got) != 2 || got[0] != 2 || got[1] != 3 {
		t.Errorf("Tails without a graph = %v, %v, want the works", got, err)
	}
}

func TestTailsRefuses(t *testing.T) {
	g, err := precedence.Chains(2)
	expect.Must(t, err)
	bad := func(index int, work ...float64) expect.Call {
		return expect.Bad("work", index, make([]float64, 1, 5), g, work)
	}
	expect.Refused(t, "precedence.Tails", precedence.Tails, nil,
		bad(-1), bad(-1, 1), bad(1, 1, -1), bad(0, math.NaN(), 1), bad(1, 1, math.Inf(1)), bad(-1, math.MaxFloat64, math.MaxFloat64))
}

func TestTailsAllocatesNothing(t *testing.T) {
	g, err := precedence.Chains(3, 4)
	expect.Must(t, err)
	work, dst := []float64{1, 2, 3, 4, 5, 6, 7}, make([]float64, 0, 7)
	if n := testing.AllocsPerRun(100, func() { dst, _ = precedence.Tails(dst[:0], g, work) }); n > 0 {
		t.Errorf("Tails with room in dst allocates %v times", n)
	}
}
