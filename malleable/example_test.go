package malleable_test

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

func ExamplePack() {
	jobs := []malleable.Job{
		{Work: 8, Max: 2}, // at most two slots
		{Work: 6},         // as many as there are
		{Work: 4, Min: 1}, // never without a slot
	}
	s, err := malleable.Pack(4, jobs, nil, []int{0, 1, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for p := range s.Pieces() {
		fmt.Printf("job %d: %d slots from %g to %g\n", p.Job, p.Slots, p.Start, p.End)
	}
	// Output:
	// job 2: 1 slots from 0 to 4
	// job 0: 2 slots from 0 to 4
	// job 1: 1 slots from 0 to 4
	// job 1: 4 slots from 4 to 4.5
}

// Epochs of one second: plan, hold the plan for an epoch, plan what is left.
func ExamplePackInto() {
	var s malleable.Schedule // reused from call to call
	jobs := []malleable.Job{{Work: 6, Max: 3}, {Work: 4}}
	for range 3 {
		if err := malleable.PackInto(&s, 4, jobs, nil, []int{0, 1}, 1); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("slots", s.At(nil, 0), "ends", s.Completion(nil), "left", s.Remaining(nil))
		for j, left := range s.Remaining(nil) {
			jobs[j].Work = left
		}
	}
	// Output:
	// slots [3 1] ends [+Inf +Inf] left [3 3]
	// slots [3 1] ends [1 +Inf] left [0 2]
	// slots [0 4] ends [0 0.5] left [0 0]
}

func ExampleWaterFill() {
	jobs := []malleable.Job{{Work: 2, Max: 2}, {Work: 2, Max: 1}}
	s, err := malleable.WaterFill(2, jobs, []float64{2, 2})
	fmt.Println(s.Completion(nil), err)
	_, err = malleable.WaterFill(2, jobs, []float64{1, 1.5})
	fmt.Println(err)
	// Output:
	// [2 2] <nil>
	// malleable: job 1 cannot meet its deadline 1.5 beside those with earlier ones: 2 of its work are left
}

func ExamplePlan() {
	// Two data sets with two scans each: subjob chains, weighted by the jobs that complete with
	// each subjob.
	jobs := []malleable.Job{{Work: 30}, {Work: 10}, {Work: 20}, {Work: 60}}
	g, _ := precedence.Chains(2, 2)
	obj, _ := precedence.SumResponse(4)
	s, r, err := malleable.Plan(10, jobs, g, obj, malleable.PlanOptions{})
	fmt.Println(r.Order, s.Completion(nil), r.Value, r.Exact, err)
	fmt.Println(r.Why)
	// Output:
	// [0 1 2 3] [3 4 6 12] 25 true <nil>
	// all jobs can use all slots and may pause: packing an order that is optimal on one machine is optimal
}

func ExamplePlan_allowed() {
	// Jobs hold 1, 2 or 4 slots of 7: what rounding leaves over goes on to the next job.
	jobs := []malleable.Job{{Work: 2}, {Work: 4}, {Work: 8}}
	obj, _ := precedence.SumResponse(3)
	s, r, err := malleable.Plan(7, jobs, nil, obj, malleable.PlanOptions{Allowed: []int{1, 2, 4}})
	fmt.Println(r.Order, s.At(nil, 0), s.Completion(nil), err)
	// Output: [0 1 2] [4 2 1] [0.5 1.25 2.75] <nil>
}

func ExampleAssign() {
	claims := []malleable.Claim{
		{Plan: 4, Held: 3, Waiting: 5},
		{Plan: 4, Held: 1, Waiting: 5}, // the most underallocated
	}
	// job 1 has data near slot 2 alone
	near := func(slot, job int) bool { return job == 0 || slot == 2 }
	got, next, err := malleable.Assign(nil, nil, 3, claims, near, 2)
	fmt.Println(got, next, err)
	// Output: [0 0 1] [{4 5 3 0} {4 2 4 0}] <nil>
}

func ExampleBounds() {
	jobs := []malleable.Job{{Work: 8, Max: 2}, {Work: 6}}
	l, err := malleable.Bounds(4, jobs, nil, []int{0, 1})
	fmt.Println(l.Makespan, l.Earliest, l.Latest, err)
	// Output: 4 [4 1.5] [6 5] <nil>
}

func ExampleNormalizeMinima() {
	jobs := []malleable.Job{{Work: 1, Min: 6}, {Work: 1, Min: 4}, {Work: 1, Min: 2}}
	fmt.Println(malleable.NormalizeMinima(nil, 8, jobs, nil))
	// Output: [4 2 1] <nil>
}

func ExampleVerify() {
	jobs := []malleable.Job{{Work: 4, Max: 1}}
	s, _ := malleable.NewSchedule([]float64{2}, []malleable.Piece{{Job: 0, Slots: 2, Start: 0, End: 2}})
	fmt.Println(malleable.Verify(2, jobs, nil, s))
	// Output: malleable: broken schedule at time 0: job 0 holds 2 slots, more than its most, 1
}

func ExampleNewSchedule() {
	s, err := malleable.NewSchedule([]float64{2}, []malleable.Piece{{Job: 0, Slots: 2, Start: 0, End: 2}})
	fmt.Println(s.Makespan(), err)
	// Output: 2 <nil>
}

func ExampleSchedule_Intervals() {
	s, _ := malleable.Pack(2, []malleable.Job{{Work: 2, Max: 1}, {Work: 3}}, nil, []int{0, 1})
	for iv, pieces := range s.Intervals() {
		fmt.Println(iv.Start, iv.End, pieces)
	}
	// Output:
	// 0 2 [{0 1 0 2} {1 1 0 2}]
	// 2 2.5 [{1 2 2 2.5}]
}

func ExampleSchedule_At() {
	s, _ := malleable.Pack(2, []malleable.Job{{Work: 2, Max: 1}, {Work: 3}}, nil, []int{0, 1})
	fmt.Println(s.At(nil, 1), s.At(nil, 2), slices.Max(s.Completion(nil)) == s.Makespan())
	// Output: [1 1] [0 2] true
}
