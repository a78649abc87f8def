package partition_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

// bins returns the fewest bins of whole sizes that a capacity holds, by trying every division. No
// size is larger.
func bins(sizes []float64, capacity float64) int {
	fewest := max(1, len(sizes))
	var loads []float64
	var try func(k int)
	try = func(k int) {
		if len(loads) >= fewest {
			return
		}
		if k == len(sizes) {
			fewest = max(1, len(loads))
			return
		}
		for b := range loads {
			if loads[b]+sizes[k] <= capacity {
				loads[b] += sizes[k]
				try(k + 1)
				loads[b] -= sizes[k]
			}
		}
		loads = append(loads, sizes[k])
		try(k + 1)
		loads = loads[:len(loads)-1]
	}
	try(0)
	return fewest
}

// TestMachinesForEnumeration compares with all divisions, in whole sizes and their multiples by
// decimals.
func TestMachinesForEnumeration(t *testing.T) {
	exact, tight := 0, 0
	const count = 1000
	for seed := range uint64(count) {
		rng := rand.New(rand.NewPCG(42, seed))
		capacity := 1 + rng.IntN(30)
		sizes := make([]float64, rng.IntN(9))
		for k := range sizes {
			sizes[k] = float64(rng.IntN(capacity + 1))
		}
		fixed, speed := float64(rng.IntN(3)), float64(1+rng.IntN(3))
		optimum := bins(sizes, float64(capacity))
		for _, by := range []float64{1, .1, .3, 7.1} {
			cost, err := partition.Affine([]float64{fixed * by}, []float64{speed})
			must(t, err)
			part, deadline := times(by, sizes), (fixed+float64(capacity)/speed)*by
			p, bound, err := partition.MachinesFor(part, deadline, cost)
			must(t, err)
			m := len(p.Load)
			equal := func(_ int, total float64) float64 { return cost(0, total) }
			must(t, partition.Verify(m, part, equal, partition.Options{Deadlines: slices.Repeat([]float64{deadline}, m)}, p))
			if !p.Feasible || !(1 <= bound && bound <= optimum && optimum <= m) {
				t.Fatalf("seed %d: MachinesFor(%v, %v) = %+v, bound %d, want the optimum %d between them", seed, part, deadline, p, bound, optimum)
			}
			if by == 1 && m == optimum {
				exact++
			}
			if by == 1 && bound == optimum {
				tight++
			}
		}
	}
	if t.Logf("optimal on %d, bound tight on %d of %d", exact, tight, count); exact < count*98/100 || tight < count*9/10 {
		t.Errorf("optimal on %d, bound tight on %d of %d", exact, tight, count)
	}
}

func TestMachinesFor(t *testing.T) {
	unit := func(_ int, total float64) float64 { return total }
	for _, c := range []struct {
		sizes           []float64
		deadline        float64
		machines, bound int
	}{
		{nil, -1, 1, 1},
		{[]float64{0, 0}, -inf, 1, 1},
		{[]float64{5, 7}, inf, 1, 1},
		{[]float64{.1, .2}, .3, 1, 1},
		{[]float64{6, 6, 6, 4, 4, 4}, 10, 3, 3},
		{[]float64{6, 6, 6}, 10, 3, 3},                            // 18 would fit into 2
		{[]float64{7, 7, 7, 4, 4}, 10, 4, 4},                      // 29 would fit into 3
		{[]float64{44, 24, 24, 22, 21, 17, 8, 8, 6, 6}, 61, 3, 3}, // first fit takes 4
	} {
		p, bound, err := partition.MachinesFor(c.sizes, c.deadline, unit)
		if err != nil || len(p.Load) != c.machines || bound != c.bound {
			t.Errorf("MachinesFor(%v, %v): %d machines, bound %d, %v, want %d, %d", c.sizes, c.deadline, len(p.Load), bound, err, c.machines, c.bound)
		}
	}
	_, _, err := partition.MachinesFor([]float64{1, 9, 2}, 8, unit)
	if want := "the deadline, 8: partition 1 alone takes 9"; err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("MachinesFor past the deadline: %v, want %q", err, want)
	}
	at := func(total, time float64, other func(x float64) float64) partition.Cost {
		return func(_ int, x float64) float64 {
			if x == total {
				return time
			}
			return other(x)
		}
	}
	same, large := func(x float64) float64 { return x }, func(float64) float64 { return 50 }
	calls := []expect.Call{
		expect.Bad("sizes", 1, []float64{1, nan}, 3, partition.Cost(unit)),
		expect.Bad("sizes", -1, make([]float64, 1<<20+1), 3, partition.Cost(unit)),
		expect.Bad("deadline", -1, []float64{1}, nan, partition.Cost(unit)),
		expect.Bad("cost", -1, []float64{1}, 3, nil),
		expect.Bad("cost", 0, []float64{4, 4, 1}, 7, at(4, 5, large)), // a cost that decreases leaves a plan or an error
	}
	for _, x := range []float64{nan, inf, -1} {
		calls = append(calls, expect.Bad("cost", 0, []float64{1, 2}, 3, at(2, x, same)), expect.Bad("cost", 0, []float64{1, 2}, 3, at(3, x, same)))
	}
	expect.Refused(t, "partition.MachinesFor", partition.MachinesFor, nil, calls...)
	p, bound, err := partition.MachinesFor([]float64{4, 4, 4}, 7, func(_ int, total float64) float64 { return 20 / total })
	if err != nil || !p.Feasible || bound != 1 {
		t.Errorf("decreasing cost: %+v, bound %d, %v", p, bound, err)
	}
	// The decrease is near the deadline, where only the packing by first fit looks.
	p, bound, err = partition.MachinesFor([]float64{6, 7, 7}, 17, func(_ int, total float64) float64 {
		if total > 15.47 && total < 17 {
			return 20
		}
		return total
	})
	if err != nil || !p.Feasible || bound != 1 {
		t.Errorf("cost that decreases near the deadline: %+v, bound %d, %v, want 1", p, bound, err)
	}
}

// TestMachinesForMany: thousands of partitions, of every kind, stay near the bound.
func TestMachinesForMany(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(43, seed))
		sizes := make([]float64, 3000)
		for k := range sizes {
			sizes[k] = math.Exp([]float64{.2, 1.3}[seed%2] * rng.NormFloat64())
		}
		deadline := slices.Max(sizes) * []float64{1, 20}[seed/2]
		p, bound, err := partition.MachinesFor(sizes, deadline, func(_ int, total float64) float64 { return total })
		if err != nil || !p.Feasible || len(p.Load) > bound+1+bound/40 {
			t.Errorf("seed %d: %d machines, bound %d, %v", seed, len(p.Load), bound, err)
		}
	}
}
