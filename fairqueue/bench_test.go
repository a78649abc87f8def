package fairqueue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// bench returns a queue of n flows, half of them active, in a tree of the depth, and its leaves.
func benchQueue(b *testing.B, n, depth int) (*fairqueue.Queue[int], []float64) {
	q, err := fairqueue.New[int](fairqueue.Options{})
	must(b, err)
	r := rand.New(rand.NewPCG(1, 2))
	costs := make([]float64, 1<<12)
	for i := range costs {
		costs[i] = 1 + 99*r.Float64()
	}
	// With a depth of 3: 30 tenants with 30 groups each, numbered from n upwards.
	for i := range 30 {
		if depth == 3 {
			must(b, q.Join(n+i, 1+r.Float64()))
			for k := range 30 {
				must(b, q.JoinUnder(n+i, n+30+30*i+k, 1+r.Float64()))
			}
		}
	}
	for i := range n {
		if w := 1 + 9*r.Float64(); depth == 3 {
			must(b, q.JoinUnder(n+30+i%900, i, w))
		} else {
			must(b, q.Join(i, w))
		}
		must(b, q.SetActive(i, i%2 == 0))
	}
	return q, costs
}

// One event: a flow is served and charged, and its queue is empty; another flow becomes active.
func BenchmarkQueue(b *testing.B) {
	for _, c := range []struct{ n, depth int }{{1e3, 1}, {1e5, 1}, {1e5, 3}, {1e6, 1}} {
		b.Run(fmt.Sprintf("depth=%d/n=%d", c.depth, c.n), func(b *testing.B) {
			q, costs := benchQueue(b, c.n, c.depth)
			wake := 1
			b.ReportAllocs()
			for k := 0; b.Loop(); k++ {
				key, ok := q.Next(nil)
				if !ok || q.Charge(key, costs[k%len(costs)]) != nil || q.SetActive(key, false) != nil || q.SetActive(wake, true) != nil {
					b.Fatal("an event failed")
				}
				wake = key
			}
		})
	}
}

// One service: a flow is served, with a guess, and ends. The limits bind for half of the flows.
func BenchmarkService(b *testing.B) {
	for _, c := range []struct{ n, depth, limit int }{{1e5, 1, 0}, {1e5, 3, 0}, {1e5, 1, 1}} {
		b.Run(fmt.Sprintf("depth=%d/limit=%d/n=%d", c.depth, c.limit, c.n), func(b *testing.B) {
			q, costs := benchQueue(b, c.n, c.depth)
			for i := range c.n {
				must(b, q.SetActive(i, true))
				if c.limit > 0 && i%2 == 0 {
					must(b, q.SetLimit(i, c.limit))
					_, err := q.Start(i, 1)
					must(b, err)
				}
			}
			b.ReportAllocs()
			for k := 0; b.Loop(); k++ {
				key, ok := q.Next(nil)
				s, err := q.Start(key, 50)
				if !ok || err != nil || q.End(s, costs[k%len(costs)]) != nil {
					b.Fatal("a service failed")
				}
			}
		})
	}
}

func BenchmarkTag(b *testing.B) {
	last := 0.0
	for b.Loop() {
		_, last, _ = fairqueue.Tag(last/2, last, 3, 7)
	}
	if last == 0 {
		b.Fatal("no tag")
	}
}

// Snapshot and Restore of 200,000 flows, a flow: siblings, and a chain of which the lowest is
// active, whose depth does not multiply the cost.
func BenchmarkSnapshot(b *testing.B) {
	const n = 200_000
	for _, depth := range []int{1, n} {
		q := flows(b, fairqueue.Options{})
		for i := range n {
			if depth == 1 || i == 0 {
				must(b, q.Join(i, 1))
			} else {
				must(b, q.JoinUnder(i-1, i, 1))
			}
		}
		for i := range n {
			if depth == 1 || i == n-1 {
				must(b, q.SetActive(i, i%2 == 1))
				must(b, q.Charge(i, float64(i%7+1)))
			}
		}
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/depth=%d", name, depth), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/flow")
			})
		}
		s := q.Snapshot()
		run("Snapshot", func() { s = q.Snapshot() })
		run("Restore", func() {
			_, err := fairqueue.Restore(s)
			must(b, err)
		})
	}
}

// One service at one of 100 servers: 10,000 flows of which each may be served by two of them.
func BenchmarkServers(b *testing.B) {
	q, costs := benchQueue(b, 10_000, 1)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 10_000 {
		must(b, q.SetActive(i, true))
		one := r.IntN(100)
		must(b, q.SetServers(i, one, (one+1+r.IntN(99))%100))
	}
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		key, ok := q.NextAt(k%100, nil)
		s, err := q.Start(key, 50)
		if !ok || err != nil || q.End(s, costs[k%len(costs)]) != nil {
			b.Fatal("a service failed")
		}
	}
}

// One item: it is pushed, popped and ends, by Waiting and by a Queue with slices.
func BenchmarkWaiting(b *testing.B) {
	const n = 1000
	b.Run("waiting", func(b *testing.B) {
		w, err := fairqueue.NewWaiting(func(int) float64 { return 1 }, func(_, item int) float64 { return 50 }, fairqueue.Options{})
		must(b, err)
		for key := range n {
			must(b, w.Push(key, key))
			must(b, w.Push(key, key))
		}
		b.ReportAllocs()
		for k := 0; b.Loop(); k++ {
			key, item, s, ok := w.Pop(nil)
			if !ok || w.End(s, float64(k%100+1)) != nil || w.Push(key, item) != nil {
				b.Fatal("an item failed")
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		q := flows(b, fairqueue.Options{}, slices.Repeat([]float64{1}, n)...)
		items := map[int][]int{}
		for key := range n {
			items[key] = []int{key, key}
		}
		b.ReportAllocs()
		for k := 0; b.Loop(); k++ {
			key, ok := q.Next(nil)
			s, err := q.Start(key, 50)
			item := items[key][0]
			items[key] = items[key][1:]
			if !ok || err != nil || q.SetActive(key, len(items[key]) > 0) != nil || q.End(s, float64(k%100+1)) != nil {
				b.Fatal("an item failed")
			}
			items[key] = append(items[key], item)
			must(b, q.SetActive(key, true))
		}
	})
}
