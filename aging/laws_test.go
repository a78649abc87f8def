package aging_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// ulps is allowed where two sums of some ten terms must agree.
const ulps = 1e-14

// batch is what the batch functions say about one instance.
type batch struct {
	share, finish    []float64
	aged             []aging.Job
	byWork, byFinish []int
}

func answers(t *testing.T, capacity, elapsed float64, jobs []aging.Job) (b batch) {
	t.Helper()
	var errs [5]error
	b.share, errs[0] = aging.MaxMin(nil, capacity, jobs)
	b.finish, errs[1] = aging.Finish(nil, capacity, jobs)
	b.aged, errs[2] = aging.Age(nil, capacity, elapsed, jobs)
	b.byWork, errs[3] = aging.Order(nil, capacity, jobs, aging.ByWork)
	b.byFinish, errs[4] = aging.Order(nil, capacity, jobs, aging.ByFinish)
	for _, err := range errs {
		if err != nil {
			t.Fatalf("capacity %v, elapsed %v, jobs %v: %v", capacity, elapsed, jobs, err)
		}
	}
	return b
}

// TestMaxMinLaws: nobody gets more than its cap, nothing is left over that somebody could use, all
// below their caps have one level that no capped job exceeds, more capacity takes nothing away, and
// another job gives nothing away.
func TestMaxMinLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5000 {
		g, capacity, jobs := randomJobs(rng, 12)
		share := answers(t, capacity, 0, jobs).share
		sum, limits, level := 0.0, 0.0, 0.0
		for i, j := range jobs {
			limit := j.Slots
			if unlimited(limit) {
				limit = math.Inf(1)
			}
			if j.Work == 0 {
				limit = 0
			}
			if !(share[i] >= 0 && share[i] <= limit) {
				t.Fatalf("MaxMin(nil, %v, %v) = %v: share %d is over its limit %v", capacity, jobs, share, i, limit)
			}
			sum, limits = sum+share[i], limits+limit
			level = max(level, share[i]/one(j.Weight))
		}
		if want := min(capacity, limits); !(math.Abs(sum-want) <= ulps*want) {
			t.Fatalf("MaxMin(nil, %v, %v) = %v, sum %v, want %v", capacity, jobs, share, sum, want)
		}
		for i, j := range jobs {
			if got := share[i] / one(j.Weight); j.Work > 0 && share[i] != j.Slots && !(got >= level*(1-ulps)) {
				t.Fatalf("MaxMin(nil, %v, %v) = %v: share %d is below its limit and has level %v of %v", capacity, jobs, share, i, got, level)
			}
		}
		more := answers(t, capacity*(1+rng.Float64())+g.slots(), 0, jobs).share
		other := answers(t, capacity, 0, append(slices.Clone(jobs), aging.Job{Work: 1, Slots: g.limit(), Weight: g.weight()})).share
		for i := range jobs {
			if more[i] < share[i]*(1-ulps) || other[i] > share[i]*(1+ulps) {
				t.Fatalf("MaxMin(nil, %v, %v) = %v, with more capacity %v, with another job %v", capacity, jobs, share, more, other)
			}
		}
	}
}

// TestScaling: powers of two scale the answers exactly, 1e-9 and 1e9 to rounding.
func TestScaling(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 1000 {
		g, capacity, jobs := randomJobs(rng, 10)
		elapsed := g.between(0.01, 10)
		want := answers(t, capacity, elapsed, jobs)
		for _, scale := range []float64{0x1p-80, 0x1p-1, 0x1p33, 0x1p80, 1e-9, 1e9} {
			frac, _ := math.Frexp(scale)
			near := func(got, want, size float64) bool {
				return got == want || frac != 0.5 && math.Abs(got-want) <= batchError*size
			}
			// Time and work together; then slots and capacity against time.
			times, rates := slices.Clone(jobs), slices.Clone(jobs)
			for i := range jobs {
				times[i].Work *= scale
				rates[i].Slots *= scale
			}
			a := answers(t, capacity, elapsed*scale, times)
			b := answers(t, capacity*scale, elapsed/scale, rates)
			for i, j := range jobs {
				if !near(a.share[i], want.share[i], want.share[i]) || !near(b.share[i], scale*want.share[i], scale*want.share[i]) {
					t.Fatalf("capacity %v, jobs %v, scale %v: shares %v and %v, want those of %v", capacity, jobs, scale, a.share, b.share, want.share)
				}
				if !near(a.aged[i].Work, scale*want.aged[i].Work, scale*j.Work) || !near(b.aged[i].Work, want.aged[i].Work, j.Work) {
					t.Fatalf("capacity %v, jobs %v, elapsed %v, scale %v: left %v and %v, want those of %v", capacity, jobs, elapsed, scale, a.aged, b.aged, want.aged)
				}
				if !near(a.finish[i], scale*want.finish[i], scale*want.finish[i]) || !near(b.finish[i], want.finish[i]/scale, want.finish[i]/scale) {
					t.Fatalf("capacity %v, jobs %v, scale %v: finish %v and %v, want those of %v", capacity, jobs, scale, a.finish, b.finish, want.finish)
				}
			}
			if frac == 0.5 && !(slices.Equal(a.byWork, want.byWork) && slices.Equal(b.byWork, want.byWork) &&
				slices.Equal(a.byFinish, want.byFinish) && slices.Equal(b.byFinish, want.byFinish)) {
				t.Fatalf("capacity %v, jobs %v, scale %v: order %v, %v, %v, %v, want %v, %v", capacity, jobs, scale,
					a.byWork, b.byWork, a.byFinish, b.byFinish, want.byWork, want.byFinish)
			}
		}
	}
}

// TestPermutation: permuting the jobs permutes the answers.
func TestPermutation(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 2000 {
		g, capacity, jobs := randomJobs(rng, 10)
		elapsed := g.between(0.01, 10)
		perm := rng.Perm(len(jobs))
		shuffled := make([]aging.Job, len(jobs))
		for i, p := range perm {
			shuffled[p] = jobs[i]
		}
		a, b := answers(t, capacity, elapsed, jobs), answers(t, capacity, elapsed, shuffled)
		for i, p := range perm {
			near := func(x, y, size float64) bool { return x == y || math.Abs(x-y) <= batchError*size }
			if !near(a.share[i], b.share[p], a.share[i]) || !near(a.finish[i], b.finish[p], a.finish[i]) ||
				!near(a.aged[i].Work, b.aged[p].Work, jobs[i].Work) {
				t.Fatalf("capacity %v, elapsed %v, jobs %v: %v, permuted by %v: %v", capacity, elapsed, jobs, a, perm, b)
			}
		}
		for n, i := range a.byWork {
			if j := b.byWork[n]; jobs[i].Work != shuffled[j].Work {
				t.Fatalf("Order(nil, %v, %v, ByWork) = %v, of %v %v", capacity, jobs, a.byWork, shuffled, b.byWork)
			}
		}
	}
}

// TestAgeSplit: ageing by a and then by b is ageing by a+b.
func TestAgeSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 4))
	for range 3000 {
		_, capacity, jobs := randomJobs(rng, 10)
		horizon := 1.0
		for _, x := range answers(t, capacity, 0, jobs).finish {
			if !math.IsInf(x, 1) {
				horizon = max(horizon, x)
			}
		}
		horizon *= math.Pow(10, -6*rng.Float64())
		first, second := horizon*rng.Float64(), horizon*rng.Float64()
		once := answers(t, capacity, first+second, jobs).aged
		twice := answers(t, capacity, second, answers(t, capacity, first, jobs).aged).aged
		for i, j := range jobs {
			if !(math.Abs(once[i].Work-twice[i].Work) <= batchError*j.Work) {
				t.Fatalf("capacity %v, jobs %v aged by %v and %v: %v, at once %v", capacity, jobs, first, second, twice, once)
			}
		}
	}
}

// TestFinishAge: a job has work left before its finish and none after it.
func TestFinishAge(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for range 2000 {
		_, capacity, jobs := randomJobs(rng, 8)
		b := answers(t, capacity, 0, jobs)
		for i, end := range b.finish {
			if jobs[i].Work == 0 || math.IsInf(end, 1) {
				if jobs[i].Work == 0 && end != 0 {
					t.Fatalf("Finish(nil, %v, %v)[%d] = %v, want 0: no work", capacity, jobs, i, end)
				}
				continue
			}
			if j := answers(t, capacity, end*(1-1e-9), jobs).aged[i]; !(j.Work > 0) {
				t.Fatalf("capacity %v, jobs %v: job %d has %v left just before its finish at %v", capacity, jobs, i, j.Work, end)
			}
			if j := answers(t, capacity, end*(1+1e-9), jobs).aged[i]; j.Work != 0 {
				t.Fatalf("capacity %v, jobs %v: job %d has %v left just after its finish at %v", capacity, jobs, i, j.Work, end)
			}
		}
		for n := 1; n < len(jobs); n++ {
			if i, j := b.byFinish[n-1], b.byFinish[n]; b.finish[i] > b.finish[j]*(1+batchError) {
				t.Fatalf("Order(nil, %v, %v, ByFinish) = %v, Finish = %v", capacity, jobs, b.byFinish, b.finish)
			}
		}
	}
}

// TestAppend: results go behind what dst holds, and the arguments stay as they were.
func TestAppend(t *testing.T) {
	jobs := []aging.Job{{Work: 3, Slots: 1}, {Work: 2, Weight: 2}, {}}
	given := slices.Clone(jobs)
	floats, err := aging.MaxMin([]float64{7}, 4, jobs)
	if want := []float64{7, 1, 3, 0}; err != nil || !slices.Equal(floats, want) {
		t.Errorf("MaxMin([7], 4, %v) = %v, %v, want %v", jobs, floats, err, want)
	}
	floats, err = aging.Finish([]float64{7}, 4, jobs)
	if want := []float64{7, 3, 2.0 / 3, 0}; err != nil || !slices.Equal(floats, want) {
		t.Errorf("Finish([7], 4, %v) = %v, %v, want %v", jobs, floats, err, want)
	}
	aged, err := aging.Age([]aging.Job{{Work: 7}}, 4, 0.5, jobs)
	if want := []aging.Job{{Work: 7}, {Work: 2.5, Slots: 1}, {Work: 0.5, Weight: 2}, {}}; err != nil || !slices.Equal(aged, want) {
		t.Errorf("Age([{7}], 4, 0.5, %v) = %v, %v, want %v", jobs, aged, err, want)
	}
	order, err := aging.Order([]int{7}, 4, jobs, aging.ByFinish)
	if want := []int{7, 2, 1, 0}; err != nil || !slices.Equal(order, want) {
		t.Errorf("Order([7], 4, %v, ByFinish) = %v, %v, want %v", jobs, order, err, want)
	}
	whole, err := aging.MaxMinSlots([]int{7}, 3, []int{1, 5})
	if want := []int{7, 1, 2}; err != nil || !slices.Equal(whole, want) {
		t.Errorf("MaxMinSlots([7], 3, [1 5]) = %v, %v, want %v", whole, err, want)
	}
	if !slices.Equal(jobs, given) {
		t.Errorf("jobs are %v after the calls, were %v", jobs, given)
	}
}
