package malleable_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// benchJobs draws n jobs of which every second has a limit; chains of the given length (1: none).
func benchJobs(b *testing.B, n, length, slots int) ([]malleable.Job, *precedence.Graph, []int) {
	b.Helper()
	r := random(uint64(n))
	jobs := make([]malleable.Job, n)
	for j := range jobs {
		jobs[j] = malleable.Job{Work: 1 + 99*r.Float64()}
		if j%2 == 0 {
			jobs[j].Max = 1 + r.IntN(slots/4)
		}
	}
	priority := r.Perm(n)
	if length == 1 {
		return jobs, nil, priority
	}
	g, err := precedence.Chains(slices.Repeat([]int{length}, n/length)...)
	must(b, err)
	return jobs, g, g.Topological(nil)
}

func BenchmarkPack(b *testing.B) {
	for name, length := range map[string]int{"independent": 1, "chains": 20} {
		for _, n := range []int{10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				jobs, g, priority := benchJobs(b, n, length, 100)
				s := new(malleable.Schedule)
				for b.Loop() {
					must(b, malleable.PackInto(s, 100, jobs, g, priority, math.Inf(1)))
				}
				b.ReportMetric(float64(countPieces(s))/float64(n), "pieces/job")
			})
		}
	}
}
