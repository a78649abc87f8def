package slotmodel_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// hashCase draws a workload of whole numbers on a cluster with a network, losses and limits, and a
// policy that does everything.
func hashCase(seed uint64, fluid bool) (*slotmodel.Cluster, []slotmodel.JobSpec, slotmodel.Policy) {
	r := rand.New(rand.NewPCG(seed, 99))
	c := &slotmodel.Cluster{ResumeCost: 1, Network: slotmodel.Network{Fluid: fluid, RackRead: 1, RemoteRead: 3, Shuffle: 2, Write: 1}}
	for n := range 24 {
		s := slotmodel.NodeSpec{Rack: n / 6, Maps: 1, Reduces: 1, Slots: 1, Memory: 4}
		if n%5 == 0 {
			s.Down = []slotmodel.Outage{{From: float64(20 + 7*n), Until: float64(60 + 9*n)}}
		}
		if n%7 == 0 {
			s.NIC = 300
		}
		c.Nodes = append(c.Nodes, s)
	}
	for i := range 4 {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: float64(700 + 100*i), Ingress: 900})
	}
	jobs := make([]slotmodel.JobSpec, 120)
	for i := range jobs {
		s := slotmodel.JobSpec{User: r.IntN(5), Arrival: float64(r.IntN(400)), Maps: tasks(1+r.IntN(30), 0), Reduces: tasks(r.IntN(5), float64(3+r.IntN(17))), Slowstart: 0.5}
		for range s.Maps.Tasks {
			s.Maps.Works = append(s.Maps.Works, float64(1+r.IntN(23)))
			s.Replicas = append(s.Replicas, int32(r.IntN(24)), int32(r.IntN(24)))
		}
		s.Copies = 2
		s.Input, s.Shuffle, s.Output = float64(1000*s.Maps.Tasks), float64(r.IntN(9)*1700), float64(r.IntN(5)*1300)
		s.Maps.Memory, s.Reduces.Memory = 1, 2
		switch r.IntN(12) {
		case 0:
			s.Walltime = float64(20 + r.IntN(50))
		case 1:
			s.Cancel = float64(r.IntN(500))
		case 2:
			s.Rigid, s.Reduces, s.Maps = true, slotmodel.Phase{}, slotmodel.Phase{Tasks: s.Maps.Tasks, Work: 7, Memory: 1}
		}
		jobs[i] = s
	}
	return c, jobs, &chaos{r: rand.New(rand.NewPCG(seed, 100)), calm: 300, beat: 4}
}

func hashOf(t testing.TB, seed uint64, fluid bool) (uint64, int64) {
	c, jobs, p := hashCase(seed, fluid)
	res := mustRun(t, c, jobs, p, slotmodel.Options{Hash: true})
	return res.Hash, res.Events
}

// The pins document equality between platforms: they were computed on amd64, and hold with
// GOAMD64=v3, where the compiler may fuse a product and a sum into one rounding, and with
// GOARCH=386, where an int has 32 bits. Inputs are whole numbers drawn by package math/rand/v2, so
// that nothing but the engine takes part; times become fractions by the shares of links. A change
// of the order or of the fields of events changes them.
const (
	pinTimed = 0xdba208bac3bf1114
	pinFluid = 0x56072e942a9a02dc
)

func TestHashPinned(t *testing.T) {
	for _, c := range []struct {
		fluid bool
		want  uint64
	}{{false, pinTimed}, {true, pinFluid}} {
		got, events := hashOf(t, 1, c.fluid)
		if got != c.want {
			t.Errorf("fluid %v: hash of %d events %#x, want %#x", c.fluid, events, got, c.want)
		}
	}
}

// hashCases is how many cases run; the tests of other platforms leave the rest to the pins.
func hashCases() uint64 {
	if testing.Short() {
		return 2
	}
	return 6
}

// The same input gives the same log on every run, whatever GOMAXPROCS, who listens, and what else
// runs.
func TestHashRepeats(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range hashCases() {
		for _, fluid := range []bool{false, true} {
			want, events := hashOf(t, seed, fluid)
			if seen[want] {
				t.Errorf("seed %d, fluid %v: the hash %#x of another case", seed, fluid, want)
			}
			seen[want] = true
			old := runtime.GOMAXPROCS(1)
			c, jobs, p := hashCase(seed, fluid)
			n := int64(0)
			res := mustRun(t, c, jobs, p, slotmodel.Options{Hash: true, Log: func(slotmodel.Event) { n++ }})
			runtime.GOMAXPROCS(old)
			if res.Hash != want || n != events || res.Events != events {
				t.Errorf("seed %d, fluid %v, GOMAXPROCS 1: hash %#x of %d events (%d logged), first %#x of %d", seed, fluid, res.Hash, res.Events, n, want, events)
			}
			c, jobs, p = hashCase(seed, fluid)
			if res := mustRun(t, c, jobs, p, slotmodel.Options{}); res.Hash != 0 || res.Events != events {
				t.Errorf("seed %d, fluid %v, without Hash: %#x of %d events, want 0 of %d", seed, fluid, res.Hash, res.Events, events)
			}
		}
	}
}

// The replay agrees with these workloads too.
func TestHashCasesReplay(t *testing.T) {
	for seed := range hashCases() {
		for _, fluid := range []bool{false, true} {
			c, jobs, p := hashCase(seed, fluid)
			log, _, err := play(c, jobs, p, slotmodel.Options{Period: 8})
			if err != nil || len(log.faults) > 0 {
				t.Errorf("seed %d, fluid %v: %v, %q", seed, fluid, err, log.faults)
			}
		}
	}
}
