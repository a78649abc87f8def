package fluid_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

func benchmark(b *testing.B, slots float64, jobs []fluid.Job, p fluid.Policy) {
	var r fluid.Runner
	var res fluid.Result
	b.ReportAllocs()
	for b.Loop() {
		must(b, r.Run(&res, slots, jobs, p))
	}
	if !(res.Area > 0) {
		b.Fatalf("area is %v", res.Area)
	}
}

// A day of a Facebook cluster, 24,442 jobs, with exact sizes and with estimates that a log-normal
// factor makes wrong.
func BenchmarkReplay(b *testing.B) {
	exact := loadTrace(b, "FB-2010_samples_24_times_1hr_0.tsv")
	for _, p := range policies {
		b.Run("sigma=0/policy="+p.String(), func(b *testing.B) { benchmark(b, 1, exact, p) })
	}
	wrong := misjudged(exact, 0.5, 1)
	for _, p := range policies {
		b.Run("sigma=0.5/policy="+p.String(), func(b *testing.B) { benchmark(b, 1, wrong, p) })
	}
}

func backlog(n int) []fluid.Job {
	rng := rand.New(rand.NewPCG(8, uint64(n)))
	jobs := make([]fluid.Job, n)
	for i := range jobs {
		x := rng.ExpFloat64()
		jobs[i] = fluid.Job{Size: x, Estimate: x}
	}
	return jobs
}

// All jobs present at once.
func BenchmarkBacklog(b *testing.B) {
	for _, p := range policies {
		for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
			jobs := backlog(n)
			b.Run(fmt.Sprintf("policy=%v/n=%d", p, n), func(b *testing.B) { benchmark(b, 1, jobs, p) })
		}
	}
}
