package partition_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

var decimals = flag.Int("decimals", 2000, "instances to compare with their multiples by decimals")

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

// TestDecimalExchanges: exchanges that rounding alone makes look like gains.
func TestDecimalExchanges(t *testing.T) {
	for _, c := range []struct {
		sizes    []float64
		machines int
		previous []int
		makespan float64
	}{
		{[]float64{.1, .1, .1, .1, .7, 2.7}, 2, []int{1, 1, 1, 0, 0, 0}, 2.7},
		{[]float64{.2, .9, .9}, 4, nil, .9},
		{[]float64{.2, .9, .9}, 4, []int{0, 0, 1}, .9},
		{[]float64{.3, .2, .1}, 2, []int{0, 1, 1}, .3},
		{[]float64{.3, .2, .1}, 2, []int{1, 0, 0}, .3},
	} {
		ones := slices.Repeat([]float64{1}, c.machines)
		for _, m := range []partition.Method{partition.LocalSearch, partition.Best} {
			o := partition.Options{Method: m, Previous: c.previous, Steps: math.MaxInt}
			cost := counted(t, callLimit(len(c.sizes), c.machines, 100), make([]float64, c.machines), ones)
			p, err := partition.Assign(c.machines, c.sizes, cost, o)
			if err != nil || math.Abs(p.Makespan-c.makespan) > 1e-12 {
				t.Errorf("%v of %v on %d: Makespan %v, %v, want %v", m, c.sizes, c.machines, p.Makespan, err, c.makespan)
			}
		}
	}
}

// TestStepCosts: a cost that jumps between .3 and .1 + .2 makes an exchange a gain by differences
// of loads and none by sums.
func TestStepCosts(t *testing.T) {
	for seed := range uint64(*decimals) {
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
	for seed := range uint64(*decimals) {
		rng := rand.New(rand.NewPCG(40, seed))
		machines, n, largest := 1+rng.IntN(5), rng.IntN(14), 1+rng.IntN(30)
		sizes, fixed, speeds := make([]float64, n), make([]float64, machines), make([]float64, machines)
		for k := range sizes {
			sizes[k] = float64(rng.IntN(1 + largest))
		}
		equal := rng.IntN(2) == 0
		for i := range speeds {
			if speeds[i] = 1; !equal {
				speeds[i], fixed[i] = float64(1+rng.IntN(4)), float64(rng.IntN(3))
			}
		}
		o := partition.Options{MoveCost: []float64{0, .1, .3, .5, 1}[rng.IntN(5)], Steps: []int{0, 3, math.MaxInt}[rng.IntN(3)]}
		if rng.IntN(3) == 0 {
			o.Ready = make([]float64, machines)
			for i := range o.Ready {
				if o.Ready[i] = float64(rng.IntN(20)); i > 0 && rng.IntN(6) == 0 {
					o.Ready[i] = inf
				}
			}
		}
		if rng.IntN(3) == 0 {
			o.Deadlines = make([]float64, machines)
			for i := range o.Deadlines {
				o.Deadlines[i] = []float64{float64(rng.IntN(3 * largest)), inf}[rng.IntN(5)/4]
			}
		}
		if rng.IntN(3) > 0 {
			o.Previous = make([]int, n)
			for k := range o.Previous {
				o.Previous[k] = max(-1, rng.IntN(machines+4)-4)
				if rng.IntN(2) == 0 {
					o.Previous[k] = rng.IntN(machines)
				}
			}
		}
		fetch := rng.IntN(4) == 0
		limit := callLimit(n, machines, min(max(o.Steps, 30), 100))
		for _, o.Method = range methods {
			if o.Extra = nil; fetch {
				o.Extra = func(k, i int) float64 { return float64((7*k + 3*i) % 5) }
			}
			whole, err := partition.Assign(machines, sizes, counted(t, limit, fixed, speeds), o)
			must(t, err)
			for _, by := range []float64{.1, .3, 7.1} {
				part, cost := scaled(by, sizes), counted(t, limit, scaled(by, fixed), speeds)
				q := o
				if fetch {
					q.Extra = func(k, i int) float64 { return scaled(by, []float64{float64((7*k + 3*i) % 5)})[0] }
				}
				q.Ready, q.Deadlines = scaled(by, o.Ready), scaled(by, o.Deadlines)
				p, err := partition.Assign(machines, part, cost, q)
				must(t, err)
				must(t, partition.Verify(machines, part, cost, q, p))
				if !slices.Equal(p.Of, whole.Of) || !slices.Equal(p.Why, whole.Why) || p.Critical != whole.Critical || p.Moves != whole.Moves || p.Feasible != whole.Feasible ||
					math.Abs(p.Makespan-by*whole.Makespan) > 1e-9*p.Makespan || math.Abs(p.Bound-by*whole.Bound) > 1e-9*p.Bound {
					t.Fatalf("seed %d, %v of %v on %d, fixed %v, speeds %v, %+v:\n%+v, times %v\n%+v", seed, o.Method, sizes, machines, fixed, speeds, o, whole, by, p)
				}
			}
		}
	}
}
