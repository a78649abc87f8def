package aging_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// Without caps a tag is fixed at Add, to the bit, through lateness, times without jobs and
// snapshots, and tags order the jobs as All does.
func TestTagFixed(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 21))
		c := newCluster(t, 1+3*rng.Float64())
		tags, key := map[int]aging.Tag{}, 0
		ended := []aging.Tag{} // of jobs that have gone, in the order of their virtual finishes
		for range 300 {
			switch rng.IntN(7) {
			case 0, 1:
				work := []float64{.1, .3, 7.1, 1, math.Exp(20*rng.Float64() - 10), 0}[rng.IntN(6)]
				must(t, c.Add(key, aging.Job{Work: work, Weight: []float64{0, 1, 2, .1}[rng.IntN(4)]}))
				tags[key], _ = c.Tag(key)
				key++
			case 2, 3:
				must(t, c.Advance([]float64{.1, 1, 10, 1000}[rng.IntN(4)]*rng.Float64()))
			case 4:
				if k, ok := c.First(aging.ByFinish); ok {
					c.Complete(k)
				}
			case 5:
				text, err := json.Marshal(c.Snapshot())
				must(t, err)
				var s aging.Snapshot[int]
				must(t, json.Unmarshal(text, &s))
				c, err = aging.Restore(s)
				must(t, err)
			default:
				k := rng.IntN(key + 1)
				if j, ok := c.Job(k); ok {
					if rng.IntN(2) == 0 {
						must(t, c.SetWeight(k, 3))
					} else {
						must(t, c.Reestimate(k, 2*j.Work))
					}
					tags[k], _ = c.Tag(k)
				}
			}
			if c.Len() == 0 {
				seen["empty"]++
			}
			if len(c.Late(nil)) > 1 {
				seen["late"]++
			}
			last := -1
			for k := range c.All(aging.ByFinish) {
				if last >= 0 {
					a, _ := c.Tag(last)
					if b, _ := c.Tag(k); a.Compare(b) >= 0 || b.Compare(a) <= 0 || a.Compare(a) != 0 {
						t.Fatalf("seed %d: All(ByFinish) yields %d of tag %+v before %d of %+v", seed, last, a, k, b)
					}
				}
				last = k
			}
			for k, want := range tags {
				got, ok := c.Tag(k)
				if !ok {
					ended = append(ended, want)
					delete(tags, k)
					continue
				}
				if got != want {
					t.Fatalf("seed %d: Tag(%d) = %+v, was %+v", seed, k, got, want)
				}
			}
		}
		// A job added now comes after all whose virtual finish has passed.
		must(t, c.Add(-1, aging.Job{Work: 1e9, Weight: .1}))
		now, _ := c.Tag(-1)
		if i := slices.IndexFunc(ended, func(g aging.Tag) bool { return g.Compare(now) >= 0 }); i >= 0 {
			t.Fatalf("seed %d: a new job of tag %+v comes before one that has gone, of %+v", seed, now, ended[i])
		}
	}
	if seen["empty"] < 100 || seen["late"] < 100 {
		t.Errorf("seen %v, want 100 of each: the histories test nothing", seen)
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
	if _, ok := c.Tag(99); ok {
		t.Error("Tag(99) = true, want false for an unknown key")
	}
}

func BenchmarkTag(b *testing.B) {
	for _, n := range []int{1e2, 1e4, 1e6} {
		b.Run("n="+strconv.Itoa(n), func(b *testing.B) {
			c := newCluster(b, 1)
			for i := range n {
				must(b, c.Add(i, aging.Job{Work: float64(1 + i%97)}))
			}
			i := 0
			for b.Loop() {
				if _, ok := c.Tag(i); !ok {
					b.Fatal("no tag")
				}
				if i++; i == n {
					i = 0
				}
			}
		})
	}
}
