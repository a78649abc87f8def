package aging_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/aging"
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
