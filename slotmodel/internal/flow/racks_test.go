package flow_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

var inf = math.Inf(1)

// rackLinks is what a rack can send to and receive from other racks, bytes per second; 0: no limit.
type rackLinks struct{ Egress, Ingress float64 }

// network is a Network of racks: link r is the egress of rack r, link racks + r its ingress.
type network struct {
	*flow.Network
	racks int
}

func newNetwork(racks []rackLinks) *network {
	n := &network{flow.New(), len(racks)}
	for _, r := range racks {
		n.Links(r.Egress)
	}
	for _, r := range racks {
		n.Links(r.Ingress)
	}
	return n
}

// Open opens a flow from rack src to rack dst, which passes no link within a rack.
func (n *network) Open(src, dst, weight int) flow.Flow {
	if src == dst {
		return n.Network.Open(weight)
	}
	return n.Network.Open(weight, src, n.racks+dst)
}
