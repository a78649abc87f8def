package fairqueue_test

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/market"
)

// Two users with equal rights, one of whom has used 10 slots of 14 on the mean of late.
func ExampleDecay() {
	week := fairqueue.Decay{HalfLife: 7 * 86400}
	heavy, err := week.Advance(fairqueue.Usage{Mean: 12}, 7*86400, 8)
	if err != nil {
		panic(err)
	}
	light := fairqueue.Usage{Mean: 4, Time: heavy.Time}
	var weights []float64
	for _, u := range []fairqueue.Usage{heavy, light} {
		f, err := fairqueue.FairShare(u.Mean/(heavy.Mean+light.Mean), .5, 0)
		if err != nil {
			panic(err)
		}
		weights = append(weights, f)
	}
	slots, err := market.Apportion(nil, 14, weights, market.ApportionOptions{})
	fmt.Printf("%.0f %.2f %v %v\n", heavy.Mean, weights, slots, err)
	// Output: 10 [0.37 0.67] [5 9] <nil>
}

// A user is charged 600 tokens at once: 300 of them count after an hour.
func ExampleDecay_Charge() {
	hour := fairqueue.Decay{HalfLife: 3600}
	u, err := hour.Charge(fairqueue.Usage{}, 0, 600)
	fmt.Printf("%.0f %v\n", u.Mean*hour.HalfLife/math.Ln2, err)
	u, err = hour.Charge(u, 3600, 0)
	fmt.Printf("%.0f %v\n", u.Mean*hour.HalfLife/math.Ln2, err)
	// Output:
	// 600 <nil>
	// 300 <nil>
}

func ExampleRealPriority() {
	fmt.Println(fairqueue.RealPriority(fairqueue.Usage{}), fairqueue.RealPriority(fairqueue.Usage{Mean: 20}))
	// Output: 0.5 20
}

func ExampleFairShare() {
	fmt.Println(fairqueue.FairShare(.25, .25, 0)) // has used its share
	fmt.Println(fairqueue.FairShare(.25, .125, 0))
	// Output:
	// 0.5 <nil>
	// 0.25 <nil>
}
