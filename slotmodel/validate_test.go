package slotmodel_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel"
)

// input is what Run gets, to be spoilt in one place.
type input struct {
	c    slotmodel.Cluster
	jobs []slotmodel.JobSpec
	p    slotmodel.Policy
	o    slotmodel.Options
}

func goodInput() *input {
	x := &input{p: fifo}
	x.c.Nodes = []slotmodel.NodeSpec{{Maps: 1, Reduces: 1}, {Maps: 1, Reduces: 1, Rack: 1}}
	x.c.Racks = []slotmodel.RackSpec{{}, {}}
	x.jobs = []slotmodel.JobSpec{{Maps: tasks(2, 1)}, {Maps: tasks(2, 1), Reduces: tasks(1, 1), Replicas: []int32{0, 1, -1, 1}, Copies: 2}}
	return x
}

// Positive quantities lie in [least, most].
const (
	least = 0x1p-200
	most  = 0x1p200
)

// refused fails the test unless Run refuses the input with an InputError about element index of an
// argument, whose reason names what is wrong.
func refused(t *testing.T, x *input, arg string, index int, reason string) {
	t.Helper()
	run := func(c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy, o slotmodel.Options) (res *slotmodel.Result, err error) {
		within(t, reason, func() { res, err = slotmodel.Run(c, jobs, p, o) })
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("Run = %v, want an error that names %s", err, reason)
		}
		return res, err
	}
	expect.Refused(t, "slotmodel.Run", run, nil, expect.Bad(arg, index, &x.c, x.jobs, x.p, x.o))
}

// Every defect of the input is an InputError that names argument, element and field, and nothing
// runs.
func TestInputErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	below, above := math.Nextafter(0x1p-200, 0), math.Nextafter(0x1p200, inf)
	fraction := map[string]bool{"Slowstart": true, "EarlyReduces": true} // any number in [0, 1]
	type spoilt struct {
		arg    string
		index  int
		reason string // what it has to mention
		f      func(x *input)
	}
	cases := []spoilt{
		{"cluster", -1, "Nodes", func(x *input) { x.c.Nodes = nil }},
		{"p", -1, "nil", func(x *input) { x.p = nil }},
		{"p", -1, "Heartbeat", func(x *input) { x.p = ticker{fifo, nan} }},
		{"p", -1, "Heartbeat", func(x *input) { x.p = ticker{fifo, -1} }},
		{"p", -1, "Heartbeat", func(x *input) { x.p = ticker{fifo, inf} }},
		{"cluster", 1, "Rack", func(x *input) { x.c.Nodes[1].Rack = -1 }},
		{"cluster", 1, "Rack", func(x *input) { x.c.Nodes[1].Rack = 2 }},
		{"cluster", 1, "Rack", func(x *input) { x.c.Racks = nil; x.c.Nodes[1].Rack = math.MaxInt }},
		{"cluster", 1, "Factor", func(x *input) { x.c.Nodes[1].Slow = []slotmodel.Slowdown{{From: 1, Until: 5}} }},
		{"cluster", 1, "Factor", func(x *input) {
			x.c.Nodes[1].Slow = []slotmodel.Slowdown{{From: 1, Until: 5, Factor: math.Nextafter(1, 0)}}
		}},
		{"cluster", 1, "Factor", func(x *input) { x.c.Nodes[1].Slow = []slotmodel.Slowdown{{From: 1, Until: 5, Factor: nan}} }},
		{"cluster", 1, "Factor", func(x *input) {
			x.c.Nodes[1].Slow = []slotmodel.Slowdown{{From: 1, Until: 5, Factor: math.Nextafter(0x1p50, inf)}}
		}},
		{"jobs", 1, "User", func(x *input) { x.jobs[1].User = -1 }},
		{"cluster", -1, "racks", func(x *input) { x.c.Racks, x.c.Nodes[1].Rack, x.c.Network.Fluid = nil, 1<<16, true }},
		{"cluster", -1, "gaps", func(x *input) { x.c.Racks, x.c.Nodes[1].Rack, x.c.Network.Fluid = nil, 1<<12, true }},
		{"cluster", -1, "racks", func(x *input) { x.c.Racks, x.c.Network.Fluid = make([]slotmodel.RackSpec, 1<<16), true }},
		{"jobs", 1, "User", func(x *input) { x.jobs[1].User = math.MaxInt }},
		{"jobs", 1, "User", func(x *input) { x.jobs[1].User = 1 << 29 }},
		{"jobs", 1, "User", func(x *input) { x.jobs[1].User = 2 + 1<<20 }},
		{"jobs", 1, "User", func(x *input) { x.jobs[1].User = 1 << 30 }},
		{"jobs", 1, "User", func(x *input) { x.jobs[1].User, x.o.Entitlements = 1<<30, []float64{1} }},
		{"o", -1, "Entitlements", func(x *input) { x.jobs[1].User, x.o.Entitlements = 1<<30-2, []float64{1} }},
		{"jobs", 1, "Maps", func(x *input) { x.jobs[1].Maps.Tasks = -1 }},
		{"jobs", 1, "Maps", func(x *input) { x.jobs[1].Maps.Tasks = math.MaxInt; x.jobs[1].Replicas = nil }},
		{"jobs", 1, "Reduces", func(x *input) { x.jobs[1].Reduces.Tasks = -1 }},
		{"jobs", 1, "Works", func(x *input) { x.jobs[1].Maps.Works = []float64{1} }},
		{"jobs", 1, "Works", func(x *input) { x.jobs[1].Reduces.Works = []float64{1, 2} }},
		{"jobs", 1, "Works", func(x *input) { x.jobs[1].Reduces.Works = []float64{} }},
		{"jobs", 1, "After", func(x *input) { x.jobs[1].After = -1 }},
		{"jobs", 1, "After", func(x *input) { x.jobs[1].After = 3 }},
		{"jobs", 1, "After", func(x *input) { x.jobs[1].After = math.MinInt }},
		{"jobs", 1, "After", func(x *input) { x.jobs[1].After = math.MaxInt }},
		{"jobs", 1, "After", func(x *input) { x.jobs[1].After = 2 }},
		{"jobs", 0, "After", func(x *input) { x.jobs[0].After, x.jobs[1].After = 2, 1 }},
		{"jobs", 2, "After", func(x *input) {
			x.jobs = append(x.jobs, slotmodel.JobSpec{After: 5}, slotmodel.JobSpec{After: 3}, slotmodel.JobSpec{After: 4})
			x.jobs[0].After = 2
		}},
		{"jobs", 1, "Think", func(x *input) { x.jobs[1].Think = 1 }},
		{"jobs", 1, "Rigid", func(x *input) { x.jobs[1].Rigid = true }},
		{"jobs", 1, "Priority", func(x *input) { x.jobs[1].Priority = nan }},
		{"jobs", 1, "Copies", func(x *input) { x.jobs[1].Copies = 0 }},
		{"jobs", 1, "Copies", func(x *input) { x.jobs[1].Copies = -2 }},
		{"jobs", 1, "Copies", func(x *input) { x.jobs[1].Copies = 3 }},
		{"jobs", 1, "Replicas", func(x *input) { x.jobs[1].Replicas = []int32{} }},
		{"jobs", 1, "Replicas", func(x *input) { x.jobs[1].Replicas[2] = 2 }},
		{"jobs", 1, "Replicas", func(x *input) { x.jobs[1].Replicas[2] = -2 }},
		{"o", -1, "Entitlements", func(x *input) { x.jobs[1].User = 2; x.o.Entitlements = []float64{1, 1} }},
		{"o", -1, "Entitlements", func(x *input) { x.o.Entitlements = []float64{} }},
		{"o", 1, "Entitlements", func(x *input) { x.o.Entitlements = []float64{1, 0} }},
		{"o", 1, "Entitlements", func(x *input) { x.o.Entitlements = []float64{1, nan} }},
		{"o", 1, "Entitlements", func(x *input) { x.o.Entitlements = []float64{1, inf} }},
		{"o", 1, "Entitlements", func(x *input) { x.o.Entitlements = []float64{1, -1} }},
	}
	type spans = [][2]float64
	for _, at := range []spans{{{5, 5}}, {{-1, 5}}, {{nan, 5}}, {{1, nan}}, {{inf, inf}}, {{1, 5}, {4, 6}}, {{1, inf}, {4, 6}}} {
		cases = append(cases, spoilt{"cluster", 1, "Down", func(x *input) {
			for _, s := range at {
				x.c.Nodes[1].Down = append(x.c.Nodes[1].Down, slotmodel.Outage{From: s[0], Until: s[1]})
			}
		}}, spoilt{"cluster", 1, "Slow", func(x *input) {
			for _, s := range at {
				x.c.Nodes[1].Slow = append(x.c.Nodes[1].Slow, slotmodel.Slowdown{From: s[0], Until: s[1], Factor: 2})
			}
		}})
	}
	amounts := func(arg string, index int, names string, infinite bool, set func(x *input, i int, v float64)) {
		for i, name := range strings.Fields(names) {
			for _, v := range []float64{nan, -1, math.Inf(-1), -math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64, below, above, math.MaxFloat64, inf} {
				if v == inf && infinite || v > 0 && v < 1 && fraction[name] {
					continue
				}
				cases = append(cases, spoilt{arg, index, name, func(x *input) { set(x, i, v) }})
			}
		}
	}
	amounts("cluster", -1, "ResumeCost RackRead RemoteRead Shuffle Write", false, func(x *input, i int, v float64) {
		n := &x.c.Network
		*[]*float64{&x.c.ResumeCost, &n.RackRead, &n.RemoteRead, &n.Shuffle, &n.Write}[i] = v
	})
	amounts("cluster", -1, "Pair", true, func(x *input, _ int, v float64) { x.c.Network.Pair = v })
	amounts("cluster", 1, "Egress Ingress", true, func(x *input, i int, v float64) {
		*[]*float64{&x.c.Racks[1].Egress, &x.c.Racks[1].Ingress}[i] = v
	})
	amounts("cluster", 1, "NIC Memory", true, func(x *input, i int, v float64) {
		*[]*float64{&x.c.Nodes[1].NIC, &x.c.Nodes[1].Memory}[i] = v
	})
	amounts("cluster", 1, "Speed", false, func(x *input, i int, v float64) { x.c.Nodes[1].Speed = v })
	amounts("jobs", 1, "Arrival Deadline Work Work Input Shuffle Output Think Walltime Requested Crash Cancel Memory Memory Slowstart Works Works", false, func(x *input, i int, v float64) {
		s := &x.jobs[1]
		s.After = 1
		s.Maps.Works, s.Reduces.Works = []float64{1, 1}, []float64{1}
		*[]*float64{&s.Arrival, &s.Deadline, &s.Maps.Work, &s.Reduces.Work, &s.Input, &s.Shuffle, &s.Output, &s.Think, &s.Walltime, &s.Requested, &s.Crash, &s.Cancel,
			&s.Maps.Memory, &s.Reduces.Memory, &s.Slowstart, &s.Maps.Works[1], &s.Reduces.Works[0]}[i] = v
	})
	amounts("cluster", -1, "EarlyReduces", false, func(x *input, i int, v float64) { x.c.EarlyReduces = v })
	for _, n := range []int{-1, 1<<20 + 1, math.MinInt, math.MaxInt} {
		cases = append(cases, spoilt{"cluster", 1, "Maps", func(x *input) { x.c.Nodes[1].Maps = n }},
			spoilt{"cluster", 1, "Reduces", func(x *input) { x.c.Nodes[1].Reduces = n }},
			spoilt{"cluster", 1, "Slots", func(x *input) { x.c.Nodes[1].Slots = n }})
	}
	cases = append(cases, spoilt{"cluster", -1, "EarlyReduces", func(x *input) { x.c.EarlyReduces = math.Nextafter(1, 2) }})
	cases = append(cases, spoilt{"jobs", 1, "Dataset", func(x *input) { x.jobs[1].Dataset = -1 }})
	cases = append(cases, spoilt{"jobs", 1, "Slowstart", func(x *input) { x.jobs[1].Slowstart = math.Nextafter(1, 2) }})
	amounts("o", -1, "Period", false, func(x *input, i int, v float64) { x.o.Period = v })
	amounts("o", -1, "Until", true, func(x *input, i int, v float64) { x.o.Until = v })
	for _, c := range cases {
		x, ran := goodInput(), false
		x.p = decide(func(*slotmodel.View, *slotmodel.Actions) { ran = true })
		x.o.Log = func(slotmodel.Event) { ran = true }
		c.f(x)
		if refused(t, x, c.arg, c.index, c.reason); ran {
			t.Errorf("%+v: the run began, want the error before", c)
		}
	}
	expect.Refused(t, "slotmodel.Run", slotmodel.Run, nil, expect.Bad("cluster", -1, nil, nil, fifo, slotmodel.Options{}))
	x := goodInput()
	if _, err := slotmodel.Run(&x.c, x.jobs, x.p, x.o); err != nil {
		t.Errorf("Run of the input that was spoilt in %d ways = %v without that", len(cases), err)
	}
	t.Logf("%d defects", len(cases))
}
