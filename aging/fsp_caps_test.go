package aging_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

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
