package aging_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
	// huge and tiny are just outside the range of all quantities.
	huge = math.Nextafter(0x1p200, inf)
	tiny = math.Nextafter(0x1p-200, 0)
)

// bad are numbers that no function takes.
var bad = []float64{nan, -1, inf, -inf, huge, tiny, math.MaxFloat64, math.SmallestNonzeroFloat64}

// badJobs are jobs that no function takes, each in one field.
func badJobs() (jobs []aging.Job) {
	for _, x := range bad {
		jobs = append(jobs, aging.Job{Work: x}, aging.Job{Work: 1, Weight: x})
		if !(x > 1) { // a limit above all capacities is none
			jobs = append(jobs, aging.Job{Work: 1, Slots: x})
		}
	}
	return jobs
}

// badElapsed are times that cannot pass.
var badElapsed = []float64{nan, -1, inf, -inf, huge, -math.SmallestNonzeroFloat64}

// lived returns a cluster with late, completed, capped and uncapped jobs: 1 and 5 are late, 2 is
// completed and ages, 3 and 4 age. No job has the key 9.
func lived(t rapid.TB) *aging.Cluster[int] {
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
	c := lived(t)
	refused := func(fn string, f any, calls ...expect.Call) {
		t.Helper()
		expect.Refused(t, "aging.Cluster."+fn, f, func() any { return c.Snapshot() }, calls...)
	}
	for _, j := range badJobs() {
		refused("Add", c.Add, expect.Bad("j", -1, 9, j))
	}
	for _, x := range bad {
		expect.Refused(t, "aging.New", aging.New[int], nil, expect.Bad("capacity", -1, x))
		refused("SetCapacity", c.SetCapacity, expect.Bad("capacity", -1, x))
		for key := 1; key <= 5; key++ {
			refused("Reestimate", c.Reestimate, expect.Bad("work", -1, key, x))
			refused("SetWeight", c.SetWeight, expect.Bad("weight", -1, key, x), expect.Bad("weight", -1, key, 0))
			if !(x > 1) {
				refused("SetSlots", c.SetSlots, expect.Bad("slots", -1, key, x), expect.Bad("slots", -1, key, 0))
			}
		}
	}
	for _, x := range badElapsed {
		refused("Advance", c.Advance, expect.Bad("elapsed", -1, x))
	}
	for key := 1; key <= 5; key++ {
		refused("Add", c.Add, expect.Bad("key", -1, key, aging.Job{Work: 1}))
	}
	refused("Reestimate", c.Reestimate, expect.Bad("key", -1, 9, 1))
	refused("SetSlots", c.SetSlots, expect.Bad("key", -1, 9, 1))
	refused("SetWeight", c.SetWeight, expect.Bad("key", -1, 9, 1))
	refused("SetReady", c.SetReady, expect.Bad("key", -1, 9, true))
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
	if _, ok := c.Tag(9); ok {
		t.Error("Tag(9) = true, want false")
	}
	if diff := difference(lived(t).Snapshot(), c.Snapshot()); diff != "" {
		t.Errorf("calls with unknown keys changed the cluster: %s", diff)
	}
}

// A NaN is no key, also in an interface; a value that cannot be compared panics as in a map.
func TestKeys(t *testing.T) {
	f, err := aging.New[float64](1)
	must(t, err)
	expect.Refused(t, "aging.Cluster.Add", f.Add, func() any { return f.Snapshot() }, expect.Bad("key", -1, nan, aging.Job{Work: 1}))
	expect.Refused(t, "aging.Cluster.Reestimate", f.Reestimate, nil, expect.Bad("key", -1, nan, 1))
	for _, key := range []float64{inf, -inf, 0} {
		must(t, f.Add(key, aging.Job{Work: 1}))
	}
	if j, ok := f.Job(math.Copysign(0, -1)); !ok || j.Work != 1 {
		t.Errorf("Job(-0) = %v, %v, want that of 0", j, ok)
	}
	if _, ok := f.Job(nan); ok || f.Remove(nan) || f.Complete(nan) {
		t.Error("Job, Remove or Complete of a NaN key is true, want false")
	}
	s := f.Snapshot()
	s.Jobs[0].Key = nan
	expect.Refused(t, "aging.Restore", aging.Restore[float64], nil, expect.Bad("s", -1, s))

	c, err := aging.New[any](1)
	must(t, err)
	expect.InputError(t, "Add(NaN, {Work: 1})", c.Add(nan, aging.Job{Work: 1}), "aging.Cluster.Add", "key", -1)
	for _, key := range []any{nil, 1, "1", 1.0, stage{"1", 1}} {
		must(t, c.Add(key, aging.Job{Work: 1}))
	}
	before := expect.Text(c)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Add of a slice as a key does not panic")
			}
		}()
		_ = c.Add([]int{1}, aging.Job{Work: 1})
	}()
	if c.Len() != 5 || expect.Text(c) != before {
		t.Errorf("Len() = %d after keys of five types and a panic, want 5 and nothing changed", c.Len())
	}
}

func TestBatchErrors(t *testing.T) {
	type list = []float64
	type jobs = []aging.Job
	one := jobs{{Work: 1}}
	for _, x := range bad {
		for _, j := range []jobs{nil, one} {
			expect.Refused(t, "aging.MaxMin", aging.MaxMin, nil, expect.Bad("capacity", -1, list{3, 4}, x, j))
			expect.Refused(t, "aging.Finish", aging.Finish, nil, expect.Bad("capacity", -1, list{3, 4}, x, j))
			expect.Refused(t, "aging.Age", aging.Age, nil, expect.Bad("capacity", -1, one, x, 1, j))
			expect.Refused(t, "aging.Order", aging.Order, nil, expect.Bad("capacity", -1, []int{5}, x, j, aging.ByWork))
		}
	}
	for _, j := range badJobs() {
		for at := range 3 {
			three := jobs{{Work: 1}, {}, {Work: 3, Slots: 2, Weight: 5}}
			three[at] = j
			expect.Refused(t, "aging.MaxMin", aging.MaxMin, nil, expect.Bad("jobs", at, list{3, 4}, 1, three))
			expect.Refused(t, "aging.Finish", aging.Finish, nil, expect.Bad("jobs", at, list{3, 4}, 1, three))
			expect.Refused(t, "aging.Age", aging.Age, nil, expect.Bad("jobs", at, one, 1, 1, three))
			for by := range aging.By(2) {
				expect.Refused(t, "aging.Order", aging.Order, nil, expect.Bad("jobs", at, []int{5}, 1, three, by))
			}
		}
	}
	for _, x := range badElapsed {
		expect.Refused(t, "aging.Age", aging.Age, nil, expect.Bad("elapsed", -1, one, 1, x, one))
	}
	for _, by := range []aging.By{2, 7, 255} {
		expect.Refused(t, "aging.Order", aging.Order, nil, expect.Bad("by", -1, []int{5}, 1, one, by))
	}
	expect.Refused(t, "aging.MaxMinSlots", aging.MaxMinSlots, nil,
		expect.Bad("slots", -1, []int{5}, -1, []int{1}), expect.Bad("tasks", 2, []int{5}, 4, []int{1, 2, -3, math.MinInt}))
}

func TestSharesErrors(t *testing.T) {
	type claims = []aging.Claim
	two, dst, free := claims{{Demand: 1}, {Demand: 1}}, []float64{7}, []int(nil)
	calls := []expect.Call{
		expect.Bad("capacity", -1, dst, nan, two, free, aging.Within),
		expect.Bad("capacity", -1, dst, -1, two, free, aging.Within),
		expect.Bad("capacity", -1, dst, inf, two, free, aging.Within),
		expect.Bad("claims", 1, dst, 1, claims{{}, {Demand: nan}}, free, aging.Within),
		expect.Bad("claims", 1, dst, 1, claims{{}, {Demand: -inf}}, free, aging.Within),
		expect.Bad("claims", 0, dst, 1, claims{{Floor: inf}}, free, aging.Within),
		expect.Bad("claims", 0, dst, 1, claims{{Floor: -1}}, free, aging.Within),
		expect.Bad("claims", 0, dst, 1, claims{{Weight: inf}}, free, aging.Within),
		expect.Bad("parents", -1, dst, 1, two, []int{-1}, aging.Within),
		expect.Bad("parents", 1, dst, 1, two, []int{-1, 2}, aging.Within),
		expect.Bad("parents", 0, dst, 1, two, []int{-2, -1}, aging.Within),
		expect.Bad("parents", 0, dst, 1, two, []int{1, 0}, aging.Within),
		expect.Bad("parents", 1, dst, 1, two, []int{-1, 1}, aging.Within),
		expect.Bad("f", -1, dst, 1, two, free, 2),
	}
	expect.Refused(t, "aging.Shares", aging.Shares, nil, calls...)
	for _, c := range calls {
		a := c.Args[1:]
		expect.Refused(t, "aging.Entitlement", aging.Entitlement, nil, expect.Bad(c.Arg, c.Index, a[0], a[1], a[2], 0, a[3]))
	}
	expect.Refused(t, "aging.Entitlement", aging.Entitlement, nil,
		expect.Bad("i", -1, 1, two, free, 2, aging.Within), expect.Bad("i", -1, 1, two, free, -1, aging.Within), expect.Bad("i", -1, 1, nil, free, 0, aging.Within))
	if got, err := aging.Shares(nil, 5, nil, nil, 0); len(got) != 0 || err != nil {
		t.Errorf("Shares of no claims = %v, %v", got, err)
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[aging.By]string{aging.ByWork: "work", aging.ByFinish: "finish"})
	expect.Words(t, map[aging.Floors]string{aging.Within: "within", aging.OnTop: "on top"})
	expect.Words(t, map[aging.State]string{aging.OnTime: "on time", aging.Completed: "completed", aging.Late: "late"})
}
