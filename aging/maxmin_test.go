package aging_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// batchError is allowed in a share as a part of it, and in remaining work as a part of the work.
const batchError = 1e-12

// ulps is allowed where two sums of some ten terms must agree.
const ulps = 1e-14

// randomJobs draws a batch of one regime, some of it without work.
func randomJobs(rng *rand.Rand, most int) (g *generator, capacity float64, jobs []aging.Job) {
	g = regimes[rng.IntN(len(regimes))].generator(rng, true)
	for range rng.IntN(most + 1) {
		jobs = append(jobs, aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()})
	}
	capacity = g.capacity
	if rng.IntN(20) == 0 {
		capacity = 0
	}
	return g, capacity, jobs
}

func exactSystem(capacity float64, jobs []aging.Job) *exactaging.System[int, *big.Rat] {
	o := exactaging.New[int](exactaging.Rat{}, capacity)
	for i, j := range jobs {
		o.Add(i, j.Work, j.Slots, j.Weight)
	}
	return o
}

// Shares are the exact ones to rounding, and never above a limit.
func TestMaxMinRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	f := exactaging.Rat{}
	for range 3000 {
		_, capacity, jobs := randomJobs(rng, 12)
		got, err := aging.MaxMin(nil, capacity, jobs)
		if err != nil || len(got) != len(jobs) {
			t.Fatalf("MaxMin(nil, %v, %v) = %v, %v", capacity, jobs, got, err)
		}
		o := exactSystem(capacity, jobs)
		for i := range jobs {
			if want := f.Float64(o.Share(i)); !(math.Abs(got[i]-want) <= batchError*want) || !unlimited(jobs[i].Slots) && got[i] > jobs[i].Slots {
				t.Fatalf("MaxMin(nil, %v, %v)[%d] = %v, want %v", capacity, jobs, i, got[i], want)
			}
		}
	}
}

// TestMaxMinCancels: what hundreds of capped jobs leave over may be a millionth to a trillionth of
// the capacity, and the others share exactly that.
func TestMaxMinCancels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 500 {
		var jobs []aging.Job
		sum := 0.0
		caps, weights := new(big.Rat), new(big.Rat)
		add := func(j aging.Job, to *big.Rat, x float64) {
			jobs = append(jobs, j)
			to.Add(to, new(big.Rat).SetFloat64(x))
		}
		for range 100 + rng.IntN(200) {
			slots := 1000 * (1 - rng.Float64())
			// such a weight is capped before the others get anything
			add(aging.Job{Work: 1, Slots: slots, Weight: 1e12}, caps, slots)
			sum += slots
		}
		// of which the rounding of sum is a small part
		capacity := sum * (1 + math.Ldexp(1, -20-rng.IntN(20)))
		capped := len(jobs)
		for range 1 + rng.IntN(3) {
			w := 1 + rng.Float64()
			add(aging.Job{Work: 1, Weight: w}, weights, w)
		}
		got, err := aging.MaxMin(nil, capacity, jobs)
		if err != nil {
			t.Fatalf("MaxMin(nil, %v, %v): %v", capacity, jobs, err)
		}
		level := new(big.Rat).SetFloat64(capacity)
		level.Quo(level.Sub(level, caps), weights)
		for i, j := range jobs {
			want := j.Slots
			if i >= capped {
				want, _ = new(big.Rat).Mul(level, new(big.Rat).SetFloat64(j.Weight)).Float64()
			}
			if !(math.Abs(got[i]-want) <= batchError*want) {
				t.Fatalf("MaxMin(nil, %v, %d jobs)[%d] = %v, want %v: off by %.2g of it", capacity, len(jobs), i, got[i], want, math.Abs(got[i]/want-1))
			}
		}
	}
}

func TestGoldenShares(t *testing.T) {
	for n, c := range golden.ReadFluid(t).Shares {
		var jobs []aging.Job
		for i := range c.Caps {
			jobs = append(jobs, aging.Job{Work: 1, Slots: c.Caps[i], Weight: c.Weights[i]})
		}
		got, err := aging.MaxMin(nil, c.Capacity, jobs)
		for i, s := range c.Share {
			want := golden.Float(t, s)
			if err != nil || !(math.Abs(got[i]-want) <= batchError*want) {
				t.Errorf("case %d: MaxMin(nil, %v, %v) = %v, %v, want %v", n, c.Capacity, jobs, got, err, c.Share)
				break
			}
		}
		if whole, err := aging.MaxMinSlots(nil, c.Slots, c.Tasks); err != nil || !slices.Equal(whole, c.Whole) {
			t.Errorf("case %d: MaxMinSlots(nil, %v, %v) = %v, %v, want %v", n, c.Slots, c.Tasks, whole, err, c.Whole)
		}
	}
}

// turns deals the slots out one at a time, as the paper says it.
func turns(slots int, tasks []int) []int {
	order := make([]int, len(tasks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return tasks[a] - tasks[b] })
	got := make([]int, len(tasks))
	for dealt := true; dealt; {
		dealt = false
		for _, i := range order {
			if slots > 0 && got[i] < tasks[i] {
				got[i]++
				slots--
				dealt = true
			}
		}
	}
	return got
}

func TestMaxMinSlotsTurns(t *testing.T) {
	check := func(slots int, tasks []int, want []int) {
		t.Helper()
		if got := behind(t, 9)(aging.MaxMinSlots([]int{9}, slots, tasks)); !slices.Equal(got, want) {
			t.Fatalf("MaxMinSlots([9], %d, %v) appends %v, want %v", slots, tasks, got, want)
		}
	}
	check(10, []int{1, 3, 10, 10}, []int{1, 3, 3, 3})
	check(4, []int{5, 5, 5}, []int{2, 1, 1})
	check(0, []int{2, 0}, []int{0, 0})
	check(7, nil, nil)
	check(math.MaxInt, []int{math.MaxInt, math.MaxInt}, []int{math.MaxInt/2 + 1, math.MaxInt / 2})
	check(math.MaxInt, []int{math.MaxInt, 0, math.MaxInt, 7}, []int{(math.MaxInt - 7) / 2, 0, (math.MaxInt - 7) / 2, 7})
	rng := rand.New(rand.NewPCG(1, 4))
	for range 20000 {
		tasks := make([]int, rng.IntN(9))
		for i := range tasks {
			tasks[i] = rng.IntN(1 + rng.IntN(12))
		}
		slots := rng.IntN(60)
		check(slots, tasks, turns(slots, tasks))
	}
}
