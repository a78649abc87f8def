package lof_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/lof"
)

// Ten workers report the laxity of their tasks of one job. The sixth falls behind.
func ExampleStragglers() {
	// ms, one a worker
	laxity := []float64{1652, 1648, 1661, 1640, 1655, 1190, 1644, 1658, 1650, 1647}
	slow, err := lof.Stragglers(nil, laxity, lof.StragglerOptions{Resolution: 1})
	for _, s := range slow {
		fmt.Printf("worker %d: laxity %v, %v below the median; score %.1f\n", s.Index, laxity[s.Index], s.Gap, s.Score)
	}
	fmt.Println(err)
	// Output:
	// worker 5: laxity 1190, 459 below the median; score 77.3
	// <nil>
}

// Five points in a row and one apart from them.
func ExampleScores1D() {
	scores, err := lof.Scores1D(nil, []float64{10, 11, 12, 13, 14, 30}, 3, lof.Options{})
	fmt.Printf("%.2f %v\n", scores, err)
	// Output:
	// [0.98 0.98 1.07 0.98 0.98 7.12] <nil>
}

// Processor and memory use of five nodes, in percent.
func ExampleScores() {
	use := []float64{
		50, 40,
		52, 41,
		49, 43,
		51, 42,
		95, 42,
	}
	scores, err := lof.Scores(nil, mat.NewDense(5, 2, use), 2, lof.Options{})
	fmt.Printf("%.2f %v\n", scores, err)
	// Output:
	// [0.94 0.94 1.13 1.07 18.28] <nil>
}

// Laxities rounded to 1 ms: a worker one tick from the plateau stands out unless the tick is the
// floor.
func ExampleOptions() {
	laxity := []float64{1650, 1650, 1650, 1650, 1650, 1651}
	plain, _ := lof.Scores1D(nil, laxity, 3, lof.Options{})
	floor, _ := lof.Scores1D(nil, laxity, 3, lof.Options{Floor: 1})
	fmt.Println(plain[5], floor[5])
	// Output:
	// +Inf 1
}

// With 59 workers, groups of up to ten stragglers are found.
func ExampleNeighbours() {
	fmt.Println(lof.Neighbours(59))
	// Output:
	// 10
}
