package drf_test

import (
	"fmt"

	"github.com/schedmath/schedmath/drf"
)

// The example of Ghodsi et al. 2011, section 4.1.
func ExampleShares() {
	cluster := []float64{9, 18} // CPUs and GB
	users := []drf.User{
		{Demand: []float64{1, 4}},
		{Demand: []float64{3, 1}},
	}
	tasks, err := drf.Shares(nil, cluster, users, nil)
	fmt.Println(tasks, err)
	// Output: [3 2] <nil>
}

// The tree by which Bhattacharya et al. 2013 show starvation.
func ExampleShares_tree() {
	cluster := []float64{10, 10} // CPUs and GPUs
	users := []drf.User{
		{Demand: []float64{0, 1}}, // one tenant wants GPUs
		{},                        // the other has two users
		{Demand: []float64{1, 0}}, // who wants CPUs, as nobody else does,
		{Demand: []float64{0, 1}}, // and who wants GPUs
	}
	tasks, err := drf.Shares(nil, cluster, users, []int{-1, -1, 1, 1})
	fmt.Println(tasks, err)
	// Output: [5 15 10 5] <nil>
}

func ExampleNext() {
	cluster := []float64{9, 18}
	users := []drf.User{
		{Demand: []float64{1, 4}},
		{Demand: []float64{3, 1}},
	}
	tasks := []int{0, 0}
	for {
		i, err := drf.Next(cluster, users, tasks)
		if i < 0 {
			fmt.Println(tasks, err)
			return
		}
		fmt.Print(i, " ")
		tasks[i]++
	}
	// Output: 0 1 0 1 0 [3 2] <nil>
}

// Who is next, by what each holds of 10 CPUs and 40 GB.
func ExampleDominantShare() {
	cluster := []float64{10, 40}
	fmt.Println(drf.DominantShare(cluster, []float64{4, 8}), drf.DominantShare(cluster, []float64{1, 20}))
	// Output: 0.4 0.5
}
