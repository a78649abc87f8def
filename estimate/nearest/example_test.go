package nearest_test

import (
	"fmt"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/knn"
)

// Tasks took 2 s a MB, and half a second more for every percent of cpu load. Of the next task
// the size alone is known: 12% are expected of the cpu.
func ExampleFit() {
	fit, err := nearest.Fit(knn.Options{Alpha: .1})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit, Period: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	task := estimate.Task[string]{Class: "report", Kind: schedmath.Map, Worker: 3}
	for i := range 410 {
		mb, cpu := float64(i*7%20), []float64{11, 12, 13, 12, 45}[i%5]
		if err := q.Add(task, estimate.Run{X: []float64{mb, cpu}, Time: 2*mb + cpu/2}); err != nil {
			fmt.Println(err)
		}
	}
	for _, mb := range []float64{10, 200} {
		r, err := q.Estimate(task, []float64{mb})
		fmt.Printf("%.0f s, %.0f to %.0f, outside %t, %v\n", r.Time.Value, r.Time.Low, r.Time.High, r.Time.Outside, err)
	}
	// Output:
	// 27 s, 25 to 29, outside false, <nil>
	// 49 s, -Inf to +Inf, outside true, <nil>
}
