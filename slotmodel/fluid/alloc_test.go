package fluid_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

var must = expect.Must

// poisson draws n jobs at load 0.9 with estimates that are wrong by a log-normal factor.
func poisson(n, weights int) []fluid.Job {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	jobs := make([]fluid.Job, n)
	at := 0.0
	for i := range jobs {
		at += rng.ExpFloat64() / 0.9
		x := rng.ExpFloat64()
		jobs[i] = fluid.Job{Arrival: at, Size: x, Estimate: x * (0.5 + rng.Float64())}
		if weights > 0 {
			jobs[i].Weight = float64(1 + rng.IntN(weights))
		}
	}
	return jobs
}

func TestAllocations(t *testing.T) {
	jobs := poisson(500, 3)
	jobs[0], jobs[400] = jobs[400], jobs[0] // not sorted
	for _, p := range everyPolicy {
		t.Run(p.String(), func(t *testing.T) {
			var r fluid.Runner
			var res fluid.Result
			run := func() {
				must(t, r.Run(&res, 1, jobs, p))
			}
			run()
			if a := testing.AllocsPerRun(5, run); a != 0 {
				t.Errorf("Runner.Run under %v allocates %v times a run, want 0", p, a)
			}
		})
	}
}

// A Runner gives the same as Run, whatever it ran before.
func TestRunnerForgets(t *testing.T) {
	var r fluid.Runner
	var res fluid.Result
	each(t, 100, kind{n: 20, estimates: true, weights: true}, func(rng *rand.Rand, in instance) {
		if rng.IntN(10) == 0 {
			in = in.stretched(1e-50)
		}
		for _, p := range everyPolicy {
			want := mustRun(t, in.with(p))
			must(t, r.Run(&res, in.slots, in.jobs, p))
			if a, b := fmt.Sprintf("%+v", *want), fmt.Sprintf("%+v", res); a != b {
				t.Errorf("%v: a used Runner gives %s, want %s", in.with(p), b, a)
			}
		}
	})
}
