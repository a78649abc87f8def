package hfsp_test

import (
	"fmt"
	"slices"

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

// FIFO makes the small job wait; HFSP serves it as slots become free.
func ExamplePolicy() {
	cluster, jobs := example()
	for _, p := range []slotmodel.Policy{policy.FIFO{}, new(hfsp.Policy)} {
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

func ExamplePolicy_Check() {
	cluster, jobs := example()
	p := &hfsp.Policy{Limit: 50} // percent
	fmt.Println(p.Check())
	_, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
	fmt.Println(err)
	// Output:
	// hfsp.Policy.Check: Limit: 50, want within [0, 1]
	// hfsp.Policy.Check: Limit: 50, want within [0, 1]
}

// HFSP chooses among jobs, and Delay makes them wait for slots near their data.
func ExamplePolicy_Begin() {
	cluster, jobs := example()
	jobs[1].Copies, jobs[1].Replicas = 1, []int32{1, 1, 1, 1, 1, 1}
	p := &policy.Delay{Inner: &hfsp.Policy{Samples: 2}, Node: 20, Rack: 20}
	res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish, res.Totals.RemoteMaps)
	// Output:
	// 150 35 0
}

// Sizes from the longest sample. Those of reduces come first from their progress, and again when
// each of the samples has ended.
func ExampleSamples() {
	cluster, jobs := example()
	longest := func(v *slotmodel.View, s hfsp.Samples) float64 {
		size := float64(s.Tasks) * slices.Max(s.Times)
		fmt.Println("job", s.Job, s.Kind, s.Times, size)
		return size
	}
	res, err := slotmodel.Run(cluster, jobs, &hfsp.Policy{Samples: 2, Estimate: longest}, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
	// Output:
	// job 0 map [10 10] 400
	// job 1 map [5 5] 30
	// job 0 reduce [20 20] 80
	// job 0 reduce [20 20] 80
	// job 0 reduce [20 20] 80
	// 150 30
}

// Sizes ten times too low make both phases late. Late phases share the slots.
func ExamplePolicy_late() {
	cluster, jobs := example()
	low := func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 { return hfsp.TrueSize(v, j, k) / 10 }
	res, err := slotmodel.Run(cluster, jobs, &hfsp.Policy{Size: low, NoTraining: true}, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
	// Output: 150 35
}

// Job 1 has less work than job 2, but its only task can use one slot of four. With caps the virtual
// cluster therefore ends job 2 first, and without caps job 1.
func ExamplePolicy_noCaps() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 4, Work: 10}}, // keeps all slots until 10 s
		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 1, Work: 30}},
		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 8, Work: 5}},
	}
	for _, free := range []bool{false, true} {
		p := &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, NoCaps: free}
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[1].Finish, res.Jobs[2].Finish)
	}
	// Output:
	// 50 20
	// 40 25
}

func ExampleTrueSize() {
	cluster, jobs := example()
	size := func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
		s := hfsp.TrueSize(v, j, k)
		fmt.Println("job", j, k, s)
		return s
	}
	if _, err := slotmodel.Run(cluster, jobs, &hfsp.Policy{Size: size, NoTraining: true}, slotmodel.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// job 0 map 400
	// job 1 map 30
	// job 0 reduce 80
}
