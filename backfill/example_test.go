package backfill_test

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/backfill"
)

func ExamplePlan() {
	running := []backfill.Running{{Need: []int64{6}, End: 100}}
	queue := []backfill.Job{
		{Need: []int64{8}, Time: 50},  // needs the whole cluster
		{Need: []int64{2}, Time: 200}, // would put it off
		{Need: []int64{2}, Time: 90},  // would not
	}
	starts, err := backfill.Plan(nil, []int64{8}, 0, running, queue, backfill.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(starts)
	// Output: [100 +Inf 0]
}

func ExampleProfile() {
	p, err := backfill.New([]int64{8}, 0)
	if err != nil {
		panic(err)
	}
	p.Take([]int64{6}, 0, 100)                 // a job runs
	p.Take([]int64{1}, 50, math.Inf(1))        // a node will leave for good
	fmt.Println(p.Free(nil, 60))               // beside them
	fmt.Println(p.Earliest([]int64{2}, 0, 60)) // two nodes for a minute
	for begin, free := range p.Steps() {
		fmt.Println(begin, free)
	}
	// Output:
	// [1]
	// 100 true
	// 0 [2]
	// 50 [1]
	// 100 [7]
}

func ExampleProfile_Plan() {
	p, err := backfill.New([]int64{8}, 0)
	if err != nil {
		panic(err)
	}
	p.Take([]int64{8}, 3600, 7200) // maintenance
	queue := []backfill.Job{{Need: []int64{4}, Time: 7200}, {Need: []int64{4}, Time: 1800}}
	starts, err := p.Plan(nil, queue, backfill.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(starts)
	// Output: [7200 0]
}

func ExampleProfile_Forecast() {
	p, err := backfill.New([]int64{8}, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Forecast(nil, nil, nil, func(int, float64) float64 { return 0 }, backfill.ForecastOptions{}, nil))
	// Output: [] backfill.Profile.Forecast: src: nil
}
