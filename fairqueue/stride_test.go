package fairqueue_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// With unit costs start-time fair queueing has the bounds of stride scheduling (Waldspurger and
// Weihl, TM-528). Of the services of two flows that wait all the time, each has its part to within
// one: |n_i w_j - n_j w_i| <= max(w_i, w_j) from the start on. A flow's own count is at most 1
// above its part of all services, and at most m-1 times its part of the weights below; stride's is
// the mirror image.
func TestUnitCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		weights, total := make([]float64, 2+r.IntN(6)), 0.
		for i := range weights {
			weights[i] = []float64{math.Exp(4 * r.Float64()), 1 + float64(r.IntN(9)), .1, .3, 7.1}[r.IntN(5)]
			total += weights[i]
		}
		m := float64(len(weights))
		q := flows(t, fairqueue.Options{}, weights...)
		had := make([]float64, len(weights))
		for n := 1.; n <= 20000; n++ {
			had[serve(t, q, 1)]++
			for i, w := range weights {
				if low, high := (n-m+1)*w/total, (n-1)*w/total+1; !(had[i] >= low-1e-9*n && had[i] <= high+1e-9*n) {
					t.Fatalf("weights %v: after %v services flow %d had %v, want within [%v, %v]", weights, n, i, had[i], low, high)
				}
				for j, v := range weights[:i] {
					if off := math.Abs(had[i]*v - had[j]*w); off > max(w, v)*(1+1e-9) {
						t.Fatalf("weights %v: after %v services flows %d and %d had %v and %v", weights, n, i, j, had[i], had[j])
					}
				}
			}
		}
	}
}

// While others come and go, two flows that wait all through an interval share its services to
// within one: |n_i w_j - n_j w_i| <= w_i + w_j.
func TestUnitCostsComeAndGo(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 14))
		w := newWatch()
		var keys []int
		q := flows(t, fairqueue.Options{})
		for i := range 2 + r.IntN(6) {
			keys = append(keys, i)
			w.weight[i], w.largest[i] = []float64{math.Exp(6 * r.Float64()), 1 + float64(r.IntN(9)), .1}[r.IntN(3)], 1
			must(t, q.Join(i, w.weight[i]))
		}
		active := map[int]bool{}
		for range 5000 {
			if key := r.IntN(len(keys)); r.IntN(20) == 0 {
				if active[key] = !active[key]; !active[key] && r.IntN(2) == 0 {
					q.Leave(key)
					must(t, q.Join(key, w.weight[key]))
				}
				must(t, q.SetActive(key, active[key]))
			} else if key, ok := q.Next(nil); ok {
				must(t, q.Charge(key, 1))
				w.service[key]++
			}
			w.see(keys, func(i int) bool { return active[i] })
			w.check(t, func(f, m float64) float64 { return f + m })
		}
	}
}

// In a binary tree of n flows whose inner nodes have the weights of the flows below them, a flow's
// own count is within log2 n of its part, as under hierarchical stride scheduling (TM-528).
func TestUnitCostsInTree(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 15))
		n := 1 << (1 + r.IntN(6))
		weights := make([]float64, 2*n) // of node i with the children 2i and 2i+1; flows are from n on
		for i := range n {
			weights[n+i] = math.Exp(4 * r.Float64() * float64(r.IntN(2)))
		}
		for i := n - 1; i > 0; i-- {
			weights[i] = weights[2*i] + weights[2*i+1]
		}
		q := flows(t, fairqueue.Options{})
		must(t, q.Join(1, weights[1]))
		for i := 2; i < 2*n; i++ {
			must(t, q.JoinUnder(i/2, i, weights[i]))
		}
		for i := range n {
			must(t, q.SetActive(n+i, true))
		}
		had := make([]float64, 2*n)
		for k := 1.; k <= 5000; k++ {
			had[serve(t, q, 1)]++
			for i := n; i < 2*n; i++ {
				if off := math.Abs(had[i] - k*weights[i]/weights[1]); off > float64(bits.Len(uint(n))-1)+rounding*k {
					t.Fatalf("seed %d: of %d flows one is %v off after %v services", seed, n, off, k)
				}
			}
		}
	}
}
