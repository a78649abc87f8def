package flow

import (
	"math/bits"
	"slices"
)

// links holds what fill needs, for links l = r (egress of rack r) and R + r (ingress).
type links struct {
	words     int       // of a set of racks
	capacity  []float64 // +Inf: no limit
	weight    []float64 // of active classes; whole, so exact
	total     float64   // weight of all of them
	unlimited bool      // some flow may pass two links without limit
	cell      []float64 // per link and rack at the other end: weight of active classes, so each pair of racks is there twice
	peers     []uint64  // per link, a set of the racks at the other end with weight in common
	inUse     []uint64  // sets of egress and of ingress links with weight
	sent      []clock   // bytes, but for what classes have sent since they were counted

	// Scratch of fill.
	open            []uint64 // sets of egress and of ingress links in use that are not full yet
	meters          []meter
	share           []uint64  // key of what the rest of a link can get per unit of weight; +Inf: no rest, no limit, or full
	mask            uint64    // the bits of a key that hold the link
	level           []float64 // x at which the link got full; +Inf: it did not
	found           []float64 // the next level
	undo            []held
	openOut, openIn int // links in open
}

func (k *links) init(racks []Link) {
	r := len(racks)
	k.words = (r + 63) / 64
	k.capacity = make([]float64, 2*r)
	for i, x := range racks {
		k.capacity[i], k.capacity[r+i] = x.Egress, x.Ingress
	}
	for l, c := range k.capacity {
		if c == 0 {
			k.capacity[l] = inf
		}
	}
	k.unlimited = slices.Contains(k.capacity[:r], inf) && slices.Contains(k.capacity[r:], inf)
	k.weight = make([]float64, 2*r)
	k.cell = make([]float64, 2*r*r)
	k.peers = make([]uint64, 2*r*k.words)
	k.sent = make([]clock, 2*r)
	k.open, k.inUse = make([]uint64, 2*k.words), make([]uint64, 2*k.words)
	k.level = make([]float64, 2*r)
	k.found = make([]float64, 2*r)
	for l := range k.level {
		k.level[l] = inf
	}
	k.meters = make([]meter, 2*r)
	k.share = make([]uint64, 2*r)
	k.mask = 1<<bits.Len(uint(2*r)) - 1
}

// load adds w to the weight on links out and in. O(1).
func (n *Network) load(out, in int32, w float64) {
	n.weight[out] += w
	n.weight[in] += w
	n.total += w
	r := int32(n.racks)
	d := in - r
	was := n.cell[out*r+d]
	n.place(out, in, w)
	if (was == 0) != (was+w == 0) {
		n.peers[int(out)*n.words+int(d>>6)] ^= 1 << (d & 63)
		n.peers[int(in)*n.words+int(out>>6)] ^= 1 << (out & 63)
		n.use(out)
		n.use(in)
	}
	n.changed(out, in, w)
}

// use notes whether link l is in use.
func (n *Network) use(l int32) {
	b := n.bit(int(l))
	set := &n.inUse[b>>6]
	*set &^= 1 << (b & 63)
	if n.weight[l] > 0 {
		*set |= 1 << (b & 63)
	}
}

// place adds w to the weight of the cell of links out and in.
func (n *Network) place(out, in int32, w float64) {
	r := int32(n.racks)
	n.cell[out*r+in-r] += w
	n.cell[in*r+out] += w
}

// count adds what class c has sent since it was counted last to what its links have sent; its clock shows now.
func (n *Network) count(c int32, now clock) {
	p := &n.paces[c]
	bytes := float64(p.weight * now.since(p.counted))
	p.counted = now
	n.sent[p.out] = n.sent[p.out].add(bytes)
	n.sent[p.in] = n.sent[p.in].add(bytes)
}

// Rates returns the bytes per second that leave rack for other racks and that enter it from them now. Flows that
// nothing limits do not count. Cost O(classes of the rack), after a change the solution's.
func (n *Network) Rates(rack int) (egress, ingress float64) {
	n.settle()
	return n.flowing(int32(rack)), n.flowing(int32(n.racks + rack))
}

// flowing returns the bytes per second that pass link l.
func (n *Network) flowing(l int32) float64 {
	if n.interval == 0 && n.level[l] < inf {
		return n.capacity[l]
	}
	sum := 0.0
	n.visit(l, func(c int32) {
		if n.classes[c].kind == shared {
			sum += float64(n.paces[c].weight * n.rate(c))
		}
	})
	return min(sum, n.capacity[l])
}

// Sent returns the bytes that have left rack for other racks and entered it from them until now. Cost O(classes of the rack).
func (n *Network) Sent(rack int) (egress, ingress float64) {
	out, in := int32(rack), int32(n.racks+rack)
	for _, l := range [2]int32{out, in} {
		n.visit(l, func(c int32) {
			if n.classes[c].kind == shared {
				n.count(c, n.clock(c))
			}
		})
	}
	return n.sent[out].value(), n.sent[in].value()
}

// visit calls f for each class that passes link l and has weight.
func (n *Network) visit(l int32, f func(c int32)) {
	for k, set := range n.peers[int(l)*n.words : (int(l)+1)*n.words] {
		for ; set != 0; set &= set - 1 {
			i := k<<6 + bits.TrailingZeros64(set)
			cell := int(l)*n.racks + i
			if int(l) >= n.racks {
				cell = i*n.racks + int(l) - n.racks
			}
			for c := n.chain[cell]; c != none; c = n.classes[c].next {
				f(c)
			}
			if c := n.plain[cell]; c != none {
				f(c)
			}
		}
	}
}
