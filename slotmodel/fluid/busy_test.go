package fluid_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// busy lists the times at which the system becomes empty, and the work done since it was empty
// before.
func busy(jobs []fluid.Job, finish []float64) (ends, work []float64) {
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Arrival, jobs[b].Arrival) })
	end, sum := 0.0, 0.0
	for _, i := range order {
		if jobs[i].Size == 0 {
			continue
		}
		if jobs[i].Arrival > end*(1+rounding) && sum > 0 {
			ends, work = append(ends, end), append(work, sum)
			sum = 0
		}
		end, sum = max(end, finish[i]), sum+jobs[i].Size
	}
	return append(ends, end), append(work, sum)
}

// capacity is the integral of the number of slots from a to b.
func (in instance) capacity(a, b float64) float64 {
	sum, at, slots := 0.0, 0.0, in.slots
	for _, s := range append(slices.Clone(in.o.Capacity), fluid.Step{Time: math.Inf(1)}) {
		if lo, hi := max(a, at), min(b, s.Time); hi > lo {
			sum += (hi - lo) * slots
		}
		at, slots = s.Time, s.Slots
	}
	return sum
}

// On one server every policy has the same busy periods, whatever the estimates, and no slot idles
// in them.
func TestBusyPeriods(t *testing.T) {
	for _, k := range []kind{{n: 20, estimates: true}, {n: 20, estimates: true, steps: true}, {n: 20, estimates: true, weights: true, steps: true, real: true}} {
		each(t, 300, k, func(rng *rand.Rand, in instance) {
			want, work := busy(in.jobs, mustRun(t, in).Finish)
			for _, p := range everyPolicy[1:] {
				res := mustRun(t, in.with(p))
				got, _ := busy(in.jobs, res.Finish)
				if len(got) != len(want) {
					t.Errorf("%v: busy periods end at %v, under ps at %v", in.with(p), got, want)
					continue
				}
				for i := range got {
					if !(math.Abs(got[i]-want[i]) <= rounding*want[i]) {
						t.Errorf("%v: busy periods end at %v, under ps at %v", in.with(p), got, want)
					}
				}
			}
			from := 0.0
			for k, end := range want {
				start := math.Inf(1)
				for _, j := range in.jobs {
					if j.Size > 0 && j.Arrival >= from {
						start = min(start, j.Arrival)
					}
				}
				if c := in.capacity(start, end); work[k] > 0 && !(math.Abs(c-work[k]) <= 1e-9*work[k]) {
					t.Errorf("%v: capacity %v from %v to %v for work %v", in, c, start, end, work[k])
				}
				from = end * (1 - rounding)
			}
		})
	}
}
