package partition_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

// TestMachineGone: what a machine held that is away moves at no charge.
func TestMachineGone(t *testing.T) {
	unit := func(_ int, total float64) float64 { return total }
	for _, m := range methods {
		o := partition.Options{Method: m, Ready: []float64{inf, 0}, Previous: []int{0, 0, 1}, MoveCost: 50}
		p, err := partition.Assign(2, []float64{3, 2, 1}, unit, o)
		if err != nil || p.Makespan != 6 || p.NetMakespan != 6 || p.Moves != 0 {
			t.Errorf("%v: %+v, %v, want all on machine 1 until 6 and no moves", m, p, err)
		}
	}
	// Machine 0 is there but late to be free: leaving it is a move.
	o := partition.Options{Method: partition.LocalSearch, Ready: []float64{100, 0}, Previous: []int{0, 0, 1}, MoveCost: 2}
	p, err := partition.Assign(2, []float64{3, 2, 1}, unit, o)
	if err != nil || p.Makespan != 16 || p.NetMakespan != 6 || p.Moves != 2 {
		t.Errorf("%+v, %v, want Makespan 16, NetMakespan 6, 2 moves", p, err)
	}
	must(t, partition.Verify(2, []float64{3, 2, 1}, unit, o, p))
}

// TestExtra: partitions go where fetching them is short, and one that is far from everywhere is
// critical.
func TestExtra(t *testing.T) {
	unit := func(_ int, total float64) float64 { return total }
	near := []int{1, 1, 0, 2}
	o := partition.Options{Extra: func(k, i int) float64 {
		if near[k] == i {
			return 0
		}
		return 8
	}}
	for _, o.Method = range []partition.Method{partition.DynamicShare, partition.LocalSearch, partition.Best} {
		p, err := partition.Assign(3, []float64{3, 3, 5, 4}, unit, o)
		if err != nil || !slices.Equal(p.Of, near) || p.Makespan != 6 || p.Moves != 0 {
			t.Errorf("%v: %+v, %v, want %v until 6", o.Method, p, err, near)
		}
		must(t, partition.Verify(3, []float64{3, 3, 5, 4}, unit, o, p))
	}
	o.Extra = func(k, i int) float64 { return []float64{0, 9, 0}[k] }
	p, err := partition.Assign(3, []float64{3, 1, 2}, unit, o)
	if err != nil || p.Bound != 10 || p.Critical != 1 || p.Makespan != 10 {
		t.Errorf("%+v, %v, want Critical 1 and Bound 10", p, err)
	}
	p.Critical = 0
	if err := partition.Verify(3, []float64{3, 1, 2}, unit, o, p); err == nil || !strings.Contains(err.Error(), "broken plan: partition 0: ") {
		t.Errorf("Verify of a plan with another Critical: %v", err)
	}
	o.Extra = func(k, i int) float64 { return []float64{0, 2, 0}[k] } // both 0 and 1 end at 3
	if p, err = partition.Assign(3, []float64{3, 1, 0}, unit, o); err != nil || p.Bound != 3 || p.Critical != -1 {
		t.Errorf("%+v, %v, want Bound 3 and none critical", p, err)
	}
	// A partition of size 0 is not fetched.
	o.Extra = func(k, i int) float64 { return nan }
	if p, err = partition.Assign(3, []float64{0, 0}, unit, o); err != nil || p.Makespan != 0 {
		t.Errorf("%+v, %v, want nothing to be fetched", p, err)
	}
}

// TestUnknown: the partitions of unknown size stay or are spread evenly, and all
// numbers are those of the known ones, whose plan does not depend on the unknown.
func TestUnknown(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(45, seed))
		x := draw(t, rng, 1e9, true)
		sizes, held := []float64{}, []int{}
		var place []int // of the partitions of x
		for k := 0; k < len(x.sizes) || rng.IntN(8) > 0; {
			if k < len(x.sizes) && rng.IntN(2) == 0 {
				place = append(place, len(sizes))
				sizes = append(sizes, x.sizes[k])
				if held = append(held, -1); x.o.Previous != nil {
					held[len(held)-1] = x.o.Previous[k]
				}
				k++
			} else {
				sizes, held = append(sizes, nan), append(held, -1)
				if x.o.Previous != nil {
					held[len(held)-1] = rng.IntN(x.machines+1) - 1
				}
			}
		}
		y := x
		y.sizes, y.o.Unknown = sizes, true
		if x.o.Previous != nil {
			y.o.Previous = held
		}
		if x.o.Extra != nil {
			y.o.Extra = func(k, i int) float64 { return x.o.Extra(slices.Index(place, k), i) }
		}
		for _, m := range methods {
			if m == partition.Hash || m == partition.Best { // partition k on machine k mod m
				y.assign(t, m)
				continue
			}
			p, q := x.assign(t, m), y.assign(t, m)
			if !slices.Equal(p.Load, q.Load) || !slices.Equal(p.Finish, q.Finish) || p.Makespan != q.Makespan || p.Bound != q.Bound || p.Moves != q.Moves || p.Feasible != q.Feasible {
				t.Fatalf("seed %d, %v: %+v with unknown sizes, %+v without", seed, m, q, p)
			}
			count, stay := make([]int, x.machines), make([]int, x.machines)
			for k, i := range q.Of {
				switch {
				case sizes[k] == sizes[k]:
				case held[k] >= 0 && x.ready(held[k]) < inf:
					count[i]++
					if stay[i]++; i != held[k] || q.Why[k] != partition.Kept {
						t.Fatalf("seed %d, %v: %d on %d, %v, want it to stay on %d", seed, m, k, i, q.Why[k], held[k])
					}
				default:
					if count[i]++; q.Why[k] != partition.Spread {
						t.Fatalf("seed %d, %v: %d on %d, %v", seed, m, k, i, q.Why[k])
					}
				}
			}
			for i, n := range count {
				for j := range count {
					if x.ready(j) < inf && n > stay[i] && n > count[j]+1 {
						t.Fatalf("seed %d, %v: %v partitions of unknown size by machine, of which %v stay", seed, m, count, stay)
					}
				}
			}
		}
	}
	unit := func(_ int, total float64) float64 { return total }
	o := partition.Options{Unknown: true, Ready: []float64{4, 0, inf}}
	sizes := []float64{nan, 1, nan, 3, nan}
	p, err := partition.Assign(3, sizes, unit, o)
	if want := []int{0, 1, 1, 1, 0}; err != nil || !slices.Equal(p.Of, want) {
		t.Errorf("%+v, %v, want %v", p, err, want)
	}
	for name, of := range map[string][]int{"one-sided": {1, 1, 1, 1, 1}, "away": {0, 1, 1, 1, 2}} {
		q := p
		q.Of = of
		if err := partition.Verify(3, sizes, unit, o, q); err == nil || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s: Verify = %v, want a verdict", name, err)
		}
	}
	q := p
	if q.Of = []int{1, 1, 1, 1, 0}; partition.Verify(3, []float64{nan, 1, 0, 3, 0}, unit, o, q) != nil {
		t.Error("Verify refuses one partition of unknown size more than on another machine")
	}
	if q.Of = []int{1, 1, 1, 1, 0}; partition.Verify(3, []float64{nan, 1, nan, 3, 0}, unit, o, q) == nil {
		t.Error("Verify takes two partitions of unknown size more than on another machine")
	}
	held := o
	held.Previous = []int{1, 1, 1, 1, 1}
	if err := partition.Verify(3, sizes, unit, held, p); err == nil {
		t.Error("Verify takes a plan that moves a partition of unknown size")
	}
	_, err = partition.Assign(3, sizes, unit, partition.Options{})
	expect.InputError(t, "NaN without Unknown", err, "partition.Assign", "sizes", 0)
}
