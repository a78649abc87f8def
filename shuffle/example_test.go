package shuffle_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/shuffle"
)

// A job from submission to the shuffle: 40 blocks with copies on three of ten racks, all on rack 0
// among others. Errors are left out.
func Example() {
	blocks := make([]shuffle.Block, 40)
	for i := range blocks {
		blocks[i] = shuffle.Block{Bytes: 64e6, Racks: []int{0, 1 + i%4, 5 + i%5}}
	}
	load := make([]float64, 10)
	ratio := shuffle.Ratio{Input: 1e9, Output: 1.2e9} // of earlier jobs of its type
	plan, _ := shuffle.MapRacks(10, blocks, ratio.Value(), 40, shuffle.Options{Load: load, MinRacks: 2})
	for _, q := range plan.Racks {
		load[q] += plan.Maps[q] // so that ties of the next job go to other racks
	}
	fmt.Printf("maps on racks %v: %.0f MB read and %.0f MB shuffled across racks, %.0f if spread\n",
		plan.Racks, plan.RemoteMap/1e6, plan.CrossShuffle/1e6, plan.Spread/1e6)

	// bytes of map output on each rack
	output := []float64{1300e6, 1500e6, 0, 0, 0, 200e6, 0, 0, 0, 0}
	quota, _ := shuffle.ReducesPerRack(nil, 40, output)
	moved, _ := shuffle.CrossRack(output, quota)
	fmt.Printf("reduces %v: %.0f MB shuffled across racks\n", quota, moved/1e6)

	used, capacity := make([]shuffle.Link, 10), slices.Repeat([]shuffle.Link{{Out: 62.5e6, In: 62.5e6}}, 10)
	used[1] = shuffle.Link{Out: 20e6, In: 55e6}
	full, _ := shuffle.Saturated(nil, used, capacity, 0)
	tasks := []shuffle.Candidate{
		{Kind: shuffle.Reduce, Arrival: 10, Preferred: true, Heavy: ratio.Heavy()},
		{Kind: shuffle.Map, Arrival: 50, Local: shuffle.Rack},
	}
	for _, rack := range []int{0, 1} {
		i, why, _ := shuffle.Next(tasks, full[rack], 600)
		fmt.Printf("a node of rack %d takes task %d: %v\n", rack, i, why)
	}
	// Output:
	// maps on racks [0 1]: 0 MB read and 1071 MB shuffled across racks, 2765 if spread
	// reduces [17 20 0 0 0 3 0 0 0 0]: 1682 MB shuffled across racks
	// a node of rack 0 takes task 0: preferred reduce
	// a node of rack 1 takes task 1: local map
}

// Two jobs with all input on both racks prefer a rack each (Figure 5).
func ExampleMapRacks() {
	blocks := slices.Repeat([]shuffle.Block{{Bytes: 64e6, Racks: []int{0, 1}}}, 10)
	load := []float64{0, 0}
	for job := 1; job <= 2; job++ {
		plan, _ := shuffle.MapRacks(2, blocks, 1, 4, shuffle.Options{Load: load})
		for q, x := range plan.Maps {
			load[q] += x
		}
		fmt.Printf("job %d: maps on racks %v, reduces %v, %v bytes across racks, %v if spread\n",
			job, plan.Racks, plan.Reduces, plan.RemoteMap+plan.CrossShuffle, plan.Spread)
	}
	// Output:
	// job 1: maps on racks [0], reduces [4 0], 0 bytes across racks, 3.2e+08 if spread
	// job 2: maps on racks [1], reduces [0 4], 0 bytes across racks, 3.2e+08 if spread
}

// A job with 90 GB of map output on one rack and 10 GB on another (Figure 7).
func ExampleReducesPerRack() {
	output := []float64{90e9, 10e9}
	quota, _ := shuffle.ReducesPerRack(nil, 10, output)
	byOutput, _ := shuffle.CrossRack(output, quota)
	even, _ := shuffle.CrossRack(output, []int{5, 5})
	fmt.Println(quota, byOutput, "bytes across racks, spread evenly", even)
	// Output: [9 1] 1.8e+10 bytes across racks, spread evenly 5e+10
}

// The same job with at most 9 reduces on a rack, and with room for all.
func ExampleReducesWithin() {
	output := []float64{10e9, 90e9}
	for _, slots := range [][]int{{9, 9}, {10, 10}} {
		quota, _ := shuffle.ReducesWithin(nil, 10, output, slots)
		moved, _ := shuffle.CrossRack(output, quota)
		fmt.Println(quota, moved)
	}
	// Output:
	// [1 9] 1.8e+10
	// [0 10] 1e+10
}

// Three partitions, two racks with two slots each. Partition 1 gains least from rack 0.
func ExamplePlaceReduces() {
	bytes := [][]float64{{9, 1}, {7, 5}, {6, 0}}
	of, err := shuffle.PlaceReduces(nil, []int{2, 2}, bytes)
	fmt.Println(of, err)
	// Output: [0 1 0] <nil>
}

func ExampleCrossRack() {
	moved, err := shuffle.CrossRack([]float64{60, 30, 10}, []int{2, 1, 1})
	fmt.Println(moved, err)
	// Output: 60 <nil>
}

func ExampleTraffic() {
	links, err := shuffle.Traffic(nil, []float64{60, 30, 10}, []int{2, 1, 1})
	fmt.Printf("%+v %v\n", links, err)
	// Output: [{Out:30 In:20} {Out:22.5 In:17.5} {Out:7.5 In:22.5}] <nil>
}

// 80% of the capacity is not saturated, more is.
func ExampleSaturated() {
	used := []shuffle.Link{{Out: 400, In: 100}, {Out: 100, In: 401}}
	capacity := []shuffle.Link{{Out: 500, In: 500}, {Out: 500, In: 500}}
	full, err := shuffle.Saturated(nil, used, capacity, 0)
	fmt.Println(full, err)
	fmt.Println("any rack:", slices.Contains(full, true))
	// Output:
	// [false true] <nil>
	// any rack: true
}

func ExampleNext() {
	tasks := []shuffle.Candidate{
		{Kind: shuffle.Map, Arrival: 20, Local: shuffle.Node},
		{Kind: shuffle.Map, Arrival: 30, Preferred: true},
		{Kind: shuffle.Reduce, Arrival: 10, Heavy: true},
	}
	for _, saturated := range []bool{true, false} {
		i, why, err := shuffle.Next(tasks, saturated, 0)
		fmt.Println(i, why, err)
	}
	i, why, err := shuffle.Next(tasks, true, 15) // the reduce is of an earlier window
	fmt.Println(i, why, err)
	// Output:
	// 1 preferred map <nil>
	// 2 heavy reduce <nil>
	// 2 heavy reduce <nil>
}

// Two maps finish, the scheduler restarts with what it had stored, a third finishes.
func ExampleRatio() {
	var r shuffle.Ratio
	fmt.Println(r.Value(), r.Heavy())
	_ = r.Add(64e6, 80e6)
	_ = r.Add(64e6, 96e6)
	text, _ := json.Marshal(r)
	fmt.Println(r.Value(), r.Heavy(), string(text))

	var stored shuffle.Ratio
	_ = json.Unmarshal(text, &stored)
	fmt.Println(stored.Add(128e6, 16e6), stored.Value())
	// Output:
	// 1 false
	// 1.375 true {"input":128000000,"output":176000000}
	// <nil> 0.75
}

func ExampleRatio_Add() {
	var r shuffle.Ratio
	fmt.Println(r.Add(-1, 0))
	// Output: shuffle.Ratio.Add: input: -1 after 0, want 0 or bytes in [2^-200, 2^200], and so the sum
}

func ExampleRatio_Value() {
	r := shuffle.Ratio{Input: 200, Output: 150} // what earlier jobs of the type have summed up
	fmt.Println(r.Value())
	// Output: 0.75
}

// A job that shuffles as many bytes as it reads is light.
func ExampleRatio_Heavy() {
	r := shuffle.Ratio{Input: 100, Output: 100}
	fmt.Println(r.Heavy())
	_ = r.Add(0, 1)
	fmt.Println(r.Heavy())
	// Output:
	// false
	// true
}
