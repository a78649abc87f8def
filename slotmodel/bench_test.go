package slotmodel_test

import (
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

// busy draws jobs that keep a cluster busy to about 80% without a growing queue: tasks of 1 to 20
// s, 10 maps and 2 reduces on average.
func busy(n, mapSlots int, seed uint64) []slotmodel.JobSpec {
	r := rand.New(rand.NewPCG(seed, 31))
	jobs := make([]slotmodel.JobSpec, n)
	at := 0.0
	for i := range jobs {
		at += r.ExpFloat64() * 10.5 * 10 / (0.8 * float64(mapSlots))
		maps := 1 + r.IntN(19)
		jobs[i] = slotmodel.JobSpec{Arrival: at, Maps: tasks(maps, float64(1+r.IntN(20))), Reduces: tasks(r.IntN(5), float64(1+r.IntN(20))), Slowstart: 0.9}
	}
	return jobs
}

// grid is a cluster of equal nodes.
func grid(racks, perRack, maps, reduces int) *slotmodel.Cluster {
	c := &slotmodel.Cluster{}
	for n := range racks * perRack {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: n / perRack, Maps: maps, Reduces: reduces})
	}
	return c
}

// restless preempts by a fixed pattern, and else is first come, first served.
type restless struct{ calls int }

func (p *restless) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.calls++
	for j := v.NextActive(none); j != none; j = v.NextActive(j) {
		for x := v.Newest(j, mapK); x != none; {
			older := v.Older(x)
			info := v.Attempt(x)
			switch {
			case info.Suspended && v.Free(mapK, info.Node) > 0:
				a.Resume(x)
			case p.calls%7 == 0 && info.Progress > 0.5 && v.CanSuspend(x):
				a.Suspend(x)
			case p.calls%31 == 0 && info.Progress > 0.2 && info.Progress < 0.3:
				a.Kill(x)
			}
			x = older
		}
	}
	fifo(v, a)
}

// In the steady state nothing is allocated: a run of twice as many jobs allocates as often, but for
// slices that double a few more times.
func TestSteadyStateAllocs(t *testing.T) {
	if testing.Short() {
		t.Skip("long: counts the allocations of long runs")
	}
	const jobs, slack = 1200, 60
	for _, c := range []struct {
		name string
		c    func() *slotmodel.Cluster
		each func(s *slotmodel.JobSpec)
		p    func() slotmodel.Policy
	}{
		{"plain", func() *slotmodel.Cluster { return grid(4, 5, 2, 1) }, func(*slotmodel.JobSpec) {}, func() slotmodel.Policy { return fifo }},
		{"fair", func() *slotmodel.Cluster { return grid(4, 5, 2, 1) }, func(*slotmodel.JobSpec) {}, func() slotmodel.Policy { return fair }},
		{"preemption", func() *slotmodel.Cluster { return grid(4, 5, 2, 1) }, func(*slotmodel.JobSpec) {}, func() slotmodel.Policy { return &restless{} }},
		{"blocks", func() *slotmodel.Cluster { return grid(4, 5, 2, 1) }, func(s *slotmodel.JobSpec) {
			s.Copies = 2
			for i := range 2 * s.Maps.Tasks {
				s.Replicas = append(s.Replicas, int32((7*i+int(s.Arrival))%20))
			}
		}, func() slotmodel.Policy { return fifo }},
		{"network", func() *slotmodel.Cluster {
			c := grid(4, 5, 2, 1)
			c.Network.Fluid = true
			c.Racks = []slotmodel.RackSpec{{Egress: 1000, Ingress: 1000}, {Egress: 1000, Ingress: 1000}, {Egress: 1000, Ingress: 1000}, {Egress: 1000, Ingress: 1000}}
			return c
		}, func(s *slotmodel.JobSpec) { s.Shuffle, s.Output = 1000*float64(s.Reduces.Tasks), 500 }, func() slotmodel.Policy { return fifo }},
	} {
		count := func(n int) (allocs float64, events int64) {
			specs := busy(n, 40, 3)
			for i := range specs {
				c.each(&specs[i])
			}
			cluster := c.c()
			// The runtime itself allocates a few times now and then, which the mean of some runs
			// rounds away.
			return testing.AllocsPerRun(3, func() {
				events = mustRun(t, cluster, specs, c.p(), slotmodel.Options{Hash: true}).Events
			}), events
		}
		once, e1 := count(jobs)
		twice, e2 := count(2 * jobs)
		t.Logf("%s: %v allocations for %d events, %v for %d", c.name, once, e1, twice, e2)
		if twice > once+slack {
			t.Errorf("%s: %v allocations for %d events, %v for %d, want at most %d more", c.name, once, e1, twice, e2, slack)
		}
	}
}
