package audit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
)

// busy is the log of a cluster of 1,000 GPUs, first come, first served, at a load of .95: 100 teams
// below ten departments, of which one has a floor, with jobs of a lognormal length.
func busy(jobs int) log {
	r := rand.New(rand.NewPCG(uint64(jobs), 7))
	l := log{capacity: []audit.Capacity{{Amount: 1000}}}
	const departments, teams = 10, 100
	for i := range departments + teams {
		l.o.Claims = append(l.o.Claims, aging.Claim{Weight: float64(1 + i%3)})
		if l.o.Parents = append(l.o.Parents, -1); i >= departments {
			l.o.Parents[i] = i % departments
		}
	}
	l.o.Claims[0].Floor = 200
	free, now := make([]float64, 1000), 0. // when each GPU is free
	for range jobs {
		now += r.ExpFloat64()
		run := 300 * math.Exp(2*r.NormFloat64()-2)
		gpus := 1 << r.IntN(4)
		run *= 950 / 300. * 4 / 15
		start := now
		for range gpus {
			first := 0
			for range 3 { // the least of a few
				if k := r.IntN(len(free)); free[k] < free[first] {
					first = k
				}
			}
			start = max(start, free[first])
			free[first] = start + run
		}
		user := departments + int(math.Abs(r.NormFloat64())*teams/3)%teams
		l.spans = append(l.spans, audit.Span{User: user, From: now, Start: start, End: start + run, Amount: float64(gpus)})
	}
	return l
}

func BenchmarkShortfall(b *testing.B) {
	for _, c := range []struct {
		jobs   int
		window float64
		idle   int     // teams without jobs
		wait   float64 // that counts
	}{{1e5, 0, 0, 0}, {1e5, 1000, 0, 0}, {1e5, 0, 1000, 0}, {1e5, 0, 0, 1000}, {1e6, 0, 0, 0}} {
		name := fmt.Sprintf("n=%d/window=%g", c.jobs, c.window)
		if c.idle > 0 {
			name += fmt.Sprintf("/idle=%d", c.idle)
		}
		if c.wait > 0 {
			name += fmt.Sprintf("/patience=%g", c.wait)
		}
		b.Run(name, func(b *testing.B) {
			if testing.Short() && c.jobs > 1e5 {
				b.Skip("long")
			}
			l := busy(c.jobs)
			l.o.Window, l.o.Patience = c.window, c.wait
			for i := range c.idle {
				l.o.Claims, l.o.Parents = append(l.o.Claims, aging.Claim{}), append(l.o.Parents, i%10)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b.ReportAllocs()
			for b.Loop() {
				debts, report := shortfall(b, l.capacity, l.spans, l.o)
				if len(debts) != len(l.o.Claims) || report.Text == "" {
					b.Fatal(report)
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapSys)/(1<<20), "MiB-heap")
		})
	}
}
