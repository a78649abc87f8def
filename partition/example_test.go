package partition_test

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/partition"
)

// The package's doc in whole: two map tasks count values under keys, the master merges their
// sketches, plans for each hash function and takes the best; then a plan for sizes that are known.
func Example() {
	s, err := partition.NewSketch(5, 45, 1)
	fmt.Println(err)
	fmt.Println(s.Add(1234, 17), s.Add(99, 5))
	all, err := partition.NewSketch(5, 45, 1)
	fmt.Println(err, all.Add(99, 1), all.Merge(s), all.Total())
	cost, err := partition.BySpeed([]float64{1, 2, 4})
	fmt.Println(err)
	row, plan, err := partition.AssignSketch(3, all, cost, partition.Options{Ready: []float64{0, 5, 0}})
	fmt.Println(row, plan.Makespan, err)
	for _, key := range []uint64{1234, 99} {
		k, err := all.Partition(row, key)
		fmt.Println("key", key, "goes to machine", plan.Of[k], err)
	}
	plan, err = partition.Assign(3, []float64{30, 20, 10}, cost, partition.Options{Method: partition.Best})
	fmt.Printf("%v %v %.4f %v\n", plan.Of, plan.Makespan, plan.Bound, err)
	// Output:
	// <nil>
	// <nil> <nil>
	// <nil> <nil> <nil> 23
	// <nil>
	// 0 5.75 <nil>
	// key 1234 goes to machine 2 <nil>
	// key 99 goes to machine 2 <nil>
	// [2 1 0] 10 10.0000 <nil>
}

func ExampleNewSketch() {
	s, err := partition.NewSketch(1, 4, 42)
	for key := range uint64(1000) {
		_ = s.Add(key, 1)
	}
	sizes, _ := s.Row(nil, 0) // row 0 alone is a plain partitioning by hash
	fmt.Println(sizes[0]+sizes[1]+sizes[2]+sizes[3], err)
	// Output: 1000 <nil>
}

func ExampleSketch_AddBytes() {
	s, _ := partition.NewSketch(3, 100, 7)
	fmt.Println(s.AddBytes([]byte("alice"), 30), s.AddBytes([]byte("bob"), 4))
	fmt.Println(s.Count(s.Key([]byte("alice"))), s.Count(s.Key([]byte("carol"))))
	// Output:
	// <nil> <nil>
	// 30 0
}

func ExampleSketch_Merge() {
	a, _ := partition.NewSketch(2, 10, 7)
	b, _ := partition.NewSketch(2, 10, 8)
	fmt.Println(a.Merge(b))
	// Output: partition.Sketch.Merge: o: has seed 8, want 7: its rows are other partitions
}

func ExampleSketch_MarshalBinary() {
	s, err := partition.NewSketch(2, 1, 7)
	fmt.Println(err, s.Add(5, 300))
	data, err := s.MarshalBinary()
	fmt.Printf("%d bytes, %v\n", len(data), err)
	var read partition.Sketch
	fmt.Println(read.UnmarshalBinary(data), read.Count(5))
	data[len(data)-1]++
	fmt.Println(read.UnmarshalBinary(data))
	// Output:
	// <nil> <nil>
	// 52 bytes, <nil>
	// <nil> 300
	// partition.Sketch.UnmarshalBinary: data[44]: row 1 does not sum to the total, 300
}

func ExampleSkewness() {
	skew, err := partition.Skewness([]float64{80, 20, 20, 40})
	fmt.Println(skew, err)
	// Output: 50 <nil>
}

func ExampleBalance() {
	balance, err := partition.Balance([]float64{80, 20, 20, 40})
	fmt.Println(balance, err)
	// Output: 50 <nil>
}

func ExampleAssign() {
	// Machine 1 is three times as fast. One partition is so large that it alone decides when the
	// work ends.
	cost, _ := partition.BySpeed([]float64{1, 3})
	p, err := partition.Assign(2, []float64{5, 90, 10, 15}, cost, partition.Options{})
	fmt.Println(p.Of, p.Load, p.Finish, err)
	fmt.Println("ends at", p.Makespan, "and not before", p.Bound)
	fmt.Println("why:", p.Why)
	if p.Critical >= 0 {
		fmt.Println("split partition", p.Critical)
	}
	// Output:
	// [0 1 0 0] [30 90] [30 30] <nil>
	// ends at 30 and not before 30
	// why: [earliest earliest earliest earliest]
}

// A machine leaves: what it held goes elsewhere, most of the rest stays.
func ExampleAssign_previous() {
	cost, _ := partition.BySpeed([]float64{1, 1, 1})
	sizes := []float64{4, 4, 4, 3, 3, 3}
	p, err := partition.Assign(3, sizes, cost, partition.Options{})
	fmt.Println(p.Of, p.Makespan, err)
	p, err = partition.Assign(3, sizes, cost, partition.Options{
		Method: partition.LocalSearch, Previous: p.Of, MoveCost: 0.1, Ready: []float64{math.Inf(1), 0, 0}})
	fmt.Println(p.Of, p.Makespan, err)
	fmt.Println(p.Why)
	// Output:
	// [0 1 2 0 1 2] 7 <nil>
	// [1 1 2 2 1 2] 11 <nil>
	// [earliest kept kept earliest kept kept]
}

// A query stage on four slots of two nodes: partitions 0 and 1 lie on the first
// node, the others on the second, and the network takes 1 s for 10 units of size.
func ExampleAssign_extra() {
	sizes := []float64{40, 30, 30, 20}
	cost, _ := partition.BySpeed([]float64{10, 10, 10, 10})
	o := partition.Options{Method: partition.Best, Extra: func(k, slot int) float64 {
		if k/2 == slot/2 {
			return 0
		}
		return sizes[k] / 10
	}}
	p, err := partition.Assign(4, sizes, cost, o)
	fmt.Println(p.Of, p.Finish, err)
	fmt.Println(partition.Verify(4, sizes, cost, o, p))
	// Output:
	// [0 1 2 3] [4 3 3 2] <nil>
	// <nil>
}

// Two test files have never run: they are spread evenly, and the bound holds however long they
// take.
func ExampleAssign_unknown() {
	cost, _ := partition.BySpeed([]float64{1, 1})
	p, err := partition.Assign(2, []float64{9, math.NaN(), 4, 4, math.NaN()}, cost, partition.Options{Unknown: true})
	fmt.Println(p.Of, p.Load, p.Bound, err)
	fmt.Println(p.Why)
	// Output:
	// [0 1 1 1 0] [9 8] 9 <nil>
	// [earliest spread earliest earliest spread]
}

// How many runners finish these test files, in minutes, within 8 minutes, if each takes half a
// minute to start?
func ExampleMachinesFor() {
	cost, _ := partition.Affine([]float64{0.5}, []float64{1})
	p, bound, err := partition.MachinesFor([]float64{7.4, 3.1, 2.9, 1.2, 0.3, 4.4}, 8, cost)
	fmt.Println(len(p.Load), "runners, not fewer than", bound, err)
	fmt.Println(p.Of, p.Makespan)
	_, _, err = partition.MachinesFor([]float64{7.4, 3.1}, 7, cost)
	fmt.Println(err)
	// Output:
	// 3 runners, not fewer than 3 <nil>
	// [0 2 2 1 1 1] 7.9
	// partition: no number of machines meets the deadline, 7: partition 0 alone takes 7.9
}

func ExamplePredicted() {
	// An estimator that has seen totals up to 100 and answers 50 for all that is larger.
	predict := func(machine int, total float64) float64 { return min(total, 100) / 2 }
	cost, err := partition.Predicted(2, []float64{0, 50, 100}, predict)
	fmt.Println(cost(0, 75), cost(0, 1000), err)
	// Output: 37.5 500 <nil>
}

func ExampleAffine() {
	cost, err := partition.Affine([]float64{2, 0}, []float64{1, 0.5})
	fmt.Println(cost(0, 10), cost(1, 10), err)
	// Output: 12 20 <nil>
}

func ExampleBySpeed() {
	cost, err := partition.BySpeed([]float64{1, 4})
	fmt.Println(cost(0, 10), cost(1, 10), err)
	// Output: 10 2.5 <nil>
}

func ExampleAssignSketch() {
	s, _ := partition.NewSketch(4, 8, 3)
	for key := range uint64(8) {
		_ = s.Add(key, 10)
	}
	cost, _ := partition.BySpeed([]float64{1, 1, 1, 1})
	sizes, _ := s.Row(nil, 0)
	first, _ := partition.Assign(4, sizes, cost, partition.Options{})
	_, best, err := partition.AssignSketch(4, s, cost, partition.Options{})
	fmt.Println(best.Makespan <= first.Makespan, err)
	// Output: true <nil>
}

func ExampleCoalesce() {
	groups, err := partition.Coalesce(nil, []float64{10, 20, 30, 90, 5, 5}, 64)
	fmt.Println(groups, err)
	// Output: [0 0 0 1 2 2] <nil>
}

func ExampleVerify() {
	cost, _ := partition.BySpeed([]float64{1, 2})
	sizes := []float64{6, 4}
	p, _ := partition.Assign(2, sizes, cost, partition.Options{})
	fmt.Println(partition.Verify(2, sizes, cost, partition.Options{}, p))
	p.Makespan = 1
	fmt.Println(partition.Verify(2, sizes, cost, partition.Options{}, p))
	// Output:
	// <nil>
	// partition: broken plan: Makespan is 1, want 4
}
