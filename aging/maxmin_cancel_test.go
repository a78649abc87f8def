package aging_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// TestMaxMinCancels: what hundreds of capped jobs leave over may be a millionth to a trillionth of
// the capacity, and the others share exactly that.
func TestMaxMinCancels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 2000 {
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
