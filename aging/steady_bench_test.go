package aging_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// BenchmarkClusterSteady is BenchmarkCluster in the state that a cluster comes to in the long run:
// the jobs of small caps stay longest, and with 90 slots a job a quarter to a half of them are at
// their caps (with 250 all are). The metric says how many.
func BenchmarkClusterSteady(b *testing.B) {
	for _, kind := range []string{"1000", "distinct"} {
		for _, n := range []int{1e3, 1e4, 1e5} {
			b.Run(fmt.Sprintf("caps=%s/n=%d", kind, n), func(b *testing.B) {
				src := rand.New(rand.NewPCG(1, 2))
				c, err := aging.New[int](90 * float64(n))
				if err != nil {
					b.Fatal(err)
				}
				jobs := make([]aging.Job, 1<<20)
				for i := range jobs {
					slots := float64(1 + src.IntN(1000))
					if kind == "distinct" {
						slots = 1 + 999*src.Float64()
					}
					jobs[i] = aging.Job{Work: math.Pow(1-src.Float64(), -0.7), Slots: slots}
				}
				key := 0
				add := func() {
					if err := c.Add(key, jobs[key%len(jobs)]); err != nil {
						b.Fatal(err)
					}
					key++
				}
				event := func() {
					add()
					k, in, ok := c.NextFinish()
					if !ok || c.Advance(in) != nil || !c.Remove(k) {
						b.Fatalf("no event after %d", key)
					}
				}
				for range n {
					add()
				}
				for range 10 * n {
					event()
				}
				for b.Loop() {
					event()
				}
				s := c.Snapshot()
				capped, at := map[float64]bool{}, 0.0
				for _, g := range s.Groups {
					capped[g.Ratio] = g.Capped
				}
				for _, j := range s.Jobs {
					if capped[j.Slots] {
						at++
					}
				}
				b.ReportMetric(at/float64(n), "capped/job")
			})
		}
	}
}
