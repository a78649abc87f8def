package flow

import (
	"math"
	"math/bits"
)

// meter is a link while it fills.
type meter struct {
	capacity float64
	used     float64 // by classes that are fixed
	rest     float64 // weight of the others
}

// tie joins links whose shares differ by rounding only, so that what is symmetric gets equal rates. A link's share is
// the outcome of at most 2R subtractions with relative error 2^-53 each.
const tie = 1 + 0x1p-44

// fill finds the level of every link: all x grow together from 0. A link is full when its share, (capacity - what
// the fixed classes on it use)/(weight of the others), is the least: the others on it are fixed at that level. A class
// whose unit is not above the least share is fixed at its unit. So the x of a class is the least of its unit and the
// levels of its two links. In exact arithmetic the least share never falls; here the level is kept from falling, so
// no x is 0 and a link is overused by rounding only. Cost O(L) per round; a round fills a link or reaches units; O(1)
// per cell and per class with a unit.
func (n *Network) fill() {
	n.begin()
	level, bound, next, full := 0.0, 0.0, 0, false
	for {
		link, low := n.leastShare()
		if low == inf && !n.unlimited {
			break
		}
		if low > bound {
			if next < len(n.capped) && n.capped[next].unit <= low {
				// Fixing a class at no more than the least share lowers no share, so low bounds them all the while.
				for ; next < len(n.capped) && n.capped[next].unit <= low; next++ {
					n.fixClass(&n.capped[next], full)
				}
				level = n.capped[next-1].unit
				bound = float64(level * tie)
				n.shareAnew()
				continue
			}
			if low == inf {
				break
			}
			level, bound = low, float64(low*tie)
		}
		if !full {
			full = true
			for i := range n.capped[:next] {
				n.exclude(&n.capped[i])
			}
		}
		n.fixLink(link, level)
	}
	n.end()
}

// begin counts what links have sent and empties them.
func (n *Network) begin() {
	for l := range n.meters {
		n.accrue(int32(l))
		n.meters[l] = meter{capacity: n.capacity[l], rest: n.weight[l]}
		n.level[l] = inf
	}
	for i := range n.open {
		n.open[i] = ^uint64(0)
	}
	n.undo = n.undo[:0]
	n.shareAnew()
}

// end notes the rates in use and restores the weights of cells.
func (n *Network) end() {
	for l := range n.meters {
		n.used[l] = n.meters[l].used
	}
	for _, q := range n.undo {
		n.cell[q.cell] += q.unit
	}
}

// shareAnew computes all shares.
func (n *Network) shareAnew() {
	for l := range n.meters {
		n.share[l] = n.key(n.meters[l].share(), l)
	}
}

// key packs a share >= +0 and its link into a number whose order is that of the shares, but for the last bits.
func (n *Network) key(share float64, link int) uint64 {
	return math.Float64bits(share)&^n.mask | uint64(link)
}

// leastShare returns a link with the least share, to within tie, and its share.
func (n *Network) leastShare() (link int, share float64) {
	a, b, c, d := infBits, infBits, infBits, infBits
	xs := n.share
	for ; len(xs) >= 4; xs = xs[4:] {
		a = min(a, xs[0])
		b = min(b, xs[1])
		c = min(c, xs[2])
		d = min(d, xs[3])
	}
	for _, x := range xs {
		a = min(a, x)
	}
	if a = min(a, b, c, d); a < infBits {
		link = int(a & n.mask)
		return link, n.meters[link].share()
	}
	return 0, inf
}

// fixClass fixes a class at its unit, unless one of its links is full. Shares are computed anew by the caller. Before
// the first link is full nobody reads the weights of cells.
func (n *Network) fixClass(q *limited, full bool) {
	p := &n.paces[q.slot]
	if full {
		if n.level[p.out] < inf || n.level[p.in] < inf {
			return
		}
		n.exclude(q)
	}
	use := float64(p.weight * q.unit)
	out, in := &n.meters[p.out], &n.meters[p.in]
	out.used += use
	out.rest -= p.weight
	in.used += use
	in.rest -= p.weight
}

// exclude takes a class that is fixed out of the weight of its cell, until end.
func (n *Network) exclude(q *limited) {
	w := n.paces[q.slot].weight
	n.cell[q.cell] -= w
	n.undo = append(n.undo, limited{unit: w, cell: q.cell})
}

// fixLink fixes all that is left on link l at level.
func (n *Network) fixLink(l int, level float64) {
	m := &n.meters[l]
	m.used += float64(m.rest * level)
	m.rest, n.share[l], n.level[l] = 0, infBits, level
	r, words := n.racks, n.words
	peers := n.peers[l*words : (l+1)*words]
	if l < r {
		n.open[l>>6] &^= 1 << (l & 63)
		cells := n.cell[l*r : (l+1)*r]
		meters, share := n.meters[r:], n.share[r:]
		for k, set := range peers {
			for set &= n.open[words+k]; set != 0; set &= set - 1 {
				d := k<<6 + bits.TrailingZeros64(set)
				share[d] = n.key(meters[d].take(cells[d], level), r+d)
			}
		}
		return
	}
	d := l - r
	n.open[words+d>>6] &^= 1 << (d & 63)
	cells, meters, share := n.cell[d:], n.meters, n.share
	for k, set := range peers {
		for set &= n.open[k]; set != 0; set &= set - 1 {
			s := k<<6 + bits.TrailingZeros64(set)
			share[s] = n.key(meters[s].take(cells[s*r], level), s)
		}
	}
}

// take moves w of the rest, fixed at level, to what is used and returns the share of the others.
func (m *meter) take(w, level float64) float64 {
	m.used += float64(w * level)
	m.rest -= w
	return m.share()
}

// share returns what the rest can get per unit of weight, +Inf without rest or limit, never less than +0.
func (m *meter) share() float64 {
	if !(m.rest > 0) {
		return inf
	}
	if free := m.capacity - m.used; free > 0 {
		return free / m.rest
	}
	return 0
}

// solve gives all classes their rates from now on. O(C) besides fill.
func (n *Network) solve() {
	n.fill()
	for b, set := range n.linked {
		if set == 0 {
			continue
		}
		due := n.due[b<<6 : b<<6+64]
		paces := n.paces[b<<6:]
		for ; set != 0; set &= set - 1 {
			c := bits.TrailingZeros64(set)
			p := &paces[c]
			x := lesser(p.unit, lesser(n.level[p.out], n.level[p.in]))
			if x == p.rate {
				continue
			}
			p.left -= float64(p.rate * (n.now - p.from))
			p.from, p.rate = n.now, x
			due[c] = n.dueOf(p)
		}
		n.first[b] = least(due)
	}
}
