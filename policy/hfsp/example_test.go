package hfsp_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// A large job comes first, a small one while it runs.
func example() (*slotmodel.Cluster, []slotmodel.JobSpec) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 1}, {Maps: 2, Reduces: 1}}}
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 40, Work: 10}, Reduces: slotmodel.Phase{Tasks: 4, Work: 20}, Slowstart: .95},
		{Arrival: 15, Maps: slotmodel.Phase{Tasks: 6, Work: 5}},
	}
	return cluster, jobs
}

func ExampleNew() {
	cluster, jobs := example()
	hfsp, err := hfsp.New(hfsp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []slotmodel.Policy{policy.FIFO{}, hfsp} {
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
	}
	// Output:
	// 140 110
	// 150 30
}

// HFSP chooses among jobs, and Delay makes them wait for slots near their data.
func ExamplePolicy_Begin() {
	cluster, jobs := example()
	jobs[1].Copies, jobs[1].Replicas = 1, []int32{1, 1, 1, 1, 1, 1}
	hfsp, err := hfsp.New(hfsp.Options{Samples: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := slotmodel.Run(cluster, jobs, &policy.Delay{Inner: hfsp, Node: 20, Rack: 20}, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish, res.Totals.RemoteMaps)
	// Output:
	// 150 35 0
}

// Sizes known up to a log-normal error, as in the paper's simulations.
func ExampleNoisySize() {
	cluster, jobs := example()
	size, err := hfsp.NoisySize(0, .5, rand.NewPCG(1, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	hfsp, err := hfsp.New(hfsp.Options{Size: size, NoTraining: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := slotmodel.Run(cluster, jobs, hfsp, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
	// Output:
	// 150 30
}

func ExampleTrueSize() {
	cluster, jobs := example()
	size := func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
		s := hfsp.TrueSize(v, j, k)
		fmt.Println("job", j, k, s)
		return s
	}
	hfsp, err := hfsp.New(hfsp.Options{Size: size, NoTraining: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := slotmodel.Run(cluster, jobs, hfsp, slotmodel.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// job 0 map 400
	// job 1 map 30
	// job 0 reduce 80
}
