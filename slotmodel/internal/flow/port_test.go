package flow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

type portShape struct {
	shape
	out, in int // ports; -1: none
}

// fairWithPorts checks the bottleneck condition: each flow has a saturated link or port on which no
// x is greater, or passes none.
func fairWithPorts(n *network, links []rackLinks, ports []float64, flows []portShape) error {
	racks := len(links)
	capacity := make([]float64, 2*racks)
	for i, l := range links {
		capacity[i], capacity[racks+i] = l.Egress, l.Ingress
	}
	capacity = append(capacity, ports...)
	path := func(s portShape) (p []int) {
		if s.src != s.dst {
			p = append(p, s.src, racks+s.dst)
		}
		for _, i := range []int{s.out, s.in} {
			if i >= 0 {
				p = append(p, 2*racks+i)
			}
		}
		return p
	}
	load, greatest := make([]float64, len(capacity)), make([]float64, len(capacity))
	for _, s := range flows {
		x := n.RateOf(s.f)
		for _, l := range path(s) {
			load[l] += float64(s.weight) * x
			greatest[l] = max(greatest[l], x)
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
		x := n.RateOf(s.f)
		held := len(path(s)) == 0 && x == inf
		for _, l := range path(s) {
			held = held || load[l] >= capacity[l]*(1-near) && x >= greatest[l]*(1-near)
		}
		if !held {
			return fmt.Errorf("flow %+v has x = %v, and neither link nor port holds it", s, x)
		}
	}
	return nil
}

// drawPorts draws up to four ports of each rack for each direction: of rack r those r, r + racks,
// ... for what leaves it, and as many behind them for what enters.
func drawPorts(r *rand.Rand, racks int, draw func() float64) []float64 {
	ports := make([]float64, 2*racks*(1+r.IntN(4)))
	for i := range ports {
		ports[i] = draw()
	}
	return ports
}

// drawEnds opens a flow with two ports, one, or none.
func drawEnds(r *rand.Rand, n *network, racks, ports, heaviest int) portShape {
	s := portShape{shape{src: r.IntN(racks), dst: r.IntN(racks), weight: 1 + r.IntN(heaviest)}, -1, -1}
	half := ports / 2
	if r.IntN(3) > 0 {
		s.out = r.IntN(half)
		s.src = s.out % racks
	}
	if r.IntN(3) > 0 {
		i := r.IntN(half)
		s.in, s.dst = half+i, i%racks
	}
	s.f = n.OpenAt(s.src, s.dst, s.out, s.in, s.weight)
	return s
}

// openIn opens the flow in an oracle.
func (s *portShape) openIn(o *oracle, id int) {
	o.open(id, s.src, s.dst, s.weight)
	for _, i := range []int{s.out, s.in} {
		if i >= 0 {
			o.get(id).ports = append(o.get(id).ports, i)
		}
	}
}

// TestPorts: the bottleneck condition holds whatever comes, goes and changes.
func TestPorts(t *testing.T) {
	both := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 31))
		racks := 1 + r.IntN(8)
		if seed%40 == 0 {
			racks = 60 + r.IntN(30) // sets of racks of one and two words
		}
		links := racksOf(r, racks)
		if seed%4 == 0 {
			for i := range links {
				links[i] = rackLinks{Egress: 1e9, Ingress: 1e9}
			}
		}
		n := newNetwork(links)
		draw := func() float64 {
			if seed%4 < 2 {
				return 1e7 * float64(int(1)<<r.IntN(8)) // many alike
			}
			return 1e7 * math.Exp(5*r.Float64())
		}
		ports := drawPorts(r, racks, draw)
		n.Links(ports...)
		var flows []portShape
		for k := range 100 {
			switch i := r.IntN(5); {
			case len(flows) < racks || i == 0 && len(flows) < 12*racks:
				s := drawEnds(r, n, racks, len(ports), 9)
				n.Send(s.f, 1e15)
				flows = append(flows, s)
			case i == 1:
				i := r.IntN(len(flows))
				n.Close(flows[i].f)
				flows = append(flows[:i], flows[i+1:]...)
			case i == 2:
				i := r.IntN(len(ports))
				ports[i] = draw()
				n.ResizePort(i, ports[i])
			default:
				s := &flows[r.IntN(len(flows))]
				s.weight = 1 + r.IntN(30)
				n.Weigh(s.f, s.weight)
			}
			if err := fairWithPorts(n, links, ports, flows); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, k, err)
			}
			for _, s := range flows {
				if s.out >= 0 && s.in >= 0 {
					both++
				}
			}
		}
	}
	if both < 10000 {
		t.Errorf("the cases hold %d flows with two ports, want many", both)
	}
}

// TestPortsAgainstOracle compares every flow's x with rational filling, one flow at a time, on
// links and ports some of which have no limit, before and after flows have come, gone and got other
// weights, and ports other capacities.
func TestPortsAgainstOracle(t *testing.T) {
	for seed := range 600 {
		r := rand.New(rand.NewPCG(uint64(seed), 33))
		racks := 1 + r.IntN(5)
		links := topology(r, racks)
		n := newNetwork(links)
		draw := func() float64 {
			if r.IntN(4) == 0 {
				return inf
			}
			return 1 + float64(r.IntN(40))
		}
		ports := drawPorts(r, racks, draw)
		n.Links(ports...)
		var out, in []float64
		for _, l := range links {
			out, in = append(out, l.Egress), append(in, l.Ingress)
		}
		o := newOracle(out, in)
		for _, c := range ports {
			o.ports = append(o.ports, rat(c))
		}
		var flows []portShape
		ids, next := []int{}, 0
		for range 4 {
			for range 1 + r.IntN(3*racks) {
				s := drawEnds(r, n, racks, len(ports), 6)
				n.Send(s.f, 1e12)
				s.openIn(o, next)
				o.send(next, 1e12)
				flows, ids = append(flows, s), append(ids, next)
				next++
			}
			for range r.IntN(4) {
				k := r.IntN(len(flows))
				if r.IntN(2) == 0 {
					s := &flows[k]
					s.weight = 1 + r.IntN(6)
					n.Weigh(s.f, s.weight)
					o.get(ids[k]).weight = s.weight
				} else if len(flows) > 1 {
					n.Close(flows[k].f)
					o.close(ids[k])
					flows, ids = append(flows[:k], flows[k+1:]...), append(ids[:k], ids[k+1:]...)
				}
			}
			for range r.IntN(3) {
				i := r.IntN(len(ports))
				ports[i] = draw()
				n.ResizePort(i, ports[i])
				o.ports[i] = rat(ports[i])
			}
			o.rates()
			for k, s := range flows {
				want := inf
				if x := o.get(ids[k]).x; x != nil {
					want, _ = x.Float64()
				}
				if got := n.RateOf(s.f); !close9(got, want, 0) {
					t.Fatalf("seed %d, racks %v, ports %v, flows %+v: flow %d has x = %v, want %v", seed, links, ports, flows, k, got, want)
				}
			}
		}
	}
}

// Ports by hand: what one fills leaves more of another to those that pass only that, and so on
// along a chain.
func TestPortChain(t *testing.T) {
	n := newNetwork([]rackLinks{{}, {}})
	// Ports out of rack 0: 0 and 1; into rack 1: 2 and 3.
	n.Links(12, 100, 60, 100)
	a, b := n.OpenAt(0, 1, 0, 2, 1), n.OpenAt(0, 1, 0, -1, 2) // port 0: 4 per unit of weight
	c, d := n.OpenAt(0, 1, 1, 2, 1), n.OpenAt(0, 1, 1, 3, 1)  // port 2: 60 - 4 are left to c, so port 1 leaves 44 to d
	e, f := n.OpenAt(1, 1, -1, 3, 1), n.OpenAt(0, 0, 1, -1, 1)
	for _, x := range []flow.Flow{a, b, c, d, e, f} {
		n.Send(x, 1e9)
	}
	third := 100.0 / 3 // port 1 is full first: c, d and f share it
	for i, want := range []float64{4, 4, third, third, 100 - third, third} {
		if got := n.RateOf([]flow.Flow{a, b, c, d, e, f}[i]); !close9(got, want, 0) {
			t.Errorf("flow %d of six over four ports has x = %v, want %v", i, got, want)
		}
	}
	n.Close(f)
	for i, want := range []float64{4, 4, 50, 50, 50} {
		if got := n.RateOf([]flow.Flow{a, b, c, d, e}[i]); !close9(got, want, 0) {
			t.Errorf("flow %d of five over four ports has x = %v, want %v", i, got, want)
		}
	}
	n.Weigh(d, 3)
	for i, want := range []float64{4, 4, 25, 25, 25} {
		if got := n.RateOf([]flow.Flow{a, b, c, d, e}[i]); !close9(got, want, 0) {
			t.Errorf("flow %d, d having weight 3, has x = %v, want %v", i, got, want)
		}
	}
}

// The greatest float64 is a capacity like others.
func TestGreatestCapacity(t *testing.T) {
	n := newNetwork([]rackLinks{{}, {Ingress: math.MaxFloat64}})
	n.Links(1)
	a, b := n.Open(0, 1, 1), n.OpenAt(0, 0, 0, -1, 1)
	n.Send(a, 1)
	n.Send(b, 1)
	if x, y := n.RateOf(a), n.RateOf(b); x != math.MaxFloat64 || y != 1 {
		t.Errorf("x = %v and %v, want MaxFloat64 and 1", x, y)
	}
}
