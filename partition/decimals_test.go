package partition_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// counted is a cost by speed, with a fixed time, that ends the test after so many calls.
func counted(t testing.TB, limit int, fixed, speeds []float64) partition.Cost {
	cost, err := partition.Affine(fixed, speeds)
	must(t, err)
	calls := 0
	return func(i int, total float64) float64 {
		if calls++; calls > limit {
			t.Fatalf("more than %d calls of the cost", limit)
		}
		return cost(i, total)
	}
}

// callLimit is how many calls of the cost any method may make: 4,000 for each machine,
// and in each step of three searches up to 2 + 4 log n for each partition and machine.
func callLimit(n, machines, steps int) int {
	return 4000*machines + 3*(steps+1)*n*machines*(2+4*int(math.Log2(float64(n+1))+1))
}

// TestStepCosts: a cost that jumps between .3 and .1 + .2 makes an exchange a gain by differences
// of loads and none by sums.
func TestStepCosts(t *testing.T) {
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(41, seed))
		x := instance{machines: 1 + rng.IntN(4), o: partition.Options{Steps: math.MaxInt}}
		for range rng.IntN(12) {
			x.sizes = append(x.sizes, float64(rng.IntN(12))/10)
		}
		if rng.IntN(2) == 0 {
			x.o.Previous = make([]int, len(x.sizes))
			for k := range x.o.Previous {
				x.o.Previous[k] = rng.IntN(x.machines)
			}
		}
		calls, limit := 0, callLimit(len(x.sizes), x.machines, 100)
		x.cost = func(i int, total float64) float64 {
			if calls++; calls > 10*limit {
				t.Fatalf("seed %d: %+v: more than %d calls of the cost", seed, x, 10*limit)
			}
			return math.Ceil(total/.3) / float64(1+i)
		}
		before := inf
		if x.o.Previous != nil {
			before, _ = x.value(x.o.Previous)
		}
		if p := x.assign(t, partition.LocalSearch); p.Makespan > before*(1+1e-9) {
			t.Fatalf("seed %d: %+v: Makespan %v, of the previous assignment %v", seed, x, p.Makespan, before)
		}
		x.assign(t, partition.Best)
	}
}

// TestDecimals: whole sizes and their multiples by a decimal, with all times multiplied
// alike, give one plan, and no method calls the cost more often than its steps allow.
func TestDecimals(t *testing.T) {
	scaled := func(by float64, xs []float64) []float64 {
		if xs == nil {
			return nil
		}
		ys := make([]float64, len(xs))
		for i, x := range xs {
			if ys[i] = x * by; by == .1 {
				ys[i] = x / 10
			}
		}
		return ys
	}
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(40, seed))
		x := draw(t, rng, 1e9, true)
		fixed, speeds := make([]float64, x.machines), make([]float64, x.machines)
		equal := rng.IntN(2) == 0
		for i := range speeds {
			if speeds[i] = 1; !equal {
				speeds[i], fixed[i] = float64(1+rng.IntN(4)), float64(rng.IntN(3))
			}
		}
		x.o.MoveCost, x.o.Steps = []float64{0, .1, .3, .5, 1}[rng.IntN(5)], []int{0, 3, math.MaxInt}[rng.IntN(3)]
		limit := callLimit(len(x.sizes), x.machines, min(max(x.o.Steps, 30), 100))
		for _, m := range methods {
			x.cost = counted(t, limit, fixed, speeds)
			whole := x.assign(t, m)
			for _, by := range []float64{.1, .3, 7.1} {
				y := x
				y.sizes, y.cost = scaled(by, x.sizes), counted(t, limit, scaled(by, fixed), speeds)
				y.o.Ready, y.o.Deadlines = scaled(by, x.o.Ready), scaled(by, x.o.Deadlines)
				if x.o.Extra != nil {
					y.o.Extra = func(k, i int) float64 { return scaled(by, []float64{x.o.Extra(k, i)})[0] }
				}
				p := y.assign(t, m)
				if !slices.Equal(p.Of, whole.Of) || !slices.Equal(p.Why, whole.Why) || p.Critical != whole.Critical || p.Moves != whole.Moves || p.Feasible != whole.Feasible ||
					math.Abs(p.Makespan-by*whole.Makespan) > 1e-9*p.Makespan || math.Abs(p.Bound-by*whole.Bound) > 1e-9*p.Bound {
					t.Fatalf("seed %d, %v of %+v, fixed %v, speeds %v:\n%+v, times %v\n%+v", seed, m, x, fixed, speeds, whole, by, p)
				}
			}
		}
	}
}
