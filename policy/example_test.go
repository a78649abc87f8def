package policy_test

import (
	"fmt"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// A cluster of 4 slots, a job of 12 tasks and one of 2 that comes a little later.
func exampleRun(p slotmodel.Policy) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 12, Work: 10}},
		{Maps: slotmodel.Phase{Tasks: 2, Work: 10}, Arrival: 1, User: 1},
	}
	res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
}

func ExampleFIFO() {
	exampleRun(policy.FIFO{})
	// Output: 30 40
}

func ExampleFair() {
	exampleRun(&policy.Fair{})
	// Output: 40 20
}

// User 1 is guaranteed one slot, and has three quarters of the rest.
func ExampleFair_pools() {
	exampleRun(&policy.Fair{
		PoolOf: policy.ByUser,
		Pools:  []policy.Pool{0: {Weight: 1}, 1: {Weight: 3, MinMaps: 1}},
	})
	// Output: 40 20
}

func ExampleSRPT() {
	exampleRun(&policy.SRPT{})
	// Output: 40 20
}

// latest serves the job that arrived last.
type latest struct{ jobs []slotmodel.Job }

func (r *latest) Begin(v *slotmodel.View, k slotmodel.Kind) {
	r.jobs = r.jobs[:0]
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		r.jobs = append(r.jobs, j)
	}
}

func (r *latest) Next(*slotmodel.View) slotmodel.Job {
	if len(r.jobs) == 0 {
		return slotmodel.None
	}
	j := r.jobs[len(r.jobs)-1]
	r.jobs = r.jobs[:len(r.jobs)-1]
	return j
}

// A Ranker of one's own becomes a policy.
func ExampleGreedy() {
	exampleRun(&policy.Greedy{Inner: &latest{}})
	// Output: 40 20
}

func ExampleByArrival() {
	exampleRun(&policy.Greedy{Inner: new(policy.ByArrival)})
	// Output: 30 40
}

// The block of the second job is on node 0, which is taken for 8 s. Reading it from the other rack
// would take 20 s.
func ExampleDelay() {
	cluster := &slotmodel.Cluster{
		Nodes:   []slotmodel.NodeSpec{{Maps: 1, Rack: 0}, {Maps: 1, Rack: 1}},
		Network: slotmodel.Network{RemoteRead: 20},
	}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 1, Work: 8}, Replicas: []int32{0}, Copies: 1},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 8}, Replicas: []int32{0}, Copies: 1},
	}
	for _, wait := range []float64{0, 5} {
		p := &policy.Delay{Inner: &policy.Fair{}, Node: wait, Rack: wait}
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("wait %v s: job 1 ends at %v s, %d maps local\n", wait, res.Jobs[1].Finish, res.Totals.LocalMaps)
	}
	// Output:
	// wait 0 s: job 1 ends at 28 s, 1 maps local
	// wait 5 s: job 1 ends at 16 s, 2 maps local
}

// A long task gives way to a short one.
func ExampleSRPT_preempt() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 1, Work: 10}},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 2}, Arrival: 3},
	}
	for _, preempt := range []policy.Preemption{policy.PreemptWait, policy.PreemptKill, policy.PreemptSuspend} {
		res, err := slotmodel.Run(cluster, jobs, &policy.SRPT{Preempt: preempt}, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
	}
	// Output:
	// 10 12
	// 15 5
	// 12 5
}

// User 1 is guaranteed a slot, and takes it after 5 s.
func ExampleFair_timeout() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 2, Work: 60}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 1, Work: 10}, Arrival: 1},
	}
	for _, timeout := range []float64{0, 5} {
		p := &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{1: {MinMaps: 1}}, MinTimeout: timeout}
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish, res.Totals.Kills)
	}
	// Output:
	// 60 70 0
	// 76 16 1
}

// User 0 is guaranteed two thirds of the slots, which user 1 holds; after 100 s in vain user 0
// takes them.
func ExampleCapacity() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3}, {Maps: 3}}}
	jobs := []slotmodel.JobSpec{
		{User: 1, Maps: slotmodel.Phase{Tasks: 6, Work: 300}},
		{User: 0, Arrival: 10, Maps: slotmodel.Phase{Tasks: 4, Work: 60}},
	}
	for _, reclaim := range []float64{0, 100} {
		p := &policy.Capacity{Guaranteed: []float64{2. / 3, 1. / 3}, Reclaim: reclaim}
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish, res.Totals.Wasted)
	}
	// Output:
	// 300 360 0
	// 470 170 440
}

// User 0's tasks take most of the memory, user 1's only slots. FairUsers gives both as many slots,
// DRF as large a share of what each needs most.
func ExampleDRF() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Slots: 9, Memory: 18}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 20, Work: 1, Memory: 4}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 20, Work: 1, Memory: 1. / 3}},
	}
	for _, users := range []policy.Users{new(policy.FairUsers), new(policy.DRF)} {
		first := [2]int{}
		_, err := slotmodel.Run(c, jobs, &policy.PerUser{Users: users}, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Started && e.Time == 0 {
				first[e.Job]++
			}
		}})
		fmt.Println(first, err)
	}
	// Output:
	// [4 5] <nil>
	// [3 6] <nil>
}

// Each user has a pool: user 1's job gets half of the slots, though it comes when all are taken.
func ExampleByUser() {
	exampleRun(&policy.Fair{PoolOf: policy.ByUser})
	fmt.Println(policy.ByUser(&slotmodel.JobSpec{User: 3}))
	// Output:
	// 40 20
	// 3
}
