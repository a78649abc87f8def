package aging_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

func newCluster(t testing.TB, capacity float64) *aging.Cluster[int] {
	t.Helper()
	c, err := aging.New[int](capacity)
	if err != nil {
		t.Fatalf("New(%v): %v", capacity, err)
	}
	return c
}

var must = expect.Must

// apply makes one call, with times, works, slots and weights scaled.
func apply(t *testing.T, c *aging.Cluster[int], a call, work, time, slots, weight float64) {
	t.Helper()
	switch a.op {
	case "Add":
		must(t, c.Add(a.key, aging.Job{Work: a.job.Work * work, Slots: a.job.Slots * slots, Weight: one(a.job.Weight) * weight}))
	case "Complete":
		c.Complete(a.key)
	case "Remove":
		c.Remove(a.key)
	case "Reestimate":
		must(t, c.Reestimate(a.key, a.x*work))
	case "SetSlots":
		must(t, c.SetSlots(a.key, a.x*slots))
	case "SetWeight":
		must(t, c.SetWeight(a.key, a.x*weight))
	case "SetReady":
		must(t, c.SetReady(a.key, a.x != 0))
	case "SetCapacity":
		must(t, c.SetCapacity(a.x*slots))
	case "Advance":
		must(t, c.Advance(a.x*time))
	}
}

// TestClusterScaling: a cluster whose times and works, or slots and times, or weights are scaled by
// a power of two gives exactly the scaled answers.
func TestClusterScaling(t *testing.T) {
	for n := range 90 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		g := r.generator(rng, false)
		p, err := newPlayer(exactaging.Float{}, g.capacity)
		must(t, err)
		scales := [][4]float64{{0x1p41, 0x1p41, 1, 1}, {0x1p-70, 0x1p-70, 1, 1}, {1, 0x1p-13, 0x1p13, 1}, {1, 1, 1, 0x1p-9}, {0x1p9, 0x1p6, 0x1p3, 0x1p2}}
		scaled := make([]*aging.Cluster[int], len(scales))
		for i, s := range scales {
			scaled[i] = newCluster(t, g.capacity*s[2])
		}
		for range 150 {
			a := next(g, p)
			must(t, p.do(a))
			a = p.made
			for i, s := range scales {
				c := scaled[i]
				apply(t, c, a, s[0], s[1], s[2], s[3])
				for _, key := range p.known {
					want, here := p.c.Job(key)
					if got, ok := c.Job(key); ok != here || got.Work != want.Work*s[0] {
						t.Fatalf("%s, history %d, scales %v, after %v: Job(%d) = %v, %v, want the scaled %v, %v", r.name, n, s, a, key, got, ok, want, here)
					}
				}
				key, in, ok := p.c.NextFinish()
				if k, i, o := c.NextFinish(); k != key || i != in*s[1] || o != ok {
					t.Fatalf("%s, history %d, scales %v, after %v: NextFinish() = %v, %v, %v, want the scaled %v, %v, %v", r.name, n, s, a, k, i, o, key, in, ok)
				}
				for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
					got, _ := all(c, by)
					if want, _ := all(p.c, by); !slices.Equal(got, want) {
						t.Fatalf("%s, history %d, scales %v, after %v: All(%v) = %v, want %v", r.name, n, s, a, by, got, want)
					}
				}
			}
		}
	}
}

// TestTwins: of two jobs that are added one after the other and treated alike the one added first
// comes first for ever, to the bit. With caps the first call of a pair can move the group across
// the water level, which rounds the clock that the second one reads: there the twins may differ by
// rounding.
func TestTwins(t *testing.T) {
	for _, r := range regimes {
		t.Run(r.name, func(t *testing.T) {
			for n := range 10 {
				twins(t, r, rand.New(rand.NewPCG(4, uint64(n))))
			}
		})
	}
}

func twins(t *testing.T, r regime, rng *rand.Rand) {
	t.Helper()
	g := r.generator(rng, false)
	p, err := newPlayer(exactaging.Float{}, g.capacity)
	must(t, err)
	c := newCluster(t, g.capacity)
	var calls []call
	largest := map[int]float64{}
	twin := map[int]int{} // of the one added first
	for range 200 {
		a := next(g, p)
		must(t, p.do(a))
		a = p.made
		largest[2*a.key] = max(largest[2*a.key], a.job.Work, a.x)
		b := a
		a.key, b.key = 2*a.key, 2*a.key+1
		if rng.IntN(2) == 0 {
			a, b = b, a
		}
		if a.op == "Add" {
			twin[a.key] = b.key
			delete(twin, b.key)
		}
		apply(t, c, a, 1, 1, 1, 1)
		calls = append(calls, a)
		if a.op != "Advance" && a.op != "SetCapacity" && a.op != "Restore" {
			apply(t, c, b, 1, 1, 1, 1)
			calls = append(calls, b)
		}
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			keys, jobs := all(c, by)
			for i, key := range keys {
				other, first := twin[key]
				if !first {
					continue
				}
				k := slices.Index(keys, other)
				if g.caps != 0 && k >= 0 && math.Abs(jobs[k].Work-jobs[i].Work) <= ulps*max(largest[key&^1], jobs[i].Work) {
					continue
				}
				if k < i || jobs[k] != jobs[i] {
					t.Fatalf("All(%v) yields %v, %v: twins %d and %d\n%s", by, keys, jobs, key, other, reproduction(g.capacity, calls))
				}
			}
		}
	}
}

// TestAdvanceSplit: advancing by parts is advancing at once.
func TestAdvanceSplit(t *testing.T) {
	for n := range 90 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(5, uint64(n)))
		g := r.generator(rng, false)
		c, split := newCluster(t, g.capacity), newCluster(t, g.capacity)
		var size []float64
		for key := range g.jobs {
			j := aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()}
			must(t, c.Add(key, j))
			must(t, split.Add(key, j))
			size = append(size, j.Work)
		}
		for range 5 {
			_, in, _ := c.NextFinish()
			dt := in * 3 * rng.Float64()
			must(t, c.Advance(dt))
			for range 16 {
				must(t, split.Advance(dt/16)) // exact
			}
			for key := range g.jobs {
				a, _ := c.Job(key)
				b, _ := split.Job(key)
				if !(math.Abs(a.Work-b.Work) <= batchError*size[key]) {
					t.Fatalf("%s: Job(%d) = %v, advanced in 16 parts %v", r.name, key, a, b)
				}
			}
		}
	}
}

// TestReestimateIsAdd: before both virtual finishes of a job and with constant caps, a new size
// leaves the state that adding the job with that size would have led to.
func TestReestimateIsAdd(t *testing.T) {
	for n := range 900 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(6, uint64(n)))
		g := r.generator(rng, false)
		c, d := newCluster(t, g.capacity), newCluster(t, g.capacity)
		var was, is []aging.Job
		for key := range g.jobs {
			j := aging.Job{Work: max(g.size(), g.low), Slots: g.limit(), Weight: g.weight()}
			must(t, c.Add(key, j))
			was = append(was, j)
			if key == 0 {
				j.Work *= 0.3 + 2*rng.Float64()
			}
			must(t, d.Add(key, j))
			is = append(is, j)
		}
		horizon := min(answers(t, g.capacity, 0, was).finish[0], answers(t, g.capacity, 0, is).finish[0])
		for range 3 {
			dt := horizon * rng.Float64() / 3
			must(t, c.Advance(dt))
			must(t, d.Advance(dt))
		}
		must(t, c.Reestimate(0, is[0].Work))
		for key := range g.jobs {
			got, _ := c.Job(key)
			want, _ := d.Job(key)
			if largest := max(was[key].Work, is[key].Work); !(math.Abs(got.Work-want.Work) <= batchError*largest) {
				t.Fatalf("%s: after Reestimate(0, %v) Job(%d) = %v, added with that size %v", r.name, is[0].Work, key, got, want)
			}
		}
		k, in, ok := c.NextFinish()
		if key, want, o := d.NextFinish(); o != ok || k != key && in != want && !(math.Abs(in-want) <= slack*want) {
			t.Fatalf("%s: after Reestimate(0, %v) NextFinish() = %v, %v, %v, added with that size %v, %v, %v", r.name, is[0].Work, k, in, ok, key, want, o)
		}
	}
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

// TestLongRun: the error after 1e6 events is no larger than after 1e3, though a job stays all the
// time and no clock can be set back.
func TestLongRun(t *testing.T) {
	events := 10_000 * *cases
	if testing.Short() {
		events = 50_000
	}
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
