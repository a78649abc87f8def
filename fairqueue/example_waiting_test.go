package fairqueue_test

import (
	"fmt"
	"sync"

	"github.com/schedmath/schedmath/fairqueue"
)

// A dispatcher: a mutex around the queue, and a channel on which the workers tell what has ended.
func ExampleWaiting() {
	type end struct {
		service fairqueue.Service
		cost    float64
	}
	weight := func(string) float64 { return 1 }
	cost := func(string, int) float64 { return 10 } // a guess
	queue, _ := fairqueue.NewWaiting(weight, cost, fairqueue.Options{Lag: 10})
	var mu sync.Mutex
	push := func(user string, item int) { // by any goroutine
		mu.Lock()
		defer mu.Unlock()
		_ = queue.Push(user, item)
	}
	for item := range 3 {
		push("ann", item)
	}
	push("bob", 7)
	ends := make(chan end)
	for free, running := 1, 0; ; { // one worker
		mu.Lock()
		user, item, service, ok := queue.Pop(nil)
		mu.Unlock()
		if !ok && running == 0 {
			break
		}
		if ok {
			fmt.Println(user, item)
			free, running = free-1, running+1
			go func() { ends <- end{service, 12} }() // the work
		}
		if free == 0 || !ok {
			e := <-ends
			mu.Lock()
			_ = queue.End(e.service, e.cost)
			mu.Unlock()
			free, running = free+1, running-1
		}
	}
	// Output:
	// ann 0
	// bob 7
	// ann 1
	// ann 2
}

// A skip that keeps what it found: the flow returned is the last for which it returned false.
func ExampleQueue_Next_skip() {
	q := trio(fairqueue.Options{})
	free := map[string]string{"b": "worker 2", "c": "worker 5"} // that can serve a flow
	worker := ""
	key, _ := q.Next(func(key string) bool {
		w, ok := free[key]
		if ok {
			worker = w
		}
		return !ok
	})
	fmt.Println(key, worker)
	// Output: b worker 2
}

func ExampleQueue_NextAt() {
	q := trio(fairqueue.Options{})
	_ = q.SetServers("a", 1)
	_ = q.SetServers("b", 1, 2)
	for server := range 3 {
		key, _ := q.NextAt(server, nil)
		fmt.Println(server, key)
	}
	// Output:
	// 0 c
	// 1 a
	// 2 b
}
