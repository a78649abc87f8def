package aging_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// lived returns a cluster with late, completed, capped and uncapped jobs: 1 and 5 are late, 2 is
// completed and ages, 3 and 4 age. No job has the key 9.
func lived(t testing.TB) *aging.Cluster[int] {
	t.Helper()
	c := newCluster(t, 4)
	must(t, c.Add(1, aging.Job{Work: 1}))
	must(t, c.Add(2, aging.Job{Work: 9, Slots: 1}))
	must(t, c.Add(3, aging.Job{Work: 30, Slots: 1, Weight: 2}))
	must(t, c.Add(4, aging.Job{Work: 20, Weight: 0.7}))
	must(t, c.Advance(2.3))
	must(t, c.Add(5, aging.Job{}))
	if !c.Complete(2) {
		t.Fatal("Complete(2) = false, want true")
	}
	must(t, c.SetReady(3, false))
	return c
}

func TestClusterErrors(t *testing.T) {
	for _, capacity := range badCapacities() {
		c, err := aging.New[int](capacity)
		if c != nil {
			t.Errorf("New(%v) = %v, want nil", capacity, c)
		}
		expect.InputError(t, fmt.Sprintf("New(%v)", capacity), err, "aging.New", "capacity", -1)
	}
	c := lived(t)
	before := c.Snapshot()
	check := func(call string, err error, fn, arg string) {
		t.Helper()
		expect.InputError(t, call, err, "aging.Cluster."+fn, arg, -1)
		if diff := cmp.Diff(before, c.Snapshot()); diff != "" {
			t.Fatalf("%s changed the cluster: %s", call, diff)
		}
	}
	for _, j := range badJobs() {
		check(fmt.Sprintf("Add(9, %v)", j), c.Add(9, j), "Add", "j")
	}
	for key := 1; key <= 5; key++ {
		check(fmt.Sprintf("Add(%d, {Work: 1})", key), c.Add(key, aging.Job{Work: 1}), "Add", "key")
	}
	for _, x := range badCapacities() {
		check(fmt.Sprintf("SetCapacity(%v)", x), c.SetCapacity(x), "SetCapacity", "capacity")
		for key := 1; key <= 5; key++ {
			check(fmt.Sprintf("Reestimate(%d, %v)", key, x), c.Reestimate(key, x), "Reestimate", "work")
			check(fmt.Sprintf("SetWeight(%d, %v)", key, x), c.SetWeight(key, x), "SetWeight", "weight")
			if !(x > 1) {
				check(fmt.Sprintf("SetSlots(%d, %v)", key, x), c.SetSlots(key, x), "SetSlots", "slots")
			}
		}
	}
	for _, x := range badElapsed() {
		check(fmt.Sprintf("Advance(%v)", x), c.Advance(x), "Advance", "elapsed")
	}
	check("Reestimate(9, 1)", c.Reestimate(9, 1), "Reestimate", "key")
	check("SetSlots(9, 1)", c.SetSlots(9, 1), "SetSlots", "key")
	check("SetWeight(9, 1)", c.SetWeight(9, 1), "SetWeight", "key")
	check("SetWeight(1, 0)", c.SetWeight(1, 0), "SetWeight", "weight")
	check("SetReady(9, true)", c.SetReady(9, true), "SetReady", "key")
	must(t, c.Advance(math.Copysign(0, -1)))

	if c.Complete(9) || c.Complete(2) || c.Remove(9) {
		t.Error("Complete(9), Complete(2), Remove(9): one is true, want false: unknown or completed before")
	}
	if j, ok := c.Job(9); ok {
		t.Errorf("Job(9) = %v, true, want false", j)
	}
	if x, ok := c.Rate(9); ok {
		t.Errorf("Rate(9) = %v, true, want false", x)
	}
	if diff := cmp.Diff(before, c.Snapshot()); diff != "" {
		t.Errorf("calls with unknown keys changed the cluster: %s", diff)
	}

	f, err := aging.New[float64](1)
	must(t, err)
	expect.InputError(t, "Add(NaN, {Work: 1})", f.Add(nan, aging.Job{Work: 1}), "aging.Cluster.Add", "key", -1)
	if f.Len() != 0 {
		t.Errorf("Len() = %d after Add of a NaN key, want 0", f.Len())
	}
	for _, key := range []float64{inf, -inf, 0} {
		must(t, f.Add(key, aging.Job{Work: 1}))
	}
	if j, ok := f.Job(math.Copysign(0, -1)); !ok || j.Work != 1 {
		t.Errorf("Job(-0) = %v, %v, want that of 0", j, ok)
	}
	if _, ok := f.Job(nan); ok || f.Remove(nan) || f.Complete(nan) {
		t.Error("Job, Remove or Complete of a NaN key is true, want false")
	}
	expect.InputError(t, "Reestimate(NaN, 1)", f.Reestimate(nan, 1), "aging.Cluster.Reestimate", "key", -1)
}

// TestClusterExtremes: with quantities from end to end of their ranges, which no clock can hold
// side by side, nothing is NaN, no job has more left than its size, exactly the late jobs have
// nothing left, and a job finishes when it is said to.
func TestClusterExtremes(t *testing.T) {
	values := []float64{0x1p-200, 0x1p-199, 0x1p-100, 1e-9, 1, 3, 1e9, 0x1p100, 0x1p199, 0x1p200}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(11, seed))
		draw := func() float64 { return values[rng.IntN(len(values))] }
		capacity := draw()
		var calls []call
		for range 100 {
			a := call{key: rng.IntN(12), x: draw()}
			a.op = []string{"Add", "Add", "Add", "Complete", "Remove", "Reestimate", "SetSlots", "SetWeight", "SetCapacity", "Advance", "Advance", "Finish", "SetReady", "SetReady"}[rng.IntN(14)]
			if a.op == "Add" {
				a.job = aging.Job{Work: draw(), Slots: draw() * float64(rng.IntN(2)), Weight: draw()}
			}
			calls = append(calls, a)
		}
		if extremes(capacity, calls) == nil {
			continue
		}
		calls = shrink(calls, func(less []call) bool { return extremes(capacity, less) != nil })
		t.Fatalf("seed %d: %v\n%s", seed, extremes(capacity, calls), reproduction(capacity, calls))
	}
}

// extremes plays the calls; Finish advances to the next finish.
func extremes(capacity float64, calls []call) error {
	c, err := aging.New[int](capacity)
	if err != nil {
		return err
	}
	size := map[int]float64{}
	for _, a := range calls {
		_, known := c.Job(a.key)
		next, in, ok := c.NextFinish()
		if a.op == "Finish" {
			a.op = "Advance"
			if ok && in <= 0x1p200 {
				a.x = in
			}
		}
		var err error
		switch {
		case a.op == "Add" && !known:
			err = c.Add(a.key, a.job)
			size[a.key] = a.job.Work
		case a.op == "Complete":
			c.Complete(a.key)
		case a.op == "Remove":
			c.Remove(a.key)
		case a.op == "Reestimate" && known:
			err = c.Reestimate(a.key, a.x)
			size[a.key] = a.x
		case a.op == "SetSlots" && known:
			err = c.SetSlots(a.key, a.x)
		case a.op == "SetWeight" && known:
			err = c.SetWeight(a.key, a.x)
		case a.op == "SetReady" && known:
			err = c.SetReady(a.key, a.x < 1)
		case a.op == "SetCapacity":
			err = c.SetCapacity(a.x)
		case a.op == "Advance":
			err = c.Advance(a.x)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", a, err)
		}
		for key := range 12 {
			if j, here := c.Job(key); here && !(j.Work >= 0 && j.Work <= size[key]) {
				return fmt.Errorf("after %v Job(%d) = %v, want at most its size %v", a, key, j, size[key])
			}
		}
		if j, here := c.Job(next); a.op == "Advance" && ok && a.x == in && here && j.Work > 0 {
			return fmt.Errorf("NextFinish() = %v, %v, true, but after %v Job(%v) = %v", next, in, a, next, j)
		}
		if err := survives(c); err != nil {
			return fmt.Errorf("after %v: %w", a, err)
		}
	}
	return nil
}

// survives asks everything once; nothing may be NaN or twice.
func survives(c *aging.Cluster[int]) error {
	if key, in, ok := c.NextFinish(); ok && !(in >= 0 && in < inf) {
		return fmt.Errorf("NextFinish() = %v, %v, true", key, in)
	}
	late := c.Late(nil)
	busy := map[int]bool{}
	for _, j := range c.Snapshot().Jobs {
		busy[j.Key] = j.NotReady
	}
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		seen := map[int]bool{}
		var ready []int
		for key, j := range c.All(by) {
			if seen[key] || !(j.Work >= 0) || !(j.Slots >= 0) || !(j.Weight >= 0) || (len(seen) < len(late)) != (j.Work == 0) {
				return fmt.Errorf("All(%v) yields %v, %v after %v; late are %v", by, key, j, seen, late)
			}
			if ready == nil && !busy[key] {
				ready = []int{key}
			}
			seen[key] = true
		}
		if len(seen) > c.Len() {
			return fmt.Errorf("All(%v) yields %d jobs of %d", by, len(seen), c.Len())
		}
		if key, ok := c.First(by); ok != (ready != nil) || ok && key != ready[0] {
			return fmt.Errorf("First(%v) = %v, %v, All yields %v, of which not ready are %v", by, key, ok, seen, busy)
		}
	}
	return nil
}
