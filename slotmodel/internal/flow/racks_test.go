package flow_test

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

var inf = math.Inf(1)

// rackLinks is what a rack can send to and receive from other racks, bytes per second; 0: no limit.
type rackLinks struct{ Egress, Ingress float64 }

// racksOf draws links between 0.5 and 1.5 GB/s, so that hardly two fill at once.
func racksOf(r *rand.Rand, racks int) []rackLinks {
	links := make([]rackLinks, racks)
	for i := range links {
		links[i] = rackLinks{Egress: 5e8 + 1e9*r.Float64(), Ingress: 5e8 + 1e9*r.Float64()}
	}
	return links
}

// network is a Network of racks: link r is the egress of rack r, link racks + r its ingress,
// and ports come after them.
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

// port returns the link of a port; -1: none.
func (n *network) port(i int) int {
	if i < 0 {
		return -1
	}
	return 2*n.racks + i
}

// Open opens a flow from rack src to rack dst.
func (n *network) Open(src, dst, weight int) flow.Flow {
	return n.OpenAt(src, dst, -1, -1, weight)
}

// OpenAt opens a flow that passes two ports, too; -1 for none.
func (n *network) OpenAt(src, dst, out, in, weight int) flow.Flow {
	if src == dst {
		return n.Network.Open(weight, n.port(out), n.port(in))
	}
	return n.Network.Open(weight, src, n.racks+dst, n.port(out), n.port(in))
}

// ResizePort gives a port another capacity.
func (n *network) ResizePort(i int, capacity float64) { n.Resize(n.port(i), capacity) }

// Rates returns what leaves and enters a rack, bytes per second; Sent the bytes until now.
func (n *network) Rates(rack int) (egress, ingress float64) {
	return n.Rate(rack), n.Rate(n.racks + rack)
}

func (n *network) Sent(rack int) (egress, ingress float64) {
	return n.Network.Sent(rack), n.Network.Sent(n.racks + rack)
}
