package aging_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// TestZeroCluster: the zero value is an empty cluster without capacity, whatever is called first.
func TestZeroCluster(t *testing.T) {
	for name, first := range map[string]func(c *aging.Cluster[int]){
		"nothing":     func(*aging.Cluster[int]) {},
		"SetCapacity": func(c *aging.Cluster[int]) { must(t, c.SetCapacity(2)) },
		"Advance":     func(c *aging.Cluster[int]) { must(t, c.Advance(3)) },
		"Snapshot":    func(c *aging.Cluster[int]) { c.Snapshot() },
		"questions": func(c *aging.Cluster[int]) {
			must(t, survives(c))
			if c.Complete(1) || c.Remove(1) {
				t.Error("Complete(1) or Remove(1) of the zero value is true, want false")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var c aging.Cluster[int]
			first(&c)
			for key, j := range []aging.Job{{Work: 3}, {Work: 1, Slots: 0.5}, {}, {Work: 2, Slots: 0.5}} {
				must(t, c.Add(key, j))
			}
			must(t, c.SetCapacity(2))
			must(t, c.Advance(1))
			want := newCluster(t, 2)
			for key, j := range []aging.Job{{Work: 3}, {Work: 1, Slots: 0.5}, {}, {Work: 2, Slots: 0.5}} {
				must(t, want.Add(key, j))
			}
			must(t, want.Advance(1))
			for key := range 4 {
				if got, _ := c.Job(key); got != jobOf(want, key) {
					t.Errorf("after %s on the zero value Job(%d) = %v, want %v", name, key, got, jobOf(want, key))
				}
			}
			script(t, &c)
		})
	}
}

func jobOf(c *aging.Cluster[int], key int) aging.Job {
	j, _ := c.Job(key)
	return j
}

// TestZeroSnapshot: the zero value is what New(0) returns, before and after a snapshot is
// restored.
func TestZeroSnapshot(t *testing.T) {
	var zero aging.Cluster[int]
	restored, err := aging.Restore(zero.Snapshot())
	must(t, err)
	made := newCluster(t, 0)
	for _, do := range []func(c *aging.Cluster[int]) error{
		func(*aging.Cluster[int]) error { return nil },
		func(c *aging.Cluster[int]) error { return c.Advance(3) },
		func(c *aging.Cluster[int]) error { return c.Add(1, aging.Job{Work: 2}) },
		func(c *aging.Cluster[int]) error { return c.SetCapacity(1) },
		func(c *aging.Cluster[int]) error { return c.Advance(2.5) },
	} {
		for _, c := range []*aging.Cluster[int]{&zero, restored, made} {
			must(t, do(c))
			if got := c.Capacity(); got != c.Snapshot().Capacity {
				t.Errorf("Capacity() = %v, in the snapshot %v", got, c.Snapshot().Capacity)
			}
		}
		for name, c := range map[string]*aging.Cluster[int]{"the zero value": &zero, "its snapshot restored": restored} {
			if diff := cmp.Diff(made.Snapshot(), c.Snapshot()); diff != "" {
				t.Errorf("%s differs from New(0): %s", name, diff)
			}
		}
	}
}

// TestNilCluster: a nil cluster holds nothing and cannot be changed, and whatever else is wrong
// the error is of bad input.
func TestNilCluster(t *testing.T) {
	var c *aging.Cluster[int]
	must(t, survives(c))
	if c.Len() != 0 || c.Complete(1) || c.Remove(1) {
		t.Error("a nil cluster has or had jobs")
	}
	if j, ok := c.Job(1); ok {
		t.Errorf("Job(1) of a nil cluster = %v, true", j)
	}
	if tag, ok := c.Tag(1); ok {
		t.Errorf("Tag(1) of a nil cluster = %v, true", tag)
	}
	if x, ok := c.Rate(1); ok {
		t.Errorf("Rate(1) of a nil cluster = %v, true", x)
	}
	if x, ok := c.Served(1); ok || c.Capacity() != 0 {
		t.Errorf("Served(1) of a nil cluster = %v, %v, Capacity() = %v, want false and 0", x, ok, c.Capacity())
	}
	if _, err := aging.Restore(c.Snapshot()); err != nil {
		t.Errorf("Restore(Snapshot()) of a nil cluster failed: %v", err)
	}
	for name, err := range map[string]error{
		"Add": c.Add(1, aging.Job{Work: 1}), "Advance": c.Advance(1), "SetCapacity": c.SetCapacity(1), "Reestimate": c.Reestimate(1, 1),
		"SetSlots": c.SetSlots(1, 1), "SetWeight": c.SetWeight(1, 1), "SetReady": c.SetReady(1, true),
	} {
		expect.InputError(t, name+" of a nil cluster", err, "aging.Cluster."+name, "c", -1)
	}
	for name, err := range map[string]error{
		"Add": c.Add(1, aging.Job{Work: math.NaN()}), "Advance": c.Advance(-1), "SetCapacity": c.SetCapacity(math.Inf(1)),
	} {
		if !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s of a nil cluster with a bad argument returned %v, want an InputError", name, err)
		}
	}
}
