package fluid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// loosened is in with caps of at least the most slots that there ever are, some of them exactly
// that.
func (in instance) loosened(rng *rand.Rand) instance {
	most := in.slots
	for _, s := range in.o.Capacity {
		most = max(most, s.Slots)
	}
	in.jobs = append([]fluid.Job(nil), in.jobs...)
	for i := range in.jobs {
		in.jobs[i].Slots = []float64{0, most, most, math.Nextafter(most, math.Inf(1)), 2 * most, math.Inf(1)}[rng.IntN(6)]
	}
	return in
}

// With caps of at least S the laws of one server hold: nobody is later under FSP than under PS with
// the same weights, SRPT has the least sum of sojourn times, and all policies have the same busy
// periods.
func TestLooseCaps(t *testing.T) {
	for _, k := range []kind{{n: 20}, {n: 20, steps: true}, {n: 20, weights: true, steps: true}, {n: 15, weights: true, steps: true, real: true}} {
		each(t, 500, k, func(rng *rand.Rand, in instance) {
			in = in.loosened(rng)
			ps := mustRun(t, in)
			least := mustRun(t, in.with(fluid.SRPT{})).MeanSojourn()
			want, _ := busy(in.jobs, ps.Finish)
			for _, p := range everyPolicy {
				res := mustRun(t, in.with(p))
				if m := res.MeanSojourn(); !(least <= m*(1+rounding)) {
					t.Errorf("%v: mean sojourn %v, under srpt %v", in.with(p), m, least)
				}
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
			for _, p := range byFinish {
				for i, end := range mustRun(t, in.with(p)).Finish {
					if !(end <= ps.Finish[i]*(1+rounding)) {
						t.Errorf("%v: job %d finishes at %v, under ps at %v", in.with(p), i, end, ps.Finish[i])
					}
				}
			}
		})
	}
}

// TestCapsBreakMakespan: with caps below S the makespan is the policy's: 2 under FSP and 1.5 under
// PS.
func TestCapsBreakMakespan(t *testing.T) {
	three := instance{slots: 2, jobs: sized([4]float64{0, 1, 1}, [4]float64{0, 1, 1}, [4]float64{0, 1, 1})}
	if a, b := mustRun(t, three.with(fluid.PS{})).Makespan, mustRun(t, three.with(fluid.FSP{})).Makespan; a != 1.5 || b != 2 {
		t.Errorf("%v: makespans %v under ps and %v under fsp, want 1.5 and 2", three, a, b)
	}
}
