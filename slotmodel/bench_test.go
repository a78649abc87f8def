package slotmodel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// measure runs a case again and again and reports tasks and events per second.
func measure(b *testing.B, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy) {
	tasks := 0
	for i := range jobs {
		tasks += jobs[i].Maps.Tasks + jobs[i].Reduces.Tasks
	}
	b.ReportAllocs()
	runs, events, load := 0, int64(0), 0.0
	for b.Loop() {
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
		if err != nil {
			b.Fatal(err)
		}
		runs, events, load = runs+1, events+res.Events, res.Totals.Load/res.End
	}
	s := b.Elapsed().Seconds()
	b.ReportMetric(float64(runs*tasks)/s, "tasks/s")
	b.ReportMetric(float64(events)/s, "events/s")
	b.ReportMetric(load, "jobs-present")
}

// traceLike draws jobs of 1 to about 1,000 maps, a fifth as many reduces, under a mean load of the
// map slots.
func traceLike(n, mapSlots int, load float64) []slotmodel.JobSpec {
	r := rand.New(rand.NewPCG(7, 7))
	jobs := make([]slotmodel.JobSpec, n)
	at := 0.0
	for i := range jobs {
		at += r.ExpFloat64() * 100 * 20 / (load * float64(mapSlots))
		maps := int(1 + 100*r.ExpFloat64()*r.ExpFloat64())
		jobs[i] = slotmodel.JobSpec{Arrival: at, Maps: tasks(maps, 20*r.ExpFloat64()), Reduces: tasks(maps/5, 40*r.ExpFloat64()), Slowstart: 0.95, User: i % 10}
	}
	return jobs
}

// BenchmarkRun is the engine without a network, first come, first served: ten and a hundred times
// the nodes, and a backlog that makes ten times the jobs present.
func BenchmarkRun(b *testing.B) {
	for _, nodes := range []int{60, 600, 6000} {
		for _, load := range []float64{0.7, 1.5} {
			b.Run(fmt.Sprintf("n=%d/load=%v", nodes, load), func(b *testing.B) {
				measure(b, grid(nodes/20, 20, 4, 2), traceLike(4000, 4*nodes, load), fifo)
			})
		}
	}
}

// BenchmarkNetwork is the engine with a fluid network: 4 racks of 9 nodes under jobs as in HFSP's
// LARGE workload, and 1,000 nodes in 40 racks whose links carry a fifth of what the nodes could
// send.
func BenchmarkNetwork(b *testing.B) {
	for _, x := range []struct {
		name              string
		racks, per, slots int
		link              float64
		jobs              int
		load              float64
	}{{"large", 4, 9, 2, 1e9, 400, 0.8}, {"racks=40", 40, 25, 6, 25 * 1.25e8 / 5, 2000, 0.7}} {
		b.Run(x.name, func(b *testing.B) {
			c := grid(x.racks, x.per, x.slots, max(1, x.slots/2))
			for range x.racks {
				c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: x.link, Ingress: x.link})
			}
			c.Network.Fluid = true
			jobs := traceLike(x.jobs, x.racks*x.per*x.slots, x.load)
			for i := range jobs {
				jobs[i].Shuffle = float64(jobs[i].Maps.Tasks) * 64e6
				jobs[i].Output = float64(jobs[i].Maps.Tasks) * 16e6
			}
			measure(b, c, jobs, fifo)
		})
	}
}
