package flow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// over allows for a link's rounding: relative, as promised in doc.go.
const over = 1e-12

// shape is a flow that never ends.
type shape struct {
	f      flow.Flow
	weight int
	links  []int
}

// fair checks the bottleneck condition: no link carries more than it can, and each flow has a
// saturated link on which no x is greater, or passes none that has a limit.
func fair(n *flow.Network, capacity []float64, flows []shape) error {
	load, greatest := make([]float64, len(capacity)), make([]float64, len(capacity))
	for _, s := range flows {
		x := n.RateOf(s.f)
		if !(x > 0) {
			return fmt.Errorf("flow %+v has x = %v", s, x)
		}
		for _, l := range s.links {
			load[l] += float64(s.weight) * x
			greatest[l] = max(greatest[l], x)
		}
	}
	for l := range load {
		if load[l] > capacity[l]*(1+over) {
			return fmt.Errorf("link %d carries %v, capacity %v", l, load[l], capacity[l])
		}
		if got := n.Rate(l); !close9(got, load[l], 0) {
			return fmt.Errorf("Rate(%d) = %v, want %v", l, got, load[l])
		}
	}
	for _, s := range flows {
		x := n.RateOf(s.f)
		held := func(l int) bool { return load[l] >= capacity[l]*(1-near) && x >= greatest[l]*(1-near) }
		if !slices.ContainsFunc(s.links, held) && !math.IsInf(x, 1) {
			return fmt.Errorf("flow %+v has x = %v, and no link holds it", s, x)
		}
	}
	return nil
}

// TestBottleneck: after each of many changes, of one flow or link or of many in one instant, the
// rates are max-min fair, also on links that are alike and on hundreds of links; and they are to
// rounding those of a network that has had no other.
func TestBottleneck(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 31))
		links := 1 + r.IntN(16)
		if seed%40 == 0 {
			links = 100 + r.IntN(200)
		}
		draw := func() float64 {
			switch seed % 4 {
			case 0: // many alike
				return float64(int(8) << r.IntN(3))
			case 1:
				return 1e9 * math.Exp(20*r.Float64())
			}
			return 5e8 + 1e9*r.Float64() // hardly two are full at once
		}
		capacity := make([]float64, links)
		for l := range capacity {
			capacity[l] = draw()
		}
		n := flow.New(capacity...)
		var flows []shape
		open := func(n *flow.Network, s shape) shape {
			s.f = n.Open(s.weight, s.links...)
			n.Send(s.f, 1e40)
			return s
		}
		weight := func() int {
			if seed%8 == 1 && r.IntN(4) == 0 {
				return 1 + r.IntN(1e6)
			}
			return 1 + r.IntN(9)
		}
		for k := range 100 {
			batch := 1
			if r.IntN(3) == 0 {
				batch = 1 + r.IntN(4+links/2)
			}
			for range batch {
				switch i := r.IntN(5); {
				case len(flows) < links || i == 0 && len(flows) < 8*links:
					flows = append(flows, open(n, shape{weight: weight(), links: r.Perm(links)[:r.IntN(1+min(5, links))]}))
				case i == 1:
					i := r.IntN(len(flows))
					n.Close(flows[i].f)
					flows = slices.Delete(flows, i, i+1)
				case i == 2:
					l := r.IntN(links)
					capacity[l] = draw()
					n.Resize(l, capacity[l])
				default:
					s := &flows[r.IntN(len(flows))]
					s.weight = weight()
					n.Weigh(s.f, s.weight)
				}
			}
			if err := fair(n, capacity, flows); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, k, err)
			}
		}
		fresh := flow.New(capacity...)
		anew := make([]shape, len(flows))
		for i, s := range flows {
			anew[i] = open(fresh, s)
		}
		for i, s := range flows {
			if got, want := n.RateOf(s.f), fresh.RateOf(anew[i].f); !close9(got, want, 0) {
				t.Fatalf("seed %d: flow %+v has x = %v, %v afresh", seed, s, got, want)
			}
		}
	}
}

// TestEqualSharesAreEqual: what is symmetric gets the same bits.
func TestEqualSharesAreEqual(t *testing.T) {
	for _, racks := range []int{3, 7, 40, 65} {
		for _, weight := range []int{1, 3, 7} {
			n := flow.New(slices.Repeat([]float64{1e9 / 3}, 2*racks)...)
			var flows []flow.Flow
			for s := range racks {
				for d := range racks {
					if s != d {
						f := n.Open(weight, s, racks+d)
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
		n := flow.New(c, c)
		var flows []flow.Flow
		for _, links := range [][]int{{0, 1}, {0}, {1}} {
			flows = append(flows, n.Open(w, links...))
			n.Send(flows[len(flows)-1], 1)
		}
		x := n.RateOf(flows[0])
		if x != n.RateOf(flows[1]) || x != n.RateOf(flows[2]) || !close9(x, c/float64(2*w), 0) {
			t.Fatalf("capacity %v, weight %d: x = %v, %v and %v, want all %v", c, w, x, n.RateOf(flows[1]), n.RateOf(flows[2]), c/float64(2*w))
		}
	}
}

// TestClasses: flows over the same links share a class.
func TestClasses(t *testing.T) {
	n := flow.New(10, 0, 5)
	for _, c := range []struct {
		links        []int
		weight, want int
	}{{[]int{0, 2}, 2, 1}, {[]int{0, 2}, 3, 1}, {[]int{1}, 2, 2}, {[]int{0, 2}, 1, 2}, {nil, 2, 3}, {[]int{-1}, 2, 3}} {
		n.Send(n.Open(c.weight, c.links...), 1)
		if got := n.Classes(); got != c.want {
			t.Errorf("%d classes after a flow %+v, want %d", got, c, c.want)
		}
	}
}

// The greatest float64 is a capacity like others.
func TestGreatestCapacity(t *testing.T) {
	n := flow.New(math.MaxFloat64, 1)
	a, b := n.Open(1, 0), n.Open(1, 1)
	n.Send(a, 1)
	n.Send(b, 1)
	if x, y := n.RateOf(a), n.RateOf(b); x != math.MaxFloat64 || y != 1 {
		t.Errorf("x = %v and %v, want MaxFloat64 and 1", x, y)
	}
}
