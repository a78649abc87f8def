package sharedscan_test

import (
	"encoding/json"
	"fmt"

	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// Four jobs scan one dataset; the first has 3 blocks to go, and the last has just arrived.
func ExampleCyclicChain() {
	scans := []sharedscan.Scan{{Remaining: 3, Min: 2}, {Remaining: 5, Max: 20}, {Remaining: 9}, {Remaining: 12, Max: 8}}
	subjobs, err := sharedscan.CyclicChain(nil, scans)
	for _, s := range subjobs {
		fmt.Println("work", s.Work, "for", s.Members, "completes", s.Completes, "slots", s.Min, s.Max)
	}
	g, _ := precedence.Chains(len(subjobs))
	fmt.Println(g.Shape(), err)
	// Output:
	// work 3 for [0 1 2 3] completes 0 slots 2 8
	// work 2 for [1 2 3] completes 1 slots 0 8
	// work 4 for [2 3] completes 2 slots 0 8
	// work 3 for [3] completes 3 slots 0 8
	// chains <nil>
}

// Of 10 and 20 slot-seconds of two jobs, 80% is scanning.
func ExampleCyclicTree() {
	var scans []sharedscan.Scan
	var rest []float64
	for _, work := range []float64{10, 20} {
		scans, rest = append(scans, sharedscan.Scan{Remaining: .8 * work}), append(rest, .2*work)
	}
	subjobs, arcs, err := sharedscan.CyclicTree(nil, nil, scans, rest)
	for _, s := range subjobs {
		fmt.Println("work", s.Work, "for", s.Members, "completes", s.Completes)
	}
	fmt.Println(arcs, err)
	// Output:
	// work 8 for [0 1] completes -1
	// work 8 for [1] completes -1
	// work 2 for [0] completes 0
	// work 4 for [1] completes 1
	// [[0 1] [0 2] [1 3]] <nil>
}

// A job scans Monday to Sunday, blocks 0 to 6; another Sunday to the next Friday, blocks 6 to
// 11; a third only Sunday.
func ExampleRegions() {
	scans := [][]int{{0, 1, 2, 3, 4, 5, 6}, {6, 7, 8, 9, 10, 11}, {6}}
	bytes := []float64{9, 9, 9, 9, 9, 2, 1, 9, 9, 9, 9, 9}
	v, _ := sharedscan.Regions(scans, bytes)
	for k, s := range v.Regions {
		fmt.Println("work", s.Work, "for", s.Members, "completes", s.Completes, "before", v.Graph.Succs(k))
	}
	fmt.Println("Sunday is in region", v.Of[6], v.Graph.Shape())
	// Output:
	// work 1 for [0 1 2] completes -1 before [1 2 3]
	// work 47 for [0] completes 0 before []
	// work 45 for [1] completes 1 before []
	// work 0 for [2] completes 2 before []
	// Sunday is in region 0 out-forest
}

// Deadlines belong to scans; the regions that complete none have no penalty.
func ExampleOverSubjobs() {
	v, _ := sharedscan.Regions([][]int{{0, 1}, {1, 2}}, []float64{4, 1, 2})
	late, _ := precedence.MaxLateness([]float64{9, 3})
	over, _ := sharedscan.OverSubjobs(v.Regions, late)
	var work []float64
	for _, r := range v.Regions {
		work = append(work, r.Work)
	}
	s, err := precedence.Minimize(v.Graph, work, over, precedence.Options{})
	fmt.Println(s.Order, s.Value, s.Exact, err)
	// Output: [0 2 1] 0 true <nil>
}

func ExampleBatches() {
	batches, err := sharedscan.Batches(nil, []float64{1, 2, 4, 6, 8, 10}, 7, 0)
	for _, b := range batches {
		fmt.Println("at", b.Start, b.Members, "wait", b.MeanWait, "at most", b.MaxWait)
	}
	fmt.Println(err)
	// Output:
	// at 7 [0 1 2 3] wait 3.75 at most 6
	// at 14 [4 5] wait 5 at most 6
	// <nil>
}

func ExamplePerceivedWait() {
	fmt.Println(sharedscan.PerceivedWait(2, sharedscan.Demand{Rate: 5, Scan: 1}))
	fmt.Println(sharedscan.PerceivedWait(2, sharedscan.Demand{Rate: 5, Scan: 1, Own: .125}))
	// Output:
	// 1 2 <nil>
	// 2.25 3.25 <nil>
}

// The dataset that is asked for more often gets the shorter window.
func ExampleBatchWindows() {
	demands := []sharedscan.Demand{{Rate: 4, Scan: 1}, {Rate: 1, Scan: 1}}
	fmt.Println(sharedscan.BatchWindows(nil, demands, precedence.Sum))
	fmt.Println(sharedscan.BatchWindows(nil, demands, precedence.Max))
	// Output:
	// [1.5 3] <nil>
	// [2 2] <nil>
}

// Two jobs share what both wait for; the driver of block 1 fails, and the rider has to have it
// again.
func ExampleCircularScan() {
	c, _ := sharedscan.New[string](3)
	c.Join("first", 4)
	zero, _ := c.Start(0)
	begin, _ := c.Join("second", 2)
	c.Finish(nil, zero.ID)
	one, _ := c.Start(1)
	c.Finish(nil, one.ID)
	fmt.Println("second began at", begin, "and has", c.Sources(nil, "second"))
	reruns, _ := c.Fail(nil, "first")
	fmt.Println("again:", reruns)
	fmt.Println(c.Waiting(nil, "second"))
	// Output:
	// second began at 1 and has [{1 2 first 4}]
	// again: [{1 [{second 0 2}] 1}]
	// [0 1 2]
}

func ExampleNew() {
	c, _ := sharedscan.New[string](2)
	c.Join("a", 3)
	c.Join("b", 1)
	for block, ok := c.Next(); ok; block, ok = c.Next() {
		run, _ := c.Start(block)
		done, _ := c.Finish(nil, run.ID)
		fmt.Println("block", run.Block, run.Rides, "completes", done)
	}
	// Output:
	// block 0 [{a 0 3} {b 3 1}] completes []
	// block 1 [{a 0 3} {b 3 1}] completes [a b]
}

func ExampleRestore() {
	c, _ := sharedscan.New[string](2)
	c.Join("a", 3)
	c.Start(0)
	text, _ := json.Marshal(c.Snapshot())
	var s sharedscan.Snapshot[string]
	_ = json.Unmarshal(text, &s)
	d, err := sharedscan.Restore(s)
	fmt.Println(d.Waiting(nil, "a"), err)
	// Output: [1] <nil>
}

// What a job has of three blocks: one given, one under way, one to come.
func ExampleCircularScan_Left() {
	c, _ := sharedscan.New[string](3)
	c.Join("first", 4)
	zero, _ := c.Start(0)
	c.Finish(nil, zero.ID)
	c.Join("second", 2)
	c.Start(1)
	for _, job := range c.Jobs(nil) {
		left, _ := c.Left(job)
		fmt.Println(job, "is to be given", left, "blocks; it waits for", c.Waiting(nil, job))
	}
	// Output:
	// first is to be given 2 blocks; it waits for [2]
	// second is to be given 3 blocks; it waits for [0 2]
}

// A node is lost with the output of a run. The driver has left, so the rider drives.
func ExampleCircularScan_Lost() {
	c, _ := sharedscan.New[string](1)
	c.Join("driver", 4)
	c.Join("rider", 2)
	run, _ := c.Start(0)
	c.Finish(nil, run.ID)
	fmt.Println(c.Leave("driver"), c.Len())
	reruns, err := c.Lost(nil, run.ID)
	fmt.Println(reruns, err)
	// Output:
	// true 1
	// [{0 [{rider 0 2}] 1}] <nil>
}
