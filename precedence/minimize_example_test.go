package precedence_test

import (
	"fmt"

	"github.com/schedmath/schedmath/precedence"
)

// Four jobs in two chains, 0 before 1 and 2 before 3, with deadlines and weights: no order has
// less weighted tardiness.
func ExampleMinimize() {
	g, _ := precedence.Chains(2, 2)
	work := []float64{3, 1, 2, 4}
	obj, err := precedence.SumWeightedTardiness([]float64{4, 5, 3, 9}, []float64{1, 4, 2, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := precedence.Minimize(g, work, obj, precedence.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Order, s.Value, s.Bound, s.Exact, s.Method)
	// Output: [2 0 1 3] 6 6 true down-sets
}

// Any non-decreasing penalty will do: here a job that costs the square of its completion time
// beside two of the package's own.
func ExampleLawler() {
	penalties := []precedence.Penalty{square{}, precedence.Lateness{Deadline: 4, Weight: 2}, precedence.NoPenalty{}}
	s, err := precedence.Lawler(nil, []float64{2, 1, 5}, penalties)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Order, s.Value, s.Exact, s.Method)
	// Output: [0 1 2] 4 true backward dynamic programme
}

type square struct{}

func (square) At(t float64) float64 { return t * t }

func ExampleVerify() {
	g, _ := precedence.Chains(2, 1)
	fmt.Println(precedence.Verify(g, []int{0, 2, 1}))
	fmt.Println(precedence.Verify(g, []int{1, 0, 2}))
	// Output:
	// <nil>
	// precedence.Verify: order[0]: is 1, which comes before its predecessor 0
}

// The order of deadlines against that of Smith's rule.
func ExampleEvaluate() {
	work := []float64{5, 1, 2}
	obj, err := precedence.SumTardiness([]float64{5, 6, 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, order := range [][]int{{0, 1, 2}, {1, 2, 0}} {
		v, err := precedence.Evaluate(work, obj, order)
		fmt.Println(order, v, err)
	}
	// Output:
	// [0 1 2] 1 <nil>
	// [1 2 0] 3 <nil>
}

// show prints the best order of three independent jobs.
func show(obj precedence.Objective, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := precedence.Minimize(nil, []float64{4, 2, 3}, obj, precedence.Options{})
	fmt.Println(s.Order, s.Value, err)
}

func ExampleSumResponse() {
	show(precedence.SumResponse(3))
	// Output: [1 2 0] 16 <nil>
}

func ExampleMaxResponse() {
	show(precedence.MaxResponse(3))
	// Output: [0 1 2] 9 <nil>
}

func ExampleSumWeightedResponse() {
	show(precedence.SumWeightedResponse([]float64{3, 1, 2}))
	// Output: [0 2 1] 35 <nil>
}

func ExampleMaxWeightedResponse() {
	show(precedence.MaxWeightedResponse([]float64{3, 1, 2}))
	// Output: [0 2 1] 14 <nil>
}

func ExampleSumStretch() {
	show(precedence.SumStretch([]float64{4, 2, 3}))
	// Output: [1 2 0] 4.916666666666666 <nil>
}

func ExampleMaxStretch() {
	show(precedence.MaxStretch([]float64{4, 2, 3}))
	// Output: [1 2 0] 2.25 <nil>
}

func ExampleSumTardy() {
	show(precedence.SumTardy([]float64{5, 3, 6}))
	// Output: [1 2 0] 1 <nil>
}

func ExampleMaxTardy() {
	show(precedence.MaxTardy([]float64{5, 3, 6}))
	// Output: [0 1 2] 1 <nil>
}

func ExampleSumWeightedTardy() {
	show(precedence.SumWeightedTardy([]float64{5, 3, 6}, []float64{3, 1, 2}))
	// Output: [0 1 2] 3 <nil>
}

func ExampleMaxWeightedTardy() {
	show(precedence.MaxWeightedTardy([]float64{5, 3, 6}, []float64{3, 1, 2}))
	// Output: [0 2 1] 2 <nil>
}

func ExampleSumTardiness() {
	show(precedence.SumTardiness([]float64{5, 3, 6}))
	// Output: [1 2 0] 4 <nil>
}

func ExampleMaxTardiness() {
	show(precedence.MaxTardiness([]float64{5, 3, 6}))
	// Output: [1 0 2] 3 <nil>
}

func ExampleSumWeightedTardiness() {
	show(precedence.SumWeightedTardiness([]float64{5, 3, 6}, []float64{3, 1, 2}))
	// Output: [0 2 1] 8 <nil>
}

func ExampleMaxWeightedTardiness() {
	show(precedence.MaxWeightedTardiness([]float64{5, 3, 6}, []float64{3, 1, 2}))
	// Output: [0 1 2] 6 <nil>
}

func ExampleSumLateness() {
	show(precedence.SumLateness([]float64{5, 3, 6}))
	// Output: [1 2 0] 2 <nil>
}

func ExampleMaxLateness() {
	show(precedence.MaxLateness([]float64{5, 3, 6}))
	// Output: [1 0 2] 3 <nil>
}

func ExampleSumWeightedLateness() {
	show(precedence.SumWeightedLateness([]float64{5, 3, 6}, []float64{3, 1, 2}))
	// Output: [0 2 1] 5 <nil>
}

func ExampleMaxWeightedLateness() {
	show(precedence.MaxWeightedLateness([]float64{5, 3, 6}, []float64{3, 1, 2}))
	// Output: [0 1 2] 6 <nil>
}

func ExampleSumSLA() {
	show(precedence.SumSLA([]precedence.SLA{
		{Deadlines: []float64{4, 8}, Costs: []float64{1, 5}},
		{Deadlines: []float64{2}, Costs: []float64{3}},
		{}, // costs nothing
	}))
	// Output: [1 0 2] 1 <nil>
}

func ExampleMaxSLA() {
	show(precedence.MaxSLA([]precedence.SLA{
		{Deadlines: []float64{4, 8}, Costs: []float64{1, 5}},
		{Deadlines: []float64{2}, Costs: []float64{3}},
		{}, // costs nothing
	}))
	// Output: [1 0 2] 1 <nil>
}

func ExampleResponse_At() {
	p := precedence.Response{Weight: 2}
	fmt.Println(p.At(3))
	// Output: 6
}

func ExampleTardy_At() {
	p := precedence.Tardy{Deadline: 3, Weight: 2}
	fmt.Println(p.At(3), p.At(3.5))
	// Output: 0 2
}

func ExampleLatest() {
	p := precedence.Tardy{Deadline: 3, Weight: 2}
	fmt.Printf("%.3g %.3g %.3g\n", precedence.Latest(p, 1, 10), precedence.Latest(p, 2, 10), precedence.Latest(p, -1, 10))
	// Output: 3 10 -1
}

func ExampleTardiness_At() {
	p := precedence.Tardiness{Deadline: 3, Weight: 2}
	fmt.Println(p.At(1), p.At(5))
	// Output: 0 4
}

func ExampleLateness_At() {
	p := precedence.Lateness{Deadline: 3, Weight: 2}
	fmt.Println(p.At(1), p.At(5))
	// Output: -4 4
}

func ExampleSLA_At() {
	p := precedence.SLA{Deadlines: []float64{3, 8}, Costs: []float64{1, 5}}
	fmt.Println(p.At(3), p.At(4), p.At(9))
	// Output: 0 1 5
}

func ExampleNoPenalty_At() {
	p := precedence.NoPenalty{}
	fmt.Println(p.At(100))
	// Output: 0
}
