package slotmodel_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// placed starts every task as soon as it may on the node that is named for it, lost nodes and full
// ones giving way to the next.
func placed(nodes ...slotmodel.Node) decide {
	return func(v *slotmodel.View, a *slotmodel.Actions) {
		for k := mapK; k <= reduce; k++ {
			for j := v.NextRunnable(none, k); j != none; j = v.NextRunnable(j, k) {
				for t := v.NextPending(j, k, none); t != none; t = v.NextPending(j, k, t) {
					n := nodes[t]
					for range v.Nodes() {
						if v.Free(k, n) > 0 {
							a.StartTask(t, n)
							break
						}
						n = (n + 1) % slotmodel.Node(v.Nodes())
					}
				}
			}
		}
	}
}

// LinkCapacity is what the cluster says, +Inf where that is no limit.
func TestLinkCapacity(t *testing.T) {
	inf := math.Inf(1)
	ask := func(c *slotmodel.Cluster, want ...[2]float64) {
		t.Helper()
		mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 1)}}, decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			fifo.Decide(v, a)
			for r, w := range want {
				if out, in := v.LinkCapacity(slotmodel.Rack(r)); out != w[0] || in != w[1] {
					t.Errorf("LinkCapacity(%d) = %v, %v, want %v", r, out, in, w)
				}
			}
		}), slotmodel.Options{})
	}
	c := fluidRacks(3, 64, 1, 1)
	c.Racks[1] = slotmodel.RackSpec{Egress: 0, Ingress: 3}
	c.Racks[2] = slotmodel.RackSpec{Egress: inf, Ingress: 0}
	ask(c, [2]float64{64, 64}, [2]float64{inf, 3}, [2]float64{inf, inf}, [2]float64{})
	c.Network.Pair = 10 // to each of two other racks
	ask(c, [2]float64{20, 20}, [2]float64{20, 3}, [2]float64{20, 20})
	c.Racks, c.Network.Pair = nil, inf
	ask(c, [2]float64{inf, inf})
	ask(&slotmodel.Cluster{Nodes: c.Nodes}, [2]float64{inf, inf})
}

// LinkBytes counts what has passed a rack's links until now, and nothing without a fluid network.
func TestLinkBytes(t *testing.T) {
	seen := 0
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		placed(0, 1)(v, a)
		out, back := v.LinkBytes(0)
		from, in := v.LinkBytes(1)
		want := 64 * min(max(0, v.Now()-1), 16)
		if out != want || in != want || back != 0 || from != 0 {
			t.Errorf("at %v: LinkBytes %v out of and %v into rack 0, %v and %v of rack 1, want %v from rack 0 to rack 1", v.Now(), out, back, from, in, want)
		}
		for _, r := range []slotmodel.Rack{-1, 2} {
			if out, in := v.LinkBytes(r); out != 0 || in != 0 {
				t.Errorf("LinkBytes(%d) = %v, %v, want 0, 0", r, out, in)
			}
		}
		if seen++; v.Now() < 20 {
			a.Wake(math.Floor(v.Now()) + 1.5)
		}
	})
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 5), Slowstart: 1, Shuffle: 1024}}
	mustRun(t, fluidRacks(2, 64, 1, 1), jobs, p, slotmodel.Options{})
	if seen < 20 {
		t.Errorf("%d decisions, want 20 or more", seen)
	}
	c := fluidRacks(2, 64, 1, 1)
	c.Network.Fluid = false
	mustRun(t, c, jobs, decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		placed(0, 1)(v, a)
		if out, in := v.LinkBytes(0); out != 0 || in != 0 {
			t.Errorf("LinkBytes(0) = %v, %v without a fluid network, want 0, 0", out, in)
		}
	}), slotmodel.Options{})
}

// A rack as wide as a rack can be beside a NIC.
func TestWideRackBesideNIC(t *testing.T) {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, Racks: []slotmodel.RackSpec{{}, {Ingress: 0x1p200}},
		Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 1, NIC: 8}, {Rack: 1, Maps: 1}}}
	read := slotmodel.JobSpec{Maps: tasks(1, 0), Input: 16, Replicas: []int32{0}, Copies: 1}
	within(t, "Run", func() {
		if f := mustRun(t, c, []slotmodel.JobSpec{read, read}, placed(2, 1), slotmodel.Options{}).Jobs[1].Finish; f != 2 {
			t.Errorf("16 bytes past a NIC of 8: finished at %v, want 2", f)
		}
	})
}
