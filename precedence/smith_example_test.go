package precedence_test

import (
	"errors"
	"fmt"

	"github.com/schedmath/schedmath/precedence"
)

func ExampleNewGraph() {
	g, err := precedence.NewGraph(4, [][2]int{{3, 1}, {3, 2}, {1, 0}, {2, 0}, {3, 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Len(), "jobs,", g.Arcs(), "arcs,", g.Shape())
	fmt.Println("after 3:", g.Succs(3), "before 0:", g.Preds(0))
	fmt.Println("order:", g.Topological(nil))
	// Output:
	// 4 jobs, 5 arcs, series-parallel
	// after 3: [0 1 2] before 0: [1 2 3]
	// order: [3 1 2 0]
}

func ExampleCycleError() {
	_, err := precedence.NewGraph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 1}})
	var cycle *precedence.CycleError
	if errors.As(err, &cycle) {
		fmt.Println(len(cycle.Cycle), "jobs wait for each other")
	}
	// Output: 3 jobs wait for each other
}

func ExampleChains() {
	g, err := precedence.Chains(3, 1, 2)
	fmt.Println(g.Len(), g.Shape(), g.Succs(0), g.Succs(3), g.Succs(4), err)
	// Output: 6 chains [1] [] [5] <nil>
}

func ExampleGraph_Reduce() {
	g, _ := precedence.NewGraph(3, [][2]int{{0, 1}, {1, 2}, {0, 2}})
	fmt.Println(g.Arcs(), "arcs,", g.Reduce().Arcs(), "without those implied,", g.Shape())
	// Output: 3 arcs, 2 without those implied, chains
}

// Two datasets are being scanned. The first subjob of red is slow, but the three after it are so
// quick that red as a whole goes first.
func ExampleSmith() {
	g, _ := precedence.Chains(4, 2) // red 0 to 3, blue 4 and 5
	work := []float64{6, 1, 1, 1, 4, 5}
	weight := []float64{1, 1, 1, 1, 1, 1}
	s, err := precedence.Smith(g, work, weight)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Order, s.Value, s.Exact, s.Method)
	// Output: [0 1 2 3 4 5] 61 true Smith
}
