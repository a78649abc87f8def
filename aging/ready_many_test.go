package aging_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// TestFirstReadyOfMany asks for the first ready one of hundreds of jobs, most or few of which are
// ready, some at their caps and many about to meet them, while jobs come, end and change. First
// must agree with a scan of All.
func TestFirstReadyOfMany(t *testing.T) {
	asked, far := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 23))
		n := 150 + rng.IntN(300)
		integers := seed%3 == 0
		next := func() aging.Job {
			j := aging.Job{Slots: math.Ceil(3 * math.Pow(1-rng.Float64(), -0.8)), Work: 10 * math.Exp(1.5*rng.NormFloat64())}
			switch {
			case integers:
				j.Work = j.Slots * float64(1+rng.IntN(20))
			case seed%3 == 1:
				j.Work *= j.Slots
				j.Weight = float64(1 + rng.IntN(3))
			}
			return j
		}
		// From a level below all caps to one above many.
		c := newCluster(t, math.Ceil(float64(n)*math.Exp(4*rng.Float64()-1)))
		busy := map[int]bool{}
		few := rng.IntN(2) == 0
		ready := func(key int) bool { return few == (rng.IntN(12) == 0) }
		key := 0
		add := func() {
			must(t, c.Add(key, next()))
			if busy[key] = !ready(key); busy[key] {
				must(t, c.SetReady(key, false))
			}
			key++
		}
		for range n {
			add()
		}
		for event := range 60 {
			other := rng.IntN(key)
			_, there := c.Job(other)
			switch op := rng.IntN(8); {
			case op < 2:
				add()
			case op < 4:
				_, in, _ := c.NextFinish()
				must(t, c.Advance(in*3*rng.Float64()))
			case op == 4:
				c.Complete(other)
			case op == 5 && there:
				must(t, c.Reestimate(other, next().Work))
			case op == 6:
				if first, ok := c.First(aging.ByFinish); ok {
					busy[first] = true
					must(t, c.SetReady(first, false))
				}
			case there:
				busy[other] = rng.IntN(3) > 0
				must(t, c.SetReady(other, !busy[other]))
			}
			want, before, ok := firstReady(c, aging.ByFinish, busy)
			if got, is := c.First(aging.ByFinish); is != ok || got != want {
				t.Fatalf("seed %d, event %d: First(finish) = %v, %v, want %v, %v: %d jobs that are not ready come before it in All", seed, event, got, is, want, ok, before)
			}
			asked++
			if before >= 10 {
				far++
			}
		}
	}
	if asked < 15000 || far < 3000 {
		t.Errorf("%d questions, %d times with 10 or more jobs before the answer: the histories test little", asked, far)
	}
}

// TestFirstReadyRising: jobs that are not ready end or meet their caps, so that the level rises
// above the cap of the ready job that would be the first at the present level.
func TestFirstReadyRising(t *testing.T) {
	type many struct {
		n   int
		job aging.Job
	}
	for _, x := range []struct {
		name string
		busy []many
		b, x aging.Job // ready; keys 2 and 1
		want int       // 0: the one added first
	}{
		// 1,102 jobs share 1,000 slots until the 700 end; then 400 slots go to the others that are
		// not ready and 300 to either, but job 2 takes 10.
		{"others stay below", []many{{400, aging.Job{Work: 1e4, Slots: 1}}, {700, aging.Job{Work: 1, Slots: 100}}},
			aging.Job{Work: 30, Slots: 10}, aging.Job{Work: 31, Slots: 1000}, 1},
		// 60 jobs share 200 slots, after 1 s all 1,000.
		{"others end at their caps", []many{{400, aging.Job{Work: 2, Slots: 2}}, {58, aging.Job{Work: 1e4, Slots: 100}}},
			aging.Job{Work: 30, Slots: 10}, aging.Job{Work: 31, Slots: 1000}, 1},
		// 333 jobs, later 100; two would finish together if none met its cap, but job 1 does.
		{"a tie that a cap breaks", []many{{233, aging.Job{Work: 1, Slots: 50}}, {98, aging.Job{Work: 1e4, Slots: 100}}},
			aging.Job{Work: 60, Slots: 90}, aging.Job{Work: 60, Slots: 5}, 2},
		// The same without the short ones, so that there is room for all.
		{"a cap that is not met", []many{{331, aging.Job{Work: 1e4, Slots: 100}}},
			aging.Job{Work: 60, Slots: 90}, aging.Job{Work: 60, Slots: 5}, 0},
	} {
		for order := range 2 {
			c := newCluster(t, 1000)
			want := cmp.Or(x.want, 1+order)
			ready := func() {
				jobs := [2]aging.Job{x.x, x.b}
				must(t, c.Add(1+order, jobs[order]))
				must(t, c.Add(2-order, jobs[1-order]))
			}
			if order == 0 {
				ready()
			}
			key := 3
			for _, m := range x.busy {
				for range m.n {
					must(t, c.Add(key, m.job))
					must(t, c.SetReady(key, false))
					key++
				}
			}
			if order == 1 {
				ready()
			}
			if got, ok := c.First(aging.ByFinish); !ok || got != want {
				t.Errorf("%s: First(finish) = %v, %v, want %v", x.name, got, ok, x.want)
			}
			for got := range c.All(aging.ByFinish) {
				if got < 3 {
					if got != want {
						t.Errorf("%s: All(finish) has %v first of the ready ones, want %v", x.name, got, want)
					}
					break
				}
			}
		}
	}
}
