package aging_test

import (
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// TestAllocations pins what the doc comments promise: nothing is allocated in steady state.
func TestAllocations(t *testing.T) {
	jobs := benchJobs(1000)
	tasks := make([]int, len(jobs))
	for i := range tasks {
		tasks[i] = i % 50
	}
	shares, slots := make([]float64, 0, len(jobs)), make([]int, 0, len(jobs))
	check := func(name string, f func()) {
		t.Helper()
		if n := testing.AllocsPerRun(200, f); n != 0 {
			t.Errorf("%s allocates %v times a call, want 0", name, n)
		}
	}
	check("MaxMin", func() {
		if _, err := aging.MaxMin(shares, 20000, jobs); err != nil {
			t.Fatal(err)
		}
	})
	check("MaxMinSlots", func() {
		if _, err := aging.MaxMinSlots(slots, 9000, tasks); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range capKinds {
		c, next := full(1000, kind.slots)
		for i := 0; i < 1000; i += 7 {
			c.Complete(i)
		}
		job, key, keys := next(), 1000, make([]int, 0, 8)
		event := func() {
			must(t, c.Add(key, job))
			key++
			for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
				if _, ok := c.First(by); !ok {
					t.Fatal("no first job")
				}
			}
			for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
				seen := 0
				for range c.All(by) {
					if seen++; seen == 20 {
						break
					}
				}
			}
			k, in, _ := c.NextFinish()
			if c.Advance(in) != nil {
				t.Fatal("no event")
			}
			if keys = c.Lapsed(keys[:0]); len(keys) > 1 {
				t.Fatalf("%d jobs have become late, want at most 1", len(keys))
			}
			c.Remove(k)
		}
		for range 500 {
			event()
		}
		check("Cluster with caps "+kind.name, event)
	}
}
