package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/drf"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/shuffle"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// The same task by this library and by gonum, on the same input. Of each benchmark main.go prints
// the ratio.

// The distance of 10^4 ratios from a log-normal. gonum takes a second sample for it, sorted, and
// gives no p-value.
func BenchmarkKS(b *testing.B) {
	l := estimate.LogNormal{Mu: .1, Sigma: .4}
	g := distuv.LogNormal{Mu: .1, Sigma: .4, Src: rand.NewPCG(1, 1)}
	xs, quantiles := make([]float64, 10000), make([]float64, 10000)
	for i := range xs {
		xs[i], quantiles[i] = g.Rand(), g.Quantile((float64(i)+.5)/10000)
	}
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			if d, p, err := l.KS(xs); err != nil || !(d > 0 && p > 0) {
				b.Fatal(d, p, err)
			}
		}
	})
	b.Run("gonum", func(b *testing.B) {
		for b.Loop() {
			sorted := slices.Clone(xs)
			slices.Sort(sorted)
			if d := stat.KolmogorovSmirnov(sorted, nil, quantiles, nil); !(d > 0) {
				b.Fatal(d)
			}
		}
	})
}

// A topological order of 10^4 nodes in layers, from a list of arcs.
func BenchmarkTopological(b *testing.B) {
	const n, width = 10000, 10
	var arcs [][2]int
	for i := width; i < n; i++ {
		for k := range 3 {
			arcs = append(arcs, [2]int{i - i%width - width + (i+k)%width, i})
		}
	}
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			if g, err := precedence.NewGraph(n, arcs); err != nil || len(g.Topological(nil)) != n {
				b.Fatal(err)
			}
		}
	})
	b.Run("gonum", func(b *testing.B) {
		for b.Loop() {
			g := simple.NewDirectedGraph()
			for _, a := range arcs {
				g.SetEdge(simple.Edge{F: simple.Node(a[0]), T: simple.Node(a[1])})
			}
			if order, err := topo.Sort(g); err != nil || len(order) != n {
				b.Fatal(err)
			}
		}
	})
}

// The first level of dominant resource fairness, 50 users and 4 resources: a linear programme.
// Shares goes on to the last level.
func BenchmarkDRF(b *testing.B) {
	const n, m = 50, 4
	r := rand.New(rand.NewPCG(1, 1))
	capacity, users := []float64{100, 100, 100, 100}, make([]drf.User, n)
	// variables: the level, then what each resource has left
	a, costs := mat.NewDense(m, 1+m, nil), make([]float64, 1+m)
	costs[0] = -1
	for i := range users {
		users[i].Demand = make([]float64, m)
		for k := range m {
			users[i].Demand[k] = 1 + 9*r.Float64()
			a.Set(k, 1+k, 1)
		}
		for k, d := range users[i].Demand {
			a.Set(k, 0, a.At(k, 0)+100*d/slices.Max(users[i].Demand))
		}
	}
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			if s, err := drf.Shares(nil, capacity, users, nil); err != nil || !(s[0] > 0) {
				b.Fatal(err)
			}
		}
	})
	b.Run("gonum", func(b *testing.B) {
		for b.Loop() {
			if level, _, err := lp.Simplex(costs, a, capacity, 1e-10, nil); err != nil || !(level < 0) {
				b.Fatal(level, err)
			}
		}
	})
}

// The racks of partitions with the least traffic, as many slots as partitions.
func BenchmarkPlaceReduces(b *testing.B) {
	for _, c := range []struct{ partitions, racks int }{{40, 8}, {200, 40}, {1000, 40}} {
		p, n := c.partitions, c.racks
		r := rand.New(rand.NewPCG(1, 1))
		bytes, slots := make([][]float64, p), slices.Repeat([]int{p / n}, n)
		for i := range bytes {
			bytes[i] = make([]float64, n)
			for q := range n {
				bytes[i][q] = r.Float64()
			}
		}
		local := 0.0
		b.Run(fmt.Sprintf("ours/partitions=%d", p), func(b *testing.B) {
			for b.Loop() {
				of, err := shuffle.PlaceReduces(nil, slots, bytes)
				if err != nil {
					b.Fatal(err)
				}
				local = 0
				for i, q := range of {
					local += bytes[i][q]
				}
			}
		})
		if p > 40 {
			continue // a dense tableau of p n variables and p + n constraints is too large
		}
		// variables: whether partition i is on rack q, for all i and q; slots and partitions are as
		// many, so that the constraint of the last rack follows from the others
		a, costs, right := mat.NewDense(p+n-1, p*n, nil), make([]float64, p*n), make([]float64, p+n-1)
		for i, row := range bytes {
			for q, x := range row {
				a.Set(i, i*n+q, 1)
				if q < n-1 {
					a.Set(p+q, i*n+q, 1)
					right[p+q] = float64(p / n)
				}
				costs[i*n+q] = -x
			}
			right[i] = 1
		}
		b.Run("gonum", func(b *testing.B) {
			for b.Loop() {
				best, _, err := lp.Simplex(costs, a, right, 1e-10, nil)
				if err != nil || local > 0 && !(-best-local < 1e-6 && local+best < 1e-6) {
					b.Fatal(best, local, err)
				}
			}
		})
	}
}
