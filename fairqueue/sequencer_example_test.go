package fairqueue_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/market"
)

func ExampleStride() {
	var s fairqueue.Stride[string]
	fmt.Println(s.Join("etl", 3, 0), s.Join("adhoc", 1, 0))
	for range 8 {
		key, _ := s.Next()
		fmt.Print(key, " ")
	}
	remain, _ := s.Leave("adhoc")
	fmt.Println(remain)
	// Output:
	// <nil> <nil>
	// etl etl etl adhoc etl etl etl adhoc 0
}

func ExampleSmoothWRR() {
	var s fairqueue.SmoothWRR[string]
	for i, key := range []string{"a", "b", "c"} {
		if err := s.Join(key, []float64{5, 1, 1}[i], 0); err != nil {
			panic(err)
		}
	}
	for range 7 {
		key, _ := s.Next()
		fmt.Print(key, " ")
	}
	// Output: a a b a c a a
}

func ExampleNewLottery() {
	s, err := fairqueue.NewLottery[string](rand.NewPCG(1, 2))
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Join("etl", 3, 0), s.Join("adhoc", 1, 0))
	drawn := map[string]int{}
	for range 1000 {
		key, _ := s.Next()
		drawn[key]++
	}
	fmt.Println(drawn["etl"] > 690 && drawn["etl"] < 810)
	// Output:
	// <nil> <nil>
	// true
}

// A sequencer goes on after a restart where it was.
func ExampleRestoreStride() {
	var s fairqueue.Stride[string]
	fmt.Println(s.Join("etl", 3, 0), s.Join("adhoc", 1, 0))
	s.Next()
	restarted, err := fairqueue.RestoreStride(s.Snapshot())
	fmt.Println(err)
	for range 3 {
		key, _ := restarted.Next()
		fmt.Print(key, " ")
	}
	// Output:
	// <nil> <nil>
	// <nil>
	// etl etl adhoc
}

// Two users with equal rights, one of whom has used 10 slots of 14 on the mean of late.
func ExampleDecay() {
	week := fairqueue.Decay{HalfLife: 7 * 86400}
	heavy, err := week.Advance(fairqueue.Usage{Mean: 12}, 7*86400, [2]float64{8})
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
