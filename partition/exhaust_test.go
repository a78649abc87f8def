package partition_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

func total(_ int, x float64) float64 { return x }

// leastOfAll is the least of the greatest loads of all assignments: each partition on each machine.
func leastOfAll(sizes, load []float64) float64 {
	if len(sizes) == 0 {
		return slices.Max(load)
	}
	least := math.Inf(1)
	for i := range load {
		load[i] += sizes[0]
		least = min(least, leastOfAll(sizes[1:], load))
		load[i] -= sizes[0]
	}
	return least
}

// On few equal machines Best finds the least makespan and says so, also of decimals, at a cost that
// is no multiple of the load, and with another machine that is away.
func TestExhaust(t *testing.T) {
	missed := 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(48, seed))
		sizes := make([]float64, 10)
		for k := range sizes {
			sizes[k] = float64(1 + rng.IntN([]int{20, 100, 10000}[seed%3]))
		}
		least := leastOfAll(sizes, make([]float64, 3))
		for _, unit := range []float64{1, .1} {
			scaled := slices.Clone(sizes)
			for k := range scaled {
				scaled[k] *= unit
			}
			cost := func(_ int, x float64) float64 { return 1 + x*x }
			o := partition.Options{Method: partition.Best, Ready: []float64{0, 0, math.Inf(1), 0}}
			p, err := partition.Assign(4, scaled, cost, o)
			must(t, err)
			must(t, partition.Verify(4, scaled, cost, o, p))
			want := cost(0, unit*least)
			if !p.Exact || math.Abs(p.Makespan-want) > 1e-9*want || p.Bound < want*(1-1e-8) {
				t.Errorf("Assign(4, %v, Best) = %+v, want %v, exact", scaled, p, want)
			}
		}
		best := math.Inf(1)
		for _, m := range []partition.Method{partition.LocalSearch, partition.Multifit} {
			p, err := partition.Assign(3, sizes, total, partition.Options{Method: m})
			must(t, err)
			best = min(best, p.Makespan)
			if p.Exact != (p.Bound >= p.Makespan*(1-0x1p-30)) || p.Exact && p.Makespan > least {
				t.Errorf("Assign(3, %v, %v) = %+v, the least is %v", sizes, m, p, least)
			}
		}
		if best > least {
			missed++
		}
	}
	if missed < 20 {
		t.Errorf("without the search %d optima of 100 are missed, want some", missed)
	}
}

// A search that is cut off proves nothing.
func TestExhaustCut(t *testing.T) {
	exact := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(49, seed))
		sizes := make([]float64, 28)
		for k := range sizes {
			sizes[k] = 1 + rng.Float64() // of no common unit
		}
		p, err := partition.Assign(5, sizes, total, partition.Options{Method: partition.Best})
		must(t, err)
		must(t, partition.Verify(5, sizes, total, partition.Options{Method: partition.Best}, p))
		if p.Exact != (p.Bound >= p.Makespan*(1-0x1p-30)) {
			t.Errorf("%+v: Exact is not that the Bound is the Makespan", p)
		}
		if p.Exact {
			exact++
		}
	}
	if exact > 2 {
		t.Errorf("%d of 20 are called exact, want next to none", exact)
	}
}

// What proves each bound: three of 2m + 1 on one machine, partitions that leave no room for
// another, and loads that are whole.
func TestBoundArguments(t *testing.T) {
	for _, c := range []struct {
		machines int
		sizes    []float64
		want     float64
	}{
		{2, []float64{math.Sqrt2, math.Sqrt(3), math.Sqrt(5)}, math.Sqrt2 + math.Sqrt(3)},
		{2, []float64{3.3, 3.2, math.Pi, 3.1, 3}, math.Pi + 3.1 + 3},
		{3, []float64{8.0141, 8.0173, 3.0058, 3.0022, 3.0026, math.Pi}, 8.0141 + 3.0022},
		{3, []float64{12, 10, 6, 6, 4, 2, 2, 2, 2}, 16},
		{3, []float64{1.2, 1, .6, .6, .4, .2, .2, .2, .2}, 1.6},
		{2, []float64{64.13, 50.27, 49.99, 33.01, 21.07, 11.57, .09}, 115.07},
	} {
		for _, m := range methods[:5] { // not Best, which searches
			p, err := partition.Assign(c.machines, c.sizes, total, partition.Options{Method: m})
			must(t, err)
			if math.Abs(p.Bound-c.want) > 1e-8*c.want {
				t.Errorf("Assign(%d, %v, %v): Bound %v, want %v", c.machines, c.sizes, m, p.Bound, c.want)
			}
		}
	}
}

func BenchmarkBest(b *testing.B) {
	for _, c := range [][2]int{{10, 3}, {16, 3}, {25, 5}, {100, 10}} {
		b.Run(fmt.Sprintf("n=%d/m=%d", c[0], c[1]), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(50, uint64(c[0])))
			sizes := make([]float64, c[0])
			for k := range sizes {
				sizes[k] = float64(1 + rng.IntN(1000))
			}
			for b.Loop() {
				if p, err := partition.Assign(c[1], sizes, total, partition.Options{Method: partition.Best}); err != nil || p.Makespan < p.Bound {
					b.Fatal(p, err)
				}
			}
		})
	}
}
