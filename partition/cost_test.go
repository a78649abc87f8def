package partition_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

func TestCosts(t *testing.T) {
	speeds, fixed := []float64{1, 2, 4}, []float64{10, 0, 0.5}
	bySpeed, err := partition.BySpeed(speeds)
	must(t, err)
	affine, err := partition.Affine(fixed, speeds)
	must(t, err)
	speeds[1], fixed[0] = nan, nan // both keep copies
	for _, c := range []struct {
		name string
		cost partition.Cost
		i    int
		x    float64
		want float64
	}{
		{"BySpeed", bySpeed, 0, 8, 8}, {"BySpeed", bySpeed, 1, 8, 4}, {"BySpeed", bySpeed, 2, 8, 2}, {"BySpeed", bySpeed, 2, 0, 0},
		{"BySpeed", bySpeed, 3, 8, inf}, {"BySpeed", bySpeed, -1, 8, inf}, {"BySpeed", bySpeed, 0, nan, 0}, {"BySpeed", bySpeed, 0, -1, 0},
		{"Affine", affine, 0, 8, 18}, {"Affine", affine, 1, 8, 4}, {"Affine", affine, 2, 8, 2.5}, {"Affine", affine, 0, 0, 0}, {"Affine", affine, 3, 1, inf},
	} {
		if got := c.cost(c.i, c.x); got != c.want {
			t.Errorf("%s: cost(%d, %v) = %v, want %v", c.name, c.i, c.x, got, c.want)
		}
	}
}

func TestPredicted(t *testing.T) {
	// Machine 0: 5, 3, 9, 8 at 10, 20, 40, 80: the running maximum is 5, 5, 9, 9.
	table := map[float64]float64{10: 5, 20: 3, 40: 9, 80: 8}
	totals := []float64{10, 20, 40, 80}
	cost, err := partition.Predicted(2, totals, func(i int, x float64) float64 { return table[x] * float64(1+i) })
	must(t, err)
	totals[0] = 99 // it keeps a copy
	for _, c := range []struct{ x, want float64 }{{0, 0}, {-1, 0}, {nan, 0}, {1, 5}, {10, 5}, {15, 5}, {20, 5}, {30, 7}, {40, 9}, {60, 9}, {80, 9}, {160, 18}} {
		for i := range 2 {
			if got, want := cost(i, c.x), c.want*float64(1+i); got != want {
				t.Errorf("cost(%d, %v) = %v, want %v", i, c.x, got, want)
			}
		}
	}
	if got := cost(2, 1); got != inf {
		t.Errorf("cost of a machine that is not there = %v, want +Inf", got)
	}
}

// TestPredictedNonDecreasing: whatever the estimator says, the cost does not decrease, is nowhere
// below the predictions on the totals, and Bound does not give up.
func TestPredictedNonDecreasing(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(13, seed))
		totals := make([]float64, 1+rng.IntN(8))
		for k := range totals {
			totals[k] = 1e-3 + 100*rng.Float64()
		}
		slices.Sort(totals)
		totals = slices.Compact(totals)
		said := map[float64]float64{}
		cost, err := partition.Predicted(1, totals, func(_ int, x float64) float64 {
			said[x] = math.Abs(x + 30*rng.NormFloat64())
			return said[x]
		})
		must(t, err)
		xs := slices.Clone(totals)
		for range 200 {
			xs = append(xs, 150*rng.Float64())
		}
		for _, x := range totals {
			xs = append(xs, math.Nextafter(x, 0), math.Nextafter(x, inf))
		}
		slices.Sort(xs)
		for k, x := range xs {
			y := cost(0, x)
			if k > 0 && y < cost(0, xs[k-1]) {
				t.Fatalf("seed %d: cost(%v) = %v, cost(%v) = %v", seed, x, y, xs[k-1], cost(0, xs[k-1]))
			}
			if y < said[x] {
				t.Fatalf("seed %d: cost(%v) = %v, predicted %v", seed, x, y, said[x])
			}
		}
		p, err := partition.Assign(1, []float64{30, 20, 10}, cost, partition.Options{})
		must(t, err)
		if p.Bound < p.Makespan*(1-1e-9) {
			t.Fatalf("seed %d: Bound %v of one machine, want %v", seed, p.Bound, p.Makespan)
		}
	}
}

func TestCostErrors(t *testing.T) {
	type list = []float64
	one := list{1, 1}
	predict := func(int, float64) float64 { return 1 }
	bySpeed := []expect.Call{expect.Bad("speeds", -1, nil)}
	affine := []expect.Call{expect.Bad("speeds", -1, nil, nil), expect.Bad("fixed", -1, list{1}, one)}
	predicted := []expect.Call{
		expect.Bad("totals", -1, 1, nil, predict),
		expect.Bad("totals", 0, 1, list{0}, predict),
		expect.Bad("totals", 0, 1, list{math.SmallestNonzeroFloat64}, predict),
		expect.Bad("totals", 1, 1, one, predict),
		expect.Bad("totals", 1, 1, list{2, 1}, predict),
		expect.Bad("machines", -1, 0, list{1}, predict),
		expect.Bad("machines", -1, math.MaxInt, list{1}, predict),
		expect.Bad("machines", -1, 1<<23+1, list{1, 2}, predict),
		expect.Bad("predict", -1, 1, list{1}, nil),
	}
	bad := list{nan, -1, inf, -inf, math.Nextafter(0x1p200, inf)}
	for _, x := range append(bad, 0, math.Nextafter(0x1p-200, 0)) {
		bySpeed, affine = append(bySpeed, expect.Bad("speeds", 1, list{1, x})), append(affine, expect.Bad("speeds", 1, one, list{1, x}))
	}
	for _, x := range bad {
		affine = append(affine, expect.Bad("fixed", 0, list{x, 1}, one))
		predicted = append(predicted, expect.Bad("totals", 1, 1, list{1, x}, predict), expect.Bad("predict", 2, 3, list{1, 2}, func(i int, total float64) float64 {
			if i == 2 && total == 2 {
				return x
			}
			return 1
		}))
	}
	expect.Refused(t, "partition.BySpeed", partition.BySpeed, nil, bySpeed...)
	expect.Refused(t, "partition.Affine", partition.Affine, nil, affine...)
	expect.Refused(t, "partition.Predicted", partition.Predicted, nil, predicted...)
}

// TestDecreasingCost: where a cost decreases everywhere, Bound is 0 and there is still a plan;
// where it decreases here and there Bound is 0, or not above the optimum.
func TestDecreasingCost(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(14, seed))
		x := instance{machines: 1 + rng.IntN(3)}
		for range 2 + rng.IntN(5) {
			x.sizes = append(x.sizes, float64(1+rng.IntN(9)))
		}
		var times [64]float64
		for k := range times {
			times[k] = float64(1 + rng.IntN(50))
		}
		x.cost = []partition.Cost{
			func(i int, total float64) float64 { return 100 - total },
			func(i int, total float64) float64 { return 1 / total },
			func(i int, total float64) float64 { return times[int(total)%64] },
			func(i int, total float64) float64 { return 20 + 10*math.Sin(total) },
		}[seed%4]
		optimum, _ := x.enumerate()
		for _, m := range methods {
			p := x.assign(t, m)
			if (seed%4 < 2 || p.Bound > optimum) && (p.Bound != 0 || p.Critical != -1) {
				t.Fatalf("seed %d, %v: Bound %v, Critical %d, want 0 and -1; optimum %v", seed, m, p.Bound, p.Critical, optimum)
			}
			if p.Makespan < optimum {
				t.Fatalf("seed %d, %v: Makespan %v below the optimum %v", seed, m, p.Makespan, optimum)
			}
		}
	}
}

// TestDecreasingCostOfSketch: a cost that is seen to decrease on any row leaves no bound.
func TestDecreasingCostOfSketch(t *testing.T) {
	s := newSketch(t, 5, 9, 2)
	for key := range uint64(100) {
		must(t, s.Add(key, 1+key%5))
	}
	for _, m := range methods {
		_, p, err := partition.AssignSketch(3, s, func(i int, total float64) float64 { return 1000 - total }, partition.Options{Method: m})
		if err != nil || p.Bound != 0 || p.Critical != -1 {
			t.Errorf("%v: Bound %v, Critical %d, %v, want 0 and -1", m, p.Bound, p.Critical, err)
		}
	}
}
