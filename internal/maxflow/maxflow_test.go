package maxflow_test

import (
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/maxflow"
	"github.com/schedmath/schedmath/internal/u128"
)

// Of all sets that no arc leaves, the greatest surplus is what Run does not move, and the stuck
// nodes are the largest set that has it.
func TestAgainstAllSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var w maxflow.Network
	stuckSets, moved := 0, 0
	for seed := range 4000 {
		n := r.IntN(9)
		has, takes, to := make([]uint64, n), make([]uint64, n), make([]uint32, n)
		w.Clear()
		total := uint64(0)
		unit := uint64(1) << r.IntN(61) // sums go beyond 64 bits
		for v := range n {
			if r.IntN(2) == 0 {
				has[v] = r.Uint64N(8)
				total += has[v]
			} else {
				takes[v] = r.Uint64N(8)
			}
			var arcs []int32
			for u := range n {
				if u != v && r.IntN(4) == 0 {
					arcs = append(arcs, int32(u))
					to[v] |= 1 << u
				}
			}
			w.Add(u128.T{}.PlusProduct(has[v], unit), u128.T{}.PlusProduct(takes[v], unit), arcs...)
		}
		most, union := int64(0), uint32(0)
		for set := range uint32(1) << n {
			surplus, closed := int64(0), true
			for v := range n {
				if set>>v&1 == 1 {
					surplus += int64(has[v]) - int64(takes[v])
					closed = closed && to[v]&^set == 0
				}
			}
			switch {
			case !closed:
			case surplus > most:
				most, union = surplus, set
			case surplus == most:
				union |= set
			}
		}
		got := w.Run()
		if want := (u128.T{}).PlusProduct(total-uint64(most), unit); got != want {
			t.Fatalf("case %d: has %v, takes %v in units of %d, arcs %b: %v moves, want %v", seed, has, takes, unit, to, got, want)
		}
		if !got.IsZero() {
			moved++
		}
		for v := range n {
			if w.Stuck(v) != (union>>v&1 == 1) {
				t.Fatalf("case %d: has %v, takes %v, arcs %b: Stuck(%d) = %v, want the largest best set %b", seed, has, takes, to, v, w.Stuck(v), union)
			}
		}
		if union != 0 && union != 1<<n-1 {
			stuckSets++
		}
	}
	if stuckSets < 1000 || moved < 1000 {
		t.Errorf("%d cases with a part of the nodes stuck and %d with a flow, want 1000 of each", stuckSets, moved)
	}
}
