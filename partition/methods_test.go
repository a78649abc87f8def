package partition_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// ready, deadline and held are what an option says, or its default.
func (x instance) ready(i int) float64 {
	if x.o.Ready == nil {
		return 0
	}
	return x.o.Ready[i]
}

func (x instance) deadline(i int) float64 {
	if x.o.Deadlines == nil {
		return inf
	}
	return x.o.Deadlines[i]
}

func (x instance) end(i int, load, extra float64) float64 {
	if load == 0 {
		return x.ready(i)
	}
	return x.ready(i) + (x.cost(i, load) + extra)
}

// descending returns the partitions from the largest down.
func (x instance) descending() []int {
	order := make([]int, len(x.sizes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x.sizes[a] > x.sizes[b]:
			return -1
		case x.sizes[a] < x.sizes[b]:
			return 1
		}
		return 0
	})
	return order
}

// textbook assigns as the methods' definitions say, one by one, looking at every
// machine: DynamicShare by the earliest finish on time, else the earliest; LoadBalance
// by the least load; Hash by index. Times and loads within 2^-40 are equal.
func (x instance) textbook(m partition.Method) ([]int, []partition.Reason) {
	of, why := make([]int, len(x.sizes)), make([]partition.Reason, len(x.sizes))
	load, extra := make([]float64, x.machines), make([]float64, x.machines)
	var up []int
	for i := range x.machines {
		if x.ready(i) < inf {
			up = append(up, i)
		}
	}
	for _, k := range x.descending() {
		to := -1
		switch m {
		case partition.Hash:
			to, why[k] = up[k%len(up)], partition.Hashed
		case partition.LoadBalance:
			for _, i := range up {
				if to < 0 || load[i] < load[to]*(1-0x1p-40) {
					to, why[k] = i, partition.Lightest
				}
			}
		default:
			for _, onTime := range []bool{true, false} {
				best := inf
				for _, i := range up {
					at := x.end(i, load[i]+x.sizes[k], extra[i]+x.fetch(k, i))
					if onTime && load[i]+x.sizes[k] > 0 && at*(1-0x1p-40) > x.deadline(i) {
						continue
					}
					if at < best*(1-0x1p-40) {
						best, to = at, i
						why[k] = partition.Earliest
						if !onTime {
							why[k] = partition.Late
						}
					}
				}
				if to >= 0 {
					break
				}
			}
		}
		of[k] = to
		load[to] += x.sizes[k]
		extra[to] += x.fetch(k, to)
	}
	return of, why
}

// TestTextbook compares the greedy methods with their definitions, on instances of every kind,
// small ones and some with hundreds of partitions.
func TestTextbook(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(32, seed))
		x := draw(t, rng, 1e9, seed%4 > 0)
		if seed%10 == 0 && x.o.Previous == nil {
			x.sizes = make([]float64, 200)
			for k := range x.sizes {
				x.sizes[k] = float64(rng.IntN(100))
			}
		}
		for _, m := range []partition.Method{partition.DynamicShare, partition.LoadBalance, partition.Hash} {
			p := x.assign(t, m)
			of, why := x.textbook(m)
			if !slices.Equal(p.Of, of) || !slices.Equal(p.Why, why) {
				t.Fatalf("seed %d, %v of %+v:\n%v %v, want\n%v %v", seed, m, x, p.Of, p.Why, of, why)
			}
		}
	}
}

// TestLocalOptimum: where the search was not cut off, no move off the slowest machine, and without
// a cost of moving or fetching no swap with it, makes both machines finish earlier than it does.
func TestLocalOptimum(t *testing.T) {
	moved, swapped := 0, 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(33, seed))
		x := draw(t, rng, 1e9, seed%3 > 0)
		x.o.Deadlines = nil
		p := x.assign(t, partition.LocalSearch)
		for _, w := range p.Why {
			switch w {
			case partition.Moved:
				moved++
			case partition.Swapped:
				swapped++
			case partition.Kept, partition.Earliest:
			default:
				t.Fatalf("seed %d: LocalSearch gives the reason %v", seed, w)
			}
		}
		slow := -1 // the one machine that finishes last
		for i := range x.machines {
			if p.Load[i] > 0 && p.Finish[i] > p.Makespan*(1-1e-12) {
				if slow >= 0 {
					slow = -1
					break
				}
				slow = i
			}
		}
		if slow < 0 {
			continue // the search improves one and is of no use while there is another
		}
		of := slices.Clone(p.Of)
		improves := func(i int) bool {
			var load, extra [2]float64
			for k, j := range of {
				for e, machine := range []int{slow, i} {
					if j == machine {
						load[e] += x.sizes[k]
						extra[e] += x.fetch(k, j)
					}
				}
			}
			return max(x.end(slow, load[0], extra[0]), x.end(i, load[1], extra[1])) < p.Makespan*(1-1e-12)
		}
		for k := range of {
			if of[k] != slow {
				continue
			}
			for i := range x.machines {
				if i == slow || x.ready(i) == inf {
					continue
				}
				if of[k] = i; improves(i) {
					t.Fatalf("seed %d: %+v of %+v: moving %d to machine %d is better", seed, p, x, k, i)
				}
				for q := range of {
					if p.Of[q] == i && x.o.MoveCost == 0 && x.o.Extra == nil {
						if of[q] = slow; improves(i) {
							t.Fatalf("seed %d: %+v of %+v: swapping %d for %d is better", seed, p, x, k, q)
						}
						of[q] = i
					}
				}
			}
			of[k] = slow
		}
	}
	if moved == 0 || swapped == 0 {
		t.Errorf("%d moved and %d swapped: the instances test little", moved, swapped)
	}
}

// TestSteps: with more steps the plan is never worse, one step moves or swaps once.
func TestSteps(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(34, seed))
		x := instance{machines: 2 + rng.IntN(6)}
		for range 40 {
			x.sizes = append(x.sizes, math.Ceil(100*rng.ExpFloat64()))
		}
		x.cost = func(i int, total float64) float64 { return total / float64(1+i) }
		x.o.Previous = make([]int, len(x.sizes))
		last := inf
		for _, steps := range []int{1, 2, 5, 20, 1000} {
			x.o.Steps = steps
			p := x.assign(t, partition.LocalSearch)
			if p.Makespan > last {
				t.Fatalf("seed %d: %d steps: Makespan %v, with fewer %v", seed, steps, p.Makespan, last)
			}
			last = p.Makespan
			changed := 0
			for _, i := range p.Of {
				if i != 0 {
					changed++
				}
			}
			if changed > steps {
				t.Fatalf("seed %d: %d partitions left machine 0 in %d steps", seed, changed, steps)
			}
		}
		x.o.Steps = 0
		if p := x.assign(t, partition.LocalSearch); p.Makespan != last {
			t.Fatalf("seed %d: Makespan %v with the default, want that of 1000 steps, %v", seed, p.Makespan, last)
		}
	}
}

// TestRepair: when a machine slows or leaves, LocalSearch from the previous plan moves few
// partitions and comes near a plan made anew.
func TestRepair(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(35, seed))
		const n, machines = 120, 12
		sizes, speeds := make([]float64, n), make([]float64, machines)
		for k := range sizes {
			sizes[k] = 1 + rng.ExpFloat64()
		}
		for i := range speeds {
			speeds[i] = 1 + 3*rng.Float64()
		}
		cost, err := partition.BySpeed(speeds)
		must(t, err)
		before, err := partition.Assign(machines, sizes, cost, partition.Options{Method: partition.Best})
		must(t, err)
		o := partition.Options{Method: partition.LocalSearch, Previous: before.Of, MoveCost: 0.1}
		same, err := partition.Assign(machines, sizes, cost, o)
		must(t, err)
		if changes(same.Of, before.Of) > 2 { // Best may have been cut short, hardly ever
			t.Errorf("seed %d: %d moves though nothing has changed", seed, changes(same.Of, before.Of))
		}
		held := 0
		for _, i := range before.Of {
			if i == 3 {
				held++
			}
		}
		for _, away := range []bool{false, true} {
			if away {
				o.Ready = make([]float64, machines)
				o.Ready[3] = inf
			} else {
				speeds[3] /= 2
				cost, err = partition.BySpeed(speeds)
				must(t, err)
			}
			repaired, err := partition.Assign(machines, sizes, cost, o)
			must(t, err)
			must(t, partition.Verify(machines, sizes, cost, o, repaired))
			anew, err := partition.Assign(machines, sizes, cost, partition.Options{Method: partition.DynamicShare, Ready: o.Ready})
			must(t, err)
			if moves := changes(repaired.Of, before.Of); moves > 2*held+12 || 3*moves > changes(anew.Of, before.Of) {
				t.Errorf("seed %d, away %t: %d moves, of %d partitions on the machine; a new plan makes %d", seed, away, moves, held, changes(anew.Of, before.Of))
			}
			if repaired.Makespan > 1.15*anew.Makespan {
				t.Errorf("seed %d, away %t: Makespan %v, of a new plan %v", seed, away, repaired.Makespan, anew.Makespan)
			}
			for k, i := range repaired.Of {
				if i == before.Of[k] && repaired.Why[k] != partition.Kept && repaired.Why[k] != partition.Moved && repaired.Why[k] != partition.Swapped {
					t.Errorf("seed %d: partition %d stays, why: %v", seed, k, repaired.Why[k])
				}
			}
		}
	}
}

func changes(a, b []int) (n int) {
	for k := range a {
		if a[k] != b[k] {
			n++
		}
	}
	return n
}
