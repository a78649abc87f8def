package flow_test

import (
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// TestRepair: without units solutions are found from one another; after each of many changes the rates are max-min fair.
func TestRepair(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 21))
		racks := 2 + r.IntN(20)
		links := racksOf(r, racks)
		n := flow.New(links, 0)
		var flows []shape
		for k := range 200 {
			switch i := r.IntN(4); {
			case len(flows) < racks || i == 0 && len(flows) < 8*racks:
				s := shape{src: r.IntN(racks), dst: r.IntN(racks), weight: 1 + r.IntN(30)}
				s.f = n.Open(s.src, s.dst, s.weight, 0)
				n.Send(s.f, 1e15)
				flows = append(flows, s)
			case i == 1:
				i := r.IntN(len(flows))
				n.Close(flows[i].f)
				flows = append(flows[:i], flows[i+1:]...)
			default:
				s := &flows[r.IntN(len(flows))]
				s.weight = 1 + r.IntN(30)
				n.Weigh(s.f, s.weight, 0)
			}
			if err := fair(n, links, flows); err != nil {
				t.Fatalf("seed %d, change %d: %v", seed, k, err)
			}
		}
	}
}
