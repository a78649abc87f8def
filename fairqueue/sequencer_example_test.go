package fairqueue_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/market"
)

func ExampleSmoothWRR() {
	var s fairqueue.SmoothWRR[string]
	fmt.Println(s.Join("a", 5), s.Join("b", 1), s.Join("c", 1))
	for range 7 {
		key, _ := s.Next()
		fmt.Print(key, " ", s.Charge(key, 1), " ")
	}
	// Output:
	// <nil> <nil> <nil>
	// a <nil> a <nil> b <nil> a <nil> c <nil> a <nil> a <nil>
}

// Requests of ann cost four times as much as those of bob: of 1,000 services about 200 are hers.
func ExampleNewLottery() {
	s, err := fairqueue.NewLottery[string](rand.NewPCG(1, 2))
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Join("ann", 1), s.Join("bob", 1))
	served := map[string]int{}
	for range 1000 {
		key, _ := s.Next()
		if err := s.Charge(key, map[string]float64{"ann": 4, "bob": 1}[key]); err != nil {
			panic(err)
		}
		served[key]++
	}
	fmt.Println(served["ann"] > 140 && served["ann"] < 260)
	// Output:
	// <nil> <nil>
	// true
}

// A sequencer goes on after a restart where it was.
func ExampleRestoreSmoothWRR() {
	var s fairqueue.SmoothWRR[string]
	fmt.Println(s.Join("etl", 3), s.Join("adhoc", 1), s.Charge("etl", 1))
	restarted, err := fairqueue.RestoreSmoothWRR(s.Snapshot())
	fmt.Println(err)
	for range 3 {
		key, _ := restarted.Next()
		fmt.Print(key, " ", restarted.Charge(key, 1), " ")
	}
	// Output:
	// <nil> <nil> <nil>
	// <nil>
	// etl <nil> adhoc <nil> etl <nil>
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

// A Lottery goes on with a source of the caller's, here a new one.
func ExampleRestoreLottery() {
	s, err := fairqueue.NewLottery[string](rand.NewPCG(1, 2))
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Join("ann", 1), s.Join("bob", 2))
	restarted, err := fairqueue.RestoreLottery(s.Snapshot(), rand.NewPCG(3, 4))
	fmt.Println(restarted.Len(), err)
	_, err = fairqueue.RestoreLottery(s.Snapshot(), nil)
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// 2 <nil>
	// fairqueue.RestoreLottery: src: nil
}

func ExampleRestoreUsage() {
	hour := fairqueue.Decay{HalfLife: 3600}
	u, err := hour.Charge(fairqueue.Usage{}, 0, 600)
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(u.Snapshot())
	if err != nil {
		panic(err)
	}
	var s fairqueue.UsageSnapshot
	if err := json.Unmarshal(text, &s); err != nil {
		panic(err)
	}
	restarted, err := fairqueue.RestoreUsage(s)
	fmt.Println(restarted == u, err)
	// Output: true <nil>
}
