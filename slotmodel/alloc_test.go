package slotmodel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

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
	const jobs, slack = 3000, 60
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
			return testing.AllocsPerRun(4, func() {
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
