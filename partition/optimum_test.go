package partition_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// instance is a small problem whose assignments can all be tried. Sizes are whole, so that sums are
// exact in any order.
type instance struct {
	sizes    []float64
	machines int
	cost     partition.Cost
	speeds   []float64 // nil: the cost is not total / speed
	o        partition.Options
}

// draw draws an instance of at most 2e6 assignments, with costs of every kind that does not
// decrease: by speed, affine, in steps, roots and squares, predicted. With options it has machines
// with a queue or away, deadlines, a previous assignment and a cost of moving.
func draw(t testing.TB, rng *rand.Rand, limit float64, options bool) instance {
	t.Helper()
	x := instance{machines: 1 + rng.IntN(5)}
	n := rng.IntN(10)
	for n > 0 && math.Pow(float64(x.machines), float64(n)) > limit {
		n--
	}
	scale := 1 + rng.IntN(40)
	for range n {
		x.sizes = append(x.sizes, float64(rng.IntN(1+scale)))
	}
	speeds, fixed := make([]float64, x.machines), make([]float64, x.machines)
	for i := range speeds {
		speeds[i], fixed[i] = float64(1+rng.IntN(4)), float64(rng.IntN(5))
	}
	var err error
	switch rng.IntN(5) {
	case 0, 1:
		x.speeds = speeds
		x.cost, err = partition.BySpeed(speeds)
	case 2:
		x.cost, err = partition.Affine(fixed, speeds)
	case 3:
		power := []float64{0.5, 2}[rng.IntN(2)]
		step := float64(1 + rng.IntN(20))
		x.cost = func(i int, total float64) float64 {
			if i%2 == 0 {
				return math.Ceil(total/step) / speeds[i]
			}
			return math.Pow(total, power) / speeds[i]
		}
	default:
		x.cost, err = partition.Predicted(x.machines, []float64{0, 5, 20, 60}, func(i int, total float64) float64 {
			return total/speeds[i] + fixed[i]*rng.Float64()
		})
	}
	must(t, err)
	if options {
		if rng.IntN(2) == 0 {
			x.o.Ready = make([]float64, x.machines)
			for i := range x.o.Ready {
				x.o.Ready[i] = float64(rng.IntN(20))
				if i > 0 && rng.IntN(6) == 0 {
					x.o.Ready[i] = inf
				}
			}
		}
		if rng.IntN(2) == 0 {
			x.o.Deadlines = make([]float64, x.machines)
			for i := range x.o.Deadlines {
				x.o.Deadlines[i] = []float64{float64(rng.IntN(60)), inf}[rng.IntN(5)/4]
			}
		}
		if rng.IntN(2) == 0 {
			x.o.Previous = make([]int, n)
			for k := range x.o.Previous {
				x.o.Previous[k] = rng.IntN(x.machines+1) - 1
			}
			x.o.MoveCost = float64(rng.IntN(3)) / 2
		}
		if rng.IntN(3) == 0 {
			var times [10][5]float64
			for k := range times {
				for i := range times[k] {
					times[k][i] = float64(rng.IntN(1+scale) * rng.IntN(2))
				}
			}
			x.o.Extra = func(k, i int) float64 { return times[k%10][i] }
		}
	}
	return x
}

// leaves reports whether partition k leaves a machine that is not away when it goes to machine i.
func (x instance) leaves(k, i int) bool {
	return x.o.Previous != nil && x.o.Previous[k] != -1 && x.o.Previous[k] != i && x.ready(x.o.Previous[k]) < inf
}

// fetch is the time that partition k adds to the finish of machine i besides the cost of its size.
func (x instance) fetch(k, i int) (t float64) {
	if x.o.Extra != nil && x.sizes[k] > 0 {
		t = x.o.Extra(k, i)
	}
	if x.leaves(k, i) {
		t += x.o.MoveCost * x.sizes[k]
	}
	return t
}

// value is the makespan of an assignment and whether it meets all deadlines, from the definitions.
func (x instance) value(of []int) (makespan float64, feasible bool) {
	feasible = true
	for i := range x.machines {
		load, extra := 0.0, 0.0
		for k, j := range of {
			if i == j {
				load += x.sizes[k]
				extra += x.fetch(k, i)
			}
		}
		if load == 0 {
			continue
		}
		at := x.cost(i, load) + extra
		if x.o.Ready != nil {
			at += x.o.Ready[i]
		}
		makespan = max(makespan, at)
		if x.o.Deadlines != nil && at*(1-0x1p-40) > x.o.Deadlines[i] {
			feasible = false
		}
	}
	return makespan, feasible
}

// enumerate tries every assignment: the least makespan, and the least of those that meet all
// deadlines, +Inf if none does.
func (x instance) enumerate() (optimum, onTime float64) {
	optimum, onTime = inf, inf
	of := make([]int, len(x.sizes))
	for {
		v, feasible := x.value(of)
		optimum = min(optimum, v)
		if feasible {
			onTime = min(onTime, v)
		}
		k := 0
		for ; k < len(of); k++ {
			if of[k]++; of[k] < x.machines {
				break
			}
			of[k] = 0
		}
		if k == len(of) {
			return optimum, onTime
		}
	}
}

// speedBound is a bound for machines of given speeds: the j largest partitions are on j machines
// at most, so they take their sum over the sum of the j largest speeds, and all of them likewise.
func (x instance) speedBound() float64 {
	sizes, speeds := slices.Clone(x.sizes), slices.Clone(x.speeds)
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	slices.SortFunc(speeds, func(a, b float64) int { return cmp.Compare(b, a) })
	bound, size, speed := 0.0, 0.0, 0.0
	for j, s := range sizes {
		if size += s; j < len(speeds) {
			speed += speeds[j]
		}
		if j < len(speeds) || j == len(sizes)-1 {
			bound = max(bound, size/speed)
		}
	}
	return bound
}

func (x instance) assign(t testing.TB, m partition.Method) partition.Plan {
	t.Helper()
	o := x.o
	o.Method = m
	p, err := partition.Assign(x.machines, x.sizes, x.cost, o)
	must(t, err)
	if err := partition.Verify(x.machines, x.sizes, x.cost, o, p); err != nil {
		t.Fatalf("%v of %+v: %+v: %v", m, x, p, err)
	}
	return p
}

// better compares plans as the package does: on time first, then the makespan. Where both are late
// it says nothing.
func better(a, b partition.Plan) bool {
	if a.Feasible != b.Feasible {
		return a.Feasible
	}
	return a.Feasible && a.Makespan < b.Makespan*(1-1e-11)
}

// TestOptimum compares all methods with enumeration: Bound <= optimum <= Makespan whatever the
// cost, no method is better than Best, a plan that meets deadlines is no better than the best that
// does, and where cost is total / speed DynamicShare and Multifit keep their guarantees.
func TestOptimum(t *testing.T) {
	limit, count := 3000.0, 1500
	if !testing.Short() {
		limit, count = 10000, 2500
	}
	feasible, missed, attained, critical, wide, held := 0, 0, 0, 0, 0, 0
	for seed := range uint64(count) {
		rng := rand.New(rand.NewPCG(31, seed))
		x := draw(t, rng, limit, seed%2 == 1)
		optimum, onTime := x.enumerate()
		net := x
		net.o.MoveCost = 0
		least := optimum
		if x.o.MoveCost > 0 {
			least, _ = net.enumerate()
		}
		found := map[partition.Method]partition.Plan{}
		for _, m := range methods {
			p := x.assign(t, m)
			found[m] = p
			if makespan, ok := x.value(p.Of); math.Abs(makespan-p.Makespan) > 1e-12*makespan || ok != p.Feasible {
				t.Fatalf("seed %d, %v: %+v, want Makespan %v and Feasible %t", seed, m, p, makespan, ok)
			}
			if !(p.Bound <= least*(1+1e-12) && optimum <= p.Makespan*(1+1e-12)) {
				t.Fatalf("seed %d, %v: Bound %v, Makespan %v, want the optima %v and %v between them", seed, m, p.Bound, p.Makespan, least, optimum)
			}
			if p.Exact && p.NetMakespan > least*(1+1e-9) {
				t.Fatalf("seed %d, %v: %+v is no optimum: %v", seed, m, p, least)
			}
			if makespan, _ := net.value(p.Of); math.Abs(makespan-p.NetMakespan) > 1e-12*makespan {
				t.Fatalf("seed %d, %v: NetMakespan %v, want %v", seed, m, p.NetMakespan, makespan)
			}
			if p.Feasible && !(onTime <= p.Makespan*(1+1e-12)) {
				t.Fatalf("seed %d, %v: Makespan %v on time, want at least %v", seed, m, p.Makespan, onTime)
			}
		}
		best := found[partition.Best]
		for _, m := range methods {
			if better(found[m], best) {
				t.Fatalf("seed %d: %v is better than Best: %+v, %+v", seed, m, found[m], best)
			}
			if p := found[m]; p.Feasible && best.Feasible && p.Moves < best.Moves && p.Makespan <= best.Makespan {
				t.Fatalf("seed %d: %v moves less than Best and ends no later: %+v, %+v", seed, m, p, best)
			}
		}
		if x.o.Previous == nil && better(found[partition.DynamicShare], found[partition.LocalSearch]) {
			t.Fatalf("seed %d: local search is worse than its start: %+v, %+v", seed, found[partition.LocalSearch], found[partition.DynamicShare])
		}
		if x.o.Previous != nil && !slices.ContainsFunc(x.o.Previous, func(i int) bool { return i < 0 || x.ready(i) == inf }) {
			held++
			makespan, ok := x.value(x.o.Previous)
			if p := found[partition.LocalSearch]; ok && !(p.Feasible && p.Makespan <= makespan*(1+1e-12)) {
				t.Fatalf("seed %d: local search is worse than the previous assignment, of makespan %v: %+v", seed, makespan, p)
			}
		}
		if p, start := found[partition.LocalSearch], found[partition.DynamicShare]; x.o.Previous == nil && x.o.Deadlines == nil &&
			p.Makespan == start.Makespan && !slices.Equal(p.Of, start.Of) {
			t.Fatalf("seed %d: local search moves without gain: %+v, %+v", seed, p, start)
		}
		if better(found[partition.DynamicShare], found[partition.Multifit]) {
			t.Fatalf("seed %d: Multifit is worse than DynamicShare: %+v, %+v", seed, found[partition.Multifit], found[partition.DynamicShare])
		}
		if x.speeds != nil && seed%2 == 0 {
			m := float64(x.machines)
			if want := x.speedBound(); best.Bound < want*(1-1e-9) {
				t.Fatalf("seed %d: Bound %v of %+v, want at least %v", seed, best.Bound, x, want)
			}
			if p := found[partition.DynamicShare]; p.Makespan > optimum*2*m/(m+1)*(1+1e-12) {
				t.Fatalf("seed %d: DynamicShare %v, optimum %v, want within 2m/(m+1) for m = %d", seed, p.Makespan, optimum, x.machines)
			}
			if p := found[partition.Multifit]; p.Makespan > optimum*1.4*(1+1e-5) {
				t.Fatalf("seed %d: Multifit %v, optimum %v, want within 1.4", seed, p.Makespan, optimum)
			}
			if slices.Min(x.speeds) == slices.Max(x.speeds) {
				wide++
				if !best.Exact || best.Makespan > optimum*(1+1e-9) {
					t.Fatalf("seed %d: Best of few partitions on equal machines is %+v, want the optimum, %v", seed, best, optimum)
				}
				if p := found[partition.Multifit]; p.Makespan > optimum*13/11*(1+1e-5) {
					t.Fatalf("seed %d: Multifit %v, optimum %v, want within 13/11 on equal machines", seed, p.Makespan, optimum)
				}
				if p := found[partition.LoadBalance]; p.Makespan > optimum*(4./3-1/(3*m))*(1+1e-12) {
					t.Fatalf("seed %d: LoadBalance %v, optimum %v, want within 4/3 - 1/3m on equal machines", seed, p.Makespan, optimum)
				}
			}
		}
		if onTime < inf {
			feasible++
			if !best.Feasible {
				missed++
			}
		}
		if x.o.Deadlines == nil {
			if best.Makespan <= optimum*(1+1e-9) {
				attained++
			}
		}
		if best.Critical >= 0 {
			critical++
			if optimum < best.Bound*(1-1e-9) {
				t.Fatalf("seed %d: Critical %d with Bound %v above the optimum %v", seed, best.Critical, best.Bound, optimum)
			}
		}
	}
	t.Logf("%d instances: Best optimal on %d of those without deadlines; deadlines can be met on %d, Best misses them on %d; %d critical; %d with equal machines; %d held",
		count, attained, feasible, missed, critical, wide, held)
	if critical == 0 || wide == 0 || feasible == 0 || held == 0 {
		t.Error("the instances test little")
	}
}
