package aging_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// stage is a key without an order of its own.
type stage struct {
	job   string
	stage int
}

// TestTiesByAdd: jobs that nothing else tells apart go by the order of Add, whatever their keys and
// whatever else has come and gone.
func TestTiesByAdd(t *testing.T) {
	for name, slots := range map[string][]float64{"one group": {0, 0, 0, 0}, "all at their caps": {1, 1, 1, 1}, "below distinct caps": {9, 8, 7, 6}, "both sides": {1, 0, 1, 0}, "both sides, open first": {0, 1, 0, 1}} {
		c, err := aging.New[stage](4)
		must(t, err)
		gone := stage{"gone", 0}
		must(t, c.Add(gone, aging.Job{Work: 1}))
		keys := []stage{{"b", 2}, {"b", 1}, {"a", 7}, {"c", 0}}
		for i, key := range keys {
			must(t, c.Add(key, aging.Job{Work: 5, Slots: slots[i]}))
			if i == 1 {
				c.Remove(gone) // the next job takes its place in memory
			}
		}
		again, err := aging.Restore(c.Snapshot())
		must(t, err)
		for _, c := range []*aging.Cluster[stage]{c, again} {
			for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
				var got []stage
				for key := range c.All(by) {
					got = append(got, key)
				}
				if first, ok := c.First(by); !slices.Equal(got, keys) || first != keys[0] || !ok {
					t.Errorf("%s: All(%v) yields %v, First %v, %v, want the order of Add: %v", name, by, got, first, ok, keys)
				}
			}
			key, in, _ := c.NextFinish()
			if key != keys[0] {
				t.Errorf("%s: NextFinish() = %v, want %v", name, key, keys[0])
			}
			must(t, c.Advance(in))
			if got := c.Late(nil); !slices.Equal(got, keys) {
				t.Errorf("%s: Late(nil) = %v, want %v", name, got, keys)
			}
			if got := c.Lapsed(nil); !slices.Equal(got, keys) {
				t.Errorf("%s: Lapsed(nil) = %v, want %v", name, got, keys)
			}
			// A job that is added anew is the last.
			c.Remove(keys[0])
			must(t, c.Add(keys[0], aging.Job{}))
			if got, want := c.Late(nil), append(slices.Clone(keys[1:]), keys[0]); !slices.Equal(got, want) {
				t.Errorf("%s: Late(nil) = %v after Remove and Add of the first, want %v", name, got, want)
			}
		}
	}
}

// TestOrderTies: jobs that finish together, at their caps and below them, go by index.
func TestOrderTies(t *testing.T) {
	for _, slots := range [][]float64{{0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {1, 1, 1}, {5, 6, 7}} {
		var jobs []aging.Job
		for _, s := range slots {
			jobs = append(jobs, aging.Job{Work: 2, Slots: s})
		}
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			if got, err := aging.Order(nil, 3, jobs, by); err != nil || !slices.Equal(got, []int{0, 1, 2}) {
				t.Errorf("Order(nil, 3, %v, %v) = %v, %v, want [0 1 2]", jobs, by, got, err)
			}
		}
	}
}

// TestInterfaceKeys: a NaN in an interface is refused, and a value that cannot be compared panics
// as in a map.
func TestInterfaceKeys(t *testing.T) {
	c, err := aging.New[any](1)
	must(t, err)
	expect.InputError(t, "Add(NaN, {Work: 1})", c.Add(nan, aging.Job{Work: 1}), "aging.Cluster.Add", "key", -1)
	for _, key := range []any{nil, 1, "1", 1.0, stage{"1", 1}} {
		must(t, c.Add(key, aging.Job{Work: 1}))
	}
	if c.Len() != 5 {
		t.Errorf("Len() = %d after keys of five types, want 5", c.Len())
	}
	before := c.Snapshot()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Add of a slice as a key does not panic")
			}
		}()
		_ = c.Add([]int{1}, aging.Job{Work: 1})
	}()
	if got := c.Snapshot(); !slices.Equal(got.Jobs, before.Jobs) {
		t.Errorf("a panic of Add changed the cluster from %v to %v", before.Jobs, got.Jobs)
	}
	s := c.Snapshot()
	s.Jobs[1].Key = nan
	if _, err := aging.Restore(s); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Restore with a NaN key = %v, want an InputError", err)
	}
}

// TestSetSlotsZero: 0 could mean no limit or nothing to start, and is neither.
func TestSetSlotsZero(t *testing.T) {
	c := newCluster(t, 4)
	must(t, c.Add(1, aging.Job{Work: 8, Slots: 1}))
	err := c.SetSlots(1, 0)
	expect.InputError(t, "SetSlots(1, 0)", err, "aging.Cluster.SetSlots", "slots", -1)
	if _, in, _ := c.NextFinish(); in != 8 {
		t.Errorf("NextFinish() in %v after a refused SetSlots, want 8", in)
	}
	must(t, c.SetSlots(1, inf))
	if _, in, _ := c.NextFinish(); in != 2 {
		t.Errorf("NextFinish() in %v after SetSlots(1, +Inf), want 2", in)
	}
	if j, _ := c.Job(1); j.Slots != 0 {
		t.Errorf("Job(1).Slots = %v after SetSlots(1, +Inf), want 0 for no limit", j.Slots)
	}
}

// TestAllSeesNow: while All goes on, the cluster is what it was, whatever has been played forward
// for it; a change ends the iteration.
func TestAllSeesNow(t *testing.T) {
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		c := newCluster(t, 40)
		for key := range 200 {
			must(t, c.Add(key, aging.Job{Work: float64(1 + key*37%101), Slots: float64(1 + key%7)}))
		}
		must(t, c.Advance(2))
		for key := 0; key < 200; key += 5 {
			must(t, c.SetReady(key, key%2 == 0))
			c.Complete(key + 1)
		}
		before := c.Snapshot()
		first, _ := c.First(by)
		next, in, _ := c.NextFinish()
		seen := 0
		for key, j := range c.All(by) {
			seen++
			if got, ok := c.Job(key); !ok || got != j {
				t.Fatalf("All(%v) yields %d, %v, Job(%d) = %v, %v", by, key, j, key, got, ok)
			}
			if got, _ := c.First(by); got != first {
				t.Fatalf("First(%v) = %d within All, want %d", by, got, first)
			}
			if k, i, _ := c.NextFinish(); k != next || i != in {
				t.Fatalf("NextFinish() = %d, %v within All, want %d, %v", k, i, next, in)
			}
			if got := c.Snapshot(); !slices.Equal(got.Jobs, before.Jobs) || !slices.Equal(got.Groups, before.Groups) || got.Clock != before.Clock || got.Water != before.Water {
				t.Fatalf("the cluster is another within All(%v)", by)
			}
		}
		if seen < 100 {
			t.Errorf("All(%v) yields %d jobs, want 100: the test sees little", by, seen)
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
