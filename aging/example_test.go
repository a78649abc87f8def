package aging_test

import (
	"fmt"

	"github.com/schedmath/schedmath/aging"
)

func ExampleMaxMin() {
	jobs := []aging.Job{{Work: 5, Slots: 1}, {Work: 5, Slots: 3}, {Work: 5}, {Work: 5, Weight: 2}}
	shares, err := aging.MaxMin(nil, 10, jobs)
	fmt.Println(shares, err)
	// Output: [1 2.25 2.25 4.5] <nil>
}

func ExampleMaxMinSlots() {
	slots, err := aging.MaxMinSlots(nil, 10, []int{1, 3, 10, 10})
	fmt.Println(slots, err)
	// Output: [1 3 3 3] <nil>
}

func ExampleAge() {
	// Four slots; the small job ends after 2 s, and the large one then has all of them.
	jobs, err := aging.Age(nil, 4, 5, []aging.Job{{Work: 4}, {Work: 20}})
	fmt.Println(jobs[0].Work, jobs[1].Work, err)
	// Output: 0 4 <nil>
}

func ExampleFinish() {
	finish, err := aging.Finish(nil, 4, []aging.Job{{Work: 6, Slots: 1}, {Work: 8}})
	fmt.Printf("%.4g %v\n", finish, err)
	// Output: [6 2.667] <nil>
}

func ExampleOrder() {
	// Job 0 has less work, but only one slot to do it on: it ends after job 1.
	jobs := []aging.Job{{Work: 6, Slots: 1}, {Work: 8}}
	byWork, _ := aging.Order(nil, 4, jobs, aging.ByWork)
	byFinish, _ := aging.Order(nil, 4, jobs, aging.ByFinish)
	fmt.Println(byWork, byFinish)
	// Output: [0 1] [1 0]
}

// HFSP's Figure 1: two jobs of 10 s arrive while one of 30 s runs.
func ExampleCluster() {
	c, _ := aging.New[string](1)
	c.Add("j1", aging.Job{Work: 30})
	c.Advance(10)
	c.Add("j2", aging.Job{Work: 10})
	c.Advance(5)
	c.Add("j3", aging.Job{Work: 10})
	for key, job := range c.All(aging.ByFinish) {
		fmt.Printf("%s has %.1f left\n", key, job.Work)
	}
	key, in, _ := c.NextFinish()
	fmt.Printf("%s would be done in %.1f under fair sharing\n", key, in)
	// Output:
	// j2 has 7.5 left
	// j3 has 10.0 left
	// j1 has 17.5 left
	// j2 would be done in 22.5 under fair sharing
}

func ExampleCluster_Complete() {
	c, _ := aging.New[string](2)
	c.Add("a", aging.Job{Work: 2})
	c.Add("b", aging.Job{Work: 8})
	c.Complete("a") // done in reality, but its virtual work still takes its share
	first, _ := c.First(aging.ByFinish)
	_, there := c.Job("a")
	c.Advance(2)
	_, after := c.Job("a")
	fmt.Println(first, there, after)
	// Output: b true false
}

func ExampleCluster_SetReady() {
	c, _ := aging.New[string](4)
	c.Add("two tasks", aging.Job{Work: 6, Slots: 2})
	c.Add("many tasks", aging.Job{Work: 90})
	first, _ := c.First(aging.ByFinish)
	c.SetReady(first, false) // both of its tasks run
	second, _ := c.First(aging.ByFinish)
	fmt.Println(first, "first, then", second)
	for key := range c.All(aging.ByFinish) {
		fmt.Println(key)
	}
	// Output:
	// two tasks first, then many tasks
	// two tasks
	// many tasks
}

func ExampleCluster_Reestimate() {
	c, _ := aging.New[string](1)
	c.Add("a", aging.Job{Work: 4})
	c.Add("b", aging.Job{Work: 6})
	c.Advance(4)          // each has received 2
	c.Reestimate("b", 3)  // so b has 1 left
	c.Reestimate("a", 10) // and a has 8
	for key, job := range c.All(aging.ByWork) {
		fmt.Println(key, job.Work)
	}
	// Output:
	// b 1
	// a 8
}

func ExampleCluster_Late() {
	c, _ := aging.New[string](2)
	c.Add("short", aging.Job{Work: 1})
	c.Add("long", aging.Job{Work: 5})
	c.Advance(2)
	first, _ := c.First(aging.ByFinish)
	fmt.Println(c.Late(nil), first)
	// Output: [short] short
}

func ExampleCluster_Lapsed() {
	c, _ := aging.New[string](2)
	c.Add("short", aging.Job{Work: 1})
	c.Add("long", aging.Job{Work: 5})
	c.Advance(2)
	fmt.Println(c.Lapsed(nil))
	c.Advance(2)
	fmt.Println(c.Lapsed(nil), c.Late(nil))
	// Output:
	// [short]
	// [long] [short long]
}

func ExampleCluster_Rate() {
	c, _ := aging.New[string](4)
	c.Add("a", aging.Job{Work: 9, Slots: 1})
	c.Add("b", aging.Job{Work: 9})
	c.Add("c", aging.Job{Work: 9, Weight: 2})
	a, _ := c.Rate("a")
	b, _ := c.Rate("b")
	fmt.Println(a, b)
	// Output: 1 1
}

func ExampleRestore() {
	c, _ := aging.New[string](1)
	c.Add("a", aging.Job{Work: 4})
	c.Add("b", aging.Job{Work: 6})
	c.Advance(3)
	again, err := aging.Restore(c.Snapshot())
	key, in, _ := again.NextFinish()
	fmt.Println(key, in, err)
	// Output: a 5 <nil>
}

func ExampleShares() {
	// Two departments share 12 GPUs by 2 to 1; in the first, a team of 3 users has a floor of 6 for
	// the third.
	claims := []aging.Claim{
		{Weight: 2},
		{},
		{Demand: 1},
		{Demand: 10},
		{Demand: 10, Floor: 6},
		{Demand: 20},
	}
	parents := []int{-1, -1, 0, 0, 0, 1}
	for _, f := range []aging.Floors{aging.Within, aging.OnTop} {
		shares, err := aging.Shares(nil, 12, claims, parents, f)
		fmt.Println(shares, err)
	}
	// Output:
	// [8 4 1 1 6 4] <nil>
	// [8 4 0.6666666666666666 0.6666666666666666 6.666666666666667 4] <nil>
}

// Three teams want 1, 4 and 20 of 12 GPUs. What could each count on if it asked for more?
func ExampleEntitlement() {
	claims := []aging.Claim{{Demand: 1}, {Demand: 4}, {Demand: 20}}
	for i := range claims {
		share, err := aging.Entitlement(12, claims, nil, i, aging.Within)
		fmt.Println(i, share, err)
	}
	// Output:
	// 0 4 <nil>
	// 1 5.5 <nil>
	// 2 7 <nil>
}

func ExampleCluster_Tag() {
	c, _ := aging.New[string](1)
	c.Add("large", aging.Job{Work: 100})
	large, _ := c.Tag("large")
	c.Advance(10)
	c.Add("small", aging.Job{Work: 5})
	small, ok := c.Tag("small")
	fmt.Println(large.At[0], small.At[0], ok)
	// Output: 100 15 true
}

func ExampleTag_Compare() {
	c, _ := aging.New[string](1)
	c.Add("first", aging.Job{Work: 1})
	first, _ := c.Tag("first")
	c.Advance(1)
	c.Complete("first")
	c.Advance(1000) // nothing to do
	c.Add("second", aging.Job{Work: .5})
	second, _ := c.Tag("second")
	fmt.Println(first.Compare(second), second.Compare(first), first.Compare(first))
	// Output: -1 1 0
}

func ExampleNew() {
	c, err := aging.New[string](4)
	fmt.Println(c.Capacity(), c.Len(), err)
	_, err = aging.New[string](-1)
	fmt.Println(err)
	// Output:
	// 4 0 <nil>
	// aging.New: capacity: -1, want 0 or a value in [2^-200, 2^200]
}

// Half of the cluster is lost, then one job is cancelled and the other gets a limit.
func ExampleCluster_SetCapacity() {
	c, _ := aging.New[string](8)
	rates := func() {
		a, _ := c.Rate("a")
		b, _ := c.Rate("b")
		fmt.Println(c.Capacity(), "slots:", a, b)
	}
	c.Add("a", aging.Job{Work: 60})
	c.Add("b", aging.Job{Work: 60})
	rates()
	c.SetWeight("b", 3)
	c.SetCapacity(4)
	rates()
	c.SetSlots("b", 2)
	rates()
	fmt.Println(c.Remove("b"), c.Remove("b"), c.Len())
	// Output:
	// 8 slots: 4 4
	// 4 slots: 1 3
	// 4 slots: 2 2
	// true false 1
}

// Jobs a and b are late, but all tasks of a run: b gets what is free.
func ExampleCluster_LateReady() {
	c, _ := aging.New[string](2)
	c.Add("a", aging.Job{Work: 1})
	c.Add("b", aging.Job{Work: 2})
	c.Advance(5)
	c.SetReady("a", false)
	fmt.Println(c.Late(nil), c.LateReady(nil))
	// Output: [a b] [b]
}
