package equilibrium_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/market/equilibrium"
)

// Two machines; others bid 1 and 4.
func ExampleBestResponse() {
	fmt.Println(equilibrium.BestResponse(nil, 10, []float64{4, 1}, []float64{1, 4}))
	// Output: [6.5 3.5] <nil>
}

// Each of two users has one of two machines twice as dear.
func ExampleEquilibrium() {
	m, err := equilibrium.Equilibrium([]float64{1, 1}, mat.NewDense(2, 2, []float64{2, 1, 1, 2}), equilibrium.Options{})
	fmt.Printf("%.3f\n", mat.Formatted(m.Bids))
	fmt.Printf("utility %.3f, efficiency %.3f, settled %t, %v\n", m.Utility, m.Efficiency, m.Settled, err)
	// Output:
	// ⎡0.667  0.333⎤
	// ⎣0.333  0.667⎦
	// utility [1.667 1.667], efficiency 0.833, settled true, <nil>
}
