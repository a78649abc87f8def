package flow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// over allows for a link's rounding: relative, as promised in doc.go.
const over = 1e-12

// shape is a flow of a drawn topology.
type shape struct {
	src, dst, weight int
	f                flow.Flow
}

// fair checks the bottleneck condition of the active flows.
func fair(n *network, links []rackLinks, flows []shape) error {
	racks := len(links)
	capacity := make([]float64, 2*racks)
	for i, l := range links {
		capacity[i], capacity[racks+i] = l.Egress, l.Ingress
	}
	load, greatest := make([]float64, 2*racks), make([]float64, 2*racks)
	for l, c := range capacity {
		if c == 0 {
			capacity[l] = math.Inf(1)
		}
	}
	for _, s := range flows {
		if x := n.RateOf(s.f); s.src != s.dst && x < math.Inf(1) {
			for _, l := range []int{s.src, racks + s.dst} {
				load[l] += float64(s.weight) * x
				greatest[l] = max(greatest[l], x)
			}
		}
	}
	for l := range load {
		if load[l] > capacity[l]*(1+over) {
			return fmt.Errorf("link %d carries %v, capacity %v", l, load[l], capacity[l])
		}
	}
	for r := range racks {
		out, in := n.Rates(r)
		if !close9(out, load[r], 0) || !close9(in, load[racks+r], 0) {
			return fmt.Errorf("Rates(%d) = %v, %v, want %v, %v", r, out, in, load[r], load[racks+r])
		}
	}
	for _, s := range flows {
		if n.Pending(s.f) == 0 {
			continue
		}
		x := n.RateOf(s.f)
		if !(x > 0) {
			return fmt.Errorf("flow %+v has x = %v", s, x)
		}
		held := false
		if s.src != s.dst {
			for _, l := range []int{s.src, racks + s.dst} {
				held = held || load[l] >= capacity[l]*(1-near) && x >= greatest[l]*(1-near)
			}
		}
		if !held && !(math.IsInf(x, 1) &&
			(s.src == s.dst || math.IsInf(capacity[s.src], 1) && math.IsInf(capacity[racks+s.dst], 1))) {
			return fmt.Errorf("flow %+v has x = %v, and no link holds it", s, x)
		}
	}
	return nil
}

// drawFlows opens flows and sends on some of them.
func drawFlows(r *rand.Rand, n *network, racks int) []shape {
	flows := make([]shape, 1+r.IntN(5*racks))
	heavy := r.IntN(2) == 0
	for i := range flows {
		s := shape{src: r.IntN(racks), dst: r.IntN(racks), weight: 1 + r.IntN(5)}
		if heavy && r.IntN(4) == 0 {
			s.weight = 1 + r.IntN(1e6)
		}
		s.f = n.Open(s.src, s.dst, s.weight)
		if r.IntN(5) > 0 {
			n.Send(s.f, 1e12*(1+r.Float64()))
		}
		flows[i] = s
	}
	return flows
}

// TestBottleneck: 40 topologies for each of rapid's checks, up to 90 racks, and again after some
// flows have left.
func TestBottleneck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		for k := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, k))
			racks := 1 + r.IntN(12)
			if k == 0 {
				racks = 60 + r.IntN(30) // sets of racks of one and two words
			}
			links := topology(r, racks)
			if r.IntN(2) == 0 {
				for i := range links {
					links[i] = rackLinks{Egress: 1 + 1000*r.Float64(), Ingress: math.Exp(20 * r.Float64())}
				}
			}
			n := newNetwork(links)
			flows := drawFlows(r, n, racks)
			if err := fair(n, links, flows); err != nil {
				t.Fatalf("racks %v: %v", links, err)
			}
			for range 3 {
				i := r.IntN(len(flows))
				n.Close(flows[i].f)
				flows = append(flows[:i], flows[i+1:]...)
				if len(flows) == 0 {
					break
				}
				s := &flows[r.IntN(len(flows))]
				s.weight = 1 + r.IntN(5)
				n.Weigh(s.f, s.weight)
				n.Send(flows[r.IntN(len(flows))].f, 1e12)
				if err := fair(n, links, flows); err != nil {
					t.Fatalf("after a change, racks %v: %v", links, err)
				}
			}
		}
	})
}

// TestRatesAgainstOracle compares every flow's x with rational filling, one flow at a time.
func TestRatesAgainstOracle(t *testing.T) {
	for seed := range 1500 {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		racks := 1 + r.IntN(6)
		links := topology(r, racks)
		n := newNetwork(links)
		var out, in []float64
		for _, l := range links {
			out, in = append(out, l.Egress), append(in, l.Ingress)
		}
		o := newOracle(out, in)
		flows := drawFlows(r, n, racks)
		for i, s := range flows {
			o.open(i, s.src, s.dst, s.weight)
			o.send(i, n.Pending(s.f))
		}
		o.rates()
		for i, s := range flows {
			want := 0.0
			if f := o.get(i); f.x != nil {
				want, _ = f.x.Float64()
			} else if f.left.Sign() > 0 {
				want = math.Inf(1)
			}
			if got := n.RateOf(s.f); !close9(got, want, 0) {
				t.Fatalf("seed %d, racks %v, flows %+v: flow %d has x = %v, want %v", seed, links, flows, i, got, want)
			}
		}
	}
}

// TestEqualSharesAreEqual: what is symmetric gets the same bits.
func TestEqualSharesAreEqual(t *testing.T) {
	for _, racks := range []int{3, 7, 40, 65} {
		for _, weight := range []int{1, 3, 7} {
			links := make([]rackLinks, racks)
			for i := range links {
				links[i] = rackLinks{Egress: 1e9 / 3, Ingress: 1e9 / 3}
			}
			n := newNetwork(links)
			var flows []flow.Flow
			for s := range racks {
				for d := range racks {
					if s != d {
						f := n.Open(s, d, weight)
						n.Send(f, 1e9)
						n.Mark(f, 0)
						flows = append(flows, f)
					}
				}
			}
			want := n.RateOf(flows[0])
			for _, f := range flows {
				if got := n.RateOf(f); got != want {
					t.Fatalf("%d racks, weight %d: x = %v, want %v", racks, weight, got, want)
				}
			}
			if got := len(n.Advance(nil, n.Next())); got != len(flows) {
				t.Fatalf("%d racks, weight %d: %d of %d flows end together", racks, weight, got, len(flows))
			}
		}
	}
}

// TestTies: x = c/(2w) for three flows on two links that fill together; the second's share is found
// by a subtraction.
func TestTies(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 9))
		c, w := 1e9*r.Float64(), 1+r.IntN(1000)
		n := newNetwork([]rackLinks{{Egress: c}, {Ingress: c}, {}, {}})
		var x []float64
		var flows []flow.Flow
		for _, p := range [][2]int{{0, 1}, {0, 2}, {3, 1}} {
			f := n.Open(p[0], p[1], w)
			n.Send(f, 1)
			flows = append(flows, f)
		}
		for _, f := range flows {
			x = append(x, n.RateOf(f))
		}
		if x[0] != x[1] || x[0] != x[2] || !close9(x[0], c/float64(2*w), 0) {
			t.Fatalf("capacity %v, weight %d: x = %v, want all %v", c, w, x, c/float64(2*w))
		}
	}
}

// TestClasses: flows over the same links share a class; those within racks pass none.
func TestClasses(t *testing.T) {
	n := newNetwork([]rackLinks{{Egress: 10}, {Ingress: 5}})
	for _, c := range []struct{ src, dst, weight, want int }{{0, 1, 2, 1}, {0, 1, 3, 1}, {1, 0, 2, 2}, {0, 1, 1, 2}, {0, 0, 2, 3}, {1, 1, 2, 3}} {
		n.Send(n.Open(c.src, c.dst, c.weight), 1)
		if got := n.Classes(); got != c.want {
			t.Errorf("%d classes after a flow %+v, want %d", got, c, c.want)
		}
	}
}
