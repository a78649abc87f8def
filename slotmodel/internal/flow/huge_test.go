package flow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// TestHuge: capacities, weights and bytes from the least to the greatest float64 give no
// NaN, no infinite or negative amount, no rate above a capacity and a time that does not go back.
func TestHuge(t *testing.T) {
	sizes := []float64{5e-324, 1e-300, 1e-9, 1, 3, 1e9, 1e300, math.MaxFloat64 / 3, math.MaxFloat64}
	reached := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 41))
		size := func() float64 { return sizes[r.IntN(len(sizes))] }
		capacity := make([]float64, 5)
		for i := range capacity {
			if capacity[i] = size(); r.IntN(5) == 0 {
				capacity[i] = inf
			}
		}
		n := flow.New(capacity...)
		var flows []flow.Flow
		var refs []int32
		open := func() {
			weight := []int{1, 2, 3, 1e6, 1e9}[r.IntN(5)]
			flows = append(flows, n.Open(weight, r.Perm(5)[:r.IntN(5)]...))
		}
		amount := func(what string, x float64) {
			if !(x >= 0 && x <= math.MaxFloat64) {
				t.Fatalf("seed %d, capacities %v: %s = %v at %v", seed, capacity, what, x, n.Now())
			}
		}
		for range 60 {
			if len(flows) == 0 || r.IntN(4) == 0 {
				open()
			}
			f := flows[r.IntN(len(flows))]
			switch r.IntN(6) {
			case 0, 1, 2:
				n.Send(f, size())
				n.Mark(f, 0)
			case 3:
				amount("Lose", n.Lose(f, r.Float64()))
			case 4:
				n.Weigh(f, 1+r.IntN(1e9))
			case 5:
				l := r.IntN(len(capacity))
				capacity[l] = size()
				n.Resize(l, capacity[l])
			}
			for l := range capacity {
				amount("Rate", n.Rate(l))
				amount("Sent", n.Sent(l))
				if x := n.Rate(l); x > capacity[l] {
					t.Fatalf("seed %d: Rate(%d) = %v, capacity %v", seed, l, x, capacity[l])
				}
			}
			for _, f := range flows {
				amount("Pending", n.Pending(f))
			}
			now := n.Now()
			if next := n.Next(); !(next >= now) {
				t.Fatalf("seed %d: Next() = %v at %v", seed, next, now)
			} else if next <= math.MaxFloat64 {
				refs = n.Advance(refs[:0], next)
				reached += len(refs)
			}
		}
	}
	if reached < 5000 {
		t.Errorf("%d marks were reached, want many", reached)
	}
}
