package aging_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

func newCluster(t rapid.TB, capacity float64) *aging.Cluster[int] {
	t.Helper()
	c, err := aging.New[int](capacity)
	must(t, err)
	return c
}

var must = expect.Must

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

// plain makes a call if it applies.
func plain(t rapid.TB, c *aging.Cluster[int], a call) {
	t.Helper()
	if _, there := c.Job(a.key); there == (a.op == "Add") && !slices.Contains([]string{"Complete", "Remove", "Advance", "SetCapacity"}, a.op) {
		return
	}
	apply(t, c, a, scale{1, 1, 1, 1})
}

// With quantities from end to end of their ranges, which no clock can hold side by side, nothing is
// NaN, no job has more left than its size, exactly the late jobs have nothing left, and a job
// finishes when it is said to.
func TestClusterExtremes(t *testing.T) {
	values := rapid.SampledFrom([]float64{0x1p-200, 0x1p-199, 0x1p-100, 1e-9, 1, 3, 1e9, 0x1p100, 0x1p199, 0x1p200})
	ops := rapid.SampledFrom([]string{"Add", "Add", "Add", "Complete", "Remove", "Reestimate", "SetSlots", "SetWeight", "SetCapacity", "Advance", "Advance", "Finish", "SetReady"})
	rapid.Check(t, func(t *rapid.T) {
		c := newCluster(t, values.Draw(t, "capacity"))
		size := map[int]float64{}
		t.Repeat(map[string]func(*rapid.T){"call": func(t *rapid.T) {
			a := call{op: ops.Draw(t, "op"), key: rapid.IntRange(0, 11).Draw(t, "key"), x: values.Draw(t, "x")}
			next, in, ok := c.NextFinish()
			switch a.op {
			case "Add":
				a.job = aging.Job{Work: a.x, Slots: values.Draw(t, "slots") * float64(rapid.IntRange(0, 1).Draw(t, "capped")), Weight: values.Draw(t, "weight")}
			case "SetReady":
				a.x = math.Floor(min(a.x, 1))
			case "Finish":
				if a.op = "Advance"; ok {
					a.x = min(in, 0x1p200)
				}
			}
			_, there := c.Job(a.key)
			plain(t, c, a)
			if a.op == "Add" && !there || a.op == "Reestimate" {
				size[a.key] = a.x
			}
			for key := range 12 {
				if j, here := c.Job(key); here && !(j.Work >= 0 && j.Work <= size[key]) {
					t.Fatalf("after %v Job(%d) = %v, want at most its size %v", a, key, j, size[key])
				}
			}
			if j, here := c.Job(next); a.op == "Advance" && ok && a.x == in && here && j.Work > 0 {
				t.Fatalf("NextFinish() = %v, %v, true, but after %v Job(%v) = %v", next, in, a, next, j)
			}
			must(t, survives(c))
		}})
	})
}

// TestTinyBesideClock: a job of 1e-9 s ages right beside a clock of 1e5 s that was never set back.
func TestTinyBesideClock(t *testing.T) {
	for _, slots := range []float64{0, 0.25} { // of the tiny jobs; the huge one has no limit
		c := newCluster(t, 1)
		must(t, c.Add(0, aging.Job{Work: 1e12}))
		rng := rand.New(rand.NewPCG(7, 0))
		for range 1000 {
			must(t, c.Advance(100+rng.Float64()))
		}
		for key := 1; key <= 1000; key++ {
			must(t, c.Add(key, aging.Job{Work: 1e-9, Slots: slots}))
			rate := 0.5
			if slots > 0 {
				rate = slots
			}
			if k, in, ok := c.NextFinish(); k != key || !ok || !(math.Abs(in*rate/1e-9-1) <= batchError) {
				t.Fatalf("slots %v: NextFinish() = %v, %v, %v, want %d in %v", slots, k, in, ok, key, 1e-9/rate)
			}
			must(t, c.Advance(3e-10))
			if j, _ := c.Job(key); !(math.Abs(j.Work-(1e-9-3e-10*rate)) <= batchError*1e-9) {
				t.Fatalf("slots %v: Job(%d) = %v, want %v left", slots, key, j, 1e-9-3e-10*rate)
			}
			_, in, _ := c.NextFinish()
			must(t, c.Advance(in))
			if late := c.Late(nil); len(late) != 1 || late[0] != key {
				t.Fatalf("slots %v: Late(nil) = %v, want [%d]", slots, late, key)
			}
			c.Complete(key)
			must(t, c.Advance(100+rng.Float64()))
		}
	}
}

// TestLongRun: the error after 1e5 events is no larger than after 1e3, though a job stays all the
// time and no clock can be set back.
func TestLongRun(t *testing.T) {
	const events = 100_000
	f := exactaging.Float{}
	rng := rand.New(rand.NewPCG(8, 0))
	c, o := newCluster(t, 2), exactaging.New[int](f, 2)
	add := func(key int, work float64) {
		must(t, c.Add(key, aging.Job{Work: work}))
		o.Add(key, work, 0, 0)
	}
	add(0, 1e9)
	for n, key := 0, 1; n < events; n++ {
		switch {
		case o.Len() < 3 && n%2 == 0:
			add(key, 1e-3*math.Exp(5*rng.Float64()))
			key++
		case n%7 == 6 && o.Len() > 1:
			last := key - 1
			o.Remove(last)
			c.Remove(last)
		default:
			dt := 0.01 * rng.Float64()
			must(t, c.Advance(dt))
			o.Advance(dt)
			for last := key - 1; last > 0 && last > key-4; last-- {
				if left, ok := o.Left(last); ok && f.Cmp(left, new(big.Float)) == 0 {
					o.Complete(last)
					c.Complete(last)
				}
			}
		}
		if n&(n-1) != 0 && n < events-10 {
			continue
		}
		for _, k := range o.Keys() {
			left, _ := o.Left(k)
			want := f.Float64(left)
			if j, ok := c.Job(k); !ok || !(math.Abs(j.Work-want) <= ulps*o.Largest(k)) {
				t.Fatalf("event %d: Job(%d) = %v, %v, want %v left: off by %.2g of its size", n, k, j, ok, want, math.Abs(j.Work-want)/o.Largest(k))
			}
		}
	}
}

// The zero value is what New(0) returns, whatever is called first, and so is what its snapshot
// restores.
func TestZeroCluster(t *testing.T) {
	for name, first := range map[string]func(c *aging.Cluster[int]){
		"nothing":     func(*aging.Cluster[int]) {},
		"SetCapacity": func(c *aging.Cluster[int]) { must(t, c.SetCapacity(2)) },
		"Advance":     func(c *aging.Cluster[int]) { must(t, c.Advance(3)) },
		"Lapsed":      func(c *aging.Cluster[int]) { c.Lapsed(nil) },
		"Restore":     func(c *aging.Cluster[int]) { r, err := aging.Restore(c.Snapshot()); must(t, err); *c = *r },
		"questions": func(c *aging.Cluster[int]) {
			must(t, survives(c))
			if c.Complete(1) || c.Remove(1) {
				t.Error("Complete(1) or Remove(1) of the zero value is true, want false")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var zero aging.Cluster[int]
			want := newCluster(t, 0)
			for _, c := range []*aging.Cluster[int]{&zero, want} {
				first(c)
				for key, j := range []aging.Job{{Work: 3}, {Work: 1, Slots: 0.5}, {}, {Work: 2, Slots: 0.5}} {
					must(t, c.Add(key, j))
				}
				must(t, c.SetCapacity(2))
				must(t, c.Advance(1))
			}
			if diff := difference(want.Snapshot(), zero.Snapshot()); diff != "" {
				t.Errorf("the zero value differs from New(0): %s", diff)
			}
		})
	}
}

// TestLapsedUnasked: where Lapsed is never called, late jobs that come and go leave nothing behind.
func TestLapsedUnasked(t *testing.T) {
	c := newCluster(t, 1)
	event := func() {
		must(t, c.Add(1, aging.Job{Work: 1}))
		must(t, c.Advance(1))
		c.Complete(1)
	}
	for range 100 {
		event()
	}
	if n := testing.AllocsPerRun(10000, event); n != 0 {
		t.Errorf("a job that comes, is late and done allocates %v times, want 0", n)
	}
	if got := c.Lapsed(nil); len(got) > 0 {
		t.Errorf("Lapsed(nil) = %v, want none: no job is late", got)
	}
	if got := new(aging.Cluster[int]).Lapsed([]int{3}); !slices.Equal(got, []int{3}) {
		t.Errorf("Lapsed([3]) of a zero Cluster = %v, want [3]", got)
	}
}

// With caps a tag is what the present rates say: it places the job among the others as Finish does
// at those rates.
func TestTagOfCapped(t *testing.T) {
	c := newCluster(t, 4)
	must(t, c.Add(0, aging.Job{Work: 10, Slots: 1})) // ends at 10
	must(t, c.Add(1, aging.Job{Work: 29}))           // at 3 slots, ends at 29/3
	a, _ := c.Tag(0)
	b, _ := c.Tag(1)
	if b.Compare(a) >= 0 {
		t.Errorf("tags %+v and %+v, want that of job 1 first", a, b)
	}
	must(t, c.Add(2, aging.Job{Work: 1000}))
	a, _ = c.Tag(0)
	if b, _ = c.Tag(1); a.Compare(b) >= 0 {
		t.Errorf("tags %+v and %+v, want that of job 0 first once job 2 is there", a, b)
	}
	c.Remove(1)
	c.Remove(2)
	must(t, c.Add(3, aging.Job{Work: 5, Slots: 1})) // all are at their caps
	a, _ = c.Tag(0)
	if b, _ = c.Tag(3); b.Compare(a) >= 0 {
		t.Errorf("tags %+v and %+v, want that of job 3 first", a, b)
	}
}
