package policy_test

import (
	"fmt"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
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
	for j := v.NextRunnable(k, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(k, j) {
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

// The block of the second job is on node 0, which is taken for 8 s. Reading it from the other rack would take 20 s.
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

// One slot. Job 0 has tasks of 6 s, job 1 of 2 s: each of them has the slot for half of the time.
func ExampleFair_deficits() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 2, Work: 6}},
		{Maps: slotmodel.Phase{Tasks: 6, Work: 2}},
	}
	for _, deficits := range []bool{false, true} {
		fmt.Printf("deficits %t:", deficits)
		_, err := slotmodel.Run(cluster, jobs, &policy.Fair{Deficits: deficits}, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Started {
				fmt.Printf(" job %d at %v s", e.Job, e.Time)
			}
		}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println()
	}
	// Output:
	// deficits false: job 0 at 0 s job 0 at 6 s job 1 at 12 s job 1 at 14 s job 1 at 16 s job 1 at 18 s job 1 at 20 s job 1 at 22 s
	// deficits true: job 0 at 0 s job 1 at 6 s job 1 at 8 s job 1 at 10 s job 0 at 12 s job 1 at 18 s job 1 at 20 s job 1 at 22 s
}

// told prints what jobs lack at each decision.
type told struct{ policy.Fair }

func (p *told) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	fmt.Printf("%v s: %v and %v\n", v.Now(), p.Deficit(v, 0, slotmodel.Map), p.Deficit(v, 1, slotmodel.Map))
	p.Fair.Decide(v, a)
}

// Job 1 waits for 3 s for the slot that it is entitled to.
func ExampleFair_Deficit() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 4, Work: 4}},
		{Maps: slotmodel.Phase{Tasks: 4, Work: 4}, Arrival: 1},
	}
	p := &told{policy.Fair{Deficits: true}}
	if _, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{Until: 8}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 s: 0 and 0
	// 1 s: 0 and 0
	// 4 s: -3 and 3
	// 8 s: 1 and -1
}

// A long task gives way to a short one.
func ExampleSRPT_preempt() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 1, Work: 10}},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 2}, Arrival: 3},
	}
	for _, preempt := range []policy.HFSPPreemption{policy.PreemptWait, policy.PreemptKill, policy.PreemptSuspend} {
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
