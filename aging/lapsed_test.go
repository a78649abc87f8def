package aging_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// TestLapsed plays histories in which many jobs become late, some in one instant, age again, are
// done or cancelled, and compares Lapsed, asked now and then, with Late less those that were told
// before and have been late ever since.
func TestLapsed(t *testing.T) {
	told, again, restored, ties := 0, 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 21))
		c := newCluster(t, float64(1+rng.IntN(8)))
		known, ever := map[int]bool{}, map[int]bool{} // told and late since; told once
		forget := func() {                            // who is not late now is no longer known
			for key := range known {
				if j, ok := c.Job(key); !ok || j.Work > 0 {
					delete(known, key)
				}
			}
		}
		rare := rng.IntN(20) + 1
		for event := range 250 {
			key := rng.IntN(40)
			j, there := c.Job(key)
			switch op := rng.IntN(12); {
			case op < 5:
				if !there {
					must(t, c.Add(key, aging.Job{Work: float64(rng.IntN(6)), Slots: float64(rng.IntN(4))}))
				}
			case op < 8:
				must(t, c.Advance(float64(rng.IntN(5))/2))
			case op == 8:
				c.Complete(key)
			case op == 9:
				c.Remove(key)
			case op == 10 && there:
				must(t, c.Reestimate(key, math.Ceil(j.Work*2*rng.Float64())+float64(rng.IntN(9))))
			case there:
				must(t, c.SetReady(key, rng.IntN(2) == 0))
			}
			forget()
			if rng.IntN(25) == 0 {
				r, err := aging.Restore(deep(t, c.Snapshot()))
				must(t, err)
				c = r
				restored++
			}
			if rng.IntN(rare) > 0 {
				continue
			}
			var want []int
			for _, key := range c.Late(nil) {
				if !known[key] {
					want = append(want, key)
				}
			}
			got := c.Lapsed([]int{-1})
			if got[0] != -1 || !slices.Equal(got[1:], want) {
				t.Fatalf("seed %d, event %d: Lapsed([-1]) = %v, want -1 and then %v; Late(nil) = %v", seed, event, got, want, c.Late(nil))
			}
			for _, key := range want {
				if ever[key] {
					again++
				}
				known[key], ever[key] = true, true
			}
			told += len(want)
			if len(want) > 1 {
				ties++
			}
			if more := c.Lapsed(nil); len(more) > 0 {
				t.Fatalf("seed %d, event %d: Lapsed(nil) = %v, asked twice, want none", seed, event, more)
			}
		}
	}
	if told < 3000 || again < 500 || restored < 1000 || ties < 500 {
		t.Errorf("%d jobs told, %d of them again, %d clusters restored, %d times several jobs: the histories test little", told, again, restored, ties)
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
	s := c.Snapshot()
	s.Jobs = []aging.SnapshotJob[int]{{Key: 1, Size: 1, Weight: 1, Fresh: true}}
	s.Groups = []aging.SnapshotGroup{{}}
	wantRestoreError(t, "a job on time that is fresh", s)
}

// TestAllNested: an All within another goes its own way, and a First within it does not disturb it.
func TestAllNested(t *testing.T) {
	for _, slots := range []func(rng *rand.Rand) float64{
		func(*rand.Rand) float64 { return 0 },
		func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(9)) },
	} {
		rng := rand.New(rand.NewPCG(1, 22))
		c := newCluster(t, 30)
		for key := range 60 {
			must(t, c.Add(key, aging.Job{Work: float64(rng.IntN(50)), Slots: slots(rng)}))
		}
		must(t, c.Advance(3))
		c.Complete(7)
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			want, _ := all(c, by)
			var got []int
			for key := range c.All(by) {
				got = append(got, key)
				if inner, _ := all(c, by); !slices.Equal(inner, want) {
					t.Fatalf("All(%v) within another yields %v, want %v", by, inner, want)
				}
				if first, ok := c.First(by); !ok || first != want[0] {
					t.Fatalf("First(%v) within All = %v, %v, want %v", by, first, ok, want[0])
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("All(%v) around others yields %v, want %v", by, got, want)
			}
		}
	}
}
