package fairqueue_test

import (
	"fmt"

	"github.com/schedmath/schedmath/fairqueue"
)

func Example() {
	q, _ := fairqueue.New[string](fairqueue.Options{})
	_ = q.Join("ann", 1)
	_ = q.Join("bob", 2)
	_ = q.SetActive("ann", true)
	_ = q.SetActive("bob", true)
	for range 6 {
		key, _ := q.Next(nil)
		fmt.Print(key, " ")
		_ = q.Charge(key, 10) // each request is expected to cost 10
	}
	// Output: ann bob bob ann bob bob
}

// trio returns a queue of three active flows of weight 1.
func trio(o fairqueue.Options) *fairqueue.Queue[string] {
	q, _ := fairqueue.New[string](o)
	for _, key := range []string{"a", "b", "c"} {
		_ = q.Join(key, 1)
		_ = q.SetActive(key, true)
	}
	return q
}

func ExampleNew() {
	q, err := fairqueue.New[string](fairqueue.Options{Return: fairqueue.ToLeast})
	fmt.Println(q.Join("a", 1), err)
	_, err = fairqueue.New[string](fairqueue.Options{Return: 7})
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// fairqueue.New: o: Return is Return(7), want ByVirtualTime or ToLeast
}

func ExampleQueue_Join() {
	q := trio(fairqueue.Options{})
	fmt.Println(q.Join("d", 2.5))
	fmt.Println(q.Join("d", 1))
	// Output:
	// <nil>
	// fairqueue.Queue.Join: key: d has joined already
}

func ExampleQueue_JoinUnder() {
	q, _ := fairqueue.New[string](fairqueue.Options{})
	_ = q.Join("crowd", 1)
	_ = q.Join("single", 1)
	for _, key := range []string{"1", "2", "3"} {
		_ = q.JoinUnder("crowd", key, 1)
		_ = q.SetActive(key, true)
	}
	_ = q.SetActive("single", true)
	for range 8 {
		key, _ := q.Next(nil)
		fmt.Print(key, " ")
		_ = q.Charge(key, 1)
	}
	// Output: 1 single 2 single 3 single 1 single
}

func ExampleQueue_Leave() {
	q := trio(fairqueue.Options{})
	_ = q.Charge("a", 100)
	fmt.Println(q.Leave("a"), q.Leave("a"))
	_ = q.Join("a", 1) // too soon: its 100 are remembered
	_ = q.SetActive("a", true)
	levels, _ := q.Why(nil, "a")
	fmt.Println(levels[0].Start)
	// Output:
	// true false
	// 100
}

func ExampleQueue_SetWeight() {
	q := trio(fairqueue.Options{})
	fmt.Println(q.SetWeight("a", 3), q.SetWeight("x", 3))
	// Output: <nil> fairqueue.Queue.SetWeight: key: x has not joined
}

func ExampleQueue_SetActive() {
	q := trio(fairqueue.Options{})
	_ = q.SetActive("a", false)
	fmt.Println(q.Next(nil))
	// Output: b true
}

func ExampleQueue_Next() {
	q := trio(fairqueue.Options{})
	locked := func(key string) bool { return key == "a" }
	for range 3 {
		key, _ := q.Next(locked)
		fmt.Print(key, " ")
		_ = q.Charge(key, 1)
	}
	fmt.Println(q.Next(nil)) // a has kept its turn
	// Output: b c b a true
}

func ExampleQueue_Charge() {
	q := trio(fairqueue.Options{})
	_ = q.Charge("a", 5)
	levels, _ := q.Why(nil, "a")
	fmt.Println(levels[0].Start, levels[0].Place)
	// Output: 5 2
}

func ExampleQueue_Start() {
	q, _ := fairqueue.New[string](fairqueue.Options{Lag: 100})
	q.Join("ann", 1)
	q.Join("bob", 1)
	q.SetActive("ann", true)
	q.SetActive("bob", true)
	user, _ := q.Next(nil)
	s, _ := q.Start(user, 100)      // tokens, a guess
	fmt.Println(user, q.End(s, 10)) // it took 10
	fmt.Println(q.Next(nil))
	// Output:
	// ann <nil>
	// bob true
}

func ExampleQueue_Grow() {
	q := trio(fairqueue.Options{})
	s, _ := q.Start("a", 5)
	_ = q.Grow(s, 2) // tokens, as they come
	levels, _ := q.Why(nil, "a")
	fmt.Println(levels[0].Start)
	// Output: 7
}

func ExampleQueue_End() {
	q := trio(fairqueue.Options{})
	s, _ := q.Start("a", 5) // an estimate
	_ = q.End(s, 3)         // it cost 3
	levels, _ := q.Why(nil, "a")
	fmt.Println(levels[0].Start)
	fmt.Println(q.End(s, 3))
	// Output:
	// 3
	// fairqueue.Queue.End: s: 1 is not in flight
}

func ExampleQueue_SetLimit() {
	q := trio(fairqueue.Options{})
	_ = q.SetLimit("a", 1)
	s, _ := q.Start("a", 1)
	fmt.Println(q.Next(nil)) // a is at its limit
	_ = q.Charge("b", 2)
	_ = q.Charge("c", 2)
	_ = q.End(s, 1)
	fmt.Println(q.Next(nil))
	// Output:
	// b true
	// a true
}

func ExampleQueue_Services() {
	q := trio(fairqueue.Options{})
	_, _ = q.Start("b", 5)
	snapshot := q.Snapshot()
	snapshot.Epoch = 1 // of this start of the program
	q, _ = fairqueue.Restore(snapshot)
	for s, key := range q.Services() {
		fmt.Println(s, key, q.End(s, 0)) // it was lost with the program
	}
	s, _ := q.Start("b", 5)
	fmt.Println(s>>32, s&0xffffffff)
	// Output:
	// 1 b <nil>
	// 1 2
}

func ExampleQueue_Elsewhere() {
	q := trio(fairqueue.Options{})
	_ = q.Elsewhere("a", 10) // tokens that another replica has served
	for range 4 {
		key, _ := q.Next(nil)
		fmt.Print(key, " ")
		_ = q.Charge(key, 5)
	}
	// Output: b c b c
}

func ExampleQueue_Why() {
	q, _ := fairqueue.New[string](fairqueue.Options{})
	_ = q.Join("blue", 1)
	_ = q.Join("red", 1)
	_ = q.JoinUnder("red", "report", 1)
	_ = q.SetActive("blue", true)
	_ = q.SetActive("report", true)
	_ = q.Charge("report", 8)
	levels, _ := q.Why(nil, "report")
	for _, l := range levels {
		fmt.Println(l.Key, l.Start, l.Place)
	}
	// Output:
	// red 8 1
	// report 8 0
}

func ExampleQueue_Snapshot() {
	q := trio(fairqueue.Options{})
	_ = q.Charge("a", 7)
	s := q.Snapshot()
	fmt.Println(s.Version, len(s.Flows), s.Flows[0].Key, s.Flows[0].Weight)
	// Output: 1 3 a 1
}

func ExampleRestore() {
	q := trio(fairqueue.Options{})
	_ = q.Charge("a", 7)
	r, err := fairqueue.Restore(q.Snapshot())
	fmt.Println(err)
	fmt.Println(r.Next(nil))
	// Output:
	// <nil>
	// b true
}

func ExampleTag() {
	fmt.Println(fairqueue.Tag(100, 40, 3, 2))  // the flow was idle
	fmt.Println(fairqueue.Tag(100, 120, 3, 2)) // it is ahead of its share
	// Output:
	// 100 101.5 <nil>
	// 120 121.5 <nil>
}
