package aging_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// TestAnswersAreJobs: what Age and Cluster.Job return is accepted by Age and Add, also at the ends
// of the range.
func TestAnswersAreJobs(t *testing.T) {
	tinyLeft := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(24, seed))
		size := func() float64 { return math.Ldexp(1+rng.Float64(), -200+rng.IntN(4)+rng.IntN(2)*rng.IntN(399)) }
		capacity := 1 + rng.Float64()
		c := newCluster(t, capacity)
		var jobs []aging.Job
		for key := range 1 + rng.IntN(6) {
			j := aging.Job{Work: min(size(), 0x1p200), Slots: []float64{0, inf, 0x1p-200, 1, 0.1}[rng.IntN(5)], Weight: []float64{0, 1, 3}[rng.IntN(3)]}
			must(t, c.Add(key, j))
			jobs = append(jobs, j)
		}
		_, in, _ := c.NextFinish()
		in = min(in, 0x1p199)
		for _, part := range []float64{0.3, 0.9, 0.9999999, 1 - 0x1p-52} {
			aged, err := aging.Age(nil, capacity, in*part, jobs)
			must(t, err)
			if _, err := aging.Age(nil, capacity, in, aged); err != nil {
				t.Fatalf("seed %d: Age refuses its own result %v: %v", seed, aged, err)
			}
		}
		must(t, c.Advance(in*(1-0x1p-40*rng.Float64())))
		d := newCluster(t, capacity)
		for key := range jobs {
			j, _ := c.Job(key)
			if j.Work == 0x1p-200 {
				tinyLeft++
			}
			if err := d.Add(key, j); err != nil {
				t.Fatalf("seed %d: Add refuses Job(%d) = %v: %v", seed, key, j, err)
			}
			if again, _ := d.Job(key); again.Work != j.Work {
				t.Fatalf("seed %d: Job(%d) = %v, added to another cluster %v", seed, key, j, again)
			}
		}
	}
	if tinyLeft < 100 {
		t.Errorf("%d jobs had the least work, want 100: the cases test little", tinyLeft)
	}
}
