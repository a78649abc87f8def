package aging_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// TestCapsReorder: with caps a new job can change the order by finish of those present.
func TestCapsReorder(t *testing.T) {
	c := newCluster(t, 4)
	must(t, c.Add(0, aging.Job{Work: 6, Slots: 1}))
	must(t, c.Add(1, aging.Job{Work: 8, Slots: 4}))
	if keys, _ := all(c, aging.ByFinish); !slices.Equal(keys, []int{1, 0}) {
		t.Errorf("All(ByFinish) yields %v, want [1 0]", keys)
	}
	if keys, _ := all(c, aging.ByWork); !slices.Equal(keys, []int{0, 1}) {
		t.Errorf("All(ByWork) yields %v, want [0 1]", keys)
	}
	for key := 2; key < 8; key++ {
		must(t, c.Add(key, aging.Job{Work: 100, Slots: 4}))
	}
	if keys, _ := all(c, aging.ByFinish); !slices.Equal(keys[:2], []int{0, 1}) {
		t.Errorf("All(ByFinish) yields %v, want 0 and 1 first", keys)
	}
}

// All may break off and stand within another; a First or a NextFinish within it disturbs nothing,
// and the cluster is what it was; a change ends it.
func TestAll(t *testing.T) {
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		for _, caps := range []int{1, 7} {
			c := newCluster(t, 40)
			for key := range 120 {
				must(t, c.Add(key, aging.Job{Work: float64(1 + key*37%101), Slots: float64(key % caps)}))
			}
			must(t, c.Advance(2))
			for key := 0; key < 120; key += 5 {
				must(t, c.SetReady(key, key%2 == 0))
				c.Complete(key + 1)
			}
			before := c.Snapshot()
			want, jobs := all(c, by)
			first, _ := c.First(by)
			next, in, _ := c.NextFinish()
			n := 0
			for key, j := range c.All(by) {
				if key != want[n] || j != jobs[n] {
					t.Fatalf("All(%v) around others yields %v, %v, want %v, %v", by, key, j, want[n], jobs[n])
				}
				if n++; n%10 == 1 {
					if diff := difference(before, c.Snapshot()); diff != "" {
						t.Fatalf("the cluster is another within All(%v): %s", by, diff)
					}
				}
				if inner, _ := all(c, by); !slices.Equal(inner, want) {
					t.Fatalf("All(%v) within another yields %v, want %v", by, inner, want)
				}
				if got, _ := c.First(by); got != first {
					t.Fatalf("First(%v) = %d within All, want %d", by, got, first)
				}
				if k, i, _ := c.NextFinish(); k != next || i != in {
					t.Fatalf("NextFinish() = %d, %v within All, want %d, %v", k, i, next, in)
				}
			}
			if diff := difference(before, c.Snapshot()); diff != "" {
				t.Errorf("the cluster is another after All(%v): %s", by, diff)
			}
			if n != len(want) {
				t.Errorf("All(%v) around others yields %d jobs, want %d", by, n, len(want))
			}
			for m := range 30 {
				var got []int
				for key := range c.All(by) {
					if got = append(got, key); len(got) == m+1 {
						break
					}
				}
				if !slices.Equal(got, want[:m+1]) {
					t.Errorf("the first %d of All(%v) are %v, want %v", m+1, by, got, want[:m+1])
				}
			}
			for m := range 30 {
				seen := 0
				for key := range c.All(by) {
					if seen++; seen == m+1 {
						must(t, c.SetWeight(key, 1+float64(m)))
					}
				}
				if seen != m+1 {
					t.Errorf("All(%v) yields %d jobs, changed at number %d", by, seen, m+1)
				}
			}
		}
	}
	c := lived(t)
	if keys, _ := all(c, aging.By(9)); len(keys) != 0 {
		t.Errorf("All(9) yields %v, want nothing", keys)
	}
	if key, ok := c.First(aging.By(255)); ok {
		t.Errorf("First(-1) = %v, true, want false", key)
	}
}
