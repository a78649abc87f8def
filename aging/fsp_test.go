package aging_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

type arrival struct{ at, size, weight float64 }

// serve runs the jobs, in order of arrival, on one server that always serves First(by); done tells
// the cluster that a job has ended in reality. Between two events nothing changes for the job
// served, so that virtual finishes need no event.
func serve(t *testing.T, jobs []arrival, by aging.By, done func(c *aging.Cluster[int], key int)) (end []float64) {
	t.Helper()
	c := newCluster(t, 1)
	end = make([]float64, len(jobs))
	left := make([]float64, len(jobs))
	now, next := 0.0, 0
	for {
		for ; next < len(jobs) && jobs[next].at <= now; next++ {
			must(t, c.Add(next, aging.Job{Work: jobs[next].size, Weight: jobs[next].weight}))
			left[next] = jobs[next].size
		}
		to := math.Inf(1)
		if next < len(jobs) {
			to = jobs[next].at
		}
		head, busy := c.First(by)
		if busy && now+left[head] <= to {
			must(t, c.Advance(left[head]))
			now += left[head]
			end[head] = now
			done(c, head)
			continue
		}
		if math.IsInf(to, 1) {
			return end
		}
		must(t, c.Advance(to-now))
		if busy {
			left[head] -= to - now
		}
		now = to
	}
}

func complete(c *aging.Cluster[int], key int) { c.Complete(key) }
func remove(c *aging.Cluster[int], key int)   { c.Remove(key) }

// sharing is when the jobs end under processor sharing, by weight, on one server.
func sharing(jobs []arrival) (end []float64) {
	end = make([]float64, len(jobs))
	left := make([]float64, len(jobs))
	now, next := 0.0, 0
	for {
		weight, first, step := 0.0, -1, math.Inf(1)
		for i, x := range left {
			if x > 0 {
				weight += jobs[i].weight
			}
		}
		for i, x := range left {
			if dt := x * weight / jobs[i].weight; x > 0 && dt < step {
				first, step = i, dt
			}
		}
		if next < len(jobs) && now+step >= jobs[next].at {
			first, step = -1, jobs[next].at-now
		}
		if math.IsInf(step, 1) {
			return end
		}
		now += step
		for i, x := range left {
			if x > 0 {
				left[i] = max(0, x-step*jobs[i].weight/weight)
			}
			if i == first {
				left[i] = 0
			}
			if x > 0 && left[i] == 0 {
				end[i] = now
			}
		}
		if first < 0 {
			left[next] = jobs[next].size
			next++
		}
	}
}

func TestFigure1(t *testing.T) {
	jobs := []arrival{{0, 30, 1}, {10, 10, 1}, {15, 10, 1}}
	if got, want := sharing(jobs), []float64{50, 37.5, 42.5}; !slices.Equal(got, want) {
		t.Errorf("PS ends at %v, want %v", got, want)
	}
	if got, want := serve(t, jobs, aging.ByFinish, complete), []float64{50, 20, 30}; !slices.Equal(got, want) {
		t.Errorf("FSP ends at %v, want %v", got, want)
	}
}

// TestDominance: on one server no job ends later under FSP than under processor sharing with the
// same weights.
func TestDominance(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	for n := range 4000 {
		jobs := make([]arrival, 1+rng.IntN(12))
		at := 0.0
		for i := range jobs {
			if n%2 == 0 {
				jobs[i] = arrival{at, float64(1 + rng.IntN(9)), float64(1 + rng.IntN(3))}
				at += float64(rng.IntN(6))
			} else {
				jobs[i] = arrival{at, math.Exp(8 * (rng.Float64() - 0.5)), math.Exp(4 * (rng.Float64() - 0.5))}
				at += 5 * rng.ExpFloat64()
			}
		}
		ps, fsp := sharing(jobs), serve(t, jobs, aging.ByFinish, complete)
		for i := range jobs {
			if !(fsp[i] <= ps[i]*(1+batchError)) {
				t.Fatalf("%v: FSP ends job %d at %v, PS at %v", jobs, i, fsp[i], ps[i])
			}
		}
	}
}

// TestDominanceFails pins the settings in which a job ends later than under processor sharing.
func TestDominanceFails(t *testing.T) {
	// Jobs that leave the virtual system at their real end.
	jobs := []arrival{{1, 10, 1}, {2, 3, 1}, {7, 6, 1}}
	if ps, got := sharing(jobs)[2], serve(t, jobs, aging.ByFinish, remove)[2]; ps != 19.5 || got != 20 {
		t.Errorf("with removal the last job ends at %v, PS %v, want 20, 19.5", got, ps)
	}
	if got := serve(t, jobs, aging.ByFinish, complete)[2]; !(got <= 19.5) {
		t.Errorf("the last job ends at %v, want at most 19.5", got)
	}
	// The key by virtual work with unequal weights.
	jobs = []arrival{{6, 12, 5}, {6, 5, 1}}
	if ps, got := sharing(jobs)[0], serve(t, jobs, aging.ByWork, complete)[0]; !(math.Abs(ps-20.4) < 1e-12) || got != 23 {
		t.Errorf("by work job 0 ends at %v, GPS %v, want 23, 20.4", got, ps)
	}
}

// serveCapped runs jobs that are all present at 0 on slots: each gets what it can use of what
// the jobs before it in All(by) leave over, decided anew whenever a job is done in reality or in
// virtual time.
func serveCapped(t *testing.T, slots float64, jobs []aging.Job, by aging.By) (end []float64) {
	t.Helper()
	c := newCluster(t, slots)
	left := make([]float64, len(jobs))
	end = make([]float64, len(jobs))
	for i, j := range jobs {
		must(t, c.Add(i, j))
		left[i] = j.Work
	}
	for now := 0.0; ; {
		rate := make([]float64, len(jobs))
		free, step := slots, math.Inf(1)
		for i, j := range c.All(by) {
			rate[i] = free
			if j.Slots > 0 {
				rate[i] = min(free, j.Slots)
			}
			free -= rate[i]
			if rate[i] > 0 {
				step = min(step, left[i]/rate[i])
			}
		}
		if math.IsInf(step, 1) {
			return end
		}
		if _, in, ok := c.NextFinish(); ok {
			step = min(step, in)
		}
		must(t, c.Advance(step))
		now += step
		for i, r := range rate {
			if r > 0 {
				if left[i] -= step * r; left[i] <= 1e-12 {
					left[i], end[i] = 0, now
					c.Complete(i)
				}
			}
		}
	}
}

// TestCapsBreakDominance: with caps below the capacity, even equal ones, a job can end later than
// under sharing, by either key.
func TestCapsBreakDominance(t *testing.T) {
	three := []aging.Job{{Work: 1, Slots: 1}, {Work: 1, Slots: 1}, {Work: 1, Slots: 1}}
	two := []aging.Job{{Work: 6, Slots: 1}, {Work: 8, Slots: 4}}
	for _, c := range []struct {
		slots       float64
		jobs        []aging.Job
		by          aging.By
		served, max []float64 // when the jobs end, and when under max-min sharing
	}{
		{2, three, aging.ByFinish, []float64{1, 1, 2}, []float64{1.5, 1.5, 1.5}},
		{2, three, aging.ByWork, []float64{1, 1, 2}, []float64{1.5, 1.5, 1.5}},
		{4, two, aging.ByFinish, []float64{8, 2}, []float64{6, 8. / 3}},
		{4, two, aging.ByWork, []float64{6, 8. / 3}, []float64{6, 8. / 3}},
	} {
		near := func(a, b float64) bool { return math.Abs(a-b) <= batchError*b }
		if got := serveCapped(t, c.slots, c.jobs, c.by); !slices.EqualFunc(got, c.served, near) {
			t.Errorf("%v on %v slots by %v end at %v, want %v", c.jobs, c.slots, c.by, got, c.served)
		}
		if got, err := aging.Finish(nil, c.slots, c.jobs); err != nil || !slices.EqualFunc(got, c.max, near) {
			t.Errorf("Finish(nil, %v, %v) = %v, %v, want %v", c.slots, c.jobs, got, err, c.max)
		}
	}
}
