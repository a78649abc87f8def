package aging_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// TestClusterScalingNearly: scaling times and works by 1e-9 or 1e9 scales the answers to rounding,
// along histories of all calls. A finish may fall on the other side of an Advance then, so the work
// left is compared. With sizes from 1e-9 to 1e9 the rounding of a huge size is more than a tiny job
// has: those regimes are left out.
func TestClusterScalingNearly(t *testing.T) {
	for n := range 3600 {
		r := regimes[n%len(regimes)]
		if r.high/r.low > 1e5 {
			continue
		}
		rng := rand.New(rand.NewPCG(14, uint64(n)))
		g := r.generator(rng, false)
		p, err := newPlayer(exactaging.Float{}, g.capacity)
		must(t, err)
		scale := []float64{1e-9, 1e9}[n/len(regimes)%2]
		c := newCluster(t, g.capacity)
		size := map[int]float64{}
		for range 40 {
			a := next(g, p)
			must(t, p.do(a))
			// gone in one, nearly gone in the other: it is the same history again
			if _, here := p.c.Job(a.key); !here {
				c.Remove(a.key)
			}
			if _, there := c.Job(a.key); !there && !slices.Contains([]string{"Add", "Complete", "Remove", "Advance", "SetCapacity", "Restore"}, a.op) {
				p.c.Remove(a.key)
				p.o.Remove(a.key)
				continue
			}
			apply(t, c, a, scale, scale, 1, 1)
			size[a.key] = max(size[a.key], a.job.Work, a.x)
			for _, key := range p.known {
				want, _ := p.c.Job(key)
				got, _ := c.Job(key)
				if !(math.Abs(got.Work/scale-want.Work) <= slack*size[key]) {
					t.Fatalf("%s, history %d, scale %v, after %v: Job(%d) = %v, want the scaled %v", r.name, n, scale, a, key, got, want)
				}
			}
		}
	}
}

// TestAddOrder: the order of the calls that add the jobs of one instant breaks ties and does not
// matter otherwise, but for rounding.
func TestAddOrder(t *testing.T) {
	for n := range 3000 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(15, uint64(n)))
		g := r.generator(rng, false)
		var jobs []aging.Job
		for range 1 + rng.IntN(20) {
			jobs = append(jobs, aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()})
		}
		a, b := newCluster(t, g.capacity), newCluster(t, g.capacity)
		for key, j := range jobs {
			must(t, a.Add(key, j))
		}
		order := rng.Perm(len(jobs))
		for _, key := range order {
			must(t, b.Add(key, jobs[key]))
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Work, jobs[b].Work) })
		late := 0
		for late < len(jobs) && jobs[order[late]].Work == 0 {
			late++
		}
		if got := b.Late(nil); !slices.Equal(got, order[:late]) {
			t.Fatalf("%s: Late(nil) = %v, want %v", r.name, got, order[:late])
		}
		if got, _ := all(b, aging.ByWork); !slices.Equal(got, order) {
			t.Fatalf("%s: All(ByWork) yields %v, want %v", r.name, got, order)
		}
		for range 4 {
			_, in, ok := a.NextFinish()
			if _, other, k := b.NextFinish(); k != ok || !(math.Abs(in-other) <= slack*in) {
				t.Fatalf("%s: NextFinish() in %v, %v, added in another order %v, %v", r.name, in, ok, other, k)
			}
			dt := in * 2 * rng.Float64()
			must(t, a.Advance(dt))
			must(t, b.Advance(dt))
			for key, j := range jobs {
				x, _ := a.Job(key)
				y, _ := b.Job(key)
				if !(math.Abs(x.Work-y.Work) <= batchError*j.Work) {
					t.Fatalf("%s: Job(%d) = %v, added in another order %v", r.name, key, x, y)
				}
			}
		}
	}
}

// TestAdvanceInTwo: advancing by two parts is advancing at once, from thousands of states with
// late and completed jobs.
func TestAdvanceInTwo(t *testing.T) {
	late, completed := 0, 0
	for n := range 3000 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(16, uint64(n)))
		g := r.generator(rng, false)
		p, err := newPlayer(exactaging.Float{}, g.capacity)
		must(t, err)
		for range 30 {
			must(t, p.do(next(g, p)))
		}
		if p.capacity == 0 {
			must(t, p.do(call{op: "SetCapacity", x: g.slots()}))
		}
		late += len(p.c.Late(nil))
		for _, key := range p.known {
			if _, there := p.o.Left(key); there && p.o.Completed(key) {
				completed++
			}
		}
		split, err := aging.Restore(p.c.Snapshot())
		must(t, err)
		_, in, _ := p.c.NextFinish()
		dt := in * math.Pow(10, 2*rng.Float64()-1)
		first := dt * rng.Float64()
		must(t, p.c.Advance(dt))
		must(t, split.Advance(first))
		must(t, split.Advance(dt-first))
		for _, key := range p.known {
			a, _ := p.c.Job(key)
			b, _ := split.Job(key)
			if !(math.Abs(a.Work-b.Work) <= slack*p.largest[key]) {
				t.Fatalf("%s, history %d: Job(%d) = %v after Advance(%v), in parts of %v and %v: %v", r.name, n, key, a, dt, first, dt-first, b)
			}
		}
	}
	if late < 1000 || completed < 1000 {
		t.Errorf("saw %d late and %d completed jobs, want more than 1000 of each", late, completed)
	}
}
