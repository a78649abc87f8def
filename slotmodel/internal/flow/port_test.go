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
	port int // -1: none
}

// fairWithPorts checks the bottleneck condition: each flow has its unit or a saturated link or port on which no x is greater.
func fairWithPorts(n *flow.Network, links []flow.Link, ports []float64, flows []portShape) error {
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
		if s.port >= 0 {
			p = append(p, 2*racks+s.port)
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
		if !(x > 0) || s.unit > 0 && x > s.unit {
			return fmt.Errorf("flow %+v has x = %v", s, x)
		}
		held := x == s.unit
		for _, l := range path(s) {
			held = held || load[l] >= capacity[l]*(1-near) && x >= greatest[l]*(1-near)
		}
		if !held {
			return fmt.Errorf("flow %+v has x = %v, and neither unit, link nor port holds it", s, x)
		}
	}
	return nil
}

func TestPorts(t *testing.T) {
	held := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 31))
		racks := 1 + r.IntN(8)
		links := racksOf(r, racks)
		n := flow.New(links, 0)
		ports := make([]float64, racks*(1+r.IntN(4)))
		for i := range ports {
			ports[i] = 1e7 * math.Exp(5*r.Float64())
		}
		n.Ports(ports)
		var flows []portShape
		for k := range 100 {
			switch i := r.IntN(4); {
			case len(flows) < racks || i == 0 && len(flows) < 12*racks:
				s := portShape{shape{src: r.IntN(racks), weight: 1 + r.IntN(9)}, -1}
				if r.IntN(4) > 0 {
					s.port = r.IntN(len(ports))
					s.dst = s.port % racks
					s.f = n.OpenAt(s.src, s.dst, s.port, s.weight)
				} else {
					s.dst = r.IntN(racks)
					s.unit = 1e7 * r.Float64()
					s.f = n.Open(s.src, s.dst, s.weight, s.unit)
				}
				n.Send(s.f, 1e15)
				flows = append(flows, s)
			case i == 1:
				i := r.IntN(len(flows))
				n.Close(flows[i].f)
				flows = append(flows[:i], flows[i+1:]...)
			default:
				s := &flows[r.IntN(len(flows))]
				s.weight = 1 + r.IntN(30)
				n.Weigh(s.f, s.weight, s.unit)
			}
			if err := fairWithPorts(n, links, ports, flows); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, k, err)
			}
			held++
		}
	}
}
