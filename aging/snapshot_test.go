package aging_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

type snapshot = aging.Snapshot[int]

var clusters = expect.RoundTrip[snapshot, *aging.Cluster[int]]{
	Func: "aging.Restore", Restore: aging.Restore[int], Snapshot: (*aging.Cluster[int]).Snapshot, GoOn: script,
}

// difference returns how two snapshots differ; nil and empty lists are equal.
func difference(want, got snapshot) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

// deep copies a snapshot by way of JSON.
func deep(t rapid.TB, s snapshot) (copied snapshot) {
	t.Helper()
	text, err := json.Marshal(s)
	must(t, err)
	must(t, json.Unmarshal(text, &copied))
	if diff := cmp.Diff(s, copied); diff != "" {
		t.Fatal("a snapshot differs after JSON: ", diff)
	}
	return copied
}

// script makes a fixed series of calls; nothing may panic, hang or be NaN.
func script(t testing.TB, c *aging.Cluster[int], _ uint64) {
	t.Helper()
	must(t, survives(c))
	_, in, ok := c.NextFinish()
	if ok && in <= 0x1p200 {
		must(t, c.Advance(in/2))
		must(t, survives(c))
		must(t, c.Advance(in))
		must(t, survives(c))
	}
	c.Lapsed(nil)
	for key := 100; key < 103; key++ {
		// then nobody can be added
		if _, there := c.Job(key); !there && c.Snapshot().Added < 1<<53 {
			must(t, c.Add(key, aging.Job{Work: float64(key), Slots: float64(key - 100), Weight: 2}))
		}
	}
	for key, j := range c.All(aging.ByFinish) {
		must(t, c.Reestimate(key, min(0x1p200, 1+2*j.Work)))
		break
	}
	must(t, c.SetCapacity(7))
	must(t, survives(c))
	must(t, c.Advance(3))
	if key, ok := c.First(aging.ByWork); ok {
		must(t, c.SetSlots(key, 1))
		must(t, c.SetWeight(key, 3))
		must(t, survives(c))
		c.Complete(key)
	}
	must(t, survives(c))
	c.Remove(101)
	must(t, c.SetCapacity(0))
	must(t, c.Advance(1))
	must(t, c.SetCapacity(2))
	must(t, c.Advance(1e6))
	must(t, survives(c))
}

// Snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	clusters.Drawn(t, 2000, func(rng *rand.Rand) *aging.Cluster[int] {
		g := regimes[rng.IntN(len(regimes))].generator(rng, false)
		c := newCluster(t, g.capacity)
		for range 1 + rng.IntN(20) {
			plain(t, c, g.anything(c))
		}
		return c
	})
}

// Restore refuses what no cluster comes to.
func TestRestoreErrors(t *testing.T) {
	var faults []expect.Fault[snapshot]
	add := func(name string, change func(s *snapshot)) { faults = append(faults, expect.Spoilt(name, -1, change)) }
	for _, x := range []float64{-1, tiny, math.MaxFloat64} {
		add(fmt.Sprint("capacity ", x), func(s *snapshot) { s.Capacity = x })
		for i := range 5 {
			add(fmt.Sprint("slots ", x), func(s *snapshot) { s.Jobs[i].Slots = x })
			add(fmt.Sprint("weight ", x), func(s *snapshot) { s.Jobs[i].Weight = x })
			if x != tiny { // a late job may have received as little
				add(fmt.Sprint("size ", x), func(s *snapshot) { s.Jobs[i].Size = x })
			}
		}
		for i := range lived(t).Snapshot().Groups {
			add(fmt.Sprint("ratio ", x), func(s *snapshot) { s.Groups[i].Ratio = x })
		}
	}
	for i := range 5 {
		add("an unknown state", func(s *snapshot) { s.Jobs[i].State = 3 })
		add("a job twice", func(s *snapshot) { s.Jobs = append(s.Jobs, s.Jobs[i]) })
	}
	for i := range lived(t).Snapshot().Groups {
		add("a group twice", func(s *snapshot) { s.Groups = append(s.Groups, s.Groups[i]) })
	}
	add("completed and not ready", func(s *snapshot) { s.Jobs[1].NotReady = true })
	add("late since a time to come", func(s *snapshot) { s.Jobs[0].Since = s.Instant + 1 })
	add("late since a period to come", func(s *snapshot) { s.Jobs[0].Period = s.Period + 1 })
	clusters.Refuses(t, func() snapshot { return lived(t).Snapshot() }, faults...)

	faults = faults[:0]
	for _, size := range []float64{0, tiny} {
		add(fmt.Sprintf("a job on time of size %v", size), func(s *snapshot) { s.Jobs[0].Size, s.Jobs[0].Tag[0] = size, size })
	}
	add("a job on time that is fresh", func(s *snapshot) { s.Jobs[0].Fresh = true })
	clusters.Refuses(t, func() snapshot {
		c := newCluster(t, 1)
		must(t, c.Add(1, aging.Job{Work: 1}))
		return c.Snapshot()
	}, faults...)

	faults = faults[:0]
	// Of a capacity of 2 the one job gets 2 of its 3 slots. With slots for 1 it would be at its cap.
	add("the only group below the water level, and not at its cap", func(s *snapshot) { s.Groups[0].Ratio, s.Jobs[0].Slots = 1, 1 })
	clusters.Refuses(t, func() snapshot {
		c := newCluster(t, 2)
		must(t, c.Add(1, aging.Job{Work: 1, Slots: 3}))
		return c.Snapshot()
	}, faults...)

	faults = faults[:0]
	for _, p := range [][2]float64{{-1, 0}, {nan, 0}, {inf, 0}, {0, 1}, {1, nan}} { // without jobs nothing contradicts them
		add(fmt.Sprint("clock ", p), func(s *snapshot) { s.Clock = p })
		add(fmt.Sprint("water ", p), func(s *snapshot) { s.Water = p })
	}
	add("no version", func(s *snapshot) { *s = snapshot{} })
	clusters.Refuses(t, func() snapshot { return newCluster(t, 1).Snapshot() }, faults...)
}

func FuzzRestore(f *testing.F) {
	add := func(c *aging.Cluster[int]) {
		text, err := json.Marshal(c.Snapshot())
		must(f, err)
		f.Add(text)
	}
	add(newCluster(f, 1))
	c := lived(f)
	add(c)
	must(f, c.SetCapacity(0))
	add(c)
	must(f, c.SetCapacity(1e9))
	must(f, c.Advance(1e6))
	add(c)
	f.Add([]byte(`{"version":3,"capacity":1,"clock":[0,0],"water":[1e300,-1],"instant":18446744073709551615,"groups":[],"added":9,"jobs":[{"key":1,"added":1}]}`))
	f.Add([]byte(`{"version":3,"capacity":7,"groups":[{}],"added":9,"jobs":[{"key":7,"added":1,"state":"on time","weight":0.1}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s snapshot
		if json.Unmarshal(text, &s) == nil {
			clusters.Same(t, s)
		}
	})
}

// A cluster to which 2^53 jobs were added takes no other, and is as it was.
func TestLastPlace(t *testing.T) {
	s := newCluster(t, 1).Snapshot()
	s.Added = 1<<53 - 1
	c, err := aging.Restore(s)
	must(t, err)
	must(t, c.Add(1, aging.Job{Work: 1}))
	expect.Refused(t, "aging.Cluster.Add", c.Add, func() any { return c.Snapshot() }, expect.Bad("c", -1, 2, aging.Job{Work: 1}))
}

// A snapshot whose counts have reached their limits still lives: what follows can be restored too.
func TestRestoreAtLimit(t *testing.T) {
	s := newCluster(t, 1).Snapshot()
	s.Instant, s.Period = 1<<53, 1<<53
	for range 2 {
		c, err := aging.Restore(s)
		must(t, err)
		must(t, c.Advance(1))
		if s = c.Snapshot(); s.Instant != 1<<53 || s.Period != 1<<53 {
			t.Fatalf("Advance(1) of a cluster with Instant and Period at 2^53 leads to %d and %d", s.Instant, s.Period)
		}
	}
}

// A cluster whose caps take the capacity, to the last bit or one more, and leave nothing or less to
// a job of next to no weight is restored.
func TestRestoreAtEqualCaps(t *testing.T) {
	for _, weight := range []float64{1, 3, 7, 0x1p60} {
		for _, capacity := range []float64{3, math.Nextafter(3, 0)} {
			c := newCluster(t, capacity)
			must(t, c.Add(1, aging.Job{Work: 10, Slots: 3, Weight: weight}))
			must(t, c.Add(2, aging.Job{Work: 5, Weight: 0x1p-100}))
			for range 5 {
				if _, err := aging.Restore(c.Snapshot()); err != nil {
					t.Fatalf("Restore(%+v): %v", c.Snapshot(), err)
				}
				must(t, c.Advance(1))
			}
		}
	}
}

// Where tags of a group differ by less than the clocks can tell, the tags decide in the group and
// keys between groups.
func TestTagsOfOneTime(t *testing.T) {
	job := func(key int, slots float64, hi, lo float64) aging.SnapshotJob[int] {
		return aging.SnapshotJob[int]{Key: key, Size: 3, Slots: slots, Weight: 1, Added: uint64(key), Tag: [2]float64{hi, lo}}
	}
	c, err := aging.Restore(snapshot{
		Version: 1, Added: 30, Capacity: 10, Clock: [2]float64{1e5, 0}, Water: [2]float64{1e5, 0},
		Groups: []aging.SnapshotGroup{{Ratio: 1, Offset: [2]float64{-1e5, 0}, Capped: true}, {Offset: [2]float64{-1e5, 0x1.0000000000001p-41}}},
		Jobs:   []aging.SnapshotJob[int]{job(10, 0, 1, 0x1p-104), job(15, 1, 2, 0), job(20, 0, 1, 0x1p-105), job(30, 0, 1, 0)},
	})
	must(t, err)
	if got, _ := all(c, aging.ByFinish); !slices.Equal(got, []int{30, 20, 10, 15}) {
		t.Errorf("All(ByFinish) yields %v, want [30 20 10 15]", got)
	}
	must(t, c.SetReady(30, false))
	if key, _ := c.First(aging.ByFinish); key != 20 {
		t.Errorf("First(ByFinish) = %d, want 20", key)
	}
}
