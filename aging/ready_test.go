package aging_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// firstReady is First by a plain scan: the first of All that is ready, and how many come before it.
func firstReady(c *aging.Cluster[int], by aging.By, busy map[int]bool) (key, before int, ok bool) {
	for key := range c.All(by) {
		if !busy[key] {
			return key, before, true
		}
		before++
	}
	return 0, before, false
}

// TestSetReady plays a scheduler: the first job gets what it can use of some slots, so that most
// of those in front are not ready, while jobs come, go, change and become ready again. First must
// agree with a scan of All after each call.
func TestSetReady(t *testing.T) {
	kinds := []struct {
		name    string
		slots   func(rng *rand.Rand) float64
		weight  func(rng *rand.Rand) float64
		integer bool
	}{
		{"no caps", func(*rand.Rand) float64 { return 0 }, func(*rand.Rand) float64 { return 1 }, false},
		{"tasks", func(rng *rand.Rand) float64 { return math.Ceil(1 / (1 - rng.Float64())) }, func(*rand.Rand) float64 { return 1 }, false},
		{"integers", func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(6)) }, func(*rand.Rand) float64 { return 1 }, true},
		{"integers and weights", func(rng *rand.Rand) float64 { return float64(rng.IntN(6)) }, func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(3)) }, true},
		{"ties", func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(12)) }, func(*rand.Rand) float64 { return 1 }, true},
		{"distinct", func(rng *rand.Rand) float64 { return 20 * (1 - rng.Float64()) }, func(rng *rand.Rand) float64 { return math.Exp(3 * rng.NormFloat64()) }, false},
		{"wild", func(rng *rand.Rand) float64 { return math.Exp(8 * rng.NormFloat64()) }, func(rng *rand.Rand) float64 { return math.Exp(9 * rng.NormFloat64()) }, false},
	}
	seeds := 40
	if testing.Short() {
		seeds = 8
	}
	for k, kind := range kinds {
		far := 0
		for seed := range uint64(seeds) {
			rng := rand.New(rand.NewPCG(uint64(k), seed))
			n := []int{10, 40, 60, 150}[seed%4]
			c := newCluster(t, math.Ceil(float64(n)*math.Exp(1.5*rng.NormFloat64())))
			busy, keys := map[int]bool{}, []int{}
			add := func() {
				j := aging.Job{Work: 10 * math.Exp(2*rng.NormFloat64()), Slots: kind.slots(rng), Weight: kind.weight(rng)}
				if kind.integer {
					j.Work = float64(1 + rng.IntN(30))
				}
				if kind.name == "ties" {
					j.Work = j.Slots * float64(1+rng.IntN(3))
				}
				key := rng.IntN(1 << 20)
				if _, there := c.Job(key); !there {
					must(t, c.Add(key, j))
					keys = append(keys, key)
					delete(busy, key)
				}
			}
			for range n {
				add()
			}
			for event := range 120 {
				key := keys[rng.IntN(len(keys))]
				_, there := c.Job(key)
				switch op := rng.IntN(20); {
				case op < 9 && event < 2*n:
					if first, ok := c.First(aging.ByFinish); ok {
						must(t, c.SetReady(first, false))
						busy[first] = true
					}
				case op < 11:
					add()
				case op < 13:
					_, in, ok := c.NextFinish()
					if kind.name == "ties" {
						in = 0.25
					}
					if ok {
						must(t, c.Advance(in*2*rng.Float64()))
					}
				case op < 15:
					c.Complete(key)
				case op == 15:
					c.Remove(key)
				case op == 16 && there:
					j, _ := c.Job(key)
					must(t, c.Reestimate(key, math.Ceil(j.Work*2*rng.Float64())))
				case op == 17 && there:
					must(t, c.SetSlots(key, cmp.Or(kind.slots(rng), inf)))
				case there:
					must(t, c.SetReady(key, op == 18))
					busy[key] = op != 18
				}
				for _, by := range []aging.By{aging.ByFinish, aging.ByWork} {
					want, before, ok := firstReady(c, by, busy)
					if got, is := c.First(by); is != ok || got != want {
						t.Fatalf("%s, seed %d, event %d: First(%v) = %v, %v, want %v, %v: %d jobs that are not ready come before it in All", kind.name, seed, event, by, got, is, want, ok, before)
					}
					if before >= 20 {
						far++
					}
				}
				if event%40 == 39 {
					again, err := aging.Restore(deep(t, c.Snapshot()))
					must(t, err)
					c = again
				}
			}
		}
		if want := 5 * seeds / 2; far < want {
			t.Errorf("%s: 20 or more jobs came before the answer %d times, want %d: the histories test little", kind.name, far, want)
		}
	}
}

// TestSetReadyKept: what was said of a job stays when it becomes late, ages again, changes, or is
// restored.
func TestSetReadyKept(t *testing.T) {
	c := newCluster(t, 2)
	must(t, c.Add(1, aging.Job{Work: 2, Slots: 1}))
	must(t, c.Add(2, aging.Job{Work: 3}))
	want := func(after string, key int) {
		t.Helper()
		again, err := aging.Restore(c.Snapshot())
		must(t, err)
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			for name, c := range map[string]*aging.Cluster[int]{"": c, "restored and ": again} {
				if got, ok := c.First(by); got != key || ok != (key != 0) {
					t.Errorf("%safter %s First(%v) = %v, %v, want %v, %v", name, after, by, got, ok, key, key != 0)
				}
			}
		}
	}
	want("two Adds", 1)
	must(t, c.SetReady(1, false))
	want("SetReady(1, false)", 2)
	must(t, c.SetSlots(1, 2))
	must(t, c.SetWeight(1, 3))
	must(t, c.Reestimate(1, 1))
	want("SetSlots, SetWeight, Reestimate", 2)
	must(t, c.Reestimate(1, 0))
	want("Reestimate(1, 0), which makes it late", 2)
	if late := c.Late(nil); len(late) != 1 || late[0] != 1 {
		t.Errorf("Late(nil) = %v, want [1]: it is late, ready or not", late)
	}
	must(t, c.SetReady(2, false))
	want("SetReady(2, false)", 0)
	must(t, c.SetReady(1, true))
	want("SetReady(1, true)", 1)
	must(t, c.SetReady(1, false))
	must(t, c.SetReady(1, false))
	must(t, c.Reestimate(1, 9))
	want("ageing again", 0)
	must(t, c.SetReady(1, true))
	c.Complete(1)
	want("Complete(1)", 0)
	must(t, c.SetReady(1, true))
	want("SetReady of a completed job", 0)
	must(t, c.SetReady(2, true))
	want("SetReady(2, true)", 2)
	c.Remove(1)
	must(t, c.Add(1, aging.Job{Work: 1}))
	want("Remove(1) and Add(1)", 1)
}
