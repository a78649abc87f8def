package dynprio_test

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// U users in closed loop on 120 slots, each with a job of 40 maps at any time; the figure is for a
// task.
func BenchmarkRun(b *testing.B) {
	for _, users := range []int{10, 80, 1000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			rates := make([]market.Credits, users)
			var jobs []slotmodel.JobSpec
			for u := range users {
				rates[u] = market.Credits(u+1) * market.Credit / 1000
				for i := range 4 {
					j := policytest.Maps(0, 40, 20+float64(u%7))
					if j.User = u; i > 0 {
						j.After = len(jobs)
					}
					jobs = append(jobs, j)
				}
			}
			c := &slotmodel.Cluster{Nodes: policytest.Nodes(30, 30, 4, 2)}
			o := &dynprio.Policy{Users: rich(rates...), Period: 60, Rules: market.Options{Carry: true}}
			for b.Loop() {
				res, err := slotmodel.Run(c, jobs, o, slotmodel.Options{})
				if err != nil || res.Jobs[len(jobs)-1].Outcome != slotmodel.Finished {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*40*len(jobs)), "us/task")
		})
	}
}
