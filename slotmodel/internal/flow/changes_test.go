package flow_test

import (
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// TestRefill: after each of many changes, of one flow or of many in one instant, the rates are
// max-min fair; also on links that are alike, and on more racks than a word has bits.
func TestRefill(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 21))
		racks := 2 + r.IntN(20)
		if seed%20 == 0 {
			racks = 60 + r.IntN(90)
		}
		links := racksOf(r, racks)
		if seed%3 == 0 {
			for i := range links {
				links[i] = rackLinks{Egress: 1e9, Ingress: 1e9}
			}
		}
		n := newNetwork(links)
		var flows []shape
		for k := range 200 {
			batch := 1
			if r.IntN(8) == 0 {
				batch = 1 + r.IntN(2*racks)
			}
			for range batch {
				switch i := r.IntN(4); {
				case len(flows) < racks || i == 0 && len(flows) < 8*racks:
					s := shape{src: r.IntN(racks), dst: r.IntN(racks), weight: 1 + r.IntN(30)}
					s.f = n.Open(s.src, s.dst, s.weight)
					n.Send(s.f, 1e15)
					flows = append(flows, s)
				case i == 1:
					i := r.IntN(len(flows))
					n.Close(flows[i].f)
					flows = append(flows[:i], flows[i+1:]...)
				default:
					s := &flows[r.IntN(len(flows))]
					s.weight = 1 + r.IntN(30)
					n.Weigh(s.f, s.weight)
				}
			}
			if err := fair(n, links, flows); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, k, err)
			}
		}
	}
}

// TestRefillAfresh: a solution found from many others is, to rounding, the one of a network that
// has had no other.
func TestRefillAfresh(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 22))
		racks := 2 + r.IntN(40)
		links := racksOf(r, racks)
		n := newNetwork(links)
		flows := make([]shape, 10*racks)
		for i := range flows {
			s := shape{src: r.IntN(racks), dst: r.IntN(racks), weight: 1 + r.IntN(30)}
			s.f = n.Open(s.src, s.dst, s.weight)
			n.Send(s.f, 1e15)
			flows[i] = s
		}
		for range 300 {
			s := &flows[r.IntN(len(flows))]
			s.weight = 1 + r.IntN(30)
			n.Weigh(s.f, s.weight)
			n.Next()
		}
		other, fresh := newNetwork(links), make([]flow.Flow, len(flows))
		for i, s := range flows {
			fresh[i] = other.Open(s.src, s.dst, s.weight)
			other.Send(fresh[i], 1e15)
		}
		for i, s := range flows {
			got, want := n.RateOf(s.f), other.RateOf(fresh[i])
			if s.src != s.dst && !close9(got, want, 0) {
				t.Fatalf("seed %d: %d racks: flow from %d to %d has x = %v after 300 solutions, %v in the first", seed, racks, s.src, s.dst, got, want)
			}
		}
	}
}

// Links of equal levels that lose flows in one instant: the level that one of them was to get is
// found anew when the other's has changed.
func TestRefillOfTies(t *testing.T) {
	links := []rackLinks{{Egress: 16, Ingress: 8}, {Egress: 8, Ingress: 48}, {Egress: 56, Ingress: 8}}
	n := newNetwork(links)
	flows := []shape{{src: 0, dst: 2, weight: 2}, {src: 1, dst: 2, weight: 4}, {src: 1, dst: 0, weight: 2}, {src: 2, dst: 0, weight: 2}}
	for i := range flows {
		s := &flows[i]
		s.f = n.Open(s.src, s.dst, s.weight)
		n.Send(s.f, 1e15)
	}
	if err := fair(n, links, flows); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		flows[i].weight--
		n.Weigh(flows[i].f, flows[i].weight)
	}
	if err := fair(n, links, flows); err != nil {
		t.Error(err)
	}
}

// Few different capacities and weights make many equal levels; several changes go into one
// solution.
func TestRefillAmongTies(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 22))
		racks := 2 + r.IntN(5)
		links := make([]rackLinks, racks)
		for i := range links {
			links[i] = rackLinks{Egress: float64(int(8) << r.IntN(3)), Ingress: float64(int(8) << r.IntN(3))}
		}
		n := newNetwork(links)
		var flows []shape
		for k := range 60 {
			for range 1 + r.IntN(4) {
				switch i := r.IntN(4); {
				case len(flows) < racks || i == 0 && len(flows) < 4*racks:
					s := shape{src: r.IntN(racks), dst: r.IntN(racks), weight: 1 + r.IntN(4)}
					s.f = n.Open(s.src, s.dst, s.weight)
					n.Send(s.f, 1e15)
					flows = append(flows, s)
				case i == 1:
					i := r.IntN(len(flows))
					n.Close(flows[i].f)
					flows = append(flows[:i], flows[i+1:]...)
				default:
					s := &flows[r.IntN(len(flows))]
					s.weight = 1 + r.IntN(4)
					n.Weigh(s.f, s.weight)
				}
			}
			if err := fair(n, links, flows); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, k, err)
			}
		}
	}
}

// The last flow of the only racks in a word of the sets ends when a link that is full before theirs
// changes too: theirs carry nothing.
func TestRefillOfIdleWord(t *testing.T) {
	for _, rack := range []int{64, 128} {
		links := make([]rackLinks, 130)
		for i := range links {
			links[i] = rackLinks{Egress: 1000, Ingress: 1000}
		}
		links[0], links[1].Ingress = rackLinks{Egress: 100, Ingress: 100}, 100
		n := newNetwork(links)
		var flows []flow.Flow
		for i, p := range [][2]int{{2, 1}, {0, 3}, {rack, rack + 1}} {
			flows = append(flows, n.Open(p[0], p[1], 1))
			n.Send(flows[i], 1e15)
		}
		n.Next()
		n.Weigh(flows[0], 2)
		n.Weigh(flows[1], 2)
		n.Close(flows[2])
		if out, in := n.Rates(rack); out != 0 || in != 0 {
			t.Errorf("Rates(%d) = %v, %v after the only flow has ended, want 0, 0", rack, out, in)
		}
		if out, in := n.Rates(rack + 1); out != 0 || in != 0 {
			t.Errorf("Rates(%d) = %v, %v after the only flow has ended, want 0, 0", rack+1, out, in)
		}
	}
}
