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

func TestMaxMinRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	f := exactaging.Rat{}
	for range 5000 {
		_, capacity, jobs := randomJobs(rng, 12)
		got, err := aging.MaxMin(nil, capacity, jobs)
		if err != nil || len(got) != len(jobs) {
			t.Fatalf("MaxMin(nil, %v, %v) = %v, %v", capacity, jobs, got, err)
		}
		o := exactSystem(capacity, jobs)
		for i := range jobs {
			if want := f.Float64(o.Share(i)); !(math.Abs(got[i]-want) <= batchError*want) {
				t.Fatalf("MaxMin(nil, %v, %v)[%d] = %v, want %v", capacity, jobs, i, got[i], want)
			}
		}
	}
}

func TestAgeRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := exactaging.Rat{}
	for range 2000 {
		_, capacity, jobs := randomJobs(rng, 10)
		o := exactSystem(capacity, jobs)
		elapsed := rng.Float64()
		if v := o.Finishes(); len(v) > 0 {
			elapsed *= 2 * f.Float64(v[rng.IntN(len(v))].At)
		}
		got, err := aging.Age(nil, capacity, elapsed, jobs)
		if err != nil || len(got) != len(jobs) {
			t.Fatalf("Age(nil, %v, %v, %v) = %v, %v", capacity, elapsed, jobs, got, err)
		}
		o.Advance(elapsed)
		for i, j := range jobs {
			left, _ := o.Left(i)
			if want := f.Float64(left); !(math.Abs(got[i].Work-want) <= batchError*j.Work) || got[i].Slots != j.Slots || got[i].Weight != j.Weight {
				t.Fatalf("Age(nil, %v, %v, %v)[%d] = %v, want work %v", capacity, elapsed, jobs, i, got[i], want)
			}
		}
	}
}

// TestFinishRational also checks Order: two jobs may stand in another order only where the oracle's
// finishes, each with the time that batchError of the work takes, meet.
func TestFinishRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	f := exactaging.Rat{}
	for range 2000 {
		_, capacity, jobs := randomJobs(rng, 10)
		ends, err := aging.Finish(nil, capacity, jobs)
		if err != nil || len(ends) != len(jobs) {
			t.Fatalf("Finish(nil, %v, %v) = %v, %v", capacity, jobs, ends, err)
		}
		at := make([]float64, len(jobs)) // the oracle's order, as times
		allowed := make([]float64, len(jobs))
		for _, v := range exactSystem(capacity, jobs).Finishes() {
			at[v.Key] = f.Float64(v.At)
			allowed[v.Key] = batchError * (at[v.Key] + f.Float64(f.Sub(v.Past, v.At))/slack)
		}
		for i, j := range jobs {
			want := at[i]
			if capacity == 0 && j.Work > 0 {
				if !math.IsInf(ends[i], 1) {
					t.Fatalf("Finish(nil, 0, %v)[%d] = %v, want +Inf", jobs, i, ends[i])
				}
			} else if !(math.Abs(ends[i]-want) <= allowed[i]) {
				t.Fatalf("Finish(nil, %v, %v)[%d] = %v, want %v", capacity, jobs, i, ends[i], want)
			}
		}
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			order, err := aging.Order(nil, capacity, jobs, by)
			sorted := slices.Sorted(slices.Values(order))
			for i := range jobs {
				if len(order) != len(jobs) || sorted[i] != i {
					t.Fatalf("Order(nil, %v, %v, %v) = %v, %v, want a permutation", capacity, jobs, by, order, err)
				}
			}
			for n := 1; n < len(order); n++ {
				a, b := order[n-1], order[n]
				wrong := jobs[a].Work > jobs[b].Work || jobs[a].Work == jobs[b].Work && a > b
				if by == aging.ByFinish && jobs[a].Work > 0 {
					wrong = at[a]-allowed[a] > at[b]+allowed[b] || jobs[a] == jobs[b] && a > b
				}
				if wrong {
					t.Fatalf("Order(nil, %v, %v, %v) = %v: %d before %d, want finishes in order of %v", capacity, jobs, by, order, a, b, at)
				}
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
		if got, err := aging.MaxMinSlots(nil, slots, tasks); err != nil || !slices.Equal(got, want) {
			t.Fatalf("MaxMinSlots(nil, %d, %v) = %v, %v, want %v", slots, tasks, got, err, want)
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
